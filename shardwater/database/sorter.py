"""Batches of records in, sorted runs out: the first half of the external sort.

Records gather in memory until a budget is full, then become a run. A record that fills much of the budget alone is
written as it comes, as a run of its own.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from shardwater.database.header_taxids import Taxids
from shardwater.database.runs import COLUMNS, Int64s, LengthTable, Run, cuts
from shardwater.database.storage import Buffer, DigestedFile, write_file
from shardwater.search.warnings import NUCLEOTIDES, looks_like_dna
from shardwater.sequences.alphabet import LETTERS
from shardwater.sequences.blocks import Batch, IrregularTextError
from shardwater.sequences.fasta import LONGEST_SEQUENCE

Hashes = npt.NDArray[np.uint64]

_MATRIX_LETTERS = (LETTERS + LETTERS.lower()).encode()
_NUCLEOTIDE_MARKS = bytes(letter in NUCLEOTIDES for letter in range(256))
_OUTPUT = 1 << 22
_RECORD_OVERHEAD = 200
"""What two bytes objects, their places in lists and the arrays add to a record's own bytes, about."""


@dataclass(slots=True)
class _Records:
    """Finished records in input order; sequences may hold newlines, lengths do not count them."""

    headers: list[bytes] = field(default_factory=list)
    sequences: list[bytes] = field(default_factory=list)
    lengths: list[Int64s] = field(default_factory=list)
    hashes: list[Hashes] = field(default_factory=list)
    taxids: list[Taxids] = field(default_factory=list)
    size: int = 0

    def add(
        self, headers: list[bytes], sequences: list[bytes], lengths: Int64s, hashes: Hashes, taxids: Taxids
    ) -> None:
        """Append records that are complete."""
        self.headers += headers
        self.sequences += sequences
        self.lengths.append(lengths)
        self.hashes.append(hashes)
        self.taxids.append(taxids)


@dataclass(slots=True)
class _OpenRecord:
    """The record being read, its sequence in parts; hashes and taxids have its one."""

    header: bytes
    hashes: Hashes
    taxids: Taxids
    parts: list[bytes]
    length: int

    @property
    def size(self) -> int:
        """The bytes it holds in memory."""
        return sum(map(len, self.parts))


class Sorter:
    """Takes batches in order and keeps the runs it has written."""

    def __init__(self, folder: Path, budget: int) -> None:
        self._folder, self._budget = folder, budget
        self._runs: list[Run] = []
        self._records = _Records()
        self._open: _OpenRecord | None = None
        self._long: _LongRun | None = None

    def add(self, batch: Batch) -> None:
        """Take a batch of the same file as the one before, or the first of a file."""
        if batch.head_length:
            self._continue(batch)
        if batch.headers:
            self._close_record()
            self._extend(batch)
        self._records.size += batch.size + _RECORD_OVERHEAD * len(batch.lengths)
        if self._records.size > self._budget or self._is_open_long:
            self._spill()

    def end_file(self) -> None:
        """The file's last record is complete."""
        if self._open is None:
            raise IrregularTextError
        self._close_record()

    def finish(self) -> list[Run]:
        """All runs, once every file has ended."""
        if self._records.headers:
            self._write_run()
        return self._runs

    def close(self) -> None:
        """Let go of a file that a failure left open."""
        if self._long:
            self._long.abandon()

    @property
    def _is_open_long(self) -> bool:
        return self._open is not None and self._open.size > self._budget // 4

    def _continue(self, batch: Batch) -> None:
        """The batch begins with more of the open record."""
        if self._open is None or self._open.length + batch.head_length > LONGEST_SEQUENCE:
            raise IrregularTextError
        self._open.length += batch.head_length
        if self._long:
            self._long.add(batch.head)
        else:
            self._open.parts.append(batch.head)

    def _extend(self, batch: Batch) -> None:
        """Take the batch's own records; the last stays open."""
        *finished, last = batch.lengths.tolist()
        if not all(finished):
            raise IrregularTextError
        header, sequence = batch.headers.pop(), batch.sequences.pop()
        self._open = _OpenRecord(header, batch.hashes[-1:], batch.taxids[-1:], [sequence], last)
        self._records.add(batch.headers, batch.sequences, batch.lengths[:-1], batch.hashes[:-1], batch.taxids[:-1])

    def _close_record(self) -> None:
        """Count the open record among the finished ones, or end its run."""
        record, self._open = self._open, None
        if record is None:
            return
        if not record.length:
            raise IrregularTextError
        if self._long:
            self._runs.append(self._long.finish(record.length))
            self._long = None
        else:
            sequence, length = b"".join(record.parts), np.array([record.length])
            self._records.add([record.header], [sequence], length, record.hashes, record.taxids)

    def _spill(self) -> None:
        """Write the finished records as a run, and start one for the open record if it is long."""
        if self._records.headers:
            self._write_run()
        if self._open and not self._long and self._is_open_long:
            self._long = _LongRun(self._next_folder(), self._open)
            for part in self._open.parts:
                self._long.add(part)
            self._open.parts.clear()
        self._records.size = self._open.size if self._open else 0

    def _write_run(self) -> None:
        records, self._records = self._records, _Records()
        self._runs.append(_write_sorted(self._next_folder(), records))

    def _next_folder(self) -> Path:
        folder = self._folder / f"run-{len(self._runs)}"
        folder.mkdir()
        return folder


