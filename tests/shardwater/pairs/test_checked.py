"""Checks of what an engine answers, by themselves: each fault by its sentence, and what is not looked at."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs import checked
from shardwater.pairs.checked import align_checked
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns
from shardwater.scoring.table import match_table
from tests.support.pairs import Scripted, alignment, answered, coded

LOCAL = Scheme(match_table(2, -1), 1, 1)
PAIRS = [("ACGT", "ACG"), ("GTT", "TT"), ("AA", "CCC")]
FOUND = [alignment(6, (0, 3), (0, 3), "3M"), alignment(4, (1, 3), (0, 2), "2M"), None]
RIGHT = answered(PAIRS, FOUND, local=True)


def given(parts: Sequence[Columns], report: Report = "alignment") -> list[tuple[int, Alignment | None]]:
    """What passes the checks, of an engine that answers with these parts."""
    return [each for part in align_checked(Scripted([parts]), coded(PAIRS), LOCAL, report) for each in part]


@pytest.mark.parametrize(
    "parts", [[RIGHT], [RIGHT[2:], Columns.nothing(True, 5), RIGHT[:2]], [RIGHT.select(np.array([1, 2, 0]))]]
)
def test_each_pair_once_in_any_order_and_any_parts(parts: list[Columns]) -> None:
    assert sorted(given(parts), key=lambda each: each[0]) == list(enumerate(FOUND))


@pytest.mark.parametrize("report", ["score", "ends", "alignment"])
@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([], "the engine has left out 3 of 3 pairs"),
        ([RIGHT[:1], RIGHT[2:]], "the engine has left out 1 of 3 pairs"),
        ([RIGHT, RIGHT[1:2]], "the engine has answered a pair twice"),
        ([RIGHT.select(np.array([0, 1, 1]))], "the engine has answered a pair twice"),
        (
            [replace(RIGHT, cells=RIGHT.cells + np.array([0, 0, 1]))],
            "the engine has counted other cells than a pair has",
        ),
        (
            [replace(RIGHT, cells=RIGHT.cells - np.array([1, 0, 0]))],
            "the engine has counted other cells than a pair has",
        ),
        # The cells of another pair.
        ([replace(RIGHT, cells=RIGHT.cells[[1, 0, 2]])], "the engine has counted other cells than a pair has"),
    ],
)
def test_answers_that_are_not_those_of_the_pairs_are_refused(
    parts: list[Columns], message: str, report: Report
) -> None:
    with pytest.raises(EngineError) as caught:
        given(parts, report)
    assert str(caught.value) == message


def test_first_alignment_of_each_part_is_replayed() -> None:
    wrong = replace(RIGHT, scores=RIGHT.scores + np.array([0, 1, 0]))
    with pytest.raises(EngineError) as caught:
        given([wrong[:1], wrong[1:]])
    assert str(caught.value) == "the sequences of an alignment scored 5, but 4 in their alignment"
    # Elsewhere than in the sample it is found when it is told (told.py).
    assert len(given([wrong])) == 3


def test_sample_has_more_where_more_come_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked, "SAMPLE", 2)
    wrong = replace(RIGHT, scores=np.array([6, 4, 1]))
    with pytest.raises(EngineError) as caught:
        given([wrong])
    assert str(caught.value) == "the sequences of an alignment scored 1, but 0 in their alignment"


@pytest.mark.parametrize("report", ["score", "ends"])
def test_nothing_is_replayed_where_no_alignments_are_asked_for(report: Report) -> None:
    assert len(given([RIGHT.told(report)], report)) == 3


def test_fault_in_a_later_part_is_raised_there() -> None:
    parts = align_checked(Scripted([[RIGHT[:2], RIGHT[:1]]]), coded(PAIRS), LOCAL, "alignment")
    assert len(next(parts)) == 2
    with pytest.raises(EngineError, match="answered a pair twice"):
        next(parts)
