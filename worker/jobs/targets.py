"""What a job runs on: the shards of database versions, or any worker; and the queues that its parts wait in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar, Self

from pydantic import TypeAdapter

from shardwater.database.manifest import Manifest
from shardwater.errors import DatabaseError
from shardwater.search.databases import (
    DatabasePart,
    DatabaseSize,
    DatabaseUsed,
    SearchedDatabase,
    Whole,
    firsts_of,
    size_of,
    together,
)
from worker.jobs.costs import Costs, Work

DEVICE = "device"
"""The queue of parts that need no database: every worker serves it, beside its shard's own."""
_HOME = re.compile(rf"({DEVICE}|.+?@\w+-\d+of\d+)\.", re.ASCII)


def queue_name(database: str, version: str, shard: int, shards: int) -> str:
    """The one queue of a shard; a database cut anew has other queues, so that no part meets the wrong shard."""
    return f"{database}@{version}-{shard}of{shards}"


def order_of(queue: str) -> str:
    """What the queues of a database version, cut so, have in common: the name of the clock of their order."""
    if queue == DEVICE:
        return DEVICE
    version, _, cut = queue.rpartition("-")
    return f"{version}/{cut.partition('of')[2]}"


def home_of(worker: str) -> str:
    """The queue that a worker is called by, which its name begins with; raises ValueError."""
    found = _HOME.match(worker)
    if found is None:
        raise ValueError("no worker of ours is called so")
    return found.group(1)


def shard_of(queue: str) -> int | None:
    """The number of the shard that a queue is for; None for that of all workers. Raises ValueError."""
    return None if queue == DEVICE else int(queue.rpartition("-")[2].partition("of")[0])


def called_by(queue: str) -> str:
    """The shard that a queue is for, in a sentence; empty for that of all workers."""
    return "" if queue == DEVICE else f"shard {shard_of(queue)} of database {queue.partition('@')[0]}"


