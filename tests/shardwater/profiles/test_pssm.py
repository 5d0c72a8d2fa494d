import numpy as np
import pytest

from shardwater.errors import ScoringError
from shardwater.profiles.pssm import BETA, Pssm, implied, mixed
from shardwater.profiles.weights import Observed, observe
from shardwater.scoring.scoring import MATRICES, load_matrix
from shardwater.sequences.alphabet import LETTERS, encode
from shardwater.statistics.background import WithoutGaps, background
from tests.shardwater.profiles.test_stack import rows_of

EVERY = LETTERS[:20]


@pytest.mark.parametrize("name", MATRICES)
def test_a_query_alone_scores_by_the_matrix(name):
    matrix = load_matrix(name)
    query = EVERY * 3
    pssm = Pssm.of(observe(rows_of(query)), matrix)
    apart = np.abs(pssm.scores[:, :20] - matrix.scores[encode(query.encode())][:, :20])
    assert apart.max() <= 1
    assert (apart > 0).mean() < 0.05


def test_what_is_seen_counts_by_its_observations():
    matrix = load_matrix("BLOSUM62")
    frequencies = np.eye(20)[:2]
    few, many = (mixed(Observed(frequencies, np.full(2, each)), matrix) for each in (1.0, 11.0))
    pseudo = few[0]
    # Of ten independent observations and BETA pseudocounts each half.
    assert BETA == 10
    assert many[0].tolist() == pytest.approx(((frequencies[0] + pseudo) / 2).tolist())


def test_implied_frequencies_are_those_of_the_matrix():
    matrix = load_matrix("BLOSUM62")
    expected = implied(matrix) * np.multiply.outer(background(), background())
    assert expected.sum() == pytest.approx(1)
    assert float((expected * matrix.scores[:20, :20]).sum()) == pytest.approx(
        1 / WithoutGaps.of(matrix.scores).alpha, rel=1e-6
    )


def test_a_profile_has_the_lambda_of_its_matrix():
    rng = np.random.default_rng(2)
    query = "".join(rng.choice(list(EVERY), 200))
    relatives = [
        "".join(letter if rng.random() < 0.5 else rng.choice(list(EVERY)) for letter in query) for _ in range(20)
    ]
    matrix = load_matrix("BLOSUM62")
    pssm = Pssm.of(observe(rows_of(query, *relatives)), matrix)
    lambda_ = WithoutGaps.of(matrix.scores).lambda_
    often = background() / 200
    assert float((often * np.exp(lambda_ * pssm.scores[:, :20])).sum()) == pytest.approx(1, rel=0.02)
    # What most relatives have scores more than what the matrix says, and what none has less.
    assert pssm.scores[np.arange(200), encode(query.encode())].mean() > 4.5


def test_letters_that_are_no_residues_score_the_mean_of_what_they_stand_for():
    pssm = Pssm.of(observe(rows_of("ND")), load_matrix("BLOSUM62"))
    b, z, x, stop = (LETTERS.index(letter) for letter in "BZX*")
    residues = background()
    for letter, stands_for in ((b, "ND"), (z, "QE")):
        codes = [LETTERS.index(each) for each in stands_for]
        mean = (pssm.scores[:, codes] @ residues[codes]) / residues[codes].sum()
        assert np.abs(pssm.scores[:, letter] - mean).max() <= 1
    assert (pssm.scores[:, x] < 0).all() and (pssm.scores[:, stop] == -4).all()
    assert not pssm.scores.flags.writeable


def test_a_profile_of_nothing_but_the_background_has_no_statistics():
    with pytest.raises(ScoringError, match="no statistics hold"):
        Pssm.of(Observed(np.tile(background(), (5, 1)), np.full(5, 1e12)), load_matrix("BLOSUM62"))
