"""What a job runs on: the shards of a database version, or any worker; and the queues that its parts wait in."""

import re
from dataclasses import dataclass
from typing import ClassVar

from pydantic import TypeAdapter

from shardwater.database.database import Manifest
from shardwater.errors import DatabaseError
from shardwater.search.merge import DatabaseSize, DatabaseUsed
from worker.jobs.costs import Costs, Work

DEVICE = "device"
"""The queue of parts that need no database: every worker serves it, beside its shard's own."""
_HOME = re.compile(rf"({DEVICE}|.+?@\w+-\d+of\d+)\.", re.ASCII)


def queue_name(database: str, version: str, shard: int, shards: int) -> str:
    """The one queue of a shard; a database cut anew has other queues, so that no part meets the wrong shard."""
    return f"{database}@{version}-{shard}of{shards}"


def home_of(worker: str) -> str:
    """The queue that a worker is called by, which its name begins with; raises ValueError."""
    found = _HOME.match(worker)
    if found is None:
        raise ValueError("no worker of ours is called so")
    return found.group(1)


def shard_of(queue: str) -> int | None:
    """The number of the shard that a queue is for; None for that of all workers. Raises ValueError."""
    return None if queue == DEVICE else int(queue.rpartition("-")[2].partition("of")[0])


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """The database version that a job runs on, and how it is cut: a part for each shard, in the shard's queue."""

    used: DatabaseUsed
    size: DatabaseSize
    shards: int

    @property
    def parts(self) -> int:
        """How many there are."""
        return self.shards

    @property
    def queues(self) -> tuple[str, ...]:
        """The queues of its parts: part n waits in queue n, and again from the first where these are fewer."""
        used = self.used
        return tuple(queue_name(used.name, used.version, shard, self.shards) for shard in range(self.shards))

    @property
    def order(self) -> str:
        """A name of what these queues have in common: the clock of their order."""
        return f"{self.used.name}@{self.used.version}/{self.shards}"

    @property
    def called(self) -> str:
        """In a sentence."""
        return f"database {self.used.name}"

    def cells(self, work: Work) -> float:
        """Those of so much work on one part."""
        return work.residues * self.size.residues / self.shards

    def usual(self) -> Costs:
        """What work costs where no worker has ever loaded a shard: as on a CPU, which nobody will find too long."""
        return Costs.usual("cpu", self.size.residues // self.shards, self.size.subjects // self.shards)


@dataclass(frozen=True, slots=True)
class DeviceTarget:
    """Any worker: so many parts in the queue that all of them serve."""

    parts: int

    queues: ClassVar[tuple[str, ...]] = (DEVICE,)
    order: ClassVar[str] = DEVICE
    called: ClassVar[str] = "pairs"

    def cells(self, work: Work) -> float:
        """Those of so much work."""
        return work.device_cells

    def usual(self) -> Costs:
        """What work costs where no worker has ever been: as on a CPU."""
        return Costs.usual("cpu", 0, 0)


Target = SearchTarget | DeviceTarget

TARGET_JSON: TypeAdapter[Target] = TypeAdapter(Target)
"""A target as a job keeps it."""


def of_database(target: Target) -> SearchTarget:
    """The target of what needs a database; raises DatabaseError for another one."""
    if not isinstance(target, SearchTarget):
        raise DatabaseError("no database is named")
    return target


def search_target(manifest: Manifest) -> SearchTarget:
    """A database version as a job names it."""
    used = DatabaseUsed(manifest.name, manifest.version, manifest.checksum)
    return SearchTarget(used, DatabaseSize(manifest.subjects, manifest.residues), manifest.shards)
