"""What is kept of a round for the next one."""

from pathlib import Path

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
