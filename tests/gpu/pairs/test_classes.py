"""What scores of pairs are proved for, and which shape of the kernel scores which: no device is needed for that."""

import numpy as np
import pytest

from gpu.pairs.classes import AFFINE, BORDER_BYTES, LINEAR, blocks, classes, shapes
from gpu.pairs.potential import Form, form
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.scoring.table import Table, match_table
from shardwater.sequences.alphabets import Alphabet

LOCAL = Scheme(match_table(2, -1), 1, 1, Mode.LOCAL)
GLOBAL = Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL)


def known(scheme: Scheme) -> Form:
    how = form(scheme)
    assert how is not None
    return how


def test_local_scores_hold_as_many_matches_as_16_bits_and_one():
    assert known(LOCAL).letters(16) == (32_767 - 2) // 2
    lengths = np.array([[16_382, 16_383], [30_000, 16_383]])
    assert known(LOCAL).holds(lengths, 16).tolist() == [True, False]


def test_from_end_to_end_a_letter_takes_its_score_and_both_potentials():
    # Of 32,767: the base 3 and a burst of 4 rows, 16 columns of padding, and 2 + 1 + 1 a letter.
    assert known(GLOBAL).letters(16) == (32_767 - 3 - 4 - 16) // 4
    assert known(GLOBAL).holds(np.array([[8_186, 8_187], [10, 10]]), 16).tolist() == [True, False]


def test_scores_in_potential_form_are_never_negative():
    assert known(GLOBAL).table.tolist() == [[4, 1, 1, 1], [1, 4, 1, 1], [1, 1, 4, 1], [1, 1, 1, 4]]
    # -9 is worse than two gaps of one letter, -4 together.
    assert known(Scheme(match_table(2, -9), 1, 1, Mode.GLOBAL)).table.tolist() == np.diag([6] * 4).tolist()


@pytest.mark.parametrize(
    "scheme",
    [
        Scheme(Table(Alphabet.of("many", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), [[1] * 26] * 26), 1, 1),
        Scheme(match_table(200, -1), 1, 1, Mode.GLOBAL),
        Scheme(match_table(200, -1), 1, 1, Mode.LOCAL),
        Scheme(match_table(2, -1), 40_000, 1, Mode.LOCAL),
        Scheme(match_table(2, -1), 1, 70, Mode.GLOBAL),
    ],
)
def test_many_letters_and_numbers_beyond_bytes_or_words_are_left_to_others(scheme: Scheme):
    assert form(scheme) is None


def test_costs_to_open_that_16_bits_cannot_hold_leave_no_letters():
    assert known(Scheme(match_table(2, -1), 11_000, 1, Mode.GLOBAL)).letters(16) == 0


@pytest.mark.parametrize("scheme", [LOCAL, GLOBAL])
def test_many_short_pairs_get_a_lane_and_few_long_ones_a_warp(scheme: Scheme):
    how = known(scheme)
    [short] = classes(np.full((2, 1_000_000), 150), how, shapes(how))
    [long] = classes(np.full((2, 1_000), 4_096), how, shapes(how))
    assert (short.shape.lanes, long.shape.lanes) == (1, 32)


def test_classes_part_lengths_and_leave_out_pairs_without_letters():
    lengths = np.array([[0, 5, 64, 65, 300, 20], [9, 9, 9, 9, 9, 0]])
    how = known(GLOBAL)
    found = classes(lengths, how, shapes(how))
    assert [(each.above, each.most) for each in found] == [(0, 64), (64, 256), (256, 1_024)]


@pytest.mark.parametrize("shape", [*AFFINE, *LINEAR])
def test_border_of_the_longest_subjects_stays_within_its_bound(shape):
    how = known(LOCAL)
    grid = blocks(shape, how, 1_000_000, 1 << 15, 132)
    assert grid * shape.warps * (1 << 13) * how.words * 16 * shape.slots <= BORDER_BYTES
