import numpy as np
import pytest

from shardwater.profiles.stack import GAP, OUTSIDE, Aligned, Stack
from shardwater.sequences.alphabet import encode
from tests.support.stacks import rows_of, shown


@pytest.mark.parametrize("written", [1, 20, 1 << 22])
def test_rows_stand_by_positions_of_the_query(written, monkeypatch):
    monkeypatch.setattr("shardwater.profiles.stack.WRITTEN", written)
    one = Aligned(2, b"LV--AG", b"LAWW-G")
    other = Aligned(0, b"MK", b"mU")
    stack = Stack.of(encode(b"MKLVAGW"), [one, other])
    assert shown(stack) == ["MKLVAGW", "..LA-G.", "MX....."]
    assert (GAP, OUTSIDE) == (24, 25)


def test_a_stack_has_bounds(monkeypatch):
    monkeypatch.setattr("shardwater.profiles.stack.MOST_CELLS", 3 * 7)
    rows = [Aligned(number, b"W", b"A") for number in range(5)]
    assert shown(Stack.of(encode(b"MKLVAGW"), rows)) == ["MKLVAGW", "A......", ".A....."]


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


def test_rows_are_alike_as_they_are_letter_by_letter():
    rng = np.random.default_rng(3)
    query = rng.integers(0, 20, 150)
    rows = [query]
    for _ in range(200):
        row = rows[rng.integers(len(rows))].copy()
        changed = rng.random(150) < rng.choice([0, 0.02, 0.06, 0.08])
        row[changed] = rng.integers(0, 26, changed.sum())
        first, last = sorted(rng.integers(0, 151, 2))
        row[:first], row[last:] = OUTSIDE, OUTSIDE
        rows.append(row)
    stack = Stack(np.array(rows, np.uint8))
    kept = [stack.rows[0]]
    for row in stack.rows[1:]:
        both = [(row < 20) & (other < 20) for other in kept]
        equal = [int((row == other)[shared].sum()) for other, shared in zip(kept, both, strict=True)]
        alike = [n > 0.94 * shared.sum() for n, shared in zip(equal, both, strict=True)]
        alike[0] = equal[0] == (row < 20).sum()
        if not any(alike):
            kept.append(row)
    assert 20 < len(kept) < 150
    assert stack.purged().rows.tolist() == np.array(kept).tolist()


@pytest.mark.parametrize(
    "rows", [[(-1, b"AR-N", b"ARRN")], [(2, b"AR-N", b"ARRN")], [(0, b"RR", b"ARN"), (0, b"RRR", b"AR")]]
)
def test_what_is_not_aligned_to_the_query_is_refused(rows):
    with pytest.raises(ValueError, match="not aligned to letters of the query"):
        Stack.of(encode(b"ARND"), [Aligned(*row) for row in rows])
