"""Rows of text from columns, against Python's own formatting."""

import random

import numpy as np
import pytest

from shardwater.formats.genomes.text_cells import Choices, Hundredths, Optional, rows_text

BORDERS = [0, 1, 9, 10, 99, 100, 9_999, 10_000, 10_001, 99_999_999, 100_000_000, 100_010_000, 2**31 - 1, 2**31, 2**53]


@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_are_written_as_python_writes_them(sign: int) -> None:
    known = random.Random(1)
    for most in (9, 9_999, 10_000, 123_456_789, 2**60):
        values = [value for value in BORDERS if value <= most] + [known.randint(0, most) for _ in range(500)]
        values = [sign * value for value in values]
        text = rows_text([b"<", np.array(values), b">\n"], len(values))
        assert text == b"".join(b"<%d>\n" % value for value in values)


def test_hundredths_have_two_digits_after_the_point() -> None:
    values = [0, 5, 99, 100, 9_825, 10_000, -1, -250, 1_234_567]
    text = rows_text([Hundredths(np.array(values)), b"\n"], len(values))
    assert text.decode().split() == ["0.00", "0.05", "0.99", "1.00", "98.25", "100.00", "-0.01", "-2.50", "12345.67"]


def test_words_short_and_long_stand_where_their_cells_do() -> None:
    short, long = Choices.of([b"a", b"", b"abcd", b"five5"]), Choices.of([b"x", b"y" * 100])
    chosen = np.array([2, 1, 0, 3])
    cells = [b"[", short.choose(chosen), b" ", long.choose(chosen % 2), np.arange(4) * 5000, [b"p", b"", b"q", b"r"]]
    lines = rows_text([*cells, b"]\n"], 4).replace(b"y" * 100, b"Y")
    assert lines == b"[abcd x0p]\n[ Y5000]\n[a x10000q]\n[five5 Y15000r]\n"


def test_a_number_may_be_left_out() -> None:
    cell = Optional(np.array([12_345, 7, 0]), np.array([True, False, True]))
    assert rows_text([cell, b";"], 3) == b"12345;;0;"


def test_no_row_is_no_text() -> None:
    none = np.zeros(0, np.int64)
    assert rows_text([b"a", none, Hundredths(none), []], 0) == rows_text([b"a", none], 0) == b""
