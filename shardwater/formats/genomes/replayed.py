"""Alignments of genomes replayed over their letters: what each column shows, for many rows at once.

Columns go along the subject, forward; in a reverse row the query's letters are those of its reverse complement. Runs
are cut to pieces of bounded columns, so that an alignment of two chromosomes needs no more memory than many short ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from shardwater.formats.genomes.layout import Listed
from shardwater.formats.genomes.text_cells import Choices, rows_text
from shardwater.genomes.alignments import MATCHING, Alignments
from shardwater.genomes.hsps import Numbers
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS
from shardwater.sequences.alphabets import BASES, DNA
from shardwater.sequences.named import COMPLEMENTS

AT_ONCE = 1 << 20
"""Columns."""
OPERATIONS = "=XID"
"""Equal known letters; others; letters of the query alone; of the subject alone."""
INSERTED, DELETED = (RUN_KINDS.index(kind) for kind in "ID")
_PAIRED = len(OPERATIONS)
_OPERATIONS = np.array([_PAIRED, _PAIRED, OPERATIONS.index("I"), OPERATIONS.index("D")])
"""Of each kind of run, RUN_KINDS: letters that are paired are equal or not."""
_ENDED = Choices.of([kind.encode() + end for end in (b"", b"\n") for kind in OPERATIONS])
_COMPLEMENTS = np.frombuffer(COMPLEMENTS, np.uint8)
_GAP = ord("-")
Letters = npt.NDArray[np.uint8]
_Numbers = npt.NDArray[np.int32]
"""Owners, operations, letters: there are millions of them, which half as many bytes take less time for."""


def _codes(unknown: int) -> Letters:
    """By byte a letter's code, `unknown` for all but four."""
    codes = np.frombuffer(DNA.codes, np.uint8)
    return np.where(codes < len(BASES), codes, unknown).astype(np.uint8)


# Unknown letters equal nothing, not even themselves.
_QUERY_CODES, _SUBJECT_CODES = _codes(254), _codes(255)


@dataclass(frozen=True, slots=True, eq=False)
class Replayed:
    """Some columns, an element each: their alignment's row, the letters of both, `-` in gaps, and the operation."""

    owners: npt.NDArray[np.int32]
    query: Letters
    subject: Letters
    operations: Letters


@dataclass(frozen=True, slots=True, eq=False)
class PlacedRuns:
    """Runs with the places of their first letters in the genomes; step: 1, or -1 where the query goes backwards."""

    owners: Numbers
    kinds: Numbers
    lengths: Numbers
    query: Numbers
    subject: Numbers
    step: Numbers

    @classmethod
    def of(cls, some: Alignments) -> "PlacedRuns":
        """All runs of some alignments; owners count in them."""
        owners = np.repeat(np.arange(len(some)), some.column("runs"))
        words = some.runs.astype(np.int64)
        kinds, lengths = words & (1 << KIND_BITS) - 1, words >> KIND_BITS
        firsts, reverse = some.firsts[:-1], some.reverse[owners]
        taken = [_before(lengths * (kinds != left_out), firsts, owners) for left_out in (DELETED, INSERTED)]
        begins, lasts = some.column("query")[owners], some.column("query_end")[owners] - 1
        query = np.where(reverse, lasts - taken[0], begins + taken[0])
        return cls(owners, kinds, lengths, query, some.column("subject")[owners] + taken[1], np.where(reverse, -1, 1))

    def cut(self, most: int) -> "PlacedRuns":
        """The same in runs of so many columns at most."""
        counts = -(-self.lengths // most)
        which = np.repeat(np.arange(len(counts)), counts)
        skipped = (np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)) * most
        kinds, step, lengths = self.kinds[which], self.step[which], np.minimum(self.lengths[which] - skipped, most)
        query = self.query[which] + step * skipped * (kinds != DELETED)
        subject = self.subject[which] + skipped * (kinds != INSERTED)
        return PlacedRuns(self.owners[which], kinds, lengths, query, subject, step)

    @property
    def paired(self) -> "PlacedRuns":
        """Those without gaps."""
        return self.part(self.kinds == MATCHING)

    def part(self, some: slice | npt.NDArray[np.bool_] | Numbers) -> "PlacedRuns":
        """Some of them."""
        columns = (self.owners, self.kinds, self.lengths, self.query, self.subject, self.step)
        return PlacedRuns(*(column[some] for column in columns))


