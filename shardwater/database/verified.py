"""That a database's bytes are those of its manifest: read through once, and remembered while its files stay the same.

To read a large database takes minutes; to see when its files were last changed takes no time. So whoever has read one
leaves a record of its files beside them. A copy of a database has no valid record, since its files are others. The
record is against damage, not against somebody who may write there and means to deceive.
"""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from shardwater.database.database import Database, Progress
from shardwater.database.manifest import MANIFEST
from shardwater.database.storage import replace_text

RECORD = ".verified.json"
SETTLED_NS = 2 * 10**9
"""A file that changed less than so long ago may change again under the same time: clocks of file systems are coarse."""

Record = dict[str, Any]
"""The content's checksum, and the state of each file."""
FileState = tuple[int, int, int, int]
"""Inode, size, and the times of the last writing and of the last change of any kind, in nanoseconds."""


def file_state(file: Path) -> FileState | None:
    """What tells a file from what it was before; None where it is not there."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def verify(database: Database, progress: Progress | None = None) -> None:
    """Database.verify, and a record of it where one can be written."""
    # Before the reading: what is written meanwhile is another state.
    before = record_of(database)
    database.verify(progress)
    settled = max((max(state[2:]) for state in before["files"].values() if state), default=0) + SETTLED_NS
    if settled < time.time_ns():
        # A read-only folder, or a full disk: then it is read through the next time too.
        with suppress(OSError):
            replace_text(database.path / RECORD, json.dumps(before) + "\n")


def verify_searched(database: Database, progress: Progress | None = None) -> None:
    """The same without members, which may be many times more: then there is no record, which would be of all files."""
    if database.members is None:
        verify(database, progress)
    else:
        database.verify_subjects(progress)


def verifying_members(database: Database) -> Iterator[None]:
    """What verify_searched has left out, block by block, unless a valid record says that it was done."""
    if not is_verified(database):
        yield from database.verifying_members()


def verify_once(database: Database, progress: Progress | None = None) -> None:
    """As `verify`, unless that was done before and no file has changed since."""
    if not is_verified(database):
        verify(database, progress)


def is_verified(database: Database) -> bool:
    """Whether a valid record says that the database was read through and found sound."""
    try:
        found = json.loads((database.path / RECORD).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return bool(found == record_of(database))


def record_of(database: Database) -> Record:
    """What a record made now would say."""
    states = {name: file_state(database.path / name) for name in (MANIFEST, *database.manifest.dtypes)}
    files = {name: None if state is None else list(state) for name, state in states.items()}
    return {"checksum": database.manifest.checksum, "files": files}
