"""What every engine must do with its progress: count all cells, end when told to, and be searched meanwhile."""

import numpy as np
import pytest

from shardwater.engines.engine import Pair
from shardwater.errors import SearchCancelled
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record
from tests.support.answers import best_of
from tests.support.progress import CancelAfter

DEFAULT = Scoring("BLOSUM62", 11, 1)
QUERIES = [Record("q0", b"WCAWCW"), Record("q1", b"AAA"), Record("q2", b"C")]


@pytest.fixture
def crowd(build):
    """200 short subjects of few letters, with many equal scores."""
    rng = np.random.default_rng(8)
    return build([(f"s{n}", "".join(rng.choice(list("WCA"), rng.integers(1, 7)))) for n in range(200)])


@pytest.mark.parametrize("count", [1, 3])
def test_progress_adds_up_to_the_cells(engine, crowd, count):
    for index in range(count):
        shard, cells = crowd.shard(index, count), []
        engine.load(shard)
        best_of(engine, QUERIES, DEFAULT, 10, cells.append)
        assert sum(cells) == shard.residues * (6 + 3 + 1)
        assert min(cells) > 0


def test_progress_of_alignments_adds_up_to_the_cells(engine):
    cells = []
    engine.align([Pair(b"WWW", b"WW"), Pair(b"WWW", b"CCCCC"), Pair(b"C", b"C")], DEFAULT, cells.append)
    assert sum(cells) == 6 + 15 + 1


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_cancelled_search_reports_no_more_and_the_engine_works_on(engine, crowd, calls):
    engine.load(crowd.shard(0, 1))
    expected = best_of(engine, QUERIES, DEFAULT, 10)
    progress = CancelAfter(calls)
    with pytest.raises(SearchCancelled):
        best_of(engine, QUERIES, DEFAULT, 10, progress)
    assert progress.left == 0
    assert best_of(engine, QUERIES, DEFAULT, 10) == expected


def test_progress_may_search_and_align_while_the_search_waits(engine, crowd):
    engine.load(crowd.shard(0, 1))
    assert engine.interruptible
    others, costs = [Record("q0", b"CAW"), Record("q1", b"WWWWWWAC")], Scoring("PAM250", 3, 2)
    pairs = [Pair(b"WCAWCW", b"WCCAW")]
    expected = best_of(engine, QUERIES, DEFAULT, 10)
    expected_meanwhile = best_of(engine, others, costs, 7), engine.align(pairs, costs)
    found_meanwhile = []

    def progress(cells):
        found_meanwhile.append((best_of(engine, others, costs, 7), engine.align(pairs, costs)))
        with pytest.raises(SearchCancelled):
            best_of(engine, others, DEFAULT, 10, CancelAfter(1))

    assert best_of(engine, QUERIES, DEFAULT, 10, progress) == expected
    assert found_meanwhile
    assert all(found == expected_meanwhile for found in found_meanwhile)


def test_cancelled_alignment_leaves_the_engine_working(engine):
    pairs = [Pair(b"W" * length, b"W" * 30) for length in range(1, 30)]
    progress = CancelAfter(2)
    with pytest.raises(SearchCancelled):
        engine.align(pairs, DEFAULT, progress)
    assert progress.left == 0
    assert [alignment.score for alignment in engine.align(pairs, DEFAULT)] == [11 * length for length in range(1, 30)]
