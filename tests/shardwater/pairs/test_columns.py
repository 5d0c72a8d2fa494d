"""Batches of pairs in arrays, and what is found of them in columns."""

from dataclasses import replace

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.errors import EngineError
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.coded import CodedPair, Report, told
from shardwater.pairs.columns import KIND_BITS, LONGEST_RUN, Columns, alignments_of, joined_runs
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import match_table
from tests.support.pair_oracle import best

READS = Scheme(match_table(2, -1), 1, 1)


def coded(query: list[int], subject: list[int]) -> CodedPair:
    return CodedPair(np.array(query, np.uint8), np.array(subject, np.uint8))


PAIRS = [coded([0, 1, 2, 3], [0, 1, 3]), coded([], [1]), coded([2, 2], [2]), coded([0], [])]


def spelled(pair: CodedPair) -> tuple[list[int], list[int]]:
    return pair.query.tolist(), pair.subject.tolist()


def test_a_batch_has_the_pairs_that_it_was_made_of() -> None:
    batch = PairBatch.of(PAIRS)
    assert list(map(spelled, batch)) == list(map(spelled, PAIRS))
    assert spelled(batch[-1]) == ([0], [])
    assert batch.lengths.tolist() == [[4, 0, 2, 1], [3, 1, 1, 0]]
    assert PairBatch.of(batch) is batch


def test_no_pairs_make_a_batch() -> None:
    assert len(PairBatch.of([])) == 0
    assert list(CpuPairs(1).align_batch(PairBatch.of([]), READS, "score")) == []


def test_a_part_of_a_batch_is_one_of_the_same_letters() -> None:
    batch = PairBatch.of(PAIRS)
    part = batch[1:3]
    assert list(map(spelled, part)) == list(map(spelled, PAIRS[1:3]))
    assert part.queries.codes is batch.queries.codes
    assert (part.queries.letters.tolist(), part.subjects.letters.tolist()) == ([2, 2], [1, 2])
    assert list(map(spelled, batch[::-2])) == list(map(spelled, PAIRS[::-2]))
    assert len(batch[3:1]) == 0


def test_there_is_no_pair_beyond_the_last() -> None:
    with pytest.raises(IndexError):
        PairBatch.of(PAIRS)[4]


def test_a_batch_of_arrays_copies_nothing() -> None:
    codes, offsets = np.zeros(7, np.uint8), np.array([1, 3, 6])
    batch = PairBatch(Joined(codes, offsets), Joined(codes, offsets))
    assert np.shares_memory(batch[1].query, codes)
    assert spelled(batch[1]) == ([0, 0, 0], [0, 0, 0])


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL])
@pytest.mark.parametrize("report", ["score", "ends", "alignment"])
def test_columns_say_what_alignments_do(mode: Mode, report: Report) -> None:
    scheme, engine = replace(READS, mode=mode), CpuPairs(1)
    [columns] = engine.align_batch(PairBatch.of(PAIRS), scheme, report)
    expected = [best(pair.query.tolist(), pair.subject.tolist(), scheme) for pair in PAIRS]
    assert dict(columns) == {number: each and told(each, report) for number, each in enumerate(expected)}
    assert columns.cells.tolist() == [12, 0, 2, 0]


FOUND = [
    (5, Alignment(9, 1, 6, 2, 7, (Run("M", 3), Run("I", 2), Run("D", 2)))),
    (2, None),
    (4, Alignment(3, 0, 2, 0, 2, (Run("M", 2),))),
]


def columns() -> Columns:
    return Columns.of(FOUND, np.array([[1, 1, 4, 1, 2, 8], [1, 1, 3, 1, 2, 7]]), local=True)


def test_columns_are_a_row_a_pair() -> None:
    assert columns().scores.tolist() == [9, 0, 3]
    assert columns().cells.tolist() == [56, 12, 4]
    assert columns().places.tolist() == [[1, 6, 2, 7], [0, 0, 0, 0], [0, 2, 0, 2]]
    assert (columns().firsts.tolist(), columns().lasts.tolist()) == ([0, 3, 3], [3, 3, 4])


def test_columns_are_the_answers_that_they_were_made_of() -> None:
    assert list(columns()) == FOUND
    assert [columns()[0], columns()[-1], len(columns())] == [FOUND[0], FOUND[2], 3]
    assert list(columns()[1:]) == FOUND[1:]
    assert list(columns().select(np.array([True, False, True]))) == [FOUND[0], FOUND[2]]
    with pytest.raises(IndexError):
        columns()[3]


def test_run_that_is_too_long_for_its_word_is_refused() -> None:
    lengths = np.full((2, 1), 600_000_000)
    longest = Alignment(1, 0, LONGEST_RUN, 0, LONGEST_RUN, (Run("D", LONGEST_RUN),))
    assert list(Columns.of([(0, longest)], lengths, local=False)) == [(0, longest)]
    for length in (LONGEST_RUN + 1, 600_000_000):
        found = Alignment(1, 0, length, 0, length, (Run("M", length),))
        with pytest.raises(OverflowError, match=f"a run of {length:,} letters"):
            Columns.of([(0, found)], lengths, local=False)
    half = np.array([300_000_000 << KIND_BITS | 1], np.int32)
    with pytest.raises(OverflowError, match="a run of 600,000,000 letters"):
        joined_runs([half, half])


def test_each_pair_gets_a_row_in_the_order_of_pairs() -> None:
    each = columns().of_each(7)
    assert list(each) == [(0, None), (1, None), (2, None), (3, None), FOUND[2], FOUND[0], (6, None)]
    assert each.cells.tolist() == [0, 0, 12, 0, 4, 56, 0]
    assert each.row_runs.tolist() == columns().select([2, 0]).row_runs.tolist()
    assert list(Columns.nothing(True).of_each(2)) == [(0, None), (1, None)]
    for strange in (columns().numbered(np.zeros(6, np.int64)), columns().numbered(np.arange(6) - 6), columns()):
        with pytest.raises(EngineError, match="not asked for, or two for one"):
            strange.of_each(5)


def test_alignments_come_by_the_numbers_of_their_pairs() -> None:
    numbers = np.array([0, 0, 0, 0, 2, 1])
    first, others = columns().numbered(numbers)[:1], columns().numbered(numbers)[1:]
    assert alignments_of([first, others]) == [None, FOUND[0][1], FOUND[2][1]]
    assert alignments_of([]) == []


def test_pairs_may_be_counted_otherwise() -> None:
    others = np.array([10, 11, 12, 13, 14, 15])
    assert [number for number, _ in columns().numbered(others)] == [15, 12, 14]


@pytest.mark.parametrize("report", ["score", "ends", "alignment"])
def test_shorter_reports_leave_columns_out(report: Report) -> None:
    assert list(columns().told(report)) == [(number, each and told(each, report)) for number, each in FOUND]
