"""End points against a list of all cells, and the alignments that end in them."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from shardwater.alignment import ends
from shardwater.alignment.ends import EndPoint, Selection, best_ends
from shardwater.alignment.gotoh import align_batch, align_ends
from shardwater.alignment.scheme import Scheme
from shardwater.scoring.table import match_table
from shardwater.sequences.alphabet import Codes
from tests.support.pair_oracle import ending_in, table

SCHEME = Scheme(match_table(5, -3), 8, 1)


@cache
def every_cell(letters: int) -> list[EndPoint]:
    """All cells of H that score more than 0, best first."""
    query, subject = sequences(letters, letters)
    h = np.array(table(query.tolist(), subject.tolist(), SCHEME))
    cells = [EndPoint(int(h[row, column]), row, column) for row, column in np.argwhere(h > 0).tolist()]
    return sorted(cells, key=lambda cell: (-cell.score, cell.row, cell.column))


def chosen(cells: list[EndPoint], count: int, rows: int, columns: int) -> list[EndPoint]:
    """The first ones that no better one is too close to."""
    found: list[EndPoint] = []
    for cell in cells:
        apart = all(abs(cell.row - other.row) >= rows and abs(cell.column - other.column) >= columns for other in found)
        if apart:
            found.append(cell)
        if len(found) == count:
            break
    return found


@cache
def best_of_all(letters: int, least: int, count: int, apart: tuple[int, int]) -> list[EndPoint]:
    """Those of all cells that score at least so much."""
    return chosen([cell for cell in every_cell(letters) if cell.score >= least], count, *apart)


def sequences(seed: int, letters: int) -> tuple[Codes, Codes]:
    rng = np.random.default_rng(seed)
    query, subject = rng.integers(0, letters, 60, np.uint8), rng.integers(0, letters, 90, np.uint8)
    subject[40:70] = query[20:50]
    return query, subject


@pytest.mark.parametrize("held", [1, 50, 1 << 18])
@pytest.mark.parametrize("apart", [(0, 0), (1, 1), (5, 5), (0, 3), (4, 0), (2, 9)])
@pytest.mark.parametrize("count", [1, 2, 7, 200])
@pytest.mark.parametrize("letters", [1, 2, 4])
def test_end_points_equal_those_of_all_cells(
    monkeypatch: pytest.MonkeyPatch, letters: int, count: int, apart: tuple[int, int], held: int
) -> None:
    monkeypatch.setattr(ends, "LEAST_HELD", held)
    monkeypatch.setattr(ends, "LOOKED_AT", 16)
    query, subject = sequences(letters, letters)
    for least in (1, 20):
        expected = best_of_all(letters, least, count, apart)
        assert best_ends(query, subject, SCHEME, Selection(count, least, *apart)) == expected


def test_little_is_held_of_many_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ends, "LEAST_HELD", 1)
    held = list[int]()
    look_through = ends.Candidates._look_through

    def recorded(some: ends.Candidates) -> None:
        look_through(some)
        held.append(some._held)

    monkeypatch.setattr(ends.Candidates, "_look_through", recorded)
    alike = np.zeros(1_000, np.uint8)
    assert best_ends(alike, alike, SCHEME, Selection(2, 1, 3, 3)) == [(5000, 1000, 1000), (4985, 997, 997)]
    # Five cells block 5 rows and 5 columns each, of which 6 cells are kept.
    assert max(held) <= 5 * (5 + 5) * 6
    assert len(held) > 10


@pytest.mark.parametrize("most", [1, 2, 50])
@pytest.mark.parametrize("apart", [(0, 0), (1, 1), (0, 3), (2, 9)])
@pytest.mark.parametrize("letters", [1, 4])
def test_end_points_of_several_passes_are_those_of_one(
    monkeypatch: pytest.MonkeyPatch, letters: int, apart: tuple[int, int], most: int
) -> None:
    query, subject = sequences(letters, letters)
    passes, candidate_ends = list[int](), ends.candidate_ends
    expected = best_of_all(letters, 1, 30, apart)

    def counted(*arguments: Any) -> ends.Found:
        found = candidate_ends(*arguments)
        passes.append(found.cells.shape[1])
        return found

    monkeypatch.setattr(ends, "candidate_ends", counted)
    monkeypatch.setattr(ends, "LEAST_HELD", 1)
    monkeypatch.setattr(ends, "MOST_HELD", most)
    assert best_ends(query, subject, SCHEME, Selection(30, 1, *apart)) == expected
    if apart == (0, 0):
        assert passes == [30]
    else:
        assert len(passes) > 1
        assert max(passes) <= most


@pytest.mark.parametrize("memory", [1, 2_000, 1 << 20])
def test_alignments_that_end_there_equal_the_oracle(memory: int) -> None:
    query, subject = sequences(4, 4)
    found = best_ends(query, subject, SCHEME, Selection(60, 1, 1, 1))
    aligned = align_ends(query, subject, SCHEME, found, memory)
    h = table(query.tolist(), subject.tolist(), SCHEME)
    assert aligned == [ending_in(end.row, end.column, h, query.tolist(), subject.tolist(), SCHEME) for end in found]
    assert aligned[:1] == align_batch(query, [subject], SCHEME)


def test_no_end_points_have_no_alignments() -> None:
    nothing = np.zeros(0, np.uint8)
    assert best_ends(nothing, nothing, SCHEME, Selection(3)) == []
    assert align_ends(nothing, nothing, SCHEME, []) == []
