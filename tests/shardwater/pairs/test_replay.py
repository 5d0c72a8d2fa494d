"""Replays of alignments by themselves: what they show and count, and every way in which one can be wrong."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.replay import Replay, UnsoundAlignment
from shardwater.scoring.table import match_table, matrix_table
from tests.support.pairs import alignment, answered, written

LOCAL = Scheme(match_table(2, -1), 1, 1)
GLOBAL = replace(LOCAL, mode=Mode.GLOBAL)
FREE = replace(LOCAL, mode=Mode.SEMI_GLOBAL)
PLACES = "the sequences of an alignment have an alignment that is not from where to where it says"

Pairs = Sequence[tuple[str, str]]


def replayed(pairs: Pairs, found: Sequence[Alignment | None], scheme: Scheme) -> Replay:
    return Replay.of(written(pairs), answered(pairs, found, local=scheme.mode.local), scheme)


def text(row: npt.NDArray[np.uint8]) -> str:
    return row.tobytes().decode()


def test_columns_of_several_alignments_one_after_another() -> None:
    pairs = [("ACGTTT", "AGGT"), ("AAAA", "CCCC"), ("TTAC", "ACGG")]
    found = [alignment(2, (0, 6), (0, 4), "4M2I"), None, alignment(1, (2, 4), (0, 4), "2M2D")]
    replay = replayed(pairs, found, LOCAL)
    assert (text(replay.query), text(replay.subject)) == ("ACGTTTAC--", "AGGT--ACGG")
    assert replay.ends.tolist() == [0, 6, 6, 10]
    assert replay.cigars == ["1=1X2=2I", "", "2=2D"]
    assert replay.lengths == [6, 0, 4]
    counts = [replay.sums(which) for which in (replay.identical, replay.positive, replay.gap)]
    assert counts == [[3, 0, 2], [3, 0, 2], [2, 0, 2]]


def test_runs_of_one_kind_stay_apart_where_alignments_meet() -> None:
    replay = replayed([("AC", "AC"), ("AC", "AC")], [alignment(4, (0, 2), (0, 2), "2M")] * 2, GLOBAL)
    assert replay.cigars == ["2=", "2="]


def test_no_alignments_have_no_columns() -> None:
    replay = replayed([], [], LOCAL)
    assert (replay.cigars, replay.lengths, replay.sums(replay.gap)) == ([], [], [])


def test_letters_are_the_same_by_their_looks() -> None:
    # DNA: case does not count, and U is T. N and N are the same, though they score a mismatch.
    replay = replayed([("acgun", "ACGTN")], [alignment(7, (0, 5), (0, 5), "5M")], LOCAL)
    assert (text(replay.query), replay.cigars, replay.sums(replay.positive)) == ("acgun", ["5="], [5])
    # Proteins: U scores as X, and is another letter. L and I are others that score above 0.
    scheme = Scheme(matrix_table("BLOSUM62"), 11, 1, Mode.GLOBAL)
    replay = replayed([("mUL", "MXI")], [alignment(5 - 1 + 2, (0, 3), (0, 3), "3M")], scheme)
    assert (replay.cigars, replay.sums(replay.identical), replay.sums(replay.positive)) == (["1=2X"], [1], [2])


def test_costs_of_gaps_are_those_of_each_run() -> None:
    # Two gaps of one letter each cost more than one of two: 2 * (1 + 1), not 1 + 2.
    apart = alignment(2 * 3 - 4, (0, 5), (0, 3), "1M1I1M1I1M")
    assert replayed([("ATCTG", "ACG")], [apart], GLOBAL).cigars == ["1=1I1=1I1="]
    beside = alignment(2 * 3 - 4, (0, 4), (0, 4), "2M1I1D1M")
    assert replayed([("ACAG", "ACTG")], [beside], GLOBAL).cigars == ["2=1I1D1="]


# Each is worth its score by the letters that it would read: those before and after belong to its neighbours.
NEIGHBOURS = [("ACGT", "ACGT"), ("ACGT", "ACGT"), ("ACGT", "ACGT")]
SOUND = alignment(8, (0, 4), (0, 4), "4M")


@pytest.mark.parametrize(
    "wrong",
    [
        alignment(8, (-1, 3), (-1, 3), "4M"),
        alignment(8, (1, 5), (1, 5), "4M"),
        # More or fewer letters than lie between its places, of one side.
        alignment(6, (0, 4), (0, 3), "3M"),
        alignment(6, (0, 3), (0, 4), "3M"),
        alignment(4, (0, 3), (0, 3), "3M1I"),
        alignment(4, (0, 3), (0, 3), "3M1D"),
    ],
    ids=["before", "behind", "query short", "subject short", "query long", "subject long"],
)
def test_path_that_is_not_between_its_places_is_unsound(wrong: Alignment) -> None:
    with pytest.raises(UnsoundAlignment) as caught:
        replayed(NEIGHBOURS, [SOUND, wrong, SOUND], LOCAL)
    assert (str(caught.value), caught.value.row) == (PLACES, 1)


@pytest.mark.parametrize("score", [7, 9, -8])
def test_path_that_is_not_worth_its_score_is_unsound(score: int) -> None:
    with pytest.raises(UnsoundAlignment) as caught:
        replayed(NEIGHBOURS, [SOUND, SOUND, replace(SOUND, score=score)], LOCAL)
    expected = f"the sequences of an alignment scored {score}, but 8 in their alignment"
    assert (str(caught.value), caught.value.row) == (expected, 2)
    assert str(caught.value.of_pair("q", "s")) == f"q and s scored {score}, but 8 in their alignment"


@pytest.mark.parametrize("wrong", [replace(SOUND, score=9), replace(SOUND, query_end=3)], ids=["score", "places"])
def test_the_first_unsound_alignment_is_named(wrong: Alignment) -> None:
    with pytest.raises(UnsoundAlignment) as caught:
        replayed(NEIGHBOURS, [SOUND, wrong, wrong], LOCAL)
    assert caught.value.row == 1


def test_places_of_a_pair_without_an_alignment_mean_nothing() -> None:
    columns = answered(NEIGHBOURS[:1], [None], local=True)
    anywhere = replace(columns, places=np.array([[3, 9, 2, 7]]))
    assert Replay.of(written(NEIGHBOURS[:1]), anywhere, LOCAL).lengths == [0]


# Of AACC and AACC: one letter of the query, of the subject, or of both, before and after the alignment.
AT_BEGIN = {"query": ((1, 4), (0, 4)), "subject": ((0, 4), (1, 4)), "both": ((1, 4), (1, 4))}
AT_END = {"query": ((0, 3), (0, 4)), "subject": ((0, 4), (0, 3)), "both": ((0, 3), (0, 3))}


@pytest.mark.parametrize("left_out", ["query", "subject", "both"])
@pytest.mark.parametrize("side", ["begin", "end"])
@pytest.mark.parametrize("free", [(), ("query",), ("subject",), ("query", "subject")], ids="+".join)
def test_letters_are_left_out_at_free_ends_alone_and_of_one_sequence(
    free: tuple[str, ...], side: str, left_out: str
) -> None:
    scheme = replace(LOCAL, mode=Mode.free([f"{name}_{side}" for name in free]))
    query, subject = (AT_BEGIN if side == "begin" else AT_END)[left_out]
    gap = {"query": "1D", "subject": "1I", "both": ""}[left_out]
    path = f"{gap}3M" if side == "begin" else f"3M{gap}"
    pairs = [("AACC", "AACC")]
    found = alignment(6 - 2 * bool(gap), query, subject, path)
    if left_out in free:
        assert replayed(pairs, [found], scheme).lengths == [4]
        return
    with pytest.raises(UnsoundAlignment) as caught:
        replayed(pairs, [found], scheme)
    assert str(caught.value) == PLACES


def test_alignment_without_columns_lies_at_an_end() -> None:
    nothing = alignment(0, (4, 4), (0, 0), "")
    assert replayed([("ACGT", "ACGT")], [nothing], FREE).cigars == [""]
    with pytest.raises(UnsoundAlignment, match=PLACES):
        replayed([("ACGT", "ACGT")], [replace(nothing, query_start=3, query_end=3)], FREE)
