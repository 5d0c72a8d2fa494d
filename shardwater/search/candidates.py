"""Which of a shard's best subjects may need an alignment where E-values come only with the last shard's counts."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence


def candidates(lengths: Sequence[int], most: int) -> list[int]:
    """Which of subjects in the total order may be among the first `most` under some limit to a fitted E-value.

    lengths: theirs. Gives their places, ascending.

    A fitted E-value is the same along a line of score over ln(length). So a limit that lets one subject pass lets pass
    all that score at least as much and are no longer, or, if the line falls, all that are no shorter: who has `most`
    such subjects before it of either kind is never among the first.
    """
    passed: list[int] = []
    found = []
    for place, length in enumerate(lengths):
        no_longer, no_shorter = bisect_right(passed, length), len(passed) - bisect_left(passed, length)
        if min(no_longer, no_shorter) < most:
            found.append(place)
        insort(passed, length)
    return found
