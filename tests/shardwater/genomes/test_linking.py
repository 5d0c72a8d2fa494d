"""Links of anchors against all pairs of anchors, and the cells that bound them."""

import numpy as np
import pytest

from shardwater.genomes.linking import Anchors, link


def anchors(*rows: tuple[int, int, int, int, int]) -> Anchors:
    """Group, x, y, letters in both, weight."""
    group, x, y, letters, weight = np.array(rows, np.int64).reshape(-1, 5).T
    return Anchors(group, x, y, x + letters, y + letters, weight)


def linked(anchors: Anchors, letter_cost: int, reach: int) -> list[list[int]]:
    """The same by looking at every pair: score, the one before, the first one."""
    columns = (anchors.group, anchors.x, anchors.y, anchors.x_end, anchors.y_end, anchors.weight)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    links = [[row[5], -1, number] for number, row in enumerate(rows)]
    for number, (group, x, y, *_) in sorted(enumerate(rows), key=lambda each: each[1][1]):
        best = 0
        for other, (of, _, _, x_end, y_end, _) in enumerate(rows):
            near = x // reach - x_end // reach < 2 and y // reach - y_end // reach < 2
            gain = links[other][0] - letter_cost * (x - x_end + y - y_end)
            if of == group and x_end <= x and y_end <= y and near and gain > best:
                best = gain
                links[number] = [rows[number][5] + gain, other, links[other][2]]
    return links


@pytest.mark.parametrize("seed", range(20))
def test_links_are_those_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Few places, so that many are equally good.
    rows = np.stack((*rng.integers(0, (2, 60, 60), (80, 3)).T, rng.integers(1, 12, 80), rng.integers(1, 9, 80)), axis=1)
    some, cost, reach = anchors(*rows.tolist()), int(rng.integers(0, 3)), int(rng.choice([7, 20, 1000]))
    found = link(some, cost, reach)
    assert np.stack((found.score, found.before, found.first), axis=1).tolist() == linked(some, cost, reach)


def test_a_chain_is_given_from_its_last_anchor() -> None:
    found = link(anchors((0, 0, 0, 10, 30), (0, 15, 12, 10, 30), (0, 26, 30, 5, 30)), 1, 100)
    assert (found.chain(2), found.score.tolist()) == ([2, 1, 0], [30, 30 - 7 + 30, 53 - 9 + 30])


def test_a_link_must_gain() -> None:
    found = link(anchors((0, 0, 0, 10, 30), (0, 25, 25, 10, 30)), 1, 100)
    assert (found.score.tolist(), found.before.tolist()) == ([30, 30], [-1, -1])


def test_nothing_is_linked_to_nothing() -> None:
    assert len(link(anchors(), 1, 100).score) == 0
