import math
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from shardwater.engines.extent import Extent
from shardwater.search.hits import ShardResult
from shardwater.statistics.distribution import (
    LENGTH_EDGES,
    ROWS,
    SCORES,
    Counts,
    Histogram,
)

subjects = st.lists(st.tuples(st.integers(0, 300_000), st.integers(0, 3000)), max_size=200)


def counted(pairs):
    lengths, scores = np.array(pairs, np.int64).reshape(-1, 2).T
    return Counts.of(lengths.astype(np.uint32), scores)


def cells(counts):
    """The subjects of each cell."""
    return dict(
        zip(zip(counts.rows.tolist(), counts.scores.tolist(), strict=True), counts.subjects.tolist(), strict=True)
    )


def row_of(length):
    """Row 0 for empty subjects, then steps of 0.1 in ln(length) from ln(1) = 0 on."""
    return 0 if length == 0 else min(ROWS - 1, 1 + math.floor(10 * math.log(length)))


def test_rows_are_tenths_of_the_logarithm_of_the_length():
    lengths = [0, 1, 2, 3, 10, 11, 299, 300, 301, 35_213, 162_754, 162_755, 10**9]
    assert [counted([(length, 0)]).rows.tolist() for length in lengths] == [[row_of(length)] for length in lengths]
    assert (ROWS, LENGTH_EDGES[0], LENGTH_EDGES[10], LENGTH_EDGES[-1]) == (122, 1, 3, 162_755)


@given(subjects)
def test_every_subject_is_counted_once_by_length_and_score(pairs):
    expected = Counter((row_of(length), min(score, SCORES - 1)) for length, score in pairs)
    assert list(cells(counted(pairs)).items()) == sorted(expected.items())


@given(subjects)
def test_a_table_of_all_cells_is_counted_as_its_subjects_are(pairs):
    table = np.zeros((ROWS, SCORES), np.int32)
    for length, score in pairs:
        table[row_of(length), min(score, SCORES - 1)] += 1
    assert cells(Counts.in_table(table)) == cells(counted(pairs))


@given(subjects, st.integers(1, 9))
def test_shards_add_up_to_the_whole(pairs, shards):
    parts = [Histogram.of(counted(pairs[index::shards])) for index in range(shards)]
    for some in (parts, parts[::-1]):
        assert Histogram.of(Counts.sum([part.counts for part in some])) == Histogram.of(counted(pairs))


def test_no_parts_add_up_to_nothing():
    assert Histogram.of(Counts.sum([])) == Histogram((), ())


def test_histogram_holds_the_steps_between_cells_that_are_not_empty():
    first = row_of(20) * SCORES + 30
    assert Histogram.of(counted([(20, 30), (20, 30), (20, 31), (20, 40)])) == Histogram((first + 1, 1, 9), (2, 1, 1))
    assert Histogram.of(counted([])) == Histogram((), ())


@given(subjects)
def test_histogram_survives_json(pairs):
    adapter = TypeAdapter(ShardResult)
    result = ShardResult(0, len(pairs), 1, "cpu", ((),), (Extent(len(pairs), 1, 1),), (Histogram.of(counted(pairs)),))
    assert adapter.validate_json(adapter.dump_json(result)) == result


def test_counts_by_score_end_with_the_highest_score():
    assert counted([(20, 3), (900, 3), (0, 0), (7, 5)]).by_score().tolist() == [1, 0, 0, 2, 0, 1]
    assert counted([]).by_score().tolist() == []


def test_last_count_by_score_holds_all_above():
    counts = counted([(20, 2046), (20, 2047), (20, 30_000)]).by_score().tolist()
    assert (len(counts), counts[-2:]) == (2048, [1, 2])