def replays(listed: Listed, some: Alignments, at_once: int = AT_ONCE) -> Iterator[Replayed]:
    """All columns of some of the listed alignments in order, some twice `at_once` at a time; owners count in `some`."""
    return (_replayed(listed, runs) for runs in _pieces(some, at_once))


def aligned_rows(listed: Listed, some: Alignments) -> tuple[list[bytes], list[bytes]]:
    """The rows of each alignment, the query's and the subject's, `-` in gaps."""
    pieces = [(each.query.tobytes(), each.subject.tobytes()) for each in replays(listed, some)]
    ends = np.cumsum([0, *some.column("columns").tolist()]).tolist()
    texts = map(b"".join, zip(*pieces, strict=True))
    query, subject = ([text[first:last] for first, last in pairwise(ends)] for text in texts)
    return query, subject


def cigars(listed: Listed, some: Alignments, at_once: int = AT_ONCE) -> list[bytes]:
    """The CIGAR of each alignment, with =, X, I and D, along the subject."""
    none = np.zeros(0, np.int32)
    found = [(none, none, none), *(_counted(listed, runs) for runs in _pieces(some, at_once))]
    owners, operations, lengths = (np.concatenate(columns) for columns in zip(*found, strict=True))
    starts = _changes(owners, operations)
    if len(starts) < len(owners):
        # A run may go on in the next piece.
        owners, operations, lengths = owners[starts], operations[starts], np.add.reduceat(lengths, starts)
    last = np.append(owners[1:] != owners[:-1], np.ones(min(1, len(owners)), np.bool_))
    kinds = _ENDED.choose(operations + np.int32(len(OPERATIONS)) * last)
    return rows_text([lengths, kinds], len(owners)).split(b"\n")[:-1]


