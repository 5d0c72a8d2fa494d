"""The workers of a database's shards and a front end, step by step."""

from collections.abc import Sequence
from pathlib import Path

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.genomes.cpu import CpuGenomes
from shardwater.pairs.cpu import CpuPairs
from shardwater.steps import finish
from tests.support.merging import merge_answered
from tests.support.simulators import simulator
from tests.support.turns import ALONE, worker_of
from worker.jobs.files import JobFiles
from worker.jobs.redis_names import alive_key
from worker.jobs.store import JobStore
from worker.jobs.submission import NewJob
from worker.jobs.targets import SearchTarget, search_target
from worker.kinds import kind_of
from worker.kinds.kind import PartAnswer, Workplace
from worker.queue.part_queue import LeasedPart, PartQueue
from worker.runner.integrity import IntegrityCheck


class ShardedService:
    """A database in so many shards, their workers, and a front end, all in the test's own process."""

    def __init__(self, store: JobStore, folder: Path, fasta: str, shards: int, table: str = "") -> None:
        """table: of clusters, if there are any."""
        source, clusters = folder / "family.fasta", folder / "members.tsv"
        source.write_text(fasta)
        clusters.write_text(table)
        build_database([source], folder / "data", name="family", shards=shards, clusters=clusters if table else None)
        self.store, self.data = store, folder / "data"
        self.database: Database = Catalog(self.data).current("family")
        self.target: SearchTarget = search_target(self.database.manifest)
        self.files = JobFiles(self.data / "jobs", 1 << 30)
        for queue in self.target.queues:
            store.redis.set(alive_key(queue), "test")
        self.engines = []
        for index in range(shards):
            engine, shard = CpuEngine(1), self.database.shard(index, shards)
            engine.load(shard)
            self.engines.append((engine, shard))
        self.queues: list[PartQueue] = [worker_of(store, self.target, index) for index in range(shards)]

    def submit(self, job: NewJob) -> str:
        """Accept a job that has a folder."""
        with self.files.new() as folder:
            return self.store.submit(job, folder=folder).id

    def lease(self, index: int) -> LeasedPart | None:
        """The next part of a shard."""
        parts = self.queues[index].lease(ALONE)
        return parts[0] if parts else None

    def do(self, part: LeasedPart) -> PartAnswer:
        """What a worker makes of a part."""
        [answer] = self.do_together([part])
        return answer

    def do_together(self, parts: Sequence[LeasedPart]) -> list[PartAnswer]:
        """The same of several parts of a shard, in one pass."""
        engine, shard = self.engines[parts[0].number]
        place = Workplace(
            *(engine, CpuPairs(1), CpuGenomes(), simulator(), shard, self.store, self.files),
            IntegrityCheck(shard.database).check_members,
        )
        return finish(kind_of(parts[0].search).run(place, parts))

    def answer(self, part: LeasedPart, answer: PartAnswer) -> None:
        """Keep it."""
        self.store.store_part(part.search, part.number, answer.packed, part.target.parts, part.round)
        self.queues[part.number].finish([part])

    def do_all(self) -> int:
        """Do all rounds of what waits; how many there were."""
        return sum(1 for _ in iter(self.do_round, False))

    def do_round(self) -> bool:
        """Do what waits, and merge it; False where nothing did."""
        parts = [part for index in range(len(self.queues)) if (part := self.lease(index))]
        for part in parts:
            self.answer(part, self.do(part))
        merge_answered(self.store, self.data)
        return bool(parts)
