"""Samples of subjects."""

import numpy as np

from shardwater.search.sampling import choose


def test_the_sample_is_of_different_subjects_the_same_for_a_seed() -> None:
    chosen = choose(10_000, 100, "sha256:1")
    assert chosen == choose(10_000, 100, "sha256:1") == sorted(set(chosen))
    assert (len(chosen), chosen != choose(10_000, 100, "sha256:2")) == (100, True)
    assert 0 <= chosen[0] < 2000
    assert 8000 < chosen[-1] < 10_000
    assert choose(5, 5, "any") == choose(5, 9, "any") == [0, 1, 2, 3, 4]
    assert choose(5, 0, "any") == []


def test_every_subject_is_as_likely_to_be_chosen() -> None:
    counts = np.zeros(10, int)
    for number in range(2000):
        counts[choose(10, 3, str(number))] += 1
    assert (abs(counts - 600) < 100).all()
