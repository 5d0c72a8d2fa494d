"""External sort: records become runs sorted by length, and runs merge into one.

A run is five column files in the order of its subjects, plus a small table of its lengths in memory. In a merge,
the subjects of one length in one run are contiguous bytes in every column, so that merging copies such slices in
the order (length, run) and never touches a single record.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from shardwater.database.storage import FileDigest, read_slice, write_file

Int64s = npt.NDArray[np.int64]

COLUMNS = ("residues", "names", "name_lengths", "hashes", "taxids")


@dataclass(frozen=True, slots=True)
class Budgets:
    """How much of the input is in memory at a time; tests make these tiny."""

    block: int = 1 << 20
    """Bytes of text read at a time: few enough to stay in a core's cache."""
    header: int = 1 << 22
    """Bytes of the longest header."""
    run: int = 416 << 20
    """Bytes of records sorted at a time, with what Python adds to each."""
    merge: int = 32 << 20
    """Bytes copied at a time when runs are merged."""
    subjects: int = 1 << 21
    """Subjects whose numbers are in memory at a time."""


@dataclass(frozen=True, slots=True)
class LengthTable:
    """How many subjects a run has of each length, ascending, and how long their headers are together."""

    lengths: Int64s
    counts: Int64s
    name_bytes: Int64s

    @property
    def subjects(self) -> int:
        """All subjects."""
        return int(self.counts.sum())

    def column_sizes(self, column: str) -> Int64s:
        """The bytes that the subjects of each length take in a column."""
        sizes = {
            "residues": self.lengths * self.counts,
            "names": self.name_bytes,
            "name_lengths": self.counts * 4,
            "hashes": self.counts * 8,
            "taxids": self.counts * 4,
        }
        return sizes[column]

    def blocks(self, size: int) -> Iterator[Int64s]:
        """Every subject's length in order, `size` subjects at a time."""
        stops = np.cumsum(self.counts)
        for first in range(0, self.subjects, size):
            inside = np.clip(stops, first, first + size)
            yield np.repeat(self.lengths, np.diff(inside, prepend=first))


@dataclass(frozen=True, slots=True)
class Run:
    """Sorted records on disk."""

    folder: Path
    table: LengthTable
    digests: dict[str, FileDigest]
    strangers: Int64s
    """How many of each byte are no letter of the matrices."""
    like_dna: int
    """How many records look like DNA."""

    def path(self, column: str) -> Path:
        """A column's file."""
        return self.folder / column


def merge_runs(folder: Path, runs: Sequence[Run], budget: int) -> Run:
    """One run of all; equal lengths stay in the order of the runs."""
    if len(runs) == 1:
        return runs[0]
    folder.mkdir()
    digests: dict[str, FileDigest] = {}
    for column in COLUMNS:
        digests[column] = write_file(folder / column, _merged(runs, column, budget))
        for run in runs:
            run.path(column).unlink()  # at most one column lies on disk twice
    strangers = np.sum([run.strangers for run in runs], axis=0)
    like_dna = sum(run.like_dna for run in runs)
    return Run(folder, merged_table([run.table for run in runs]), digests, strangers, like_dna)


def merged_table(tables: Sequence[LengthTable]) -> LengthTable:
    """The table of all the subjects of these."""
    lengths, where = np.unique(np.concatenate([table.lengths for table in tables]), return_inverse=True)
    counts, name_bytes = np.zeros_like(lengths), np.zeros_like(lengths)
    np.add.at(counts, where, np.concatenate([table.counts for table in tables]))
    np.add.at(name_bytes, where, np.concatenate([table.name_bytes for table in tables]))
    return LengthTable(lengths, counts, name_bytes)


def _merged(runs: Sequence[Run], column: str, budget: int) -> Iterator[bytes]:
    """A column's bytes in merged order."""
    sizes_by_run = [run.table.column_sizes(column) for run in runs]
    owners = np.repeat(np.arange(len(runs)), [len(sizes) for sizes in sizes_by_run])
    starts = np.concatenate([np.cumsum(sizes) - sizes for sizes in sizes_by_run])
    order = np.argsort(np.concatenate([run.table.lengths for run in runs]), kind="stable")
    owners, starts, sizes = owners[order], starts[order], np.concatenate(sizes_by_run)[order]
    paths = [run.path(column) for run in runs]
    for first, stop in cuts(sizes, budget):
        if stop - first == 1:
            yield from _copy(paths[owners[first]], int(starts[first]), int(sizes[first]), budget)
        else:
            yield _gather(paths, owners[first:stop], starts[first:stop], sizes[first:stop])


def _copy(path: Path, start: int, size: int, budget: int) -> Iterator[bytes]:
    for at in range(start, start + size, budget):
        yield read_slice(path, at, min(budget, start + size - at))


def _gather(paths: Sequence[Path], owners: Int64s, starts: Int64s, sizes: Int64s) -> bytes:
    """Slices of several files, joined in order; those of one file are adjacent in it and are read at once."""
    views: dict[int, memoryview] = {}
    bases: dict[int, int] = {}
    for owner in np.unique(owners).tolist():
        mine = owners == owner
        bases[owner] = int(starts[mine][0])
        views[owner] = memoryview(read_slice(paths[owner], bases[owner], int(sizes[mine].sum())))
    triples = zip(owners.tolist(), starts.tolist(), sizes.tolist(), strict=True)
    return b"".join([views[owner][start - bases[owner] :][:size] for owner, start, size in triples])


def cuts(sizes: Int64s, budget: int, most: int = 100_000) -> Iterator[tuple[int, int]]:
    """Cut a list of things with sizes into stretches that fit the budget; one that alone does not is a stretch."""
    stops = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        before = int(stops[first] - sizes[first])
        fitting = int(np.searchsorted(stops, before + budget, side="right"))
        stop = max(first + 1, min(fitting, first + most))
        yield first, stop
        first = stop
