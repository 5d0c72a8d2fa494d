"""All scores of a search, in its job's folder: a file a shard, written in place as the shard is searched.

Room for them is taken when the search is accepted. Until it has succeeded they are what an unfinished job leaves, and
go with it. Whoever does a part again writes the same bytes over what a killed worker has left.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from shardwater.search.scores import DTYPE, Cut, Keep, KeptScores, Scores, ScoreWriter, file_bytes
from worker.jobs.files import UNFINISHED, WHAT, JobFiles
from worker.jobs.folders import make_folder, storing, sync
from worker.jobs.results.parts import UnreadablePart
from worker.jobs.targets import SearchTarget

_SCORES = "scores"


def score_bytes(target: SearchTarget, queries: int) -> int:
    """What is charged and bounded: the scores of all subjects for so many queries."""
    return DTYPE.itemsize * target.size.subjects * queries


def take_room(folder: Path, target: SearchTarget, queries: int) -> None:
    """Make the files of a search that may be accepted, as large as they will be. Raises StorageFull.

    The blocks are taken on the disk, not the size alone: should it be full later, this search goes on.
    """
    coming = _of(folder / UNFINISHED / _SCORES, target, queries)
    with storing(coming.folder, WHAT):
        make_folder(coming.folder)
        for shard in coming.shards:
            with coming.path(shard).open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, file_bytes(coming.size(shard), queries))


@dataclass(frozen=True, slots=True)
class ScoreFiles:
    """The files of one search with so many queries."""

    files: JobFiles
    job: str
    target: SearchTarget
    queries: int

    @contextmanager
    def writing(self, shard: int) -> Iterator[Keep]:
        """What keeps the scores of a shard, numbered as its part; they are whole when this ends without an error.

        Raises what `JobFiles.keep` does.
        """
        coming = self._coming
        whole = file_bytes(coming.size(shard), self.queries)
        self.files.check_growth(self.job, whole - self.files.size(self.job, UNFINISHED, _SCORES, str(shard)))
        with self.files.writing(self.job, UNFINISHED, _SCORES):
            file = os.fdopen(os.open(coming.path(shard), os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        try:
            yield from self._written(file, coming.size(shard))
        finally:
            # What could not be written has been told.
            with suppress(OSError):
                file.close()

    def _written(self, file: BinaryIO, subjects: int) -> Iterator[Keep]:
        writer = ScoreWriter(file, subjects, self.queries)

        def keep(query: int, first: int, scores: Scores) -> None:
            with storing(self._coming.folder, WHAT):
                writer.keep(query, first, scores)

        yield keep
        with storing(self._coming.folder, WHAT):
            writer.finish()
            os.fsync(file.fileno())

    def complete(self) -> None:
        """Keep what all shards have written; raises UnreadablePart for one whose file is not there, and StorageFull."""
        coming, kept = self._coming, self.kept
        # A front end may have died after this.
        if kept.folder.exists():
            return
        if unwritten := coming.unwritten():
            raise UnreadablePart(b"%d" % unwritten[0])
        with storing(kept.folder, WHAT):
            coming.folder.rename(kept.folder)
            sync(kept.folder.parent)

    @property
    def kept(self) -> KeptScores:
        """The scores of a search that has succeeded."""
        return _of(self.files.folder(self.job) / _SCORES, self.target, self.queries)

    @property
    def _coming(self) -> KeptScores:
        return _of(self.files.folder(self.job) / UNFINISHED / _SCORES, self.target, self.queries)


def _of(folder: Path, target: SearchTarget, queries: int) -> KeptScores:
    return KeptScores(folder, tuple(Cut(each.size.subjects, each.shards) for each in target.databases), queries)
