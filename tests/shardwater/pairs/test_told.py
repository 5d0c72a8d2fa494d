"""What is told of pairs by itself: places as users count them, counts, rows, and whose names an error has."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.errors import EngineError
from shardwater.pairs import told
from shardwater.pairs.aligned import AlignedPair, Rows
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.replay import Replay
from shardwater.pairs.told import ToldPairs
from shardwater.scoring.table import match_table, matrix_table
from tests.support.pairs import alignment, answered, written

LOCAL = Scheme(match_table(2, -1), 1, 1)
SEMI_GLOBAL = replace(LOCAL, mode=Mode.SEMI_GLOBAL)
# The second query is aligned as its reverse complement, TTACAA; the third pair has no alignment.
PAIRS = [("GGACGTA", "ACCA"), ("TTGTAA", "CTTACAG"), ("AAAA", "CCCC")]
FOUND = [alignment(3, (2, 7), (0, 4), "2M1I2M"), alignment(10, (0, 5), (1, 6), "5M"), None]
TURNED = [False, True, False]


def told_pairs(
    report: Report,
    pairs: Sequence[tuple[str, str]] = PAIRS,
    found: Sequence[Alignment | None] = FOUND,
    turned: Sequence[bool] = TURNED,
    scheme: Scheme = LOCAL,
) -> ToldPairs:
    """What is told of pairs named q1 and s1, q2 and s2, ..."""
    names = ([f"{side}{number + 1}" for number in range(len(pairs))] for side in "qs")
    columns = answered(pairs, found, local=scheme.mode.local)
    return ToldPairs(*names, written(pairs), columns, np.array(turned, np.bool_), scheme, report)


def each_of(all_told: ToldPairs) -> list[AlignedPair]:
    return [all_told.pair(row) for row in range(len(all_told.columns))]


def test_alignments_of_both_strands_and_a_pair_without_one() -> None:
    assert each_of(told_pairs("alignment")) == [
        AlignedPair("q1", "s1", 3, 3, 7, 1, 4, "+", "2=1I1X1=", 3, 3, 1, 5),
        AlignedPair("q2", "s2", 10, 2, 6, 2, 6, "-", "5=", 5, 5, 0, 5),
        AlignedPair("q3", "s3", 0),
    ]


def test_ends_alone() -> None:
    assert each_of(told_pairs("ends")) == [
        AlignedPair("q1", "s1", 3, 3, 7, 1, 4, "+"),
        AlignedPair("q2", "s2", 10, 2, 6, 2, 6, "-"),
        AlignedPair("q3", "s3", 0),
    ]


def test_scores_alone_need_no_letters() -> None:
    scores = replace(told_pairs("score"), letters=PairBatch.of([]))
    assert each_of(scores) == [
        AlignedPair("q1", "s1", 3), AlignedPair("q2", "s2", 10, strand="-"), AlignedPair("q3", "s3", 0)
    ]  # fmt: skip


def test_alignment_without_columns_is_there() -> None:
    nothing = told_pairs("alignment", [("AC", "G")], [alignment(0, (2, 2), (0, 0), "")], [False], SEMI_GLOBAL)
    assert each_of(nothing) == [AlignedPair("q1", "s1", 0, 3, 2, 1, 0, "+", "", 0, 0, 0, 0)]


def test_scores_of_half_costs_are_in_whole_units() -> None:
    scheme = Scheme.of(match_table(2, -1), 0.5, 0.5, Mode.GLOBAL)
    half = told_pairs("alignment", [("ACG", "AG")], [alignment(30, (0, 3), (0, 2), "1M1I1M")], [False], scheme)
    assert [(each.score, each.cigar) for each in each_of(half)] == [(3, "1=1I1=")]


@pytest.mark.parametrize("letters", [1, 12, 1 << 17])
def test_pairs_that_are_replayed_apart_are_told_alike(letters: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = each_of(told_pairs("alignment", PAIRS * 3, FOUND * 3, TURNED * 3))
    monkeypatch.setattr(told, "AT_ONCE", letters)
    assert each_of(told_pairs("alignment", PAIRS * 3, FOUND * 3, TURNED * 3)) == expected


def test_rows_of_both_strands() -> None:
    pairs = told_pairs("alignment")
    assert pairs.rows(0) == Rows("ACGTA", "||  |", "AC-CA")
    assert pairs.rows(1) == Rows("TTACA", "|||||", "TTACA")
    scheme = Scheme(matrix_table("BLOSUM62"), 11, 1)
    protein = told_pairs("alignment", [("LlW", "ILw")], [alignment(2 + 4 + 11, (0, 3), (0, 3), "3M")], [False], scheme)
    assert protein.rows(0) == Rows("LlW", "+||", "ILw")
    assert (protein.pair(0).identity, protein.pair(0).positive) == (2, 3)


@pytest.mark.parametrize("most", range(7))
def test_beginning_is_that_of_the_rows(most: int) -> None:
    pairs = told_pairs("alignment")
    for row in (0, 1):
        whole = pairs.rows(row)
        begun = Rows(*(line[:most] for line in (whole.query, whole.midline, whole.subject)))
        assert pairs.beginning(row, most) == (len(whole.query), begun)


def test_ends_of_an_alignment_need_nothing_of_its_columns() -> None:
    pairs = told_pairs("alignment", found=[*FOUND[:2], alignment(10, (0, 4), (0, 4), "4M")])
    assert pairs.ends(1) == AlignedPair("q2", "s2", 10, 2, 6, 2, 6, "-")
    assert pairs.ends(2) == AlignedPair("q3", "s3", 10, 1, 4, 1, 4)
    with pytest.raises(EngineError, match=r"^q3 and s3 scored 10, but -4 in their alignment$"):
        pairs.beginning(2, 4)


@pytest.mark.parametrize(("letters", "together"), [(1, False), (1 << 17, True)])
def test_error_names_the_sequences_of_an_unsound_alignment(
    letters: int, together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told, "AT_ONCE", letters)
    wrong = told_pairs("alignment", found=[FOUND[0], alignment(11, (0, 5), (1, 6), "5M"), None])
    for ask in (lambda: wrong.all, lambda: wrong.pair(0), lambda: wrong.rows(1)):
        with pytest.raises(EngineError) as caught:
            ask()
        assert str(caught.value) == "q2 and s2 scored 11, but 10 in their alignment"
    if together:
        with pytest.raises(EngineError):
            wrong.rows(0)
    else:
        # The rows of another batch can still be had.
        assert wrong.rows(0).query == "ACGTA"


def test_rows_are_replayed_many_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """To replay each row by itself takes ten times as long."""
    several = told_pairs("alignment", PAIRS * 500, FOUND * 500, TURNED * 500)
    replayed = list[int]()

    def counted(letters: PairBatch, columns: Columns, scheme: Scheme) -> Replay:
        replayed.append(len(columns))
        return Replay.of(letters, columns, scheme)

    monkeypatch.setattr(told, "Replay", SimpleNamespace(of=counted))
    monkeypatch.setattr(told, "AT_ONCE", 1 << 10)
    rows = [several.rows(row) for row in range(1500)]
    assert [rows[0].query, rows[1].query, rows[2].query] == ["ACGTA", "TTACA", ""]
    assert rows == rows[:3] * 500
    assert sum(replayed) == 1500 and len(replayed) <= 20


def test_alignment_on_the_other_strand_than_is_said_is_unsound() -> None:
    with pytest.raises(EngineError, match=r"^q2 and s2 scored 10, but -?\d+ in their alignment$"):
        told_pairs("alignment", turned=[False] * 3).pair(0)
