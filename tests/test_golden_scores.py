"""The published golden scores of the twenty standard queries, in every engine."""

import pytest

from shardwater.engines.engine import Pair
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import Score
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import read_fasta
from tests.support.answers import best_of
from tests.support.oracle import replay

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def standard_queries(shared):
    """The twenty standard queries."""
    return read_fasta((shared / "queries20.fasta").read_bytes())


@pytest.fixture
def standard(engine, build, shared):
    """The twenty standard queries as a database, loaded; each stands at its own number, for they come by length."""
    database = build((shared / "queries20.fasta").read_text())
    engine.load(database.shard(0, 1))
    return engine


SELF_62 = [
    *(719, 977, 1135, 1957, 2392, 3048, 3389, 3745, 4433, 5064),
    *(7713, 10379, 12924, 15646, 19896, 21359, 25740, 24256, 26547, 27936),
]
SELF_50 = [
    *(910, 1258, 1452, 2507, 3037, 3875, 4319, 4786, 5673, 6321),
    *(9796, 13214, 16543, 19895, 25721, 27450, 32937, 30616, 33717, 34475),
]
FIRST_62 = [719, 26, 28, 26, 32, 27, 27, 33, 34, 33, 39, 42, 41, 41, 38, 39, 31, 47, 38, 32]


@pytest.mark.parametrize(
    ("scoring", "total", "selves"),
    [
        (Scoring("BLOSUM62", 11, 1), 237_365, SELF_62),
        (Scoring("BLOSUM62", 10, 1), 238_903, SELF_62),
        (Scoring("BLOSUM62", 10, 2), 236_169, SELF_62),
        (Scoring("BLOSUM62", 20, 2), 234_711, SELF_62),
        (Scoring("BLOSUM62", 40, 3), 234_607, SELF_62),
        (Scoring("BLOSUM50", 13, 2), 303_778, SELF_50),
        (Scoring("BLOSUM50", 11, 2), 307_308, SELF_50),
    ],
    ids=lambda value: None if isinstance(value, list) else str(value),
)
def test_golden_scores_of_the_standard_queries(standard, standard_queries, scoring, total, selves):
    found = [
        {score.subject: score.score for score in scores} for scores in best_of(standard, standard_queries, scoring, 20)
    ]
    assert [scores[number] for number, scores in enumerate(found)] == selves
    assert sum(sum(scores.values()) for scores in found) == total
    assert sum(map(len, found)) == 400


def test_golden_scores_of_the_first_query(standard, standard_queries):
    [found] = best_of(standard, standard_queries[:1], Scoring("BLOSUM62", 11, 1), 20)
    assert [score.score for score in sorted(found, key=lambda score: score.subject)] == FIRST_62


@pytest.mark.parametrize(("gap_open", "score"), [(11, 572), (10, 716)])
def test_golden_scores_of_filaggrin_and_mucin(standard, standard_queries, gap_open, score):
    scoring = Scoring("BLOSUM62", gap_open, 1)
    [found] = best_of(standard, standard_queries[15:16], scoring, 20)
    assert Score(19, score) in found
    filaggrin, mucin = standard_queries[15].residues, standard_queries[19].residues
    [alignment] = alignments_of(standard.align([Pair(filaggrin, mucin)], scoring))
    encoded = encode(filaggrin).tolist(), encode(mucin).tolist()
    assert replay(alignment, *encoded, scoring.scores.tolist(), gap_open, 1) == score
