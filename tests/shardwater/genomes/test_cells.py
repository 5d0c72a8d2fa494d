"""Cells of a grid: how many ends lie in one, up to a height."""

import numpy as np

from shardwater.genomes.cells import Cells

GROUP = np.zeros(1, np.int64)


def test_ends_of_a_cell_up_to_a_height() -> None:
    group, x, y = np.array([0, 0, 0, 1]), np.array([12, 19, 31, 15]), np.array([5, 9, 9, 5])
    cells = Cells.of(group, x, y, 10)

    def heights(at: tuple[int, int], left: int = 0, below: int = 0) -> tuple[int, int]:
        found = cells.find(GROUP, GROUP + at[0], GROUP + at[1], left, below)
        return int(found.height[0]), int(found.size[0])

    assert heights((10, 4)) == (0, 2)
    assert heights((10, 5)) == (1, 2)
    assert heights((19, 9)) == (2, 2)
    # The cell to the left of (25, 9), and that to the left of (25, 14) and below it.
    assert heights((25, 9), left=1) == (2, 2)
    assert heights((25, 14), left=1, below=1) == (2, 2)
    # There is no cell to the left of the first, nor one without ends.
    assert heights((5, 5), left=1)[0] == 0
    assert heights((45, 9))[0] == 0
