"""Numbers taken some at a time, so that what is made of them takes little memory."""

from collections.abc import Iterator


def ranges_of(count: int, most: int) -> Iterator[range]:
    """The numbers from 0 to before `count`, at most `most` in a range, in order; none where count is 0."""
    numbers = range(count)
    return (numbers[first : first + most] for first in range(0, count, most))
