"""What every engine must do with its slices: count all cells, end when it is told to, and be searched between them."""

import numpy as np
import pytest

from shardwater.engines.engine import Pair, gather
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_scores
from shardwater.sequences.fasta import Record
from tests.support.answers import best_of

DEFAULT = Scoring("BLOSUM62", 11, 1)
QUERIES = [Record("q0", b"WCAWCW"), Record("q1", b"AAA"), Record("q2", b"C")]


@pytest.fixture
def crowd(build):
    """200 short subjects of few letters, with many equal scores."""
    rng = np.random.default_rng(8)
    return build([(f"s{n}", "".join(rng.choice(list("WCA"), rng.integers(1, 7)))) for n in range(200)])


@pytest.fixture(params=["search", "survey"])
def begin(request, engine):
    """begin(): the slices of a search for all queries."""
    if request.param == "search":
        return lambda: engine.search(QUERIES, DEFAULT, 10)
    return lambda: engine.survey(QUERIES, DEFAULT, [best_scores(10)] * len(QUERIES))


@pytest.mark.parametrize("count", [1, 3])
def test_slices_add_up_to_the_cells(engine, crowd, begin, count):
    for index in range(count):
        shard = crowd.shard(index, count)
        engine.load(shard)
        assert sum(each.cells for each in begin()) == shard.residues * (6 + 3 + 1)


def test_each_query_is_answered_once(engine, crowd, begin):
    engine.load(crowd.shard(0, 1))
    assert sorted(number for each in begin() for number, _ in each.answers) == [0, 1, 2]


def test_parts_of_alignments_add_up_to_the_cells(engine):
    pairs = [Pair(b"WWW", b"WW"), Pair(b"WWW", b"CCCCC"), Pair(b"C", b"C"), Pair(b"", b"C")]
    parts = list(engine.align(pairs, DEFAULT))
    assert sum(each.cells.sum() for each in parts) == 6 + 15 + 1
    assert sorted(number for each in parts for number, _ in each) == [0, 1, 2, 3]


@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_search_that_is_given_up_leaves_the_engine_working(engine, crowd, begin, taken):
    engine.load(crowd.shard(0, 1))
    expected = best_of(engine, QUERIES, DEFAULT, 10)
    slices = begin()
    for _ in range(taken):
        next(slices)
    slices.close()
    assert list(slices) == []
    assert best_of(engine, QUERIES, DEFAULT, 10) == expected


def test_another_search_may_be_made_between_two_slices(engine, crowd, begin):
    engine.load(crowd.shard(0, 1))
    others, costs = [Record("q0", b"CAW"), Record("q1", b"WWWWWWAC")], Scoring("PAM250", 3, 2)
    pairs = [Pair(b"WCAWCW", b"WCCAW")]
    expected = [found.extent for found in gather(begin())]
    expected_meanwhile = best_of(engine, others, costs, 7), alignments_of(engine.align(pairs, costs))
    answers, meanwhile = {}, 0
    for each in begin():
        answers |= dict(each.answers)
        given_up = begin()
        next(given_up)
        given_up.close()
        assert (best_of(engine, others, costs, 7), alignments_of(engine.align(pairs, costs))) == expected_meanwhile
        meanwhile += 1
    assert [answers[number].extent for number in range(3)] == expected
    assert meanwhile > 1


def test_alignment_that_is_given_up_leaves_the_engine_working(engine):
    pairs = [Pair(b"W" * length, b"W" * 30) for length in range(1, 30)]
    slices = engine.align(pairs, DEFAULT)
    next(slices)
    slices.close()
    scores = [alignment.score for alignment in alignments_of(engine.align(pairs, DEFAULT))]
    assert scores == [11 * length for length in range(1, 30)]
