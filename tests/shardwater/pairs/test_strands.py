"""Strands by themselves: which one is chosen, what the engine is asked for, which cells count, and two scores."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.strands import Aligned, Strands, align_strands, chosen, turned_round
from shardwater.scoring.table import match_table
from shardwater.sequences.alphabets import DNA
from shardwater.sequences.named import COMPLEMENTS, reverse_complement
from tests.support.pairs import Scripted, coded, written

LOCAL = Scheme(match_table(2, -1), 1, 1)
# The second scores better turned round, the third equally well.
PAIRS = [("AACG", "AACG"), ("TTG", "CAA"), ("AT", "AT")]
CELLS = [16, 9, 4]
FORWARD, TURNED, BEST = [8, 2, 4], [2, 6, 4], [8, 6, 4]


def scored(scores: Sequence[int], rows: Iterable[int] = range(3), ahead: int = 0) -> Columns:
    """Scores of some of the pairs."""
    numbers = np.array(list(rows), np.int64)
    return replace(
        Columns.scored(True, numbers, np.array(CELLS)[numbers], np.array(scores)[numbers]),
        ahead=ahead,
    )


def aligned(engine: Scripted, report: Report, strand: Strands) -> list[Aligned]:
    return list(align_strands(coded(PAIRS), LOCAL, report, strand, engine))


def told(parts: Iterable[Aligned]) -> list[tuple[int, int, bool]]:
    """The number, score and strand of each pair, in the order of their answers."""
    answers = [part.answers for part in parts if part.answers is not None]
    return [
        row
        for columns, reverse in answers
        for row in zip(columns.numbers.tolist(), columns.scores.tolist(), reverse.tolist(), strict=True)
    ]


def test_queries_turned_round_are_their_reverse_complements() -> None:
    letters = ["ACGTN", "", "ry", "AAC"]
    # As parts of batches are: sequences before and after them are in the same array.
    some = written([(each, "") for each in ["GG", *letters, "T"]]).queries.part(1, 5)
    turned = turned_round(some, np.frombuffer(COMPLEMENTS, np.uint8))
    assert [each.tobytes() for each in (turned[number] for number in range(4))] == [
        reverse_complement(each.encode()) for each in letters
    ]


def test_chosen_takes_one_or_the_other() -> None:
    one, other = (written([(each, "") for each in side]).queries for side in (["AC", "", "G"], ["TG", "", "C"]))
    taken = chosen(np.array([True, True, False]), one, other)
    assert [taken[number].tobytes() for number in range(3)] == [b"AC", b"", b"C"]


def test_forward_alone_asks_once_and_counts_each_cell_once() -> None:
    engine = Scripted([[scored(FORWARD, [2]), scored(FORWARD, [0, 1])]])
    parts = aligned(engine, "score", "forward")
    assert told(parts) == [(2, 4, False), (0, 8, False), (1, 2, False)]
    assert engine.asked == [(["AACG", "TTG", "AT"], "score")]
    assert [(part.cells, part.progress) for part in parts] == [(4, 4), (25, 25)]


def test_both_strands_score_each_and_the_better_one_is_aligned() -> None:
    engine = Scripted([[scored(FORWARD)], [scored(TURNED)], [scored(BEST, [1]), scored(BEST, [2, 0])]])
    parts = aligned(engine, "ends", "both")
    assert told(parts) == [(1, 6, True), (2, 4, False), (0, 8, False)]
    turned = [reverse_complement(query.encode()).decode() for query, _ in PAIRS]
    assert engine.asked == [
        (["AACG", "TTG", "AT"], "score"),
        (turned, "score"),
        (["AACG", turned[1], "AT"], "ends"),
    ]
    # Cells count once a strand; the third pass computes, and counts for nothing.
    assert [(part.cells, part.progress) for part in parts] == [(29, 29), (29, 29), (0, 9), (0, 20)]


def test_scores_of_both_strands_need_no_third_pass() -> None:
    engine = Scripted([[scored(FORWARD, [1]), scored(FORWARD, [0, 2])], [scored(TURNED)]])
    parts = aligned(engine, "score", "both")
    assert told(parts) == [(0, 8, False), (1, 6, True), (2, 4, False)]
    assert [part.cells for part in parts] == [9, 20, 29, 0]
    [answers] = [part.answers[0] for part in parts if part.answers is not None]
    assert answers.cells.tolist() == CELLS


def test_cells_told_ahead_of_their_answers_are_news_once() -> None:
    ahead = Columns.nothing(True, 20)
    engine = Scripted([[ahead, scored(FORWARD, [0]), scored(FORWARD, [1, 2], ahead=3), Columns.nothing(True)]])
    parts = aligned(engine, "score", "forward")
    assert [part.progress for part in parts] == [20, 0, 12, 0]
    assert [part.cells for part in parts] == [0, 16, 13, 0]


@pytest.mark.parametrize("third", [[8, 6, 5], [8, 2, 4], [7, 6, 4]])
def test_another_score_than_the_strand_was_chosen_by_is_refused(third: list[int]) -> None:
    engine = Scripted([[scored(FORWARD)], [scored(TURNED)], [scored(third, [2, 1, 0])]])
    with pytest.raises(EngineError) as caught:
        aligned(engine, "ends", "both")
    assert str(caught.value) == "the engine has given a pair two scores"


@pytest.mark.parametrize("call", [0, 1, 2])
def test_pair_left_out_of_any_pass_is_missed(call: int) -> None:
    calls = [[scored(scores)] for scores in (FORWARD, TURNED, BEST)]
    calls[call] = [calls[call][0][:2]]
    with pytest.raises(EngineError) as caught:
        aligned(Scripted(calls), "ends", "both")
    assert str(caught.value) == "the engine has left out 1 of 3 pairs"


def test_letters_of_codes_turn_round_as_those_of_text() -> None:
    query = DNA.letters
    engine = Scripted([[Columns.scored(True, np.array([0]), np.array([len(query)]), np.array([1]))] for _ in range(2)])
    list(align_strands(coded([(query, "A")]), LOCAL, "score", "both", engine))
    assert [asked for [asked], _ in engine.asked] == [query, reverse_complement(query.encode()).decode()]