@dataclass(frozen=True, slots=True)
class DatabaseTarget:
    """A database version, and how it is cut: a part for each shard, in the shard's queue."""

    used: DatabaseUsed
    size: DatabaseSize
    shards: int
    part: DatabasePart | None = field(default=None, compare=False)
    """What is searched of it, where that is not all: it is the same database."""
    members: DatabaseSize = field(default=DatabaseSize(0, 0), compare=False, repr=False)
    """Those of its clusters, which are not searched."""

    @classmethod
    def of(cls, manifest: Manifest, part: DatabasePart | None = None) -> Self:
        """A database version by its manifest, and what is searched of it."""
        used = DatabaseUsed(manifest.name, manifest.version, manifest.checksum)
        members = DatabaseSize(manifest.members, manifest.member_residues)
        return cls(used, DatabaseSize(manifest.subjects, manifest.residues), manifest.shards, part, members)

    @property
    def queues(self) -> tuple[str, ...]:
        """Those of its shards."""
        return tuple(queue_name(self.used.name, self.used.version, shard, self.shards) for shard in range(self.shards))

    @property
    def searched(self) -> SearchedDatabase:
        """What a result says of it."""
        used, size = self.used, self.size
        return SearchedDatabase(used.name, used.version, used.checksum, size.subjects, size.residues, self.part)

    @property
    def share(self) -> float:
        """Of its residues, those that are searched."""
        return self.searched.size.residues / max(1, self.size.residues)

    @property
    def shard_subjects(self) -> int:
        """Those that are searched of each of its shards, about."""
        return self.searched.size.subjects // self.shards


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """The database versions that a job runs on, searched as one: the parts of the first, then those of the next."""

    databases: tuple[DatabaseTarget, ...]

    @property
    def searched(self) -> tuple[SearchedDatabase, ...]:
        """What a result says of them."""
        return tuple(each.searched for each in self.databases)

    @property
    def used(self) -> DatabaseUsed:
        """What they are called together."""
        return together(self.searched)

    @property
    def size(self) -> DatabaseSize:
        """What is searched of all together."""
        return size_of(self.searched)

    @property
    def members(self) -> DatabaseSize:
        """Those of all their clusters."""
        sizes = [each.members for each in self.databases]
        return DatabaseSize(sum(each.subjects for each in sizes), sum(each.residues for each in sizes))

    @property
    def share(self) -> float:
        """Of all their residues, those that are searched."""
        return self.size.residues / max(1, sum(each.size.residues for each in self.databases))

    @property
    def parts(self) -> int:
        """How many there are."""
        return sum(each.shards for each in self.databases)

    @property
    def queues(self) -> tuple[str, ...]:
        """The queues of its parts: part n waits in queue n, and again from the first where these are fewer."""
        return tuple(chain.from_iterable(each.queues for each in self.databases))

    @property
    def called(self) -> str:
        """In a sentence."""
        return f"database {self.used.name}" if len(self.databases) == 1 else f"databases {self.used.name}"

    def database_of(self, part: int) -> int:
        """The place of a part's database; IndexError for a part that there is not."""
        return [place for place, each in enumerate(self.databases) for _ in range(each.shards)][part]

    def whole(self, part: int) -> Whole:
        """What a part is a part of."""
        place = self.database_of(part)
        return Whole(self.size, self.parts, place, firsts_of(self.searched)[place])

    def cells(self, queue: int, work: Work) -> float:
        """Those of so much work in one of the queues."""
        database = self.databases[self.database_of(queue)]
        return work.residues * database.size.residues / database.shards

    def usual(self, queue: int) -> Costs:
        """What work costs where no worker has ever loaded a shard: as on a CPU, which nobody will find too long."""
        database = self.databases[self.database_of(queue)]
        size, shards = database.size, database.shards
        return Costs.usual("cpu", size.residues // shards, size.subjects // shards)


@dataclass(frozen=True, slots=True)
class DeviceTarget:
    """Any worker: so many parts in the queue that all of them serve."""

    parts: int

    queues: ClassVar[tuple[str, ...]] = (DEVICE,)
    called: ClassVar[str] = "pairs"

    def cells(self, queue: int, work: Work) -> float:
        """Those of so much work."""
        return work.device_cells

    def usual(self, queue: int) -> Costs:
        """What work costs where no worker has ever been: as on a CPU."""
        return Costs.usual("cpu", 0, 0)


@dataclass(frozen=True, slots=True)
class JobsTarget:
    """Other jobs, which a job is made of: it has no parts of its own."""

    jobs: tuple[str, ...]

    parts: ClassVar[int] = 0
    queues: ClassVar[tuple[str, ...]] = ()
    called: ClassVar[str] = "other jobs"

    def cells(self, queue: int, work: Work) -> float:
        """None: they are those of its jobs."""
        return 0.0

    def usual(self, queue: int) -> Costs:
        """What nothing costs."""
        return Costs.usual("cpu", 0, 0)


Target = SearchTarget | DeviceTarget | JobsTarget

_JSON: TypeAdapter[DatabaseTarget | Target] = TypeAdapter(DatabaseTarget | Target)


def target_json(target: Target) -> bytes:
    """A target as a job keeps it; one database alone as earlier versions wrote it, whose workers may be at it."""
    if isinstance(target, SearchTarget) and len(target.databases) == 1:
        return _JSON.dump_json(target.databases[0])
    return _JSON.dump_json(target)


def read_target(kept: bytes | str) -> Target:
    """What target_json wrote; raises ValidationError."""
    found = _JSON.validate_json(kept)
    return SearchTarget((found,)) if isinstance(found, DatabaseTarget) else found


def of_database(target: Target) -> SearchTarget:
    """The target of what needs databases; raises DatabaseError for another one."""
    if not isinstance(target, SearchTarget):
        raise DatabaseError("no database is named")
    return target


def search_target(*manifests: Manifest, parts: Sequence[DatabasePart | None] = ()) -> SearchTarget:
    """Database versions as a job names them, in their order; parts: what is searched of each, of all where none are."""
    parts = parts or [None] * len(manifests)
    return SearchTarget(tuple(map(DatabaseTarget.of, manifests, parts)))
