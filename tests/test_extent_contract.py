"""What every engine must count: the subjects, residues and cells that it has scored, query by query."""

import numpy as np
import pytest

from shardwater.engines.engine import gather
from shardwater.engines.extent import Extent
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_scores
from shardwater.sequences.fasta import Record

SCORINGS = [Scoring("BLOSUM62", 11, 1), Scoring("BLOSUM62", 100_000, 7)]
QUERIES = [Record("q0", b"WCAWCW"), Record("q1", b"AAA"), Record("q2", b"C" * 3000)]


@pytest.fixture
def crowd(build):
    """300 subjects of 1 to 500 residues and one of 9,000, some with letters beyond the amino acids."""
    rng = np.random.default_rng(8)
    lengths = [*rng.integers(1, 500, 300), 9000]
    letters = ["ACDEFGHIKLMNPQRSTVWY", "ACDXB"]
    return build([(f"s{n}", "".join(rng.choice(list(letters[n % 2]), length))) for n, length in enumerate(lengths)])


@pytest.mark.parametrize("scoring", SCORINGS, ids=str)
@pytest.mark.parametrize("count", [1, 3, 302])
def test_each_query_is_scored_against_every_subject(engine, crowd, count, scoring):
    for index in (0, count - 1):
        shard = crowd.shard(index, count)
        engine.load(shard)
        expected = [Extent(len(shard), shard.residues, shard.residues * length) for length in (6, 3, 3000)]
        assert [found.extent for found in gather(engine.search(QUERIES, scoring, 10))] == expected
        assert [
            survey.extent for survey in gather(engine.survey(QUERIES, scoring, [best_scores(10)] * len(QUERIES)))
        ] == expected


def test_subjects_that_score_nothing_are_scored(engine, build):
    engine.load(build([("a", "PPPP"), ("b", "GGGGG")]).shard(0, 1))
    [found] = gather(engine.search([Record("q", b"WW")], SCORINGS[0], 10))
    assert (found.best, found.extent) == ([], Extent(2, 9, 18))
