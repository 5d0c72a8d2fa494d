"""What a worker measures of a search, where it happens: the wait in the queue, scoring, aligning."""

import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from copy import copy
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from shardwater.alignment.ends import Selection
from shardwater.alignment.scheme import Scheme
from shardwater.database.database import Shard
from shardwater.engines.engine import Crowd, Engine, Found, Pair, Slices, Survey
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.engine import Checkpoints, PairEngine
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import Cut
from shardwater.sequences.fasta import Record
from worker.jobs.targets import DEVICE
from worker.queue.part_queue import LeasedPart
from worker.telemetry import tracing
from worker.telemetry.counters import Tally
from worker.telemetry.request_context import spoken_of

STAGE = "stage"
CELLS = "cells"

Made = TypeVar("Made")


class TimedEngine:
    """An engine that counts its cells and the seconds of each stage; it answers as the one inside."""

    def __init__(self, engine: Engine, tally: Tally, database: str) -> None:
        self._engine, self._tally, self._database = engine, tally, database
        self._lock = threading.Lock()
        self._seconds: dict[str, float] = {}
        self._where = tracing.here()

    @property
    def name(self) -> str:
        """What computes."""
        return self._engine.name

    def load(self, shard: Shard) -> None:
        """Make the shard resident."""
        self._engine.load(shard)

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, among: Shard | None = None
    ) -> Slices[Found]:
        """The best subjects of each query."""
        return self._timed("score", self._counted(self._engine.search(queries, scoring, top, among)))

    def survey(
        self,
        queries: Sequence[Record],
        scoring: Scoring,
        cuts: Sequence[Cut],
        scores: bool = False,
        among: Shard | None = None,
    ) -> Slices[Survey]:
        """The counts of all subjects, and those that each query's cut wants."""
        return self._timed("score", self._counted(self._engine.survey(queries, scoring, cuts, scores, among)))

    def align(self, pairs: Sequence[Pair], scoring: Scoring) -> Generator[Columns, None, None]:
        """The best local alignment of each pair."""
        return self._timed("align", self._engine.align(pairs, scoring))

    def score(self, crowds: Sequence[Crowd], scoring: Scoring) -> Slices[npt.NDArray[np.int32]]:
        """The best local score of each crowd's sequence with each of the others."""
        return self._timed("align", self._engine.score(crowds, scoring))

    @contextmanager
    def turn(self) -> Iterator["TimedEngine"]:
        """The same engine for one turn, which may stand between the slices of another: one measurement a stage."""
        own = copy(self)
        own._seconds, own._where = {}, tracing.here()
        try:
            yield own
        finally:
            for stage, seconds in own._seconds.items():
                self._tally.observe(STAGE, stage, seconds=seconds)

    def _counted(self, slices: Slices[Made]) -> Slices[Made]:
        return counted(slices, self._tally, self._database)

    def _timed(self, stage: str, slices: Generator[Made, None, None]) -> Generator[Made, None, None]:
        """The same steps; what passes between them is not the stage's."""
        span, spent = tracing.begin(stage, self._where), 0.0
        try:
            with closing(slices):
                while True:
                    started = time.perf_counter()
                    each = next(slices, None)
                    spent += time.perf_counter() - started
                    if each is None:
                        break
                    yield each
        finally:
            # One thread may align while another searches.
            with self._lock:
                self._seconds[stage] = self._seconds.get(stage, 0.0) + spent
            span.end()


class TimedPairs:
    """A PairEngine that counts its cells; it answers as the one inside."""

    def __init__(self, engine: PairEngine, tally: Tally) -> None:
        self._engine, self._tally = engine, tally

    @property
    def name(self) -> str:
        """What computes."""
        return self._engine.name

    @property
    def most(self) -> int:
        """Alignments of a pair that it finds, at most."""
        return self._engine.most

    def several(self, selection: Selection) -> "TimedPairs":
        """What finds several alignments of a pair."""
        return TimedPairs(self._engine.several(selection), self._tally)

    def align_batch(
        self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
    ) -> Generator[Columns, None, None]:
        """The best alignments of each pair."""
        with closing(self._engine.align_batch(batch, scheme, report, checkpoints)) as found:
            for each in found:
                self._tally.add(CELLS, DEVICE, value=int(each.cells.sum()))
                yield each


def counted(slices: Slices[Made], tally: Tally, of: str) -> Slices[Made]:
    """The same slices, their cells counted."""
    with closing(slices):
        for each in slices:
            tally.add(CELLS, of, value=each.cells)
            yield each


@contextmanager
def at_work(engine: TimedEngine, tally: Tally, parts: Sequence[LeasedPart]) -> Iterator[TimedEngine]:
    """What a worker does in one pass: its parts' wait is over, its stages are measured, the log's lines name them.

    Gives the engine by which they are measured.

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
        yield stack.enter_context(engine.turn())
