"""How much of large replies one front end holds at a time, for clients that have not taken them."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from app.problems import OverloadError

SMALL = 1 << 16
"""Bytes up to which a reply does not count."""
REPLIES, REPLIES_EACH = 8, 4
"""So many times the largest body may be held for replies, and of an account."""


class ReplyRoom:
    """Counts the bytes of replies, each from when it begins until it is sent, or nobody waits for it."""

    def __init__(self, max_body_bytes: int) -> None:
        self._most, self._most_of_one = REPLIES * max_body_bytes, REPLIES_EACH * max_body_bytes
        self._held: Counter[str] = Counter()

    def take(self, account: str, size: int) -> None:
        """Count what a reply for an account holds; for one alone there always is room. Raises OverloadError."""
        if size <= SMALL:
            return
        of_one, of_all = self._held[account], self._held.total()
        if (of_one and of_one + size > self._most_of_one) or (of_all and of_all + size > self._most):
            raise OverloadError("too many large replies are on their way: take those first")
        self._held[account] += size

    def give_back(self, account: str, size: int) -> None:
        """It holds that no more."""
        if size <= SMALL:
            return
        self._held[account] -= size
        if not self._held[account]:
            del self._held[account]

    @contextmanager
    def place(self, account: str, size: int) -> Iterator[None]:
        """For what holds so many bytes, as long as the context lasts. Raises OverloadError."""
        self.take(account, size)
        try:
            yield
        finally:
            self.give_back(account, size)
