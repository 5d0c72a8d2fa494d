"""What a kind of work is: how a job of it is planned, done part by part, and ended.

A new kind is a module beside this one, its route, its command and its formats. Queues, leases, preemption, progress,
cancelling and merging are the same for all; nobody but `kind_of` asks which kind a job is of.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import BaseModel

from shardwater.database.catalog import Catalog
from shardwater.database.database import Database, Shard
from shardwater.engines.engine import Engine
from shardwater.errors import DatabaseError
from shardwater.genomes.engine import GenomeEngine
from shardwater.pairs.engine import PairEngine
from shardwater.pairs.lists import PairBounds
from shardwater.search.databases import DatabaseUsed
from shardwater.search.step import Steps
from shardwater.statistics.simulation import Simulator
from worker.jobs.files import JobFiles
from worker.jobs.rounds import Round
from worker.jobs.store import JobStore

if TYPE_CHECKING:
    from worker.jobs.results.signing import Signer
    from worker.queue.part_queue import LeasedPart


@dataclass(frozen=True, slots=True)
class Workplace:
    """What a worker has at hand: the engines, the shard that is loaded, if one is, the store, and jobs' files.

    check_members: reads the shard's files of members, block by block, unless that was done; raises DatabaseError.
    """

    engine: Engine
    pairs: PairEngine
    genomes: GenomeEngine
    simulator: Simulator
    loaded: Shard | None
    store: JobStore
    files: JobFiles
    check_members: Callable[[], Iterator[None]] = lambda: iter(())

    @property
    def shard(self) -> Shard:
        """The shard that the engine has loaded; raises DatabaseError."""
        if self.loaded is None:
            raise DatabaseError("this worker has no database")
        return self.loaded


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What a part's result is, as it is kept, and the cells that were counted for it."""

    packed: bytes
    cells: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A job whose parts are all done, as Redis has it.

    parts: results by shard; round: which of its rounds they are of, from 1.
    """

    job: str
    request: bytes
    target: bytes
    parts: Mapping[bytes, bytes]
    round: int = 1

    @property
    def size(self) -> int:
        """Bytes of its parts, as they are packed."""
        return sum(map(len, self.parts.values()))


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """What a front end has at hand: the store, jobs' files, the databases, and who signs results, if anybody does.

    pair_bounds: what a job may align. check: raises DatabaseError for files that are not the manifest's, and
    NotCheckedError while they are read; a process that merges leaves that to the one that has told it what to merge.
    """

    store: JobStore
    files: JobFiles
    catalog: Catalog
    signer: "Signer | None"
    pair_bounds: PairBounds = field(default_factory=PairBounds)
    check: Callable[[Database], None] = lambda _: None

    def open(self, used: DatabaseUsed) -> Database:
        """A database version that a job was searched in; raises DatabaseError where another content has its name."""
        database = self.catalog.open(used.name, used.version)
        if database.manifest.checksum != used.checksum:
            raise DatabaseError(f"database {used.name}@{used.version} is not the one that was searched")
        return database


class NotYet(Exception):
    """The jobs that a job is made of have not all ended."""


LARGE = 1 << 18
"""Bytes of packed parts from which on a result counts as large."""


def size_of_parts(answered: Answered, _: FrontEnd) -> int:
    """The bytes of a job's parts."""
    return answered.size


def has_large_parts(answered: Answered) -> bool:
    """Whether a job's parts take so long to merge that nothing should wait for that."""
    return answered.size >= LARGE


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of work.

    read: a job's request from the JSON that was kept; ValidationError for what no version has written.
    cells: of a part, as its steps count them.
    run: do parts that go in one pass, step by step; gives an answer each. What it raises, their jobs fail with.
    advance: the job's result as it is kept, from the results of all parts, or the next round. Raises UnreadablePart for
    a part that another version has written otherwise, NotYet where the job is made of others which have not ended, and
    AlignError for what ends it.
    writes_hits: whether that reads the hits' names and letters out of the databases. is_large: whether it takes so long
    that nothing should wait for it. is_slow: whether it takes so long that many at
    a time should not be done in one process. size: bytes of what is merged, as packed JSON of it would have.

    How a job is planned (submission.NewJob) is each kind's own, since no two are asked for alike.
    """

    name: str
    read: Callable[[bytes], BaseModel]
    cells: Callable[["LeasedPart", Workplace], int]
    run: Callable[[Workplace, Sequence["LeasedPart"]], Steps[list[PartAnswer]]]
    advance: Callable[[Answered, FrontEnd], bytes | Round]
    is_large: Callable[[Answered], bool] = has_large_parts
    is_slow: bool = False
    size: Callable[[Answered, FrontEnd], int] = size_of_parts
    writes_hits: bool = False
