"""A worker's turns in the test's own process, with an engine that says what it was asked."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Found, Progress, no_progress
from shardwater.errors import DatabaseError
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record
from worker.jobs.requests import SearchRequest
from worker.jobs.states import SearchTarget
from worker.jobs.store import JobStore
from worker.runner.context import WorkerContext
from worker.runner.process import ShardWorker
from worker.settings import Settings


class ScriptedEngine(CpuEngine):
    """The CPU engine, which notes what it is asked together, and fails or lingers at certain queries."""

    def __init__(self) -> None:
        super().__init__(1)
        self.passes: list[list[str]] = []

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, progress: Progress = no_progress
    ) -> list[Found]:
        names = [query.id for query in queries]
        self.passes.append(names)
        if "refused" in names:
            raise DatabaseError("no such subject")
        if "broken" in names:
            raise ZeroDivisionError
        found = super().search(queries, scoring, top, progress)
        if "scant" in names:
            return [replace(each, extent=replace(each.extent, subjects=3)) for each in found]
        if "lingering" in names:
            for _ in count():
                progress(0)
        return found


def submit(store: JobStore, target: SearchTarget, name: str) -> str:
    request = SearchRequest(sequence=f">{name}\nMKVLAAGW", database="small", statistics="table", order="score")
    return store.submit(request, request.records(), target).id


def work(context: WorkerContext) -> None:
    """Do all that waits."""
    ShardWorker(context, Settings()).serve(burst=True)
    context.stopping.clear()
