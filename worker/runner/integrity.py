"""That a database's bytes are those of its manifest: all that is searched when a worker loads it, and still so later.

Files are mapped, so that what somebody writes into them reaches a worker that has long loaded them. No look at the
bytes would be cheap enough for each search; a look at when they were last written is.
"""

import logging
import os
from collections.abc import Callable, Iterator

from shardwater.database.database import Database
from shardwater.database.manifest import MEMBER
from shardwater.database.verified import file_state, verify_searched, verifying_members
from shardwater.errors import DatabaseError
from worker.cli.console import Exit

log = logging.getLogger(__name__)


class IntegrityCheck:
    """A database that has been read and found sound."""

    def __init__(self, database: Database, verify: Callable[[Database], None] = verify_searched) -> None:
        """Read what is searched, or do what else shows that it is sound; raises DatabaseError for one that is not."""
        self._files = [database.path / name for name in database.manifest.dtypes]
        # Before the reading: what is written meanwhile breaks the integrity too.
        self._states = [file_state(file) for file in self._files]
        verify(database)
        self._database, self._has_sound_members, self._maps_others = database, False, False

    def check_members(self) -> Iterator[None]:
        """Read the members of clusters, too, block by block, before they are first used; raises DatabaseError.

        A replaced file is read under its name, but the old one is still mapped: what is checked would not be what is
        used.
        """
        if not self._has_sound_members:
            self._check_mapped()
            yield from verifying_members(self._database)
            self._check_mapped()
            self._has_sound_members = True

    def _check_mapped(self) -> None:
        for file, before in zip(self._files, self._states, strict=True):
            if not file.name.startswith(MEMBER):
                continue
            now = file_state(file)
            if now is None:
                raise DatabaseError(f"{file}: missing")
            if before is None or now[0] != before[0]:
                self._maps_others = True
                raise DatabaseError(f"{file}: replaced since it was opened")

    @property
    def broken(self) -> bool:
        """Whether a file has been written to since, or members that nobody had read were replaced.

        What was read and then deleted or replaced is still mapped as it was.
        """
        return self._maps_others or any(
            now is not None and before is not None and now[0] == before[0] and now != before
            for before, now in zip(self._states, map(file_state, self._files), strict=True)
        )

    def end_if_broken(self, queue: str) -> None:
        """End the process, whose answer might be of bytes that nobody has looked at: the next one looks."""
        if self.broken:
            log.critical("the worker of %s ends: its database's files have been written to", queue)
            os._exit(Exit.INPUT)
