"""What a worker measures of a search, where it happens: the wait in the queue, scoring, aligning."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from shardwater.alignment import Alignment
from shardwater.database import Shard
from shardwater.engine import Engine, Pair, Progress, Survey, no_progress
from shardwater.fasta import Record
from shardwater.hits import Score
from shardwater.scoring import Scoring
from worker import tracing
from worker.client import Client
from worker.origin import Origin, spoken_of
from worker.tally import Tally

STAGE = "stage"
CELLS = "cells"


class TimedEngine:
    """An engine that counts its cells and the seconds of each stage; it answers as the one inside."""

    def __init__(self, engine: Engine, tally: Tally, database: str, rate: float = 0.0) -> None:
        self._engine, self._tally, self._database = engine, tally, database
        self._lock = threading.Lock()
        self._seconds: dict[str, float] = {}
        self._cells = 0
        self._where = tracing.here()
        self.rate = rate
        """Cells per second of the last search."""

    @property
    def name(self) -> str:
        """What computes."""
        return self._engine.name

    def load(self, shard: Shard) -> None:
        """Make the shard resident."""
        self._engine.load(shard)

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, progress: Progress = no_progress
    ) -> list[list[Score]]:
        """The best subjects of each query."""
        with self._stage("score"):
            return self._engine.search(queries, scoring, top, self._counted(progress))

    def survey(
        self, queries: Sequence[Record], scoring: Scoring, top: int, progress: Progress = no_progress
    ) -> list[Survey]:
        """The same, and the counts of all subjects."""
        with self._stage("score"):
            return self._engine.survey(queries, scoring, top, self._counted(progress))

    def align(
        self, pairs: Sequence[Pair], scoring: Scoring, progress: Progress = no_progress
    ) -> list[Alignment | None]:
        """The best local alignment of each pair."""
        with self._stage("align"):
            return self._engine.align(pairs, scoring, progress)

    @contextmanager
    def search_at_work(self) -> Iterator[None]:
        """All calls within are one search: of many queries the engine gets some at a time."""
        self._seconds, self._cells, self._where = {}, 0, tracing.here()
        try:
            yield
        finally:
            for stage, seconds in self._seconds.items():
                self._tally.observe(STAGE, stage, seconds=seconds)
            scoring = self._seconds.get("score", 0.0)
            if self._cells and scoring:
                self.rate = self._cells / scoring

    @contextmanager
    def _stage(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            with tracing.span(stage, within=self._where):
                yield
        finally:
            # One thread may align while another searches.
            with self._lock:
                self._seconds[stage] = self._seconds.get(stage, 0.0) + time.perf_counter() - started

    def _counted(self, progress: Progress) -> Callable[[int], None]:
        def counted(cells: int) -> None:
            self._cells += cells
            self._tally.add(CELLS, self._database, value=cells)
            progress(cells)

        return counted


@contextmanager
def at_work(client: Client, engine: TimedEngine, search: str) -> Iterator[None]:
    """What a worker does for a search: its wait is over, its stages are measured, and the log's lines name it."""
    origin = Origin.of(client.redis, search)
    if origin is None:
        yield
        return
    client.tally.observe(STAGE, "queue", seconds=max(0.0, time.time() - origin.created))
    with spoken_of(search, origin), tracing.span("search", "consumer", parent=origin.traceparent) as noted:
        noted.note(shardwater__search=search)
        # By two clocks where the front end is on another machine.
        with tracing.span("queue", started=origin.created):
            pass
        with engine.search_at_work():
            yield
