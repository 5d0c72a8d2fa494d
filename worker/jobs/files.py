"""What jobs keep besides Redis: a folder each, with their sequences and the answers of their parts.

A folder is made under a name of its own, and gets the job's when that is accepted. It goes with the job: at once where
somebody deletes that, else at the next look (`sweep`). A worker that is still at a part of a deleted job does not make
the folder again (`writing`); a front end that merges one removes it (`remove_if_gone`).
"""

import logging
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from redis import Redis

from shardwater.errors import AlignError, LimitExceeded
from worker.jobs.clock import unchanged_s
from worker.jobs.folders import StorageFull, make_folder, make_inside, storing, sync, write_file
from worker.jobs.ids import called, is_id, mark_of
from worker.jobs.redis_names import MARK, SearchKeys, text
from worker.jobs.room import OVERDRAWN, KeptBytes, bytes_in, drop_promise, keep_account, keep_promise, notes_in
from worker.jobs.scripts import OUTCOMES
from worker.jobs.states import DamagedJob

if TYPE_CHECKING:
    from worker.settings import Settings

WHAT = "the job"
"""What errors call it."""
UNFINISHED = "unfinished"
"""Of a job's folder: how far the pairs of its parts are."""
PARTS, ROUNDS, FOUND, REPEATS, MSAS = "parts", "rounds", "round-before", "repeats", "msas"
"""The same: the answers of its parts, what its rounds need, the answers of a round before one that aligns members, what
is known of repeats, and its MSAs.
"""
_LEFT = {
    b"succeeded": (UNFINISHED, FOUND, REPEATS),
    b"failed": (UNFINISHED, PARTS, ROUNDS, FOUND, REPEATS, MSAS),
    b"cancelled": (UNFINISHED, PARTS, ROUNDS, FOUND, REPEATS, MSAS),
}
"""What nobody needs of a job that has ended so; what it was asked is shown as long as it is."""
_FULL = "no space is left for files of your jobs: delete some of them, or try again later"
_ALL_FULL = "no space is left: the files of all jobs use up what the server allows. Send the request again later"
NEW_S = 3600
"""A folder whose job Redis does not know is new for so many seconds: its job may be about to be accepted."""

log = logging.getLogger(__name__)


