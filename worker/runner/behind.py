"""Answers that are still being made when all of a pass is scored: the next pass begins, and stores them in between."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from worker.kinds.kind import PartAnswer

Answers = Future[list[PartAnswer]]


@dataclass(slots=True)
class Behind:
    """Those of one pass at most; used by the thread that works."""

    _held: list[tuple[Answers, Callable[[Answers], None]]] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._held)

    def put(self, answers: Answers, end: Callable[[Answers], None]) -> None:
        """Have `end` called with these when they are there, after those of the pass before."""
        self.settle()
        self._held.append((answers, end))

    def settle(self) -> bool:
        """Wait for them, and store them; whether there were any. Raises what their end does."""
        if not self._held:
            return False
        [(answers, end)] = self._held
        self._held.clear()
        end(answers)
        return True

    def settle_if_done(self) -> None:
        """The same, unless they are still being made, or failed: what that asks for is not done within another pass."""
        if self._held and self._held[0][0].done() and self._held[0][0].exception() is None:
            self.settle()

    def drop(self) -> None:
        """Leave them to whoever leases their parts next."""
        self._held.clear()
