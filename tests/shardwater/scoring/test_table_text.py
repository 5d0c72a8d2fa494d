"""read_table: scores for DNA in NCBI's form."""

import pytest

from shardwater.errors import ScoringError
from shardwater.scoring.table import bases_table, match_table
from shardwater.scoring.table_text import read_table
from shardwater.sequences.alphabets import DNA


def test_four_letters_in_any_order() -> None:
    text = "# transitions cost less\n   A  G  C  u\nG -1  5 -4 -4\nA  4 -1 -4 -3\nT -3 -4 -1  7\nC -4 -4  6 -1\n"
    assert read_table(text) == bases_table([[4, -4, -1, -3], [-4, 6, -4, -1], [-1, -4, 5, -4], [-3, -1, -4, 7]])


def test_a_row_is_that_of_the_querys_letter() -> None:
    table = read_table("A C G T\nA 1 9 0 0\nC 0 1 0 0\nG 0 0 1 0\nT 0 0 0 1\n")
    assert table.rows[DNA.letters.index("A")][DNA.letters.index("C")] == 9
    assert table.rows[DNA.letters.index("C")][DNA.letters.index("A")] == 0


def test_all_fifteen_letters() -> None:
    letters = DNA.letters[::-1]
    scores = {one: " ".join("2" if one == other in "ACGT" else "-1" for other in letters) for one in letters}
    rows = "".join(f"{letter} {row}\n" for letter, row in scores.items())
    assert read_table(f"{' '.join(letters)}\n{rows}") == match_table(2, -1)


def test_u_beside_t_as_in_edna_of_emboss() -> None:
    text = (
        "   A  T  G  C  U\nA  5 -4 -4 -4 -4\nT -4  5 -4 -4  5\nG -4 -4  5 -4 -4\nC -4 -4 -4  5 -4\nU -4  5 -4 -4  5\n"
    )
    assert read_table(text) == match_table(5, -4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a table for DNA has the letters A C G T in its first line"),
        ("# nothing\n", "a table for DNA has the letters A C G T in its first line"),
        ("A C G\n", "a table for DNA has the letters A C G T in its first line"),
        ("A C G T\nA 1 0 0 0\n", "a table has one row for each of its letters"),
        ("A C G T\n" + "A 1 0 0 0\n" * 4, "a table has one row for each of its letters"),
        ("A C G T\nA 1 0 0\n", "row A of a table has 4 whole numbers after its letter"),
        ("A C G T\nA 1 0 0 0.5\n", "row A of a table has 4 whole numbers after its letter"),
        ("A C G T\nA 1 0 0 1_0\n", "row A of a table has 4 whole numbers after its letter"),
        ("A C G T\nA 1 0 0 +1\n", "row A of a table has 4 whole numbers after its letter"),
        ("A C G T\nA 1 0 0 \uff15\n", "row A of a table has 4 whole numbers after its letter"),
        ("A C G T\n" + "".join(f"{letter} 1 0 0 100001\n" for letter in "ACGT"), "a score is further from 0"),
    ],
)
def test_what_is_no_table_is_refused(text: str, message: str) -> None:
    with pytest.raises(ScoringError) as caught:
        read_table(text)
    assert str(caught.value).startswith(message)
