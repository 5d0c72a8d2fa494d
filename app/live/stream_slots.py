"""How many event streams are open: each holds a connection as long as its job runs."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from shardwater.errors import AlignError


class StreamsTaken(AlignError):
    """One owner has as many streams as he may have."""


class StreamsFull(AlignError):
    """This front end has as many streams as it will hold."""


class Streams:
    """The streams of one front end; a bound of 0 is none."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._open: Counter[str] = Counter()

    @contextmanager
    def one(self, account: str) -> Iterator[None]:
        """A stream of an account, while the context lasts; raises StreamsTaken or StreamsFull."""
        if self._most_of_one and self._open[account] >= self._most_of_one:
            raise StreamsTaken(f"{self._most_of_one} event streams are open already: close one, or ask for the state")
        if self._most and self._open.total() >= self._most:
            raise StreamsFull("too many event streams are open: ask for the state instead")
        self._open[account] += 1
        try:
            yield
        finally:
            self._open[account] -= 1
            if not self._open[account]:
                del self._open[account]
