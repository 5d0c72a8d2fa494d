"""Work on several threads, answered in order."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")
Made = TypeVar("Made")


class Threads:
    """So many threads, all cores where none is said."""

    def __init__(self, count: int | None, name: str) -> None:
        self.count = count or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.count, thread_name_prefix=name)

    def in_order(self, work: Callable[[Part], Made], parts: Iterable[Part]) -> Generator[tuple[Part, Made], None, None]:
        """Each part and what work made of it, in order; few are under way, so that leaving early wastes little."""
        waiting: deque[tuple[Part, Future[Made]]] = deque()
        try:
            for part in parts:
                waiting.append((part, self._pool.submit(work, part)))
                if len(waiting) > self.count:
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        finally:
            for _, future in waiting:
                future.cancel()
