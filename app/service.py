"""What the routes share: settings, the way to the queue, and the databases of the data folder."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Self, cast

from fastapi import Depends, Request

from app.background.database_checks import Soundness
from app.background.merge_pool import MergePool
from app.fair_turns import FairTurns
from app.live.completions import Endings
from app.live.job_events import Events
from app.live.stream_slots import Streams
from app.middleware.reply_room import ReplyRoom
from app.problems import NotHereError
from app.requests.large_bodies import LargeBodies
from app.requests.uploads import AT_ONCE, AT_ONCE_EACH, OPEN, OPEN_EACH, SEATS_EACH
from app.responses.written import TELLERS, TELLERS_EACH, Writers
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.manifest import MANIFEST
from shardwater.errors import DatabaseError
from shardwater.sequences.alphabets import PROTEIN
from worker.access.callers import ANYBODY, Caller
from worker.jobs.files import JobFiles, NewFolder
from worker.jobs.ids import ALIGNMENT, CHAIN, COMPARISON, MSA, VERIFICATION
from worker.jobs.quotas import digest_of
from worker.jobs.store import JobStore
from worker.kinds.kind import FrontEnd
from worker.settings import Settings
from worker.telemetry.counters import Tally
from worker.uploads.matrices import OwnMatrices
from worker.uploads.store import Uploads


class Service:
    """One per app."""

    def __init__(self, settings: Settings, tally: Tally, replies: ReplyRoom) -> None:
        self.settings, self.signer = settings, settings.signer()
        self.store = JobStore(settings.connect(), settings.retention, tally, settings.intake)
        self.verifications = self.store.of(ANYBODY, VERIFICATION)
        self.alignments = self.store.of(ANYBODY, ALIGNMENT)
        self.comparisons = self.store.of(ANYBODY, COMPARISON)
        self.msas, self.chains = self.store.of(ANYBODY, MSA), self.store.of(ANYBODY, CHAIN)
        self.listeners = settings.connect_async()
        self.endings = Endings(self.listeners, self.store)
        self.events = Events(self.listeners, self.store, settings.root_path)
        self.large_bodies = LargeBodies(settings.max_body_bytes)
        self.uploads = Uploads(settings, self.store.redis)
        self.upload_places, self.upload_turns = FairTurns(OPEN, OPEN_EACH), FairTurns(AT_ONCE, AT_ONCE_EACH)
        # Clients that upload must not keep others from using their uploads.
        self.copying_places = FairTurns(AT_ONCE, AT_ONCE_EACH, SEATS_EACH)
        self.matrices = OwnMatrices(self.store.redis, settings.retention_s)
        self.readers, self.writers = Writers(replies), Writers(replies)
        self.tellers = Writers(replies, TELLERS, TELLERS_EACH)
        self.files = JobFiles.of(settings)
        self.streams = Streams(settings.max_streams, settings.max_streams_per_owner)
        self.catalog = Catalog(settings.data)
        self.soundness = Soundness()
        self.merge_pool = MergePool(settings)

    @property
    def front_end(self) -> FrontEnd:
        """What jobs are merged with."""
        front_end = self.store, self.files, self.catalog, self.signer, self.settings.pair_bounds
        return FrontEnd(*front_end, check=self.soundness.check)

    def new_folder(self, fill: Callable[[Path], None] | None = None) -> AbstractContextManager[NewFolder]:
        """A folder for a job that the caller may get; see JobFiles.new. Raises StorageFull."""
        return self.files.new(digest_of(self.store.caller.account), fill)

    def of(self, caller: Caller) -> Self:
        """The same for one caller, who sees searches of his own."""
        theirs = copy(self)
        theirs.store = self.store.of(caller)
        theirs.verifications = self.store.of(caller, VERIFICATION)
        theirs.alignments = self.store.of(caller, ALIGNMENT)
        theirs.comparisons = self.store.of(caller, COMPARISON)
        theirs.msas, theirs.chains = self.store.of(caller, MSA), self.store.of(caller, CHAIN)
        theirs.uploads = self.uploads.of(caller)
        theirs.matrices = self.matrices.of(caller)
        return theirs

    def database(self, name: str, version: str | None = None) -> Database:
        """A database of the data folder, the current version by default; raises NotHereError."""
        try:
            current = self.catalog.current_version(name)
        except DatabaseError:
            # The name is not repeated: in a body that was filled in wrongly it may be a sequence.
            names = ", ".join(self.catalog.names()) or "none"
            raise NotHereError(f"no database of this name; there are: {names}") from None
        if version is not None and version not in self.catalog.versions(name):
            raise NotHereError(f"version {version} of database {name} has been removed")
        version = version or current
        manifest = self.settings.data / name / version / MANIFEST
        with _not_removed(manifest):
            # A version's content never changes, but its labels may be built anew.
            return _open(self.catalog, name, version, manifest.stat().st_mtime_ns)

    def readable(self, name: str, version: str | None = None) -> Database:
        """The same, for reading sequences: one whose files are what they should be; raises NotCheckedError besides."""
        database = self.database(name, version)
        with _not_removed(database.path / MANIFEST):
            self.soundness.check(database)
        return database

    def databases(self) -> list[Database]:
        """The current versions, by name; one that is removed meanwhile is none."""
        found = []
        for name in self.catalog.names():
            with suppress(NotHereError):
                found.append(self.database(name))
        return found

    def searchable(self) -> list[Database]:
        """Those that are of proteins: nucleotides are not searched."""
        return [database for database in self.databases() if database.alphabet is PROTEIN]

    def searched(self, name: str) -> Database:
        """One of these; raises NotHereError."""
        database = self.database(name)
        if database.alphabet is not PROTEIN:
            raise NotHereError(f"database {name} is of nucleotides: proteins alone are searched")
        return database

    def versions(self, name: str) -> Iterator[Database]:
        """What a search may run on, best first: the current version, then others, one of which may still have workers
        while that one loads.
        """
        current = self.searched(name)
        yield current
        for version in reversed(self.catalog.versions(name)):
            with suppress(NotHereError):
                if version != current.manifest.version and (other := self.database(name, version)).alphabet is PROTEIN:
                    yield other

    async def close(self) -> None:
        """Give the connections back."""
        self.readers.close()
        self.writers.close()
        self.tellers.close()
        self.soundness.close()
        self.store.redis.close()
        await self.listeners.aclose()


@contextmanager
def _not_removed(manifest: Path) -> Iterator[None]:
    """Around what reads the files of a version: raises NotHereError where that has been removed meanwhile."""
    try:
        yield
    except (FileNotFoundError, DatabaseError):
        if manifest.is_file():
            raise
        version = manifest.parent
        raise NotHereError(f"version {version.name} of database {version.parent.name} has been removed") from None


@lru_cache(maxsize=64)
def _open(catalog: Catalog, name: str, version: str, written: int) -> Database:
    return catalog.open(name, version)


async def _service(request: Request) -> Service:
    return cast(Service, request.app.state.service).of(request.scope["caller"])


CurrentService = Annotated[Service, Depends(_service)]
