"""Work on several threads, answered in order."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from typing import Any, TypeVar

Part = TypeVar("Part")
Made = TypeVar("Made")


MOST_LEFT = 2
"""Times as many threads as there are may be at work that nobody waits for."""


class Threads:
    """So many threads, all cores where none is said."""

    def __init__(self, count: int | None, name: str) -> None:
        self.count = count or os.cpu_count() or 1
        self._name, self._left = name, list[Future[Any]]()
        self._pool = ThreadPoolExecutor(self.count, thread_name_prefix=name)

    def in_order(self, work: Callable[[Part], Made], parts: Iterable[Part]) -> Generator[tuple[Part, Made], None, None]:
        """Each part and what work made of it, in order; few are under way, so that leaving early wastes little."""
        with closing(self.in_time(work, parts, None)) as made:
            yield from (each for each in made if each is not None)

    def in_time(
        self, work: Callable[[Part], Made], parts: Iterable[Part], seconds: float | None
    ) -> Generator[tuple[Part, Made] | None, None, None]:
        """The same, and None whenever there was nothing for so many seconds."""
        waiting: deque[tuple[Part, Future[Made]]] = deque()
        try:
            for part in parts:
                waiting.append((part, self._pool.submit(work, part)))
                if len(waiting) > self.count:
                    yield from _first(waiting, seconds)
            while waiting:
                yield from _first(waiting, seconds)
        finally:
            self._leave([future for _, future in waiting if not future.cancel()])

    def _leave(self, futures: list[Future[Any]]) -> None:
        """Have new threads do what comes next, where some are still at work that nobody waits for and none can stop."""
        self._left = [future for future in (*self._left, *futures) if not future.done()]
        if 0 < len(self._left) <= MOST_LEFT * self.count:
            self._pool.shutdown(wait=False)
            self._pool = ThreadPoolExecutor(self.count, thread_name_prefix=self._name)


def _first(
    waiting: deque[tuple[Part, Future[Made]]], seconds: float | None
) -> Generator[tuple[Part, Made] | None, None, None]:
    part, future = waiting[0]
    while not wait((future,), seconds).done:
        yield None
    waiting.popleft()
    yield part, future.result()
