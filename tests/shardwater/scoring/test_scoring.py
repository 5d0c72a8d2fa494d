import numpy as np
import parasail
import pytest
from Bio.Align import substitution_matrices

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import FOLDER, MATRICES, Scoring, load_matrix
from shardwater.sequences.alphabet import LETTERS

INSULINS = (
    "MALWMRLLPLLALLALWGPDPAAAFVNQHLCGSHLVEALYLVCGERGFFYTPKTRREAEDLQVGQVELGGGPGAGSLQPLALEGSLQKRGIVEQCCTSICSLYQLENYCN",
    "MALWTRLLPLLALLALWAPAPAQAFVNQHLCGSHLVEALYLVCGERGFFYTPKARREVEGPQVGALELAGGPGAGGLEGPPQKRGIVEQCCASVCSLYQLENYCN",
)


def score(matrix, a, b):
    return int(load_matrix(matrix).scores[LETTERS.index(a), LETTERS.index(b)])


@pytest.mark.parametrize("matrix", MATRICES)
def test_every_file_keeps_the_alphabets_order_of_letters(matrix):
    header, *rows = [
        line.split() for line in (FOLDER / f"{matrix}.txt").read_text().splitlines() if not line.startswith("#")
    ]
    assert "".join(header) == LETTERS
    assert "".join(row[0] for row in rows) == LETTERS


@pytest.mark.parametrize("matrix", MATRICES)
def test_scores_are_symmetric_and_24_by_24(matrix):
    scores = load_matrix(matrix).scores
    assert scores.shape == (24, 24)
    assert np.array_equal(scores, scores.T)


# BLOSUM80 is left out: Biopython and parasail have its third-bit form, the published statistics the half-bit form.
@pytest.mark.parametrize("matrix", [name for name in MATRICES if name != "BLOSUM80"])
def test_scores_equal_those_of_biopython_and_parasail(matrix):
    theirs = substitution_matrices.load(matrix)
    assert load_matrix(matrix).scores.tolist() == [[theirs[a, b] for b in LETTERS] for a in LETTERS]
    assert load_matrix(matrix).scores.tolist() == parasail.Matrix(matrix.lower()).matrix.tolist()


def test_blosum80_is_the_half_bit_table():
    assert [score("BLOSUM80", "A", letter) for letter in "ARND"] == [5, -2, -2, -2]
    assert score("BLOSUM80", "W", "W") == 11
    assert load_matrix("BLOSUM80").scores.min() == -6


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ("BLOSUM45", 577),
        ("BLOSUM50", 611),
        ("BLOSUM62", 464),
        ("BLOSUM80", 498),
        ("BLOSUM90", 532),
        ("PAM30", 626),
        ("PAM70", 573),
        ("PAM250", 503),
    ],
)
def test_two_insulins_score_as_published(matrix, expected):
    # A file of ours is in NCBI's form if parasail reads it; 12 is its cost of a gap's first residue.
    assert parasail.sw(*INSULINS, 12, 1, parasail.Matrix(str(FOLDER / f"{matrix}.txt"))).score == expected


def test_scores_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        load_matrix("BLOSUM62").scores[0, 0] = 5


def test_matrix_name_may_have_any_case():
    assert load_matrix("blosum62") is load_matrix("BLOSUM62")
    assert Scoring("pam30", 9, 1) == Scoring("PAM30", 9, 1)


def test_unknown_matrix_is_refused_with_the_names_there_are():
    with pytest.raises(ScoringError, match=r"unknown matrix 'BLOSUM61'; known are BLOSUM45, BLOSUM50, .*PAM250"):
        Scoring("BLOSUM61", 11, 1)


def test_a_path_is_no_matrix_name():
    with pytest.raises(ScoringError, match="unknown matrix"):
        load_matrix("../matrices/BLOSUM62")


def test_first_residue_of_a_gap_costs_open_plus_extend():
    assert Scoring("BLOSUM62", 11, 1).gap_first == 12


def test_linear_gap_costs_are_allowed():
    assert Scoring("BLOSUM50", 0, 8).gap_first == 8


@pytest.mark.parametrize("cost", [-1, 1.5, 11.0, True, "11", None])
def test_a_gap_cost_that_is_no_whole_number_from_0_is_refused(cost):
    with pytest.raises(ScoringError, match="gap_open is"):
        Scoring("BLOSUM62", cost, 1)
    with pytest.raises(ScoringError, match="gap_extend is"):
        Scoring("BLOSUM62", 11, cost)


@pytest.mark.parametrize(
    ("matrix", "gap_open", "gap_extend"),
    [
        ("BLOSUM45", 14, 2),
        ("BLOSUM50", 13, 2),
        ("BLOSUM62", 11, 1),
        ("BLOSUM80", 10, 1),
        ("BLOSUM90", 10, 1),
        ("PAM30", 9, 1),
        ("PAM70", 10, 1),
        ("pam250", 14, 2),
    ],
)
def test_recommended_gap_costs_are_blasts(matrix, gap_open, gap_extend):
    assert Scoring.recommended(matrix) == Scoring(matrix, gap_open, gap_extend)


def test_scoring_gives_its_matrixs_scores():
    assert Scoring("BLOSUM62", 11, 1).scores is load_matrix("BLOSUM62").scores