class _LongRun:
    """A run of one long record, written as it comes."""

    def __init__(self, folder: Path, record: _OpenRecord) -> None:
        self._folder, self._header, self._hashes, self._taxids = folder, record.header, record.hashes, record.taxids
        self._residues = DigestedFile(folder / "residues")
        self._counted = _Counted()

    def add(self, part: bytes) -> None:
        """Append part of its sequence."""
        self._residues.write(self._counted.take(part))

    def finish(self, length: int) -> Run:
        """The run, now that the record is complete."""
        with self._residues:
            digests = {"residues": self._residues.digest()}
        name_lengths = np.array([len(self._header)])
        columns: dict[str, Buffer] = {
            "names": self._header,
            "name_lengths": name_lengths.astype(np.uint32),
            "hashes": self._hashes,
            "taxids": self._taxids,
        }
        for column, content in columns.items():
            digests[column] = write_file(self._folder / column, [content])
        table, counted = tabulate(np.array([length]), name_lengths), self._counted
        return Run(self._folder, table, digests, counted.strangers, counted.like_dna)

    def abandon(self) -> None:
        """Close the file, whatever is in it."""
        self._residues.__exit__(None, None, None)


def _write_sorted(folder: Path, records: _Records) -> Run:
    """Sort records by length, equal lengths in input order, and write them."""
    lengths = np.concatenate(records.lengths)
    order = np.argsort(lengths, kind="stable")
    lengths, subjects = lengths[order], order.tolist()
    name_lengths = np.fromiter(map(len, records.headers), dtype=np.int64, count=len(order))[order]
    seen = _Seen()
    columns: dict[str, Iterable[Buffer]] = {
        "residues": _residues(records.sequences, subjects, lengths, seen),
        "names": _pick(records.headers, subjects, name_lengths),
        "name_lengths": [name_lengths.astype(np.uint32)],
        "hashes": [np.concatenate(records.hashes)[order]],
        "taxids": [np.concatenate(records.taxids)[order]],
    }
    with ThreadPoolExecutor(len(COLUMNS)) as pool:
        paths = [folder / column for column in COLUMNS]
        digests = dict(zip(COLUMNS, pool.map(write_file, paths, columns.values()), strict=True))
    return Run(folder, tabulate(lengths, name_lengths), digests, seen.strangers, seen.like_dna)


@dataclass(slots=True)
class _Counted:
    """What is counted of one sequence while it is written, part after part."""

    strangers: Int64s = field(default_factory=lambda: np.zeros(256, dtype=np.int64))
    length: int = 0
    nucleotides: int = 0

    def take(self, part: bytes) -> bytes:
        """A part without its newlines, counted in."""
        residues = part.replace(b"\n", b"")
        self.strangers += count_strangers(residues)
        self.length += len(residues)
        self.nucleotides += len(residues) - len(residues.translate(None, NUCLEOTIDES))
        return residues

    @property
    def like_dna(self) -> int:
        """1 where it looks like DNA, else 0."""
        return int(looks_like_dna(self.length, self.nucleotides))


@dataclass(slots=True)
class _Seen:
    """What is counted while sequences are written: Run's strangers and like_dna."""

    strangers: Int64s = field(default_factory=lambda: np.zeros(256, dtype=np.int64))
    like_dna: int = 0

    def add(self, residues: bytes, lengths: Int64s) -> None:
        """Count in sequences of these lengths, which follow each other."""
        self.strangers += count_strangers(residues)
        marks = np.frombuffer(residues.translate(_NUCLEOTIDE_MARKS), dtype=np.uint8)
        nucleotides = np.add.reduceat(marks, np.cumsum(lengths) - lengths, dtype=np.uint32)
        self.like_dna += int(np.count_nonzero(looks_like_dna(lengths, nucleotides.astype(np.int64))))

    def parts(self, sequence: bytes) -> Iterator[bytes]:
        """One sequence without its newlines, some at a time, counted in: a chromosome is not copied whole."""
        counted = _Counted()
        for at in range(0, len(sequence), _OUTPUT):
            yield counted.take(sequence[at : at + _OUTPUT])
        self.strangers += counted.strangers
        self.like_dna += counted.like_dna


def _residues(sequences: list[bytes], subjects: list[int], lengths: Int64s, seen: _Seen) -> Iterator[bytes]:
    """The sequences of the subjects without their newlines; they are counted."""
    for first, stop in cuts(lengths, _OUTPUT):
        if stop - first == 1:
            yield from seen.parts(sequences[subjects[first]])
            continue
        residues = b"".join(map(sequences.__getitem__, subjects[first:stop])).replace(b"\n", b"")
        seen.add(residues, lengths[first:stop])
        yield residues


def _pick(items: list[bytes], subjects: list[int], sizes: Int64s) -> Iterator[bytes]:
    """The subjects' items, joined, some at a time."""
    for first, stop in cuts(sizes, _OUTPUT):
        yield b"".join(map(items.__getitem__, subjects[first:stop]))


def count_strangers(residues: bytes) -> Int64s:
    """How many of each byte are no letter of the matrices."""
    strangers = np.frombuffer(residues.translate(None, _MATRIX_LETTERS), dtype=np.uint8)
    return np.bincount(strangers, minlength=256)


def tabulate(lengths: Int64s, name_lengths: Int64s) -> LengthTable:
    """The table of subjects of these lengths, ascending, with headers of these."""
    firsts = np.flatnonzero(np.diff(lengths, prepend=-1))
    counts = np.diff(firsts, append=len(lengths))
    return LengthTable(lengths[firsts], counts, np.add.reduceat(name_lengths, firsts))
