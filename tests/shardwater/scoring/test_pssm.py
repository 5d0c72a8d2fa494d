import numpy as np
import pytest

from shardwater.errors import ScoringError
from shardwater.scoring.pssm import Pssm, scores_of
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record

BLOSUM62 = Scoring("BLOSUM62", 11, 1)


def pssm(positions, first=0):
    return Pssm(np.arange(first, first + positions, dtype=np.int32)[:, None].repeat(24, axis=1))


def test_a_query_without_a_pssm_scores_by_the_matrix():
    scores = scores_of(b"wX", None, BLOSUM62)
    assert scores.shape == (2, 24)
    # W with W, and X with A.
    assert (scores[0, 17], scores[1, 0]) == (11, 0)


def test_a_query_with_a_pssm_scores_by_that():
    assert (scores_of(b"WW", pssm(2), BLOSUM62) == [[0] * 24, [1] * 24]).all()


def test_a_part_of_a_query_has_its_part_of_the_pssm():
    part = Record("q", b"ACDEF", pssm=pssm(5)).part(2, 4)
    assert (part.residues, part.pssm) == (b"CDE", pssm(3, first=1))


def test_equal_scores_are_one_pssm():
    assert pssm(3) == pssm(3)
    assert hash(pssm(3)) == hash(pssm(3))
    assert pssm(3) != pssm(3, first=1)


def test_nobody_changes_a_pssm():
    with pytest.raises(ValueError, match="read-only"):
        pssm(1).scores[0, 0] = 1


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.zeros((3, 20), np.int32), "24 scores for each position"),
        (np.zeros(24, np.int32), "24 scores for each position"),
        (np.full((1, 24), -101, np.int32), "further from 0 than 100"),
    ],
)
def test_what_is_no_pssm_is_refused(scores, message):
    with pytest.raises(ScoringError, match=message):
        Pssm(scores)


def test_a_pssm_is_as_long_as_its_query():
    with pytest.raises(ScoringError, match="a PSSM of 2 positions for a query of 3 residues"):
        Record("q", b"ACD", pssm=pssm(2))
