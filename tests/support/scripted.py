"""A worker's turns in the test's own process, with an engine that says what it was asked."""

import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from shardwater.database.database import Shard
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Found, Slice, Slices
from shardwater.errors import DatabaseError, ScoringError
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record
from tests.support.merging import merge_answered
from worker.jobs.files import WHAT
from worker.jobs.folders import storing
from worker.jobs.requests import SearchRequest
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds.search import plan
from worker.runner.context import WorkerContext, keep
from worker.runner.process import QueueWorker
from worker.settings import Settings
from worker.stop_flag import StopFlag

DAMAGED = "/inside/names.bin: its SHA-256 is not the manifest's"


class ScriptedEngine(CpuEngine):
    """The CPU engine, which notes what it is asked together, and fails or lingers at certain queries."""

    def __init__(self) -> None:
        super().__init__(1)
        self.passes: list[list[str]] = []
        self.lingers = float("inf")
        """`lingering` goes on until so many passes have begun."""
        self.begun: Callable[[int], object] = lambda passes: None
        """Called with the number of passes when one has begun."""

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, among: Shard | None = None
    ) -> Slices[Found]:
        names = [query.id for query in queries]
        self.passes.append(names)
        self.begun(len(self.passes))
        if "refused" in names:
            raise DatabaseError(DAMAGED)
        if "cheap" in names:
            raise ScoringError("gaps cost too little")
        if "unkept" in names:
            with storing(Path("/inside"), WHAT):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if "broken" in names:
            raise ZeroDivisionError
        while "lingering" in names and len(self.passes) < self.lingers:
            yield Slice()
        for each in super().search(queries, scoring, top, among):
            if "scant" in names:
                scant = [
                    (number, replace(found, extent=replace(found.extent, subjects=3))) for number, found in each.answers
                ]
                yield Slice(each.cells, scant)
                continue
            yield each


def submit(store: JobStore, target: SearchTarget, name: str, residues: int = 8) -> str:
    letters = ("MKVLAAGW" * residues)[:residues]
    request = SearchRequest(sequence=f">{name}\n{letters}", database="small", statistics="table", order="score")
    return store.submit(plan(request, request.records(), target)).id


def work(context: WorkerContext) -> None:
    """Do all that waits."""
    # It stops in the end, and so does the word for it.
    again = replace(context, stopping=StopFlag())
    keep(again)
    QueueWorker(again, Settings()).serve(burst=True)
    merge_answered(context.store)