class JobFiles:
    """The folders of all jobs; safe for use by several threads and processes."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        """most_bytes: what may be kept before a new job."""
        self._kept, self._incoming = folder / "kept", folder / "incoming"
        self._bytes = KeptBytes(self._kept, most_bytes)

    @classmethod
    def of(cls, settings: "Settings") -> Self:
        """Those of a service."""
        return cls(settings.jobs, settings.max_kept_job_bytes)

    @contextmanager
    def new(self, account: str = "", fill: Callable[[Path], None] | None = None) -> Iterator["NewFolder"]:
        """A folder for a job; removed if no job is accepted with it.

        account: the digest of the account that is charged with the folder's bytes. fill: adds files that only a new job
        needs. Raises StorageFull if the folder cannot be made. Space is checked in `give_to`: a repeated request needs
        none.
        """
        with storing(self._incoming, WHAT):
            make_folder(self._incoming)
        folder = NewFolder(self._incoming / secrets.token_hex(16), self._kept, self._bytes, account, fill)
        try:
            yield folder
        finally:
            folder.close()

    def folder(self, job: str) -> Path:
        """A job's folder; raises DamagedJob for what is no id, which may lead anywhere."""
        return _folder_of(self._kept, job)

    def keep_part(self, job: str, number: int, content: bytes) -> None:
        """Keep the answer of a part. Raises what `keep` does."""
        self.keep(job, content, PARTS, str(number))

    def keep(self, job: str, content: bytes, *path: str) -> None:
        """Keep a file of a job, whole or not at all; a repeat overwrites it. path: the names that lead to it.

        Raises what `writing` does, and StorageFull where jobs have written far more than may be kept.
        """
        more = len(content) - self.size(job, *path)
        self.check_growth(job, more)
        *folders, name = path
        with self.writing(job, *folders) as folder:
            write_file(folder / name, content)
        self._bytes.add(job, more, notes_in(self.folder(job)))

    def discard(self, job: str, *path: str) -> None:
        """Remove a folder in a job's."""
        folder = self.folder(job).joinpath(*path)
        freed = bytes_in(folder)
        shutil.rmtree(folder, ignore_errors=True)
        if freed:
            self._bytes.add(job, -freed, notes_in(self.folder(job)))

    def check_growth(self, job: str, more: int) -> None:
        """Raise StorageFull if this growth would bring all job files past OVERDRAWN times the limit."""
        if self._bytes.is_far_past(job, more, notes_in(self.folder(job))):
            log.warning("all files of jobs would pass %d times SHARDWATER_MAX_KEPT_JOB_BYTES", OVERDRAWN)
            raise StorageFull(_ALL_FULL)

    def size(self, job: str, *path: str) -> int:
        """The bytes of a file of a job; 0 where there is none that can be looked at."""
        with suppress(OSError):
            return self.folder(job).joinpath(*path).stat().st_size
        return 0

    @contextmanager
    def writing(self, job: str, *names: str) -> Iterator[Path]:
        """A folder in a job's, made where there is none, to write into.

        Raises StorageFull, and DamagedJob where the job's own folder is gone, as when somebody has deleted the job.
        """
        top = self.folder(job)
        with storing(top, WHAT):
            try:
                yield make_inside(top, *names)
            except FileNotFoundError:
                raise DamagedJob(f"the files of {called(job)} are gone") from None

    def keep_round(self, job: str, number: int, content: bytes) -> None:
        """Keep what a round needs, whole or not at all; a repeat overwrites it. Raises StorageFull."""
        self._keep(job, content, ROUNDS, str(number))

    def keep_found(self, job: str, number: int, content: bytes) -> None:
        """The same of what the round before has found."""
        self._keep(job, content, FOUND, str(number))

    def keep_repeats(self, job: str, number: int, content: bytes) -> None:
        """The same of what is known of repeats when a round begins."""
        self._keep(job, content, REPEATS, str(number))

    def _keep(self, job: str, content: bytes, *path: str) -> None:
        folder = self.folder(job)
        with storing(folder, WHAT):
            make_folder(folder)
        self.keep(job, content, *path)

    def round(self, job: str, number: int) -> bytes:
        """What was kept for a round; raises OSError."""
        return (self.folder(job) / ROUNDS / str(number)).read_bytes()

    def found(self, job: str, number: int) -> bytes:
        """What keep_found kept; raises OSError."""
        return (self.folder(job) / FOUND / str(number)).read_bytes()

    def repeats(self, job: str, number: int) -> bytes:
        """What keep_repeats kept; raises OSError."""
        return (self.folder(job) / REPEATS / str(number)).read_bytes()

    def found_size(self, job: str, number: int) -> int:
        """The bytes of that; 0 where nothing was kept."""
        return self.size(job, FOUND, str(number))

    def rounds(self, job: str) -> list[int]:
        """The rounds for which something was kept."""
        return sorted(int(path.name) for path in _children(self.folder(job) / ROUNDS) if path.name.isdecimal())

    def part(self, job: str, number: int) -> bytes:
        """What was kept of a part; raises OSError."""
        return (self.folder(job) / PARTS / str(number)).read_bytes()

    def remove(self, job: str) -> None:
        """Remove what a job has kept; who reads it reads on."""
        folder = self.folder(job)
        # Under its name nothing can be written into it any more while it is emptied. A full disk may not let us rename.
        with suppress(OSError):
            make_folder(self._incoming)
            folder = folder.rename(self._incoming / secrets.token_hex(16))
        shutil.rmtree(folder, ignore_errors=True)
        self._bytes.drop(job)

    def note_account(self, redis: Redis, job: str) -> None:
        """Note whose a job is that was accepted without a folder, in one that is made now. Raises StorageFull."""
        folder = self.folder(job)
        with storing(folder, WHAT):
            make_folder(folder)
        _note_account(redis, folder)

    def remove_if_gone(self, redis: Redis, job: str) -> None:
        """Remove what has just been kept of a job that somebody has deleted meanwhile.

        Who deletes one has Redis forget it before its folder goes: one of the two comes second.
        """
        if not _is_known(redis, job, may_be_lost=True):
            self.remove(job)

    def sweep(self, redis: Redis, lost_s: float) -> None:
        """Remove the folders of jobs that are gone, what ended jobs have no use for, and what a crash has left.

        lost_s: so many seconds the folders of jobs are left that Redis has lost with all its data: it may be put back.
        """
        outcomes = redis.register_script(OUTCOMES)
        for folder in (*_children(self._kept), *_children(self._incoming)):
            meta = SearchKeys(folder.name).meta
            [outcome] = outcomes(keys=[meta])
            for left in _LEFT.get(outcome, ()):
                shutil.rmtree(folder / left, ignore_errors=True)
            if outcome in _LEFT:
                drop_promise(folder)
            if outcome != b"gone":
                _note_account(redis, folder)
            with suppress(FileNotFoundError):
                age = unchanged_s(folder)
                if age > NEW_S and not _is_known(redis, folder.name, may_be_lost=age <= lost_s):
                    shutil.rmtree(folder, ignore_errors=True)

    def check_room(self, coming: int = 0, account: str = "") -> None:
        """Raise StorageFull where there is no room for so many bytes, or for nothing more; of an account, if given."""
        if not self._bytes.has_room(max(1, coming), account):
            raise StorageFull(_FULL)

    def wrote(self, folder: Path) -> None:
        """Reckon with what has been written into a new folder in a job's, as check_room goes by it."""
        job = folder.relative_to(self._kept).parts[0]
        self._bytes.add(job, bytes_in(folder), notes_in(self._kept / job))


