"""Pixels of lines, against lines followed step by step."""

import random

import numpy as np
import pytest

from shardwater.formats.genomes import raster
from shardwater.formats.genomes.raster import line_pixels


def marked(lines: list[tuple[float, float, float]], slope: float) -> set[tuple[int, int]]:
    """Lines (begin, end, across) on 60 x 50 pixels."""
    begins, ends, across = (np.array(column, np.float64) for column in zip(*lines, strict=True))
    parts = line_pixels((60, 50), begins, ends, across, slope)
    return {pixel for at, beside in parts for pixel in zip(at.tolist(), beside.tolist(), strict=True)}


@pytest.mark.parametrize("slope", [1.0, 0.4, -1.0, -0.7, 0.0])
def test_pixels_are_on_the_lines_and_the_lines_on_pixels(slope: float) -> None:
    known, lines = random.Random(3), list[tuple[float, float, float]]()
    while len(lines) < 40:
        begin, length, across = known.uniform(0, 59), known.uniform(0, 30), known.uniform(0, 49)
        if begin + length < 60 and 0 <= across + slope * length < 50:
            lines.append((begin, begin + length, across))
    pixels = marked(lines, slope)
    for at, beside in pixels:
        # A pixel's middle is within a pixel of a line, its ends included.
        assert any(
            begin - 1 <= at + 0.5 <= end + 1 and abs(across + slope * (at + 0.5 - begin) - beside - 0.5) <= 1
            for begin, end, across in lines
        )
    for begin, end, across in lines:
        for step in range(int(begin), int(end) + 1):
            beside = across + slope * (min(max(step + 0.5, begin), end) - begin)
            assert any((step, int(beside) + more) in pixels for more in (-1, 0, 1)), (begin, end, step)


def test_a_line_along_the_diagonal_is_the_diagonal() -> None:
    assert marked([(3.0, 9.99, 5.0)], 1.0) == {(3 + step, 5 + step) for step in range(7)}
    assert marked([(3.0, 3.0, 5.0)], 1.0) == {(3, 5)}


def test_lines_on_one_another_are_one() -> None:
    assert marked([(0.0, 4.5, 0.0), (2.0, 6.5, 2.0), (9.0, 9.5, 9.0)], 1.0) == {
        (place, place) for place in (*range(7), 9)
    }


def test_nothing_is_drawn_of_nothing() -> None:
    assert list(line_pixels((4, 4), *(np.zeros(0) for _ in range(3)), 1.0)) == []


@pytest.mark.parametrize("together", [1, 7, 64])
def test_many_pixels_are_told_some_at_a_time(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [(3.0, 9.99, 5.0), (0.0, 40.0, 8.0), (20.0, 59.0, 0.0)]
    whole = marked(lines, 0.5)
    monkeypatch.setattr(raster, "AT_ONCE", together)
    assert marked(lines, 0.5) == whole
