"""Pieces of a list made by several threads, in their order, a few ahead of who takes them."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

MOST_THREADS = 8
"""numpy lets others go on for about half of the time: more threads would wait for each other."""
AHEAD = 2
"""Pieces for each thread that may be ready or under way: they are all that is in memory."""
Item = TypeVar("Item")
Made = TypeVar("Made")


def side_by_side(make: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
    """What is made of each item; closing the iterator waits for what is under way."""
    threads = min(MOST_THREADS, os.cpu_count() or 1)
    with ThreadPoolExecutor(threads, thread_name_prefix="writer") as pool:
        rest, waiting = iter(items), deque[Future[Made]]()
        try:
            waiting.extend(pool.submit(make, item) for item in islice(rest, AHEAD * threads))
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(make, item) for item in islice(rest, 1))
        finally:
            for each in waiting:
                each.cancel()
