"""That a database's bytes are those of its manifest: all that is searched when a worker loads it, and still so later.

Files are mapped, so that what somebody writes into them reaches a worker that has long loaded them. No look at the
bytes would be cheap enough for each search; a look at when they were last written is.
"""

import logging
import os
from collections.abc import Callable, Iterator

from shardwater.database.database import Database
from shardwater.database.verified import file_state, verify_searched, verifying_members
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
        self._database, self._has_sound_members = database, False

    def check_members(self) -> Iterator[None]:
        """Read the members of clusters, too, block by block, before they are first used; raises DatabaseError."""
        if not self._has_sound_members:
            yield from verifying_members(self._database)
            self._has_sound_members = True

    @property
    def broken(self) -> bool:
        """Whether a file has been written to since; one that was deleted or replaced is still mapped as it was."""
        return any(
            now is not None and before is not None and now[0] == before[0] and now != before
            for before, now in zip(self._states, map(file_state, self._files), strict=True)
        )

    def end_if_broken(self, queue: str) -> None:
        """End the process, whose answer might be of bytes that nobody has looked at: the next one looks."""
        if self.broken:
            log.critical("the worker of %s ends: its database's files have been written to", queue)
            os._exit(Exit.INPUT)
