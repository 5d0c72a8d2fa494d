"""Uploads that are kept: two files each, the text and what is known of it, in a folder of their owner's.

The second file is written last and removed first: what has none is not there. So nothing of an upload stands in Redis,
and what Redis loses changes none of them (docs/decisions/031-uploads-are-files.md). One lock over all of them, held for
moments, makes one step of looking for an equal one, of checking the room and of keeping it.
"""

import fcntl
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

from pydantic import TypeAdapter, ValidationError
from redis import Redis

from shardwater.errors import LimitExceeded
from worker.access.callers import ANYBODY, Caller
from worker.jobs.clock import server_time, unchanged_s
from worker.jobs.folders import StorageFull, make_folder, storing, sync
from worker.jobs.ids import UPLOAD, called, new_id, new_mark
from worker.jobs.quotas import Charge, digest_of
from worker.settings import Settings
from worker.uploads.incoming import NAME, Incoming, Received, Sent
from worker.uploads.limits import UploadNotFound

UPLOADS_AN_HOUR = "uploads"
"""The name of the quota."""
LEFT_S = 2 * 3600
"""After so many seconds without a change a file of no upload is what a crash has left: none takes half as long."""
TEXT, KNOWN = ".seq", ".json"

_ID = re.compile(rf"{UPLOAD}-[A-Za-z0-9_-]{{34}}")
_OWNER = 32
"""Letters of a folder's name, which is a digest: an owner's name may hold what no name of a folder should."""


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload as it is kept; times are those of the queue's server."""

    id: str
    kind: Literal["protein", "dna"]
    records: int
    letters: int
    bytes: int
    sha256: str
    created: float
    expires: float


@dataclass(frozen=True, slots=True)
class Kept:
    """An upload that was accepted, and whether it had been there before."""

    upload: Upload
    reused: bool


_JSON = TypeAdapter(Upload)


