"""Alignments of genomes replayed over their letters: what each column shows, for many rows at once.

Columns go along the subject, forward; in a reverse row the query's letters are those of its reverse complement. Runs are
cut to pieces of bounded columns, so that an alignment of two chromosomes takes no more memory than many short ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from shardwater.formats.genomes.cells import Words, rows_text
from shardwater.formats.genomes.layout import Listed
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.hsps import Numbers
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS
from shardwater.sequences.alphabets import BASES, DNA
from shardwater.sequences.named import COMPLEMENTS

AT_ONCE = 1 << 18
"""Columns."""
OPERATIONS = "=XID"
"""Equal known letters; others; letters of the query alone; of the subject alone."""
_INSERTED, _DELETED = (RUN_KINDS.index(kind) for kind in "ID")
_ENDED = Words.of([kind.encode() + end for end in (b"", b"\n") for kind in OPERATIONS])
_COMPLEMENTS = np.frombuffer(COMPLEMENTS, np.uint8)
_GAP = ord("-")
_CODES = np.frombuffer(DNA.codes, np.uint8)
# Unknown letters equal nothing, not even themselves.
_QUERY_CODES = np.where(_CODES < len(BASES), _CODES, 254).astype(np.uint8)
_SUBJECT_CODES = np.where(_CODES < len(BASES), _CODES, 255).astype(np.uint8)

Letters = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Replayed:
    """Some columns, one element each: the row of their alignment, the letters of both, `-` in gaps, and the operation."""

    owners: Numbers
    query: Letters
    subject: Letters
    operations: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Runs with the places of their first letters; step: 1, or -1 where the query goes backwards."""

    owners: Numbers
    kinds: Numbers
    lengths: Numbers
    query: Numbers
    subject: Numbers
    step: Numbers

    @classmethod
    def of(cls, some: Alignments) -> "_Runs":
        owners = np.repeat(np.arange(len(some)), some.column("runs"))
        words = some.runs.astype(np.int64)
        kinds, lengths = words & (1 << KIND_BITS) - 1, words >> KIND_BITS
        firsts, reverse = some.firsts[:-1], some.reverse[owners]
        taken = [_before(lengths * (kinds != left_out), firsts, owners) for left_out in (_DELETED, _INSERTED)]
        begins, lasts = some.column("query")[owners], some.column("query_end")[owners] - 1
        query = np.where(reverse, lasts - taken[0], begins + taken[0])
        return cls(owners, kinds, lengths, query, some.column("subject")[owners] + taken[1], np.where(reverse, -1, 1))

    def cut(self, most: int) -> "_Runs":
        """The same in runs of so many columns at most."""
        counts = -(-self.lengths // most)
        which = np.repeat(np.arange(len(counts)), counts)
        skipped = (np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)) * most
        query, subject = self.query[which] + self.step[which] * skipped, self.subject[which] + skipped
        lengths = np.minimum(self.lengths[which] - skipped, most)
        return _Runs(self.owners[which], self.kinds[which], lengths, query, subject, self.step[which])

    def part(self, some: slice) -> "_Runs":
        columns = (self.owners, self.kinds, self.lengths, self.query, self.subject, self.step)
        return _Runs(*(column[some] for column in columns))


def replays(listed: Listed, some: Alignments, at_once: int = AT_ONCE) -> Iterator[Replayed]:
    """All columns of some of the listed alignments in order, some twice `at_once` at a time; owners count in `some`."""
    runs = _Runs.of(some).cut(at_once)
    sizes = np.cumsum(runs.lengths) // at_once
    ends = [0, *(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(sizes)]
    for first, last in pairwise(ends):
        yield _replayed(listed, runs.part(slice(first, last)))


def aligned_rows(listed: Listed, some: Alignments) -> tuple[list[bytes], list[bytes]]:
    """The rows of each alignment, the query's and the subject's, `-` in gaps."""
    pieces = [*replays(listed, some)]
    ends = np.cumsum([0, *some.column("columns").tolist()]).tolist()
    texts = (b"".join(getattr(each, side).tobytes() for each in pieces) for side in ("query", "subject"))
    query, subject = ([text[first:last] for first, last in pairwise(ends)] for text in texts)
    return query, subject


def cigars(listed: Listed, some: Alignments, at_once: int = AT_ONCE) -> list[bytes]:
    """The CIGAR of each alignment, with =, X, I and D, along the subject."""
    none = np.zeros(0, np.int64)
    found = [(none, none, none)]
    found += (
        _same(each.owners, each.operations, np.ones(len(each.owners), np.int64))
        for each in replays(listed, some, at_once)
    )
    # A run may go on in the next piece.
    owners, operations, lengths = _same(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
    last = np.append(owners[1:] != owners[:-1], np.ones(min(1, len(owners)), np.bool_))
    kinds = _ENDED.choose(operations + len(OPERATIONS) * last)
    return rows_text([lengths, kinds], len(owners)).split(b"\n")[:-1]


def _before(amounts: Numbers, firsts: Numbers, owners: Numbers) -> Numbers:
    """The sum of the amounts before each one in its row."""
    sums = np.cumsum(amounts) - amounts
    before: Numbers = sums - sums[firsts][owners]
    return before


def _same(owners: Numbers, operations: Numbers, lengths: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Neighbours of one owner and operation together."""
    if len(owners) == 0:
        return owners, operations, lengths
    changes = (owners[1:] != owners[:-1]) | (operations[1:] != operations[:-1])
    starts = np.append(0, np.flatnonzero(changes) + 1)
    return owners[starts], operations[starts], np.add.reduceat(lengths, starts)


def _replayed(listed: Listed, runs: _Runs) -> Replayed:
    lengths = runs.lengths
    within = np.arange(int(lengths.sum()))
    starts = np.cumsum(lengths) - lengths
    query_places = np.repeat(runs.query - runs.step * starts, lengths) + np.repeat(runs.step, lengths) * within
    subject_places = np.repeat(runs.subject - starts, lengths) + within
    # A gap's place may be beyond the last letter; it shows none.
    query = listed.query.letters.take(query_places, mode="clip")
    subject = listed.subject.letters.take(subject_places, mode="clip")
    turned, kinds = np.repeat(runs.step < 0, lengths), np.repeat(runs.kinds, lengths)
    query = np.where(turned, _COMPLEMENTS[query], query)
    inserted, deleted = kinds == _INSERTED, kinds == _DELETED
    operations = np.where(_QUERY_CODES[query] == _SUBJECT_CODES[subject], 0, 1)
    operations[inserted], operations[deleted] = 2, 3
    query, subject = np.where(deleted, _GAP, query), np.where(inserted, _GAP, subject)
    owners = np.repeat(runs.owners, lengths)
    return Replayed(owners, query.astype(np.uint8), subject.astype(np.uint8), operations)
