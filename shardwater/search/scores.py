"""All scores of a search: handed on as a shard is searched, kept in a file a shard, read in the order of databases.

A file has a row of int32 (little-endian) for each query, by the subject's position in the shard, and after the rows a
SHA-256 of each. Its bytes follow from the search alone: whoever writes one again writes the same.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from shardwater.engines.engine import ScoreRun
from shardwater.errors import AlignError, EngineError
from shardwater.statistics.distribution import Counts, Histogram

DTYPE = np.dtype("<i4")
DIGEST_BYTES = hashlib.sha256().digest_size
BLOCK = 1 << 16
"""Subjects whose scores are read together, about."""

Scores = npt.NDArray[np.int32]
Keep = Callable[[int, int, Scores], None]
"""Keeps scores of a query, by its number in its search: those of the shard's subjects from a position on."""


class DamagedScores(AlignError):
    """A file of scores that is gone, or not what it was."""


class HandedOn:
    """The scores of one query on their way from an engine to who keeps them: all of a shard, each once."""

    def __init__(self, keep: Keep, query: int, lengths: npt.NDArray[np.integer]) -> None:
        """query: its number in its search; lengths: of the shard's subjects."""
        self._keep, self._query, self._lengths = keep, query, lengths
        self._next, self._counts = 0, Counts.sum([])

    def add(self, run: ScoreRun) -> None:
        """Hand these on; raises EngineError where they do not follow those before."""
        stop = self._next + len(run.scores)
        if run.first != self._next or stop > len(self._lengths):
            raise EngineError(f"scores from position {run.first:,} on came where those from {self._next:,} on are due")
        self._keep(self._query, run.first, run.scores)
        counts = Counts.of(self._lengths[self._next : stop], run.scores)
        self._counts, self._next = Counts.sum([self._counts, counts]), stop

    def check(self, counts: Counts) -> None:
        """Raise EngineError unless all were handed on, and they are those that the engine has counted."""
        if self._next != len(self._lengths):
            raise EngineError(f"{self._next:,} of {len(self._lengths):,} scores of query {self._query + 1} came")
        if Histogram.of(self._counts) != Histogram.of(counts):
            raise EngineError(f"the scores of query {self._query + 1} are not those that were counted")


def file_bytes(subjects: int, queries: int) -> int:
    """The size of a shard's file."""
    return (DTYPE.itemsize * subjects + DIGEST_BYTES) * queries


class ScoreWriter:
    """Writes the file of one shard; it is whole once `finish` has returned. Its methods raise OSError."""

    def __init__(self, file: BinaryIO, subjects: int, queries: int) -> None:
        """file: open for writing at any place; what is in it is written over."""
        self._file, self._subjects = file, subjects
        self._digests = [hashlib.sha256() for _ in range(queries)]

    def keep(self, query: int, first: int, scores: Scores) -> None:
        """Write scores of a query; a query's runs come in the order of the shard."""
        content = scores.astype(DTYPE, copy=False).tobytes()
        self._digests[query].update(content)
        self._file.seek(DTYPE.itemsize * (query * self._subjects + first))
        self._file.write(content)

    def finish(self) -> None:
        """Write the digests."""
        self._file.seek(DTYPE.itemsize * len(self._digests) * self._subjects)
        self._file.write(b"".join(digest.digest() for digest in self._digests))
        self._file.flush()


class Cut(NamedTuple):
    """How a database is cut: shard k of it has every `shards`-th subject, from the k-th on."""

    subjects: int
    shards: int


@dataclass(frozen=True, slots=True)
class KeptScores:
    """All scores of a search: a file for each shard, numbered from 0 through all databases in their order."""

    folder: Path
    databases: tuple[Cut, ...]
    queries: int

    @property
    def _shards(self) -> list[tuple[Cut, int]]:
        return [(cut, shard) for cut in self.databases for shard in range(cut.shards)]

    @property
    def shards(self) -> range:
        """The numbers of all shards."""
        return range(len(self._shards))

    def path(self, shard: int) -> Path:
        """The file of a shard."""
        return self.folder / str(shard)

    def size(self, shard: int) -> int:
        """The subjects of a shard."""
        cut, place = self._shards[shard]
        return len(range(place, cut.subjects, cut.shards))

    def unwritten(self) -> list[int]:
        """The shards whose file is not there as a writer leaves it, by its size and digests."""
        return [shard for shard in self.shards if not all(map(any, self._digests(shard)))]

    def _digests(self, shard: int) -> list[bytes]:
        """Those in a shard's file; zeros where it has none."""
        size = file_bytes(self.size(shard), self.queries)
        content = b""
        try:
            with self.path(shard).open("rb") as file:
                if file.seek(0, 2) == size:
                    file.seek(size - DIGEST_BYTES * self.queries)
                    content = file.read()
        except OSError:
            pass
        content = content.ljust(DIGEST_BYTES * self.queries, b"\0")
        return [content[place : place + DIGEST_BYTES] for place in range(0, len(content), DIGEST_BYTES)]

    def check(self, query: int) -> None:
        """Read the scores of a query, by its number from 0; raises DamagedScores where they have changed."""
        for shard in self.shards:
            digest = hashlib.sha256()
            with self._open(shard) as file:
                for first in range(0, self.size(shard), BLOCK):
                    digest.update(self._read(file, shard, query, first, BLOCK))
            if digest.digest() != self._digests(shard)[query]:
                raise DamagedScores(f"the scores of shard {shard} are not what they were")

    def blocks(self, query: int) -> Iterator[tuple[int, Scores]]:
        """The scores of a query in the order of the databases, in blocks: the first subject of each, and its scores.

        No block is of two databases; subjects are numbered through all of them. Raises DamagedScores where a file is
        gone or too short; `check` says whether they are what they were.
        """
        before, shards = 0, 0
        for cut in self.databases:
            for first, scores in self._blocks_of(cut, range(shards, shards + cut.shards), query):
                yield before + first, scores
            before, shards = before + cut.subjects, shards + cut.shards

    def _blocks_of(self, cut: Cut, shards: range, query: int) -> Iterator[tuple[int, Scores]]:
        own = max(1, BLOCK // cut.shards)
        with ExitStack() as stack:
            files = [(shard, stack.enter_context(self._open(shard))) for shard in shards]
            for first in range(0, cut.subjects, own * cut.shards):
                scores = np.empty(min(own * cut.shards, cut.subjects - first), DTYPE)
                for place, (shard, file) in enumerate(files):
                    read = self._read(file, shard, query, first // cut.shards, own)
                    scores[place :: cut.shards] = np.frombuffer(read, DTYPE)
                yield first, scores

    def _open(self, shard: int) -> BinaryIO:
        try:
            return self.path(shard).open("rb")
        except OSError:
            raise DamagedScores(f"the scores of shard {shard} are gone") from None

    def _read(self, file: BinaryIO, shard: int, query: int, first: int, most: int) -> bytes:
        """The bytes of so many scores of a shard at most, from a position on."""
        subjects = self.size(shard)
        wanted = DTYPE.itemsize * max(0, min(most, subjects - first))
        file.seek(DTYPE.itemsize * (query * subjects + first))
        content = file.read(wanted)
        if len(content) != wanted:
            raise DamagedScores(f"the scores of shard {shard} end too soon")
        return content