class Uploads:
    """All uploads of a folder, or those of one caller; safe for use by several threads and processes."""

    def __init__(self, settings: Settings, redis: Redis) -> None:
        self._redis, self._limits, self._retention_s = redis, settings.upload_limits, settings.retention_s
        self._quotas = {UPLOADS_AN_HOUR: settings.uploads_per_hour} if settings.uploads_per_hour else {}
        folder = settings.uploads
        self._kept, self._incoming, self._lock = folder / "kept", folder / "incoming", folder / "lock"
        self._caller = ANYBODY

    def of(self, caller: Caller) -> Self:
        """The same for one caller, to whom uploads of other owners are as those that never were."""
        theirs = copy(self)
        theirs._caller = caller
        return theirs

    def charge(self) -> Charge:
        """What a new upload costs the caller."""
        return Charge(self._redis, digest_of(self._caller.account), dict.fromkeys(self._quotas, 1), self._quotas)

    def begin(self, sent: Sent) -> Incoming:
        """A new upload's way in; raises StorageFull."""
        return Incoming(self._incoming, sent, self._limits)

    def keep_new(self, received: Received) -> Kept:
        """Keep what was received, or the caller's equal upload anew; raises LimitExceeded or StorageFull."""
        now = server_time(self._redis)
        with self._locked():
            mine = list(self._in(self._own))
            for upload in mine:
                if (upload.sha256, upload.kind) == (received.sha256, received.checked.kind) and upload.expires > now:
                    return Kept(self._extend(upload, self._own, now + self._retention_s), reused=True)
            self._check_room(mine, received.bytes)
            upload = _upload_of(received, now, now + self._retention_s)
            make_folder(self._own)
            received.path.rename(self._own / f"{upload.id}{TEXT}")
            self._write(upload, self._own)
        return Kept(upload, reused=False)

    def get(self, name: str) -> Upload:
        """An upload of the caller's by its id; raises UploadNotFound."""
        return self._find(name)[0]

    def text(self, name: str) -> Path:
        """The file with its text, unpacked."""
        upload, folder = self._find(name)
        return folder / f"{upload.id}{TEXT}"

    def all(self) -> list[Upload]:
        """The caller's uploads, newest first."""
        now = server_time(self._redis)
        found = (upload for folder in self._folders() for upload in self._in(folder) if upload.expires > now)
        return sorted(found, key=lambda upload: (upload.created, upload.id), reverse=True)

    def delete(self, name: str) -> None:
        """Remove an upload; who has its text open reads on."""
        upload, folder = self._find(name)
        with self._locked():
            _remove(folder, upload.id)

    def keep(self, name: str, seconds: float) -> Upload:
        """Have an upload stay for so many seconds from now at least; raises UploadNotFound."""
        with self._locked():
            upload, folder = self._find(name)
            return self._extend(upload, folder, server_time(self._redis) + seconds)

    def sweep(self) -> None:
        """Remove uploads whose time is over, and what a crash has left."""
        if not self._kept.parent.is_dir():
            return
        now = server_time(self._redis)
        for folder in _children(self._kept):
            uploads = list(self._in(folder))
            for upload in uploads:
                if upload.expires <= now:
                    self._remove_expired(folder, upload.id, now)
            known = {upload.id for upload in uploads}
            _remove_old(path for path in _children(folder) if path.stem not in known)
        _remove_old(_children(self._incoming))

    def _remove_expired(self, folder: Path, name: str, now: float) -> None:
        with self._locked():
            upload = _read(folder, name)
            # It may have been sent again meanwhile.
            if upload is not None and upload.expires <= now:
                _remove(folder, name)

    @property
    def _own(self) -> Path:
        return self._kept / hashlib.sha256(f"owner {self._caller.owner}".encode()).hexdigest()[:_OWNER]

    def _folders(self) -> list[Path]:
        return _children(self._kept) if self._caller.sees_all else [self._own]

    def _in(self, folder: Path) -> Iterator[Upload]:
        """The uploads of a folder."""
        for path in _children(folder):
            if path.suffix == KNOWN and (upload := _read(folder, path.stem)) is not None:
                yield upload

    def _find(self, name: str) -> tuple[Upload, Path]:
        if _ID.fullmatch(name):
            now = server_time(self._redis)
            for folder in self._folders():
                upload = _read(folder, name)
                if upload is not None and upload.expires > now:
                    return upload, folder
        raise UploadNotFound(f"no {called(name, UPLOAD)}, or its time is over")

    def _check_room(self, mine: list[Upload], size: int) -> None:
        limits = self._limits
        if len(mine) >= limits.max_owner_uploads:
            raise LimitExceeded("max_owner_uploads", limits.max_owner_uploads, len(mine) + 1)
        if (held := sum(upload.bytes for upload in mine) + size) > limits.max_owner_upload_bytes:
            raise LimitExceeded("max_owner_upload_bytes", limits.max_owner_upload_bytes, held)
        texts = (path for folder in _children(self._kept) for path in _children(folder) if path.suffix == TEXT)
        # An owner may use as much as remains free, so one owner alone gets half.
        if limits.max_kept_upload_bytes - sum(map(_size, texts)) - size < held:
            raise StorageFull("no space is left for your uploads: delete some of them, or try again later")

    def _extend(self, upload: Upload, folder: Path, until: float) -> Upload:
        extended = replace(upload, expires=max(upload.expires, until))
        self._write(extended, folder)
        return extended

    def _write(self, upload: Upload, folder: Path) -> None:
        """Write what is known of it, whole or not at all, and see to it that a crash takes neither file away."""
        make_folder(self._incoming)
        new = self._incoming / upload.id
        with new.open("wb") as file:
            file.write(_JSON.dump_json(upload))
            file.flush()
            os.fsync(file.fileno())
        new.rename(folder / f"{upload.id}{KNOWN}")
        for each in (folder, folder.parent):
            sync(each)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        folder = self._lock.parent
        with storing(folder, NAME):
            make_folder(folder)
            with self._lock.open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield


def _upload_of(received: Received, created: float, expires: float) -> Upload:
    checked = received.checked
    # An upload's id needs no mark of its own: uploads are lost together with their folder, or not at all.
    name = new_id(new_mark(), UPLOAD)
    return Upload(
        id=name,
        kind="dna" if checked.kind == "dna" else "protein",
        records=checked.records,
        letters=checked.letters,
        bytes=received.bytes,
        sha256=received.sha256,
        created=created,
        expires=expires,
    )


def _read(folder: Path, name: str) -> Upload | None:
    """What is known of an upload; None for one that is not whole."""
    try:
        upload = _JSON.validate_json((folder / f"{name}{KNOWN}").read_bytes())
    except (OSError, ValidationError):
        return None
    return upload if upload.id == name and (folder / f"{name}{TEXT}").is_file() else None


def _remove(folder: Path, name: str) -> None:
    for suffix in (KNOWN, TEXT):
        (folder / f"{name}{suffix}").unlink(missing_ok=True)


def _remove_old(paths: Iterator[Path] | list[Path]) -> None:
    for path in paths:
        with suppress(FileNotFoundError):
            if unchanged_s(path) > LEFT_S:
                path.unlink()


def _size(path: Path) -> int:
    """A file's size; 0 of one that is gone."""
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def _children(folder: Path) -> list[Path]:
    with suppress(FileNotFoundError, NotADirectoryError):
        return list(folder.iterdir())
    return []
