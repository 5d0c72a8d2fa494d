"""packing.plan with numpy: every subject in one pack, pairs as their class says, room for the lanes between packs."""

import numpy as np
import pytest

from gpu.database.packing import PackClass, plan
from gpu.layout import BURST, GROUPS, PAD_ROWS, SUBJECTS


def packs_of(lengths, ambiguous=None, long_rows=1000):
    lengths = np.array(lengths, np.uint32)
    ambiguous = np.zeros(len(lengths), bool) if ambiguous is None else np.array(ambiguous)
    return plan(np, lengths, ambiguous, long_rows)


def subjects_of(packs, *classes):
    span = packs.span(*classes)
    slots = packs.slots[span.start : span.stop].ravel()
    return sorted(slots[slots >= 0].tolist())


@pytest.fixture
def mixed():
    rng = np.random.default_rng(4)
    lengths = np.sort(rng.integers(1, 1200, 3000)).astype(np.uint32)
    ambiguous = rng.random(3000) < 0.1
    return lengths, ambiguous, packs_of(lengths, ambiguous)


def test_every_subject_has_one_place(mixed):
    lengths, _, packs = mixed
    assert subjects_of(packs, *PackClass) == list(range(len(lengths)))


def test_classes_hold_what_their_names_say(mixed):
    lengths, ambiguous, packs = mixed
    is_long = lengths > 1000
    assert subjects_of(packs, PackClass.LONG) == np.flatnonzero(is_long).tolist()
    assert subjects_of(packs, PackClass.AMBIGUOUS) == np.flatnonzero(ambiguous & ~is_long).tolist()
    plain = subjects_of(packs, PackClass.EVEN, PackClass.UNEVEN)
    assert plain == np.flatnonzero(~ambiguous & ~is_long).tolist()


def test_pairs_of_an_even_pack_are_equally_long_and_of_others_descending(mixed):
    lengths, _, packs = mixed
    lengths = np.append(lengths, 0).astype(int)  # slot -1 is nobody, of no length
    pairs = packs.slots.reshape(-1, 2)
    even = GROUPS * packs.counts[PackClass.EVEN]
    of_two = pairs[:even][pairs[:even, 1] >= 0]
    assert (lengths[of_two[:, 0]] == lengths[of_two[:, 1]]).all()
    assert (lengths[pairs[:, 0]] >= lengths[pairs[:, 1]]).all()


def test_each_length_leaves_at_most_one_subject_over(mixed):
    lengths, _, packs = mixed
    left_over = lengths[subjects_of(packs, PackClass.UNEVEN)]
    assert len(set(left_over.tolist())) == len(left_over)


@pytest.mark.parametrize("lengths", [[7], [9] * 17, [3, 3, 8, 8, 9], [3, 5, 5, 8, 9]])
def test_subject_left_alone_stands_among_even_pairs_by_its_length(lengths):
    packs = packs_of(lengths)
    assert len(subjects_of(packs, PackClass.UNEVEN)) % 2 == 0
    slots = packs.slots[: packs.counts[PackClass.EVEN]].reshape(-1, 2)[:, 0]
    assert np.diff(np.array(lengths)[slots[slots >= 0]]).max(initial=0) <= 0


def test_rows_hold_the_longest_subject_in_whole_bursts(mixed):
    lengths, _, packs = mixed
    lengths = np.append(lengths, 0).astype(int)
    longest = lengths[packs.slots].reshape(-1, SUBJECTS).max(axis=1)
    assert (packs.rows >= longest).all()
    assert (packs.rows < longest + BURST).all()
    assert (packs.rows % BURST == 0).all()
    assert (packs.starts % BURST == 0).all()


def test_padding_stands_between_packs_and_twice_where_codes_change(mixed):
    *_, packs = mixed
    ends = packs.starts + packs.rows
    gaps = np.append(packs.starts[1:], packs.total_rows) - ends
    border = packs.counts[PackClass.EVEN] + packs.counts[PackClass.UNEVEN] - 1
    assert packs.starts[0] == PAD_ROWS
    assert gaps[border] == 2 * PAD_ROWS
    assert set(np.delete(gaps, [border, len(gaps) - 1]).tolist()) == {PAD_ROWS}
    assert gaps[-1] >= 2 * PAD_ROWS


@pytest.mark.parametrize("lengths", [[], [5], [5, 5], [5, 6, 7], [9] * 17])
def test_few_subjects_have_places_too(lengths):
    packs = packs_of(lengths)
    assert subjects_of(packs, *PackClass) == list(range(len(lengths)))
    assert packs.total_rows >= 2 * PAD_ROWS
