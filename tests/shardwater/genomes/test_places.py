"""Which blocks are in place between the blocks of a backbone."""

import numpy as np

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.chains import Chains
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.places import in_place


def placed(*rows: tuple[int, int, int, str], pairs: tuple[int, ...] = ()) -> list[bool]:
    """Blocks of one HSP: places, letters, and `b` of the backbone, `+` or `-`; all equal letters score 4."""
    numbers = np.array([row[:3] for row in rows])
    hsps = Hsps.joined(
        [Hsps.of(*numbers[row][:, None], numbers[row][2:], rows[row][3] == "-") for row in range(len(rows))]
    )
    alignments, places = Alignments.of_hsps(hsps), np.arange(len(rows))
    blocks = Chains(alignments, places, np.arange(len(rows) + 1), alignments.column("score"))
    backbone = np.array([row[3] == "b" for row in rows])
    return in_place(blocks, np.array(pairs or [0] * len(rows)), backbone).tolist()


BEFORE, AFTER = (0, 0, 1000, "b"), (3000, 3000, 1000, "b")


def test_a_block_between_its_neighbours_is_in_place() -> None:
    assert placed(BEFORE, AFTER, (1500, 1200, 300, "-")) == [True, True, True]
    assert placed(BEFORE, AFTER, (1500, 2900, 300, "+")) == [True, True, True]
    assert placed(BEFORE, AFTER, (1500, 3001, 300, "-")) == [True, True, False]
    assert placed(BEFORE, AFTER, (1500, 600, 300, "+")) == [True, True, False]


def test_before_the_first_and_after_the_last_all_is_free() -> None:
    assert placed(AFTER, (0, 100, 500, "-"), (5000, 9000, 500, "-")) == [True, True, True]
    assert placed(AFTER, (0, 5000, 500, "-"), (5000, 100, 500, "-")) == [True, False, False]


def test_within_a_stretch_of_the_backbone_its_letters_pair_is_the_place() -> None:
    assert placed(BEFORE, (300, 450, 200, "-"), (300, 100, 200, "-"), (300, 401, 200, "-")) == [
        True,
        False,
        False,
        False,
    ]
    assert placed(BEFORE, (300, 400, 200, "-"), (300, 200, 200, "-")) == [True, True, True]


def test_a_reverse_block_has_better_neighbours_alone() -> None:
    turned_back = (2000, 1200, 100, "b")
    # A large inversion from 1000 to 3000, of which a little is forward again: out of its order in the subject.
    assert placed(BEFORE, turned_back, AFTER, (2150, 1000, 150, "-")) == [True, True, True, True]
    assert placed(BEFORE, turned_back, AFTER, (2150, 1000, 90, "-")) == [True, True, True, False]
    assert placed(BEFORE, turned_back, AFTER, (2150, 1000, 150, "+")) == [True, True, True, False]


def test_other_pairs_and_no_pairs_are_no_neighbours() -> None:
    rows = BEFORE, AFTER, (1500, 8000, 300, "-"), (1500, 8000, 300, "-")
    assert placed(*rows, pairs=(1, 3, 2, -1)) == [True, True, True, False]