def _pieces(some: Alignments, at_once: int) -> Iterator[PlacedRuns]:
    """All runs in order, some twice `at_once` columns at a time."""
    runs = PlacedRuns.of(some).cut(at_once)
    sizes = np.cumsum(runs.lengths) // at_once
    ends = [0, *(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(sizes)]
    for first, last in pairwise(ends):
        yield runs.part(slice(first, last))


def _before(amounts: Numbers, firsts: Numbers, owners: Numbers) -> Numbers:
    """The sum of the amounts before each one in its row."""
    sums = np.cumsum(amounts) - amounts
    before: Numbers = sums - sums[firsts][owners]
    return before


def _counted(listed: Listed, runs: PlacedRuns) -> tuple[_Numbers, _Numbers, _Numbers]:
    """Equal operations that follow each other in a run: whose, which, how many. Only paired letters are looked at."""
    paired = np.flatnonzero(runs.kinds == MATCHING)
    lengths = runs.lengths[paired]
    firsts = np.cumsum(lengths) - lengths
    other = _unequal(listed, runs)
    changes = np.zeros(len(other), np.bool_)
    np.not_equal(other[1:], other[:-1], out=changes[1:])
    changes[firsts] = True
    starts = np.flatnonzero(changes)
    # A gap is an operation of its own between those of the runs around it.
    counts = np.ones(len(runs.kinds), np.int64)
    counts[paired] = np.diff(np.append(np.searchsorted(starts, firsts), len(starts)))
    columns = (runs.owners, _OPERATIONS[runs.kinds], runs.lengths)
    owners, operations, amounts = (np.repeat(each.astype(np.int32), counts) for each in columns)
    within = operations == _PAIRED
    operations[within], amounts[within] = other[starts], np.diff(starts, append=len(other))
    return owners, operations, amounts


def _unequal(listed: Listed, runs: PlacedRuns) -> npt.NDArray[np.bool_]:
    """Of all paired letters whether they differ.

    The letters of a row are together in both genomes: they are copied at once, and those in gaps left out.
    """
    if len(runs.owners) == 0:
        return np.zeros(0, np.bool_)
    rows = np.flatnonzero(np.diff(runs.owners, prepend=-1))
    ours, theirs = (runs.lengths * (runs.kinds != left_out) for left_out in (DELETED, INSERTED))
    sizes, turned = np.add.reduceat(ours, rows), runs.step[rows] < 0
    begins = np.where(turned, runs.query[rows] - sizes + 1, runs.query[rows])
    query = _QUERY_CODES.take(_joined(listed.query.letters, begins, sizes, turned))
    if turned.any():
        # Of the four bases' codes; what is unknown stays so.
        query ^= np.repeat((len(BASES) - 1) * turned.astype(np.uint8), sizes)
    sizes = np.add.reduceat(theirs, rows)
    subject = _SUBJECT_CODES.take(_joined(listed.subject.letters, runs.subject[rows], sizes, np.zeros_like(turned)))
    query, subject = _without(query, ours, runs.kinds == INSERTED), _without(subject, theirs, runs.kinds == DELETED)
    different: npt.NDArray[np.bool_] = query != subject
    return different


def _joined(letters: Letters, begins: Numbers, sizes: Numbers, turned: npt.NDArray[np.bool_]) -> Letters:
    """Ranges one after another, some the other way round."""
    ranges = zip(begins.tolist(), (begins + sizes).tolist(), turned.tolist(), strict=True)
    return np.concatenate([letters[first:last][::-1] if back else letters[first:last] for first, last, back in ranges])


def _without(codes: Letters, sizes: Numbers, gaps: npt.NDArray[np.bool_]) -> Letters:
    """The codes without those of some runs; sizes: how many each run has."""
    if not gaps.any():
        return codes
    begins, counts = (np.cumsum(sizes) - sizes)[gaps], sizes[gaps]
    kept = np.ones(len(codes), np.bool_)
    kept[np.repeat(begins - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())] = False
    return codes[kept]


def _changes(owners: npt.NDArray[np.integer], operations: npt.NDArray[np.integer]) -> Numbers:
    """Where another owner or operation begins, the first place too."""
    changes = (owners[1:] != owners[:-1]) | (operations[1:] != operations[:-1])
    return np.append(np.zeros(min(1, len(owners)), np.int64), np.flatnonzero(changes) + 1)


def _replayed(listed: Listed, runs: PlacedRuns) -> Replayed:
    lengths = runs.lengths
    starts = np.cumsum(lengths) - lengths
    # Places of genomes and pieces fit in 32 bits, which are faster.
    within = np.arange(int(lengths.sum()), dtype=np.int32)
    query_places, subject_places, steps = (
        np.repeat(each.astype(np.int32), lengths)
        for each in (runs.query - runs.step * starts, runs.subject - starts, runs.step)
    )
    query_places += steps * within
    subject_places += within
    # A gap's place may be beyond the last letter; it shows none.
    query = listed.query.letters.take(query_places, mode="clip")
    subject = listed.subject.letters.take(subject_places, mode="clip")
    turned, kinds = steps < 0, np.repeat(runs.kinds.astype(np.uint8), lengths)
    if turned.any():
        query = np.where(turned, _COMPLEMENTS[query], query)
    inserted, deleted = kinds == INSERTED, kinds == DELETED
    operations = (_QUERY_CODES[query] != _SUBJECT_CODES[subject]).astype(np.uint8)
    operations[inserted], operations[deleted] = 2, 3
    query[deleted], subject[inserted] = _GAP, _GAP
    return Replayed(np.repeat(runs.owners.astype(np.int32), lengths), query, subject, operations)
