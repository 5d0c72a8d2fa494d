"""What is kept of a round for the next one."""

import json
from pathlib import Path

import pytest

from shardwater.errors import EngineError
from shardwater.profiles.iterated import Iterated
from shardwater.search.repeats import Repeats
from shardwater.sequences.fasta import Record
from worker.jobs.files import JobFiles
from worker.jobs.results.packing import pack, unpack
from worker.jobs.round_files import RoundFiles

JOB = "chain-of-a-test"
QUERY = Record("q", b"MKVLAADTGLAV" + b"PQGTSEK" * 6 + b"HIRNWFYCDMKL")
OTHER = b"MKVLAADTGLA"


@pytest.fixture
def files(tmp_path: Path) -> JobFiles:
    return JobFiles(tmp_path, 1 << 20)


def masks(repeats: Repeats) -> dict[bytes, list[bool]]:
    return {digest: mask.tolist() for digest, mask in repeats.known.items()}


@pytest.mark.parametrize("sequences", [[], [QUERY.residues], [OTHER, b"", QUERY.residues, QUERY.residues[:20]]])
def test_repeats_are_known_in_the_next_round(files: JobFiles, sequences: list[bytes]) -> None:
    rounds, repeats = RoundFiles(files, JOB, [QUERY]), Repeats()
    repeats.of(sequences)
    rounds.keep(2, Iterated.first([QUERY]), repeats)
    assert masks(rounds.repeats(2)) == masks(repeats)
    assert len(rounds.repeats(2).known) == len(sequences)
    assert rounds.read(2).records == [QUERY]


def test_before_the_first_round_none_are_known(files: JobFiles) -> None:
    assert masks(RoundFiles(files, JOB, [QUERY]).repeats(1)) == {}


def test_a_round_that_was_kept_without_them_has_none(files: JobFiles) -> None:
    rounds = RoundFiles(files, JOB, [QUERY])
    rounds.keep(2, Iterated.first([QUERY]))
    assert "repeats" not in json.loads(unpack(files.round(JOB, 2)))
    assert masks(rounds.repeats(2)) == {}


def test_a_round_that_is_gone_or_damaged_is_told(files: JobFiles) -> None:
    rounds = RoundFiles(files, JOB, [QUERY])
    with pytest.raises(EngineError, match="round 2 of the search is not kept"):
        rounds.repeats(2)
    files.keep_round(JOB, 2, pack(b"{}")[:-1])
    with pytest.raises(EngineError, match="round 2 of the search is not kept"):
        rounds.repeats(2)
