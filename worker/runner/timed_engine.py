"""What a worker measures of a search, where it happens: the wait in the queue, scoring, aligning."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from shardwater.alignment.alignment import Alignment
from shardwater.database.database import Shard
from shardwater.engines.engine import Engine, Found, Pair, Progress, Survey, no_progress
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import Cut
from shardwater.sequences.fasta import Record
from worker.queue.part_queue import LeasedPart
from worker.telemetry import tracing
from worker.telemetry.counters import Tally
from worker.telemetry.request_context import spoken_of

STAGE = "stage"
CELLS = "cells"


class TimedEngine:
    """An engine that counts its cells and the seconds of each stage; it answers as the one inside."""

    def __init__(self, engine: Engine, tally: Tally, database: str) -> None:
        self._engine, self._tally, self._database = engine, tally, database
        self._lock, self._aside = threading.Lock(), threading.local()
        self._seconds: dict[str, float] = {}
        self._where = tracing.here()

    @property
    def name(self) -> str:
        """What computes."""
        return self._engine.name

    @property
    def interruptible(self) -> bool:
        """Whether its progress may search."""
        return self._engine.interruptible

    def load(self, shard: Shard) -> None:
        """Make the shard resident."""
        self._engine.load(shard)

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, progress: Progress = no_progress
    ) -> list[Found]:
        """The best subjects of each query."""
        with self._stage("score"):
            return self._engine.search(queries, scoring, top, self._counted(progress))

    def survey(
        self, queries: Sequence[Record], scoring: Scoring, cuts: Sequence[Cut], progress: Progress = no_progress
    ) -> list[Survey]:
        """The counts of all subjects, and those that each query's cut wants."""
        with self._stage("score"):
            return self._engine.survey(queries, scoring, cuts, self._counted(progress))

    def align(
        self, pairs: Sequence[Pair], scoring: Scoring, progress: Progress = no_progress
    ) -> list[Alignment | None]:
        """The best local alignment of each pair."""
        with self._stage("align"):
            return self._engine.align(pairs, scoring, progress)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """All calls within are one turn: of many queries the engine gets some at a time.

        A turn may stand in the middle of another, in its progress: its time is not the other's.
        """
        outer, started = (self._seconds, self._where), time.perf_counter()
        self._seconds, self._where = {}, tracing.here()
        try:
            yield
        finally:
            for stage, seconds in self._seconds.items():
                self._tally.observe(STAGE, stage, seconds=seconds)
            self._seconds, self._where = outer
            self._aside.seconds = self._spent_aside() + time.perf_counter() - started

    @contextmanager
    def _stage(self, stage: str) -> Iterator[None]:
        seconds, started, aside = self._seconds, time.perf_counter(), self._spent_aside()
        try:
            with tracing.span(stage, within=self._where):
                yield
        finally:
            spent = time.perf_counter() - started - (self._spent_aside() - aside)
            # One thread may align while another searches.
            with self._lock:
                seconds[stage] = seconds.get(stage, 0.0) + spent

    def _spent_aside(self) -> float:
        """Seconds of this thread in turns that have stood in the middle of others."""
        return getattr(self._aside, "seconds", 0.0)

    def _counted(self, progress: Progress) -> Callable[[int], None]:
        def counted(cells: int) -> None:
            self._tally.add(CELLS, self._database, value=cells)
            progress(cells)

        return counted


@contextmanager
def at_work(engine: TimedEngine, tally: Tally, parts: Sequence[LeasedPart]) -> Iterator[None]:
    """What a worker does in one pass: its parts' wait is over, its stages are measured, the log's lines name them.

    Of several parts the stages stand in the trace of the first.
    """
    first = parts[0]
    names, request_id = ",".join(part.search for part in parts), first.origin.request_id if len(parts) == 1 else None
    with ExitStack() as stack:
        stack.enter_context(spoken_of(names, request_id))
        for part in reversed(parts):
            tally.observe(STAGE, "queue", seconds=part.origin.waited_s)
            noted = stack.enter_context(tracing.span("search", "consumer", parent=part.origin.traceparent))
            noted.note(shardwater__search=part.search)
            # From the queue's time to this machine's: traces are read by people, who know their clocks.
            with tracing.span("queue", started=part.origin.created):
                pass
        stack.enter_context(engine.at_work())
        yield
