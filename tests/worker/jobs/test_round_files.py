"""What is kept of a round for the next one."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest

from shardwater.profiles.iterated import Iterated
from shardwater.search.repeats import KnownRepeats
from shardwater.sequences.fasta import Record
from worker.jobs.files import JobFiles
from worker.jobs.results.packing import pack
from worker.jobs.round_files import RoundFiles

JOB = "chain-of-a-test"
QUERY = Record("q", b"MKVLAADTGLAV" + b"PQGTSEK" * 6 + b"HIRNWFYCDMKL")
OTHER = b"MKVLAADTGLA"


@pytest.fixture
def files(tmp_path: Path) -> JobFiles:
    return JobFiles(tmp_path, 1 << 20)


def masks(repeats: KnownRepeats) -> dict[bytes, list[bool]]:
    return {digest: mask.tolist() for digest, mask in repeats.masks.items()}


@pytest.mark.parametrize("sequences", [[], [QUERY.residues], [OTHER, b"", QUERY.residues, QUERY.residues[:20]]])
def test_repeats_are_known_in_the_next_round(files: JobFiles, sequences: list[bytes]) -> None:
    rounds, repeats = RoundFiles(files, JOB, [QUERY]), KnownRepeats()
    repeats.of(sequences)
    rounds.keep_repeats(2, repeats)
    assert masks(rounds.repeats(2)) == masks(repeats)
    assert len(masks(rounds.repeats(2))) == len(sequences)


def test_the_order_in_which_they_were_looked_at_does_not_show(files: JobFiles) -> None:
    rounds, kept = RoundFiles(files, JOB, [QUERY]), []
    for sequences in ([OTHER, QUERY.residues], [QUERY.residues, OTHER]):
        repeats = KnownRepeats()
        repeats.of(sequences)
        rounds.keep_repeats(2, repeats)
        kept.append(files.repeats(JOB, 2))
    assert kept[0] == kept[1]


def test_where_they_are_not_kept_or_damaged_none_are_known(files: JobFiles) -> None:
    rounds = RoundFiles(files, JOB, [QUERY])
    assert masks(rounds.repeats(1)) == {}
    rounds.keep_repeats(2, KnownRepeats())
    rounds.keep(3, Iterated.first([QUERY]))
    assert masks(rounds.repeats(3)) == {}
    for damaged in (pack(b"[]")[:-1], pack(b"[]"), pack(b"3"), pack(b'["AAAA", "AAAA", "AAAA"]')):
        files.keep_repeats(JOB, 3, damaged)
        assert masks(rounds.repeats(3)) == {}


def told(lengths: list[int], masks: bytes, digests: bytes = bytes(16)) -> list[str]:
    parts = (digests, np.array(lengths, np.uint32).tobytes(), masks)
    return [base64.b64encode(part).decode() for part in parts]


@pytest.mark.parametrize(
    "kept",
    [
        told([81], b""),
        told([81], bytes(10)),
        told([81], bytes(12)),
        told([81], bytes(11), bytes(15)),
        told([81], bytes(11), bytes(32)),
        told([4 * 10**9] * 3, b"", bytes(48)),
        told([8, 8], bytes(2), bytes(16)),
        {"a": 1, "b": 2, "c": 3},
        [None] * 3,
    ],
)
def test_masks_that_do_not_fit_are_as_if_there_were_none(files: JobFiles, kept: object) -> None:
    files.keep_repeats(JOB, 2, pack(json.dumps(kept).encode()))
    assert masks(RoundFiles(files, JOB, [QUERY]).repeats(2)) == {}


def test_depth_without_end_is_as_if_there_were_none(files: JobFiles) -> None:
    files.keep_repeats(JOB, 2, pack(b"[" * 200_000))
    assert masks(RoundFiles(files, JOB, [QUERY]).repeats(2)) == {}
