"""The records of a database in two: subjects, which are searched, and the members of clusters behind them.

All records lie sorted by length, and are read once. Subjects become a run of their own. Members go into buckets by the
subject that they stand behind; a bucket fits the memory and is sorted alone, so that the members of a subject come to
lie side by side, still in order of length.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.database.cluster_table import UNNAMED
from shardwater.database.database import Database
from shardwater.database.files import offsets_of
from shardwater.database.runs import COLUMNS, Budgets, Int64s, LengthTable, Run, cuts, merged_table
from shardwater.database.sorter import count_strangers, tabulate
from shardwater.database.storage import DigestedFile, FileDigest, read_numbers, read_slice, sync, write_file

_NUMBERS = np.dtype([("representative", "<i8"), ("residues", "<u4"), ("names", "<u4"), ("taxids", "<u4")])
"""Of a member in a bucket: who represents it, how long its sequence and its header are, its taxid."""
_BEHIND = np.dtype([("members", "<i8"), ("bytes", "<i8")])
"""How many members a record has behind it, and what they take in memory."""
_OVERHEAD = 200
"""What Python adds to each member, about."""


@dataclass(frozen=True, slots=True)
class Divided:
    """All records in two: subjects as a run of them, and the buckets that members lie in, with what was counted.

    counts: a file of how many members each subject has, int64; clusters: how many subjects have any.
    """

    subjects: Run
    buckets: "_Buckets"
    counts: Path
    clusters: int
    members: int
    residues: int


@dataclass(frozen=True, slots=True)
class _Block:
    """Records that follow one another, from number `first` on."""

    first: int
    lengths: Int64s
    name_lengths: Int64s
    residues: bytes
    names: bytes
    hashes: npt.NDArray[np.uint64]
    taxids: npt.NDArray[np.uint32]


class _Subjects:
    """The run of subjects while it is written."""

    def __init__(self, folder: Path, files: ExitStack) -> None:
        folder.mkdir()
        self._folder = folder
        self._files = {column: files.enter_context(DigestedFile(folder / column)) for column in COLUMNS}
        self._tables: list[LengthTable] = []
        self._strangers = np.zeros(256, np.int64)

    def add(self, block: _Block, places: Int64s) -> None:
        """Append these records of a block."""
        if len(places) == 0:
            return
        lengths, name_lengths = block.lengths[places], block.name_lengths[places]
        residues = _picked(block.residues, block.lengths, places)
        self._strangers += count_strangers(residues)
        self._tables.append(tabulate(lengths, name_lengths))
        self._files["residues"].write(residues)
        self._files["names"].write(_picked(block.names, block.name_lengths, places))
        self._files["name_lengths"].write(name_lengths.astype("<u4"))
        self._files["hashes"].write(block.hashes[places])
        self._files["taxids"].write(block.taxids[places])

    def run(self) -> Run:
        """All of them; that records look like DNA was counted before."""
        digests = {column: file.digest() for column, file in self._files.items()}
        return Run(self._folder, merged_table(self._tables), digests, self._strangers, like_dna=0)


class _Buckets:
    """Members in files, in each those of some representatives, and in order of length."""

    def __init__(self, folder: Path, stops: Int64s) -> None:
        """stops: of each bucket the number of the first representative that is behind it."""
        folder.mkdir()
        self._folder, self._stops = folder, stops

    def add(self, block: _Block, places: Int64s, representatives: Int64s) -> None:
        """Append these records of a block, which have these representatives."""
        order = np.argsort(representatives, kind="stable")
        places, representatives = places[order], representatives[order]
        owners = np.searchsorted(self._stops, representatives, "right")
        for bucket in np.unique(owners).tolist():
            first, stop = np.searchsorted(owners, [bucket, bucket + 1]).tolist()
            some = places[first:stop]
            numbers = np.empty(len(some), _NUMBERS)
            numbers["representative"], numbers["taxids"] = representatives[first:stop], block.taxids[some]
            numbers["residues"], numbers["names"] = block.lengths[some], block.name_lengths[some]
            self._append(bucket, "numbers", numbers.tobytes())
            self._append(bucket, "residues", _picked(block.residues, block.lengths, some))
            self._append(bucket, "names", _picked(block.names, block.name_lengths, some))

    def numbers(self, field: str) -> Iterator[npt.NDArray[Any]]:
        """A field of all members in order."""
        for bucket in self._filled():
            numbers = self._numbers(bucket)
            yield numbers[field][_by_representative(numbers)]

    def texts(self, column: str, budget: int) -> Iterator[bytes]:
        """A column of all members in order, whose files go as they are read."""
        for bucket in self._filled():
            numbers, path = self._numbers(bucket), self._path(bucket, column)
            size = path.stat().st_size
            if numbers["representative"].min() == numbers["representative"].max():
                # However large a cluster is, it is in order.
                yield from (read_slice(path, at, min(budget, size - at)) for at in range(0, size, budget))
            else:
                yield _picked(read_slice(path, 0, size), numbers[column].astype(np.int64), _by_representative(numbers))
            path.unlink()

    def _filled(self) -> Iterator[int]:
        return (bucket for bucket in range(len(self._stops)) if self._path(bucket, "numbers").exists())

    def _numbers(self, bucket: int) -> npt.NDArray[np.void]:
        return np.fromfile(self._path(bucket, "numbers"), _NUMBERS)

    def _append(self, bucket: int, column: str, content: bytes) -> None:
        with self._path(bucket, column).open("ab") as file:
            file.write(content)

    def _path(self, bucket: int, column: str) -> Path:
        return self._folder / f"{bucket}.{column}"


def divide(run: Run, whole: Database, representatives: Int64s, work: Path, budgets: Budgets) -> Divided:
    """Divide the records of a run, of which the files of a database were made, in a folder to work in.

    representatives: the number of the record that stands for each, its own or UNNAMED for a subject.
    """
    behind = _behind(whole, representatives, work / "behind", budgets.subjects)
    buckets = _Buckets(work / "buckets", _stops(behind, budgets))
    clusters = members = residues = 0
    with ExitStack() as files, (work / "members_of_subjects").open("wb") as counts:
        subjects = _Subjects(work / "subjects", files)
        for block in _blocks(run, whole, budgets):
            stop = block.first + len(block.lengths)
            is_member = _is_member(representatives, block.first, stop)
            subjects.add(block, np.flatnonzero(~is_member))
            buckets.add(block, np.flatnonzero(is_member), representatives[block.first : stop][is_member])
            of_subjects = behind["members"][block.first : stop][~is_member]
            counts.write(of_subjects.tobytes())
            clusters += int(np.count_nonzero(of_subjects))
            members += int(of_subjects.sum())
            residues += int(block.lengths[is_member].sum())
        kept = subjects.run()
    return Divided(kept, buckets, work / "members_of_subjects", clusters, members, residues)


def _behind(whole: Database, representatives: Int64s, path: Path, size: int) -> npt.NDArray[np.void]:
    """What is behind each record, in a file, counted `size` records at a time."""
    behind: npt.NDArray[np.void] = np.memmap(path, _BEHIND, "w+", shape=len(whole))
    for first in range(0, len(whole), size):
        stop = min(first + size, len(whole))
        is_member = _is_member(representatives, first, stop)
        sizes = whole.lengths[first:stop].astype(np.int64) + np.diff(whole.name_offsets[first : stop + 1]) + _OVERHEAD
        owners = representatives[first:stop][is_member]
        np.add.at(behind["members"], owners, 1)
        np.add.at(behind["bytes"], owners, sizes[is_member])
    return behind


def write_members(divided: Divided, folder: Path, budgets: Budgets) -> dict[str, FileDigest]:
    """Write the files of members, but those of taxa, into a new folder; `taxids` there is a column of theirs."""
    folder.mkdir()
    buckets = divided.buckets
    write_file(folder / "taxids", buckets.numbers("taxids"))
    counts = read_numbers(divided.counts, np.dtype("<i8"), budgets.subjects)
    files = {
        "firsts.bin": write_file(folder / "firsts.bin", offsets_of(counts)),
        "lengths.bin": write_file(folder / "lengths.bin", buckets.numbers("residues")),
        "offsets.bin": write_file(folder / "offsets.bin", offsets_of(buckets.numbers("residues"))),
        "name_offsets.bin": write_file(folder / "name_offsets.bin", offsets_of(buckets.numbers("names"))),
        "residues.bin": write_file(folder / "residues.bin", buckets.texts("residues", budgets.merge)),
        "names.bin": write_file(folder / "names.bin", buckets.texts("names", budgets.merge)),
    }
    for name in files:
        sync(folder / name)
    return files


def _is_member(representatives: Int64s, first: int, stop: int) -> npt.NDArray[np.bool_]:
    """Of some records, whether another one stands for each."""
    own = representatives[first:stop]
    return np.asarray((own != UNNAMED) & (own != np.arange(first, stop)))


def _stops(behind: npt.NDArray[np.void], budgets: Budgets) -> Int64s:
    """Where buckets end: what lies behind the records of one fits the memory, or behind one record."""
    stops: list[int] = []
    for first in range(0, len(behind), budgets.subjects):
        sizes = np.array(behind["bytes"][first : first + budgets.subjects])
        stops += [first + stop for _, stop in cuts(sizes, budgets.run // 4, most=len(sizes))]
    return np.array(stops, np.int64)


def _blocks(run: Run, whole: Database, budgets: Budgets) -> Iterator[_Block]:
    """All records in order, as many at a time as memory is for."""
    hashes = np.memmap(run.path("hashes"), "<u8", "r")
    taxids = np.memmap(run.path("taxids"), "<u4", "r")
    for base in range(0, len(whole), budgets.subjects):
        lengths = whole.lengths[base : base + budgets.subjects].astype(np.int64)
        name_lengths = np.diff(whole.name_offsets[base : base + len(lengths) + 1])
        for first, stop in cuts(lengths + name_lengths, budgets.merge):
            begin, end = base + first, base + stop
            yield _Block(
                begin,
                lengths[first:stop],
                name_lengths[first:stop],
                _slice(whole.path / "residues.bin", whole.offsets, begin, end),
                _slice(whole.path / "names.bin", whole.name_offsets, begin, end),
                np.array(hashes[begin:end]),
                np.array(taxids[begin:end]),
            )


def _slice(path: Path, offsets: Int64s, first: int, stop: int) -> bytes:
    return read_slice(path, int(offsets[first]), int(offsets[stop] - offsets[first]))


def _picked(content: bytes, sizes: Int64s, places: Int64s) -> bytes:
    """Those at some places of texts that follow one another, joined."""
    ends = np.cumsum(sizes)
    bounds = zip((ends - sizes)[places].tolist(), ends[places].tolist(), strict=True)
    return b"".join([content[begin:end] for begin, end in bounds])


def _by_representative(numbers: npt.NDArray[np.void]) -> Int64s:
    return np.argsort(numbers["representative"], kind="stable")