class NewFolder:
    """A folder under way to a job."""

    def __init__(
        self, path: Path, kept: Path, counted: KeptBytes, account: str, fill: Callable[[Path], None] | None
    ) -> None:
        self.path, self._kept, self._counted, self._account, self._fill = path, kept, counted, account, fill
        self._job, self._is_accepted = "", False
        with storing(path, WHAT):
            make_folder(path)
            if account:
                keep_account(path, account)

    def check_room(self, coming: int) -> None:
        """Raise StorageFull if there is no space for its files and `coming` more bytes.

        Raises LimitExceeded if an account never has so much.
        """
        size = bytes_in(self.path) + coming
        if not self._counted.has_room(max(1, size), self._account):
            raise self._no_room(size)

    def give_to(self, job: str, coming: int = 0) -> None:
        """Give it to a job that is about to be accepted. Called again, it renames the folder to the new job.

        coming: bytes that are expected to be written into it; they count until the job has ended. Raises what
        `check_room` does.
        """
        new, is_first = _folder_of(self._kept, job), not self._job
        with storing(self._kept, WHAT):
            if is_first:
                keep_promise(self.path, bytes_in(self.path) + coming)
            self._counted.drop(self._job)
            if not self._counted.take(job, noted := notes_in(self.path)):
                raise self._no_room(noted.size)
            # Also where the folder cannot be filled, `close` takes it off the count.
            self._job = job
            if self._fill is not None and is_first:
                self._fill(self.path)
            make_folder(self._kept)
            self.path.rename(new)
            sync(self._kept)
        self.path = new

    def keep(self) -> None:
        """Its job was accepted."""
        self._is_accepted = True

    def close(self) -> None:
        """Count it as it is if its job was accepted; else remove it."""
        if self._is_accepted:
            self._counted.put(self._job, notes_in(self.path).grown(bytes_in(self.path)))
            return
        shutil.rmtree(self.path, ignore_errors=True)
        self._counted.drop(self._job)

    def _no_room(self, size: int) -> AlignError:
        if size > (most := self._counted.most_of_one):
            return LimitExceeded("bytes of the job's files", most, size, advice="Send it in parts")
        return StorageFull(f"{_FULL}. This job takes about {size:,} bytes")


def _folder_of(kept: Path, job: str) -> Path:
    # Ids come out of Redis, and who can write there must not write here.
    if not is_id(job):
        raise DamagedJob("what is kept of a job names one by what is no id")
    return kept / job


def _note_account(redis: Redis, folder: Path) -> None:
    if notes_in(folder).account:
        return
    account = text(redis.hget(SearchKeys(folder.name).meta, "account") or b"")
    if is_id(account):
        with suppress(OSError):
            keep_account(folder, account)


def _is_known(redis: Redis, job: str, *, may_be_lost: bool) -> bool:
    """Whether Redis knows a job, or may do so once other data is there, which the job's id bears the mark of."""
    # At once: the data may be lost between two questions.
    with redis.pipeline() as pipe:
        pipe.exists(SearchKeys(job).meta)
        pipe.get(MARK)
        exists, mark = pipe.execute()
    of_other_data = mark_of(job) not in (None, mark and text(mark))
    return bool(exists) or (may_be_lost and of_other_data)


def _children(folder: Path) -> Sequence[Path]:
    """What is in a folder; nothing where that is gone."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return list(folder.iterdir())
    return []
