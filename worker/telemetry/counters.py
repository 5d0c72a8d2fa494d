"""What is counted: by each process in its own memory, which costs a search microseconds, and added up in Redis.

One hash holds the sums of the whole service, so that every front end gives the same ones and a restart loses none. A
field is a measure's name and its labels; a duration is counted in the bucket of the first bound that it does not pass.
"""

import json
import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from redis import Redis

from worker.jobs.redis_names import PREFIX, text

COUNTS = f"{PREFIX}:counts"
"""Hash: a measure with its labels, as JSON, to its sum."""

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800)
"""Upper bounds of the buckets of durations, in seconds; one more bucket is for all that is longer."""
SUM = "sum"

Measure = tuple[str, ...]
"""A measure's name, then its labels' values."""


class Tally:
    """Counts of this process that Redis does not have yet; safe for use by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: defaultdict[Measure, float] = defaultdict(float)

    def add(self, *measure: str, value: float = 1) -> None:
        """Count."""
        with self._lock:
            self._counts[measure] += value

    def observe(self, *measure: str, seconds: float) -> None:
        """Count a duration."""
        place = bisect_left(BOUNDS, seconds)
        bucket = str(BOUNDS[place]) if place < len(BOUNDS) else "+Inf"
        with self._lock:
            self._counts[*measure, bucket] += 1
            self._counts[*measure, SUM] += seconds

    @contextmanager
    def timed(self, *measure: str) -> Iterator[None]:
        """Count how long something takes."""
        started = perf_counter()
        try:
            yield
        finally:
            self.observe(*measure, seconds=perf_counter() - started)

    def flush(self, redis: Redis) -> None:
        """Add what was counted to the sums; what cannot be added is kept for the next time."""
        with self._lock:
            counts, self._counts = self._counts, defaultdict(float)
        if not counts:
            return
        try:
            with redis.pipeline() as pipe:
                for measure, value in counts.items():
                    pipe.hincrbyfloat(COUNTS, json.dumps(measure), value)
                pipe.execute()
        except BaseException:
            with self._lock:
                for measure, value in counts.items():
                    self._counts[measure] += value
            raise


def sums(redis: Redis) -> dict[Measure, float]:
    """Everything counted so far, by all processes that have handed it in."""
    return {tuple(json.loads(text(field))): float(value) for field, value in redis.hgetall(COUNTS).items()}
