"""Launches of long pairs: each strip is done once, in order, and never waits for a later launch."""

import numpy as np
import pytest

from gpu.pairs.plan import NEEDED, SLACK, launches, rounds_of


@pytest.mark.parametrize("seed", range(40))
def test_strips_find_what_they_need(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = rng.integers(1, 6)
    strips, rounds = rng.integers(1, 40, count), rng.integers(2, 60, count)
    warps, most = int(rng.integers(1, 30)), int(rng.integers(1, 20))
    begin = int(rng.choice([0, 0, 12]))
    done = {(pair, strip): begin for pair in range(count) for strip in range(strips[pair])}
    stored, relative, rounds = dict[int, tuple[int, int]](), rounds, rounds + begin
    for works in launches(strips, relative, warps, most, begin):
        assert len(works) > 0 and sum(work["to"] - work["from"] for work in works) <= max(most, warps * most)
        after, taken = dict(done), set[tuple[int, int]]()
        for pair, strip, place, first, last in works.tolist():
            assert done[pair, strip] == first < last <= min(rounds[pair], first + most)
            assert stored.setdefault(place, (pair, strip)) == (pair, strip)
            # What the strip before must do is done, or done by a warp that began before.
            before = done.get((pair, strip - 1))
            assert strip == 0 or (pair, strip - 1) in taken or before >= min(rounds[pair], last + NEEDED)
            taken.add((pair, strip))
            after[pair, strip] = last
        for (pair, strip), last in after.items():
            before = after.get((pair, strip - 1), rounds[pair])
            assert before == rounds[pair] or last <= max(begin, before - NEEDED - SLACK)
        done = after
    assert all(last == rounds[pair] for (pair, _), last in done.items())


def test_the_last_place_ends_in_the_last_round() -> None:
    assert rounds_of(np.array([1, 2, 33, 34, 1_000_000])).tolist() == [2, 3, 3, 4, 31_252]
