"""End points chosen on the device: those that the host chooses, of several pairs side by side."""

import numpy as np
import pytest

from shardwater.alignment import ends

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def choice():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.pairs import end_choice

    def chosen(pairs, most, apart):
        """Of cells (3, cells) of each pair, in any order."""
        numbers = np.repeat(np.arange(len(pairs)), [cells.shape[1] for cells in pairs])
        every = np.concatenate([*pairs, np.zeros((3, 0), np.int64)], axis=1)
        cells = np.vstack((every, numbers)).T.astype(np.int32)
        cells = cells[np.random.default_rng(1).permutation(len(cells))]
        found, counts = end_choice.chosen(end_choice.best_first(cupy.asarray(cells)), len(pairs), most, apart)
        return [rows[:count].tolist() for rows, count in zip(found.get(), counts.get().tolist(), strict=True)]

    return chosen


def of_host(pairs, most, apart):
    selection = ends.Selection(most, query_apart=apart[0], subject_apart=apart[1])
    return [
        [[*cell, number] for cell in ends.chosen(ends.best_first(cells), selection)]
        for number, cells in enumerate(pairs)
    ]


def random_cells(rng, count, rows, columns, scores):
    """So many different cells."""
    places = rng.choice(rows * columns, count, replace=False)
    return np.stack((rng.integers(1, scores, count), places // columns, places % columns))


@pytest.mark.parametrize("apart", [(0, 0), (5, 5), (0, 7), (40, 0), (1, 1), (300, 2)])
@pytest.mark.parametrize("most", [1, 7, 200, 4_000])
def test_as_the_host_chooses(choice, apart, most):
    rng = np.random.default_rng(most)
    pairs = [
        random_cells(rng, *sizes)
        for sizes in ((5_000, 300, 400, 9), (0, 1, 1, 2), (1, 9, 9, 2), (513, 90, 90, 500), (20_000, 900, 3_000, 60))
    ]
    assert choice(pairs, most, apart) == of_host(pairs, most, apart)


def test_cells_of_one_score_in_the_order_of_rows_and_columns(choice):
    rng = np.random.default_rng(3)
    pairs = [random_cells(rng, 3_000, 1 << 27, 30, 2), random_cells(rng, 2_000, 30, 1 << 27, 2)]
    assert choice(pairs, 500, (3, 3)) == of_host(pairs, 500, (3, 3))


def test_no_cells(choice):
    nothing = np.zeros((3, 0), np.int64)
    assert choice([nothing, nothing], 3, (5, 5)) == [[], []]
