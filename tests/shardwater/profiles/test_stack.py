import numpy as np
import pytest

from shardwater.alignment.alignment import Run
from shardwater.profiles.stack import GAP, OUTSIDE, Aligned, Stack
from shardwater.sequences.alphabet import encode


def shown(stack):
    letters = "ARNDCQEGHILKMFPSTWYVBZX*-."
    return ["".join(letters[code] for code in row) for row in stack.rows]


def rows_of(*texts):
    letters = "ARNDCQEGHILKMFPSTWYVBZX*-."
    return Stack(np.array([[letters.index(letter) for letter in text] for text in texts], np.uint8))


def test_rows_stand_by_positions_of_the_query():
    one = Aligned(2, encode(b"LAWWG"), (Run("=", 1), Run("X", 1), Run("D", 2), Run("I", 1), Run("=", 1)))
    other = Aligned(0, encode(b"MK"), (Run("=", 2),))
    stack = Stack.of(encode(b"MKLVAGW"), [one, other])
    assert shown(stack) == ["MKLVAGW", "..LA-G.", "MK....."]
    assert (GAP, OUTSIDE) == (24, 25)


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        ("MKLVAGWDEH", False),
        (".KLVAGWD..", False),
        ("MKLVAGWDEA", True),
        ("----------", False),
        ("..........", False),
        ("XXXXXXXXXX", False),
    ],
)
def test_what_says_no_more_than_the_query_is_left_out(row, kept):
    purged = rows_of("MKLVAGWDEH", row).purged()
    assert len(purged.rows) == 1 + kept


def test_of_two_that_are_nearly_the_same_the_first_stays():
    letters = "ARNDCQEGHILKMFPSTWYV"
    first, second = f"{letters[1:]}A", f"{letters[1:-1]}AA"
    stack = rows_of(letters, first, second, first[::-1])
    assert shown(stack.purged()) == [letters, first, first[::-1]]
    assert len(stack.purged(0.99).rows) == 4
