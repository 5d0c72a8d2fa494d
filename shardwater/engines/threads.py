"""Work on several threads, answered in order."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from typing import TypeVar

Part = TypeVar("Part")
Made = TypeVar("Made")


class Threads:
    """So many threads for each call, all cores where none is said.

    Calls do not share threads: one that comes while another is under way, between two of its answers, is not held up by
    what the other has begun. What is still at work when a call is left ends by itself; nobody waits for it.
    """

    def __init__(self, count: int | None, name: str) -> None:
        self.count, self._name = count or os.cpu_count() or 1, name

    def in_order(self, work: Callable[[Part], Made], parts: Iterable[Part]) -> Generator[tuple[Part, Made], None, None]:
        """Each part and what work made of it, in order; few are under way, so that leaving early wastes little."""
        with closing(self.in_time(work, parts, None)) as made:
            yield from (each for each in made if each is not None)

    def in_time(
        self, work: Callable[[Part], Made], parts: Iterable[Part], seconds: float | None
    ) -> Generator[tuple[Part, Made] | None, None, None]:
        """The same, and None whenever there was nothing for so many seconds."""
        waiting: deque[tuple[Part, Future[Made]]] = deque()
        pool = ThreadPoolExecutor(self.count, thread_name_prefix=self._name)
        try:
            for part in parts:
                waiting.append((part, pool.submit(work, part)))
                if len(waiting) > self.count:
                    yield from _first(waiting, seconds)
            while waiting:
                yield from _first(waiting, seconds)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _first(
    waiting: deque[tuple[Part, Future[Made]]], seconds: float | None
) -> Generator[tuple[Part, Made] | None, None, None]:
    part, future = waiting[0]
    while not wait((future,), seconds).done:
        yield None
    waiting.popleft()
    yield part, future.result()
