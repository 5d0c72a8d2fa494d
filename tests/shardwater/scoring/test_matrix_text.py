"""read_matrix: users' own matrices for proteins in NCBI's form."""

import random

import numpy as np
import pytest

from shardwater.errors import ScoringError
from shardwater.scoring.matrix_text import MatrixFormatError, read_matrix, rows_of, write_matrix
from shardwater.scoring.scoring import FOLDER, MATRICES, MOST_OWN, Scoring, load_matrix, own_matrix
from shardwater.sequences.alphabet import LETTERS

RESIDUES = LETTERS[:20]


def text_of(letters: str, score) -> str:
    """A matrix of these letters, whose scores a function tells."""
    rows = "".join(f"{one} {' '.join(str(score(one, other)) for other in letters)}\n" for one in letters)
    return f"  {' '.join(letters)}\n{rows}"


def identity(one: str, other: str) -> int:
    return 5 if one == other else -4


def blosum(one: str, other: str) -> int:
    return int(load_matrix("BLOSUM62").scores[LETTERS.index(one), LETTERS.index(other)])


def score(rows, pair: str) -> int:
    return rows[LETTERS.index(pair[0])][LETTERS.index(pair[1])]


@pytest.mark.parametrize("matrix", MATRICES)
def test_a_published_file_has_the_published_scores(matrix) -> None:
    rows = read_matrix((FOLDER / f"{matrix}.txt").read_text())
    assert rows == rows_of(load_matrix(matrix))
    assert read_matrix(write_matrix(rows)) == rows


def test_letters_stand_in_any_order_and_either_case() -> None:
    mixed = "".join(random.Random(1).sample(LETTERS, 24))
    columns = mixed[::-1].lower()
    rows = "".join(f"{one} {' '.join(str(blosum(one, other.upper())) for other in columns)}\n" for one in mixed)
    assert read_matrix(f"# shuffled\n\n{' '.join(columns)}\r\n{rows}# end\n") == rows_of(load_matrix("BLOSUM62"))


def test_letters_left_out_score_the_mean_of_what_they_stand_for() -> None:
    rows = read_matrix(text_of(RESIDUES, blosum))
    # N is 4,487 and D 5,364 of 100,000 residues: 6 and 1, weighted, are 3.28; -3 and -4 are -3.54.
    assert [score(rows, pair) for pair in ("BD", "BN", "BL", "ZE", "ZQ")] == [4, 3, -4, 4, 3]
    assert score(rows, "BB") == score(rows, "ZZ") == 4 == blosum("B", "B")
    assert [score(rows, pair) for pair in ("XW", "XA", "XX", "BX")] == [-2, 0, -1, -1]
    assert [score(rows, pair) for pair in ("*A", "X*", "**")] == [-4, -4, 1]
    assert all(rows[a][b] == rows[b][a] for a in range(24) for b in range(24))


def test_letters_that_score_as_x_are_read_and_not_used() -> None:
    own = read_matrix(text_of(f"{RESIDUES}JUO", lambda a, b: 9 if {a, b} & set("JUO") else identity(a, b)))
    assert own == read_matrix(text_of(RESIDUES, identity))


def test_what_other_programs_write_is_read() -> None:
    usual = text_of(RESIDUES, identity)
    decimals = text_of(RESIDUES, lambda a, b: f"{identity(a, b)}.0")
    assert read_matrix(f"\ufeff  # made by hand\n{decimals}") == read_matrix(usual)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no matrix"),
        ("# nothing\n\n", "no matrix"),
        ("A R 1\n", "line 1, column 5: a column and a row are named by one letter of ARND"),
        ("A R \u0131\n", "line 1, column 5: a column and a row are named by one letter of ARND"),
        ("A R A\n", "line 1, column 5: A comes twice, first in line 1"),
        ("A R\nA 1 0\nA 1 0\n", "line 3, column 1: A comes twice, first in line 2"),
        ("A R\nA 1 0\n", "line 1, column 3: R has a column or a row, and needs both"),
        ("A\nA 1\nR 1\n", "line 3, column 1: R has a column or a row, and needs both"),
        ("A R\nA 1\nR 0 1\n", "line 2, column 1: row A has 1 score for 2 columns"),
        ("A R\nA 1 0 7\nR 0 1\n", "line 2, column 7: row A has 3 scores for 2 columns"),
        ("A R\nA 1 0.5\nR 0 1\n", "line 2, column 5: a score is a whole number"),
        ("A R\nA 1 -101\nR 0 1\n", "line 2, column 5: a score is further from 0 than 100"),
        (
            "A R\nA 1 0\nR\t-2 1\n",
            "line 2, column 5: A scores 0 against R, and R scores -2 against A (line 3, column 3)",
        ),
        ("A R\nA 1 0\nR 0 1\n", "no scores for N D C Q E G H I L K M F P S T W Y V: the twenty"),
        ("A R\n" * 20_000, "line 64, column 1: there are too many rows"),
        ("A " * 30_000, "line 1, column 3: A comes twice, first in line 1"),
        (f"A\nA {'1 ' * 30_000}", "line 2, column 5: row A has 63 scores for 1 column"),
        (text_of(RESIDUES + "X", lambda a, b: 1 if "X" in (a, b) else identity(a, b)), "X scores above 0 on average"),
        (text_of(RESIDUES + "X", lambda a, b: 1 if a == b == "X" else identity(a, b)), "X scores above 0 against X"),
        (text_of(RESIDUES, lambda a, b: -1), "no two residues score above 0"),
        (text_of(RESIDUES, lambda a, b: (92 if a == b else 2) - 8), "lambda of these scores is 0.0"),
        (text_of(RESIDUES, lambda a, b: 2 if a == b else 0), "random residues score 0.1"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, said) -> None:
    with pytest.raises(MatrixFormatError) as refused:
        read_matrix(text)
    assert str(refused.value).startswith(said)


def test_equal_scores_have_one_name_and_make_equal_scorings() -> None:
    rows = read_matrix(text_of(RESIDUES, identity))
    one = Scoring("mine", 9, 2, rows)
    other = Scoring("", 9, 2, read_matrix(text_of(RESIDUES[::-1], identity)))
    assert one == other and hash(one) == hash(other)
    assert one.matrix == own_matrix(rows).name and one.matrix.startswith("matrix-")
    assert np.array_equal(one.scores, np.array(rows)) and not one.scores.flags.writeable
    assert Scoring("mine", 9, 2, rows_of(load_matrix("PAM30"))) != one


def test_rows_that_engines_cannot_take_are_refused() -> None:
    rows = [list(row) for row in rows_of(load_matrix("PAM30"))]
    with pytest.raises(ScoringError, match="24 rows of 24"):
        own_matrix(tuple(map(tuple, rows[1:])))
    rows[0][3] += 1
    with pytest.raises(ScoringError, match="A scores another number against D"):
        own_matrix(tuple(map(tuple, rows)))
    rows[0][3] = rows[3][0] = MOST_OWN + 1
    with pytest.raises(ScoringError, match="further from 0"):
        own_matrix(tuple(map(tuple, rows)))
