"""Two lists of sequences in a folder, and their pairs by number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError, LimitExceeded
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.plural import plural
from shardwater.sequences.alphabets import Alphabet, UnknownLetter
from shardwater.sequences.named import Letters
from shardwater.sequences.stored import StoredSequences

Pairing = Literal["zip", "all"]
MOST_SHORTER = 1 << 26
"""Of a pair of which several alignments are asked for: how many, times the letters of the shorter sequence.

Each alignment may have about as many runs as that one has letters, and a worker holds them all.
"""
MOST_LETTERS = 1 << 39
"""Letters of all pairs; a sequence counts once for each of its pairs. A job has a part for each 2^25 (parts.py)."""


class UnequalLists(AlignError):
    """Pairing zip, and not as many queries as subjects."""


class TooManyAlignments(AlignError):
    """Of a pair more alignments than MOST_SHORTER allows."""


class TooManyLetters(AlignError):
    """All pairs together have more than MOST_LETTERS."""


@dataclass(frozen=True, slots=True)
class PairBounds:
    """The most that one job may have: pairs, cells of one pair, cells of all pairs."""

    max_pairs: int = 20_000_000
    max_pair_cells: int = 100_000_000_000_000
    max_alignment_cells: int = 1_000_000_000_000_000

    def check_pairs(self, pairs: int) -> None:
        """Raise LimitExceeded for more pairs than a job may have."""
        if pairs > self.max_pairs:
            raise LimitExceeded("max_pairs", self.max_pairs, pairs)


@dataclass(frozen=True)
class PairLists:
    """Queries and subjects. `zip`: pair n is the nth of both; `all`: each with each, query by query."""

    queries: StoredSequences
    subjects: StoredSequences
    pairing: Pairing

    @classmethod
    def open(cls, folder: Path, pairing: Pairing) -> Self:
        """The lists in `queries` and `subjects` of a folder. Raises DamagedSequences."""
        return cls(StoredSequences.open(folder / "queries"), StoredSequences.open(folder / "subjects"), pairing)

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.queries) * (len(self.subjects) if self.pairing == "all" else 1)

    @property
    def longest(self) -> int:
        """Letters of the longest query and of the longest subject together: no alignment has more columns."""
        return int(self.queries.lengths.max(initial=0)) + int(self.subjects.lengths.max(initial=0))

    @cached_property
    def cells(self) -> int:
        """Of all pairs."""
        if self.pairing == "all":
            return int(self.queries.lengths.sum()) * int(self.subjects.lengths.sum())
        products = self.queries.lengths * self.subjects.lengths
        # A product is in 64 bits, and their sum need not be.
        high, low = (int(each.sum()) for each in (products >> 32, products & 0xFFFFFFFF))
        return (high << 32) + low

    @property
    def shorter_letters(self) -> int:
        """Letters of the shorter sequence of each pair, summed over all pairs."""
        queries, subjects = self.queries.lengths, self.subjects.lengths
        if self.pairing == "zip":
            return int(np.minimum(queries, subjects).sum())
        subjects = np.sort(subjects)
        # Of each query: all of the subjects that are no longer, and its own letters for each of the others.
        shorter = np.searchsorted(subjects, queries)
        sums = np.concatenate((np.zeros(1, np.int64), np.cumsum(subjects)))
        return int((sums[shorter] + queries * (len(subjects) - shorter)).sum())

    @property
    def _all_letters(self) -> int:
        """Letters of all pairs; a sequence counts once for each of its pairs."""
        queries, subjects = int(self.queries.lengths.sum()), int(self.subjects.lengths.sum())
        if self.pairing == "zip":
            return queries + subjects
        return queries * len(self.subjects) + subjects * len(self.queries)

    def check(self, bounds: PairBounds, best: int = 1) -> None:
        """Raise UnequalLists, TooManyLetters, TooManyAlignments or LimitExceeded, for a pair of too many cells with the
        number of its query from 1.

        best: alignments of each pair that are asked for: each counts as a pair.
        """
        queries, subjects = self.queries.lengths, self.subjects.lengths
        if self.pairing == "zip" and len(queries) != len(subjects):
            told = plural(len(queries), "query", "queries"), plural(len(subjects), "subject")
            raise UnequalLists(
                f"{told[0]} and {told[1]}: pairs of first with first (pairing zip) need as many of one as of the other"
            )
        bounds.check_pairs(best * len(self))
        # As floats: two lengths may be more than an integer of 64 bits holds.
        longest = subjects if self.pairing == "zip" else np.full(len(queries), subjects.max(initial=0))
        products = queries.astype(np.float64) * longest
        if (over := products > bounds.max_pair_cells).any():
            first = int(over.argmax())
            raise LimitExceeded("max_pair_cells", bounds.max_pair_cells, int(products[first]), first + 1)
        if (letters := self._all_letters) > MOST_LETTERS:
            raise TooManyLetters(
                f"all pairs together have {letters:,} letters (a sequence counts once for each of its pairs). A job "
                f"may have {MOST_LETTERS:,}: submit several jobs"
            )
        if self.cells > bounds.max_alignment_cells:
            raise LimitExceeded("max_alignment_cells", bounds.max_alignment_cells, self.cells)
        shorter = int(np.minimum(queries, longest).max(initial=0))
        if best > 1 and best * shorter > MOST_SHORTER:
            raise TooManyAlignments(
                f"{best} alignments of a pair whose shorter sequence has {shorter:,} letters: the product is at most "
                f"{MOST_SHORTER:,}"
            )

    def lengths(self, pairs: range) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The letters of these pairs' queries, and of their subjects."""
        return self.lengths_of(np.arange(pairs.start, pairs.stop))

    def lengths_of(self, numbers: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The same of pairs by their numbers."""
        of_queries, of_subjects = numbers, numbers
        if self.pairing == "all":
            of_queries, of_subjects = np.divmod(numbers, len(self.subjects))
        return self.queries.lengths[of_queries], self.subjects.lengths[of_subjects]

    def places(self, numbers: range) -> tuple[Sequence[int], Sequence[int]]:
        """The numbers of these pairs' queries, and of their subjects."""
        if self.pairing == "zip":
            return numbers, numbers
        queries, subjects = np.divmod(np.arange(numbers.start, numbers.stop), len(self.subjects))
        return queries.tolist(), subjects.tolist()

    def letters(self, numbers: range) -> PairBatch:
        """The letters of these pairs, as they were written."""
        queries, subjects = self.places(numbers)
        return PairBatch(_letters(self.queries, queries), _letters(self.subjects, subjects))

    def batch(self, numbers: range, alphabet: Alphabet) -> PairBatch:
        """The codes of these pairs; raises UnknownLetter."""
        letters, places = self.letters(numbers), self.places(numbers)
        queries = _codes(letters.queries, alphabet, self.queries, places[0])
        return PairBatch(queries, _codes(letters.subjects, alphabet, self.subjects, places[1]))

    def check_stored(self, numbers: range) -> None:
        """Raise DamagedSequences where letters or names of these pairs are missing or damaged."""
        for sequences, places in zip((self.queries, self.subjects), self.places(numbers), strict=True):
            if len(places):
                sequences.check(range(min(places), max(places) + 1))

    def pairs(self, numbers: range) -> Iterator[tuple[Letters, Letters]]:
        """The pairs of these numbers."""
        if self.pairing == "zip":
            for number in numbers:
                yield self.queries[number], self.subjects[number]
            return
        query, of_query = None, -1
        for number in numbers:
            row, column = divmod(number, len(self.subjects))
            if query is None or row != of_query:
                query, of_query = self.queries[row], row
            yield query, self.subjects[column]


def _letters(sequences: StoredSequences, numbers: Sequence[int]) -> Joined:
    """Some sequences, one after another."""
    if isinstance(numbers, range):
        offsets = sequences.ends(numbers)
        return Joined(sequences.letters[offsets[0] : offsets[-1]], offsets - offsets[0])
    if len(numbers) == 1:
        # No copy: it may be long, and few of its letters wanted.
        return _letters(sequences, range(numbers[0], numbers[0] + 1))
    places = np.asarray(numbers, np.int64)
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(sequences.lengths[places])))
    begins, ends = sequences.offsets[places].tolist(), sequences.offsets[places + 1].tolist()
    # One by one: an index of each letter would take sixteen times the letters' memory.
    parts = [sequences.letters[begin:end] for begin, end in zip(begins, ends, strict=True)]
    return Joined(np.concatenate([np.zeros(0, np.uint8), *parts]), offsets)


def _codes(letters: Joined, alphabet: Alphabet, sequences: StoredSequences, numbers: Sequence[int]) -> Joined:
    try:
        return Joined(alphabet.encode(letters.codes.tobytes()), letters.offsets)
    except UnknownLetter as error:
        place = int(np.searchsorted(letters.offsets, error.column - 1, side="right")) - 1
        [name] = sequences.names([numbers[place]])
        column = error.column - int(letters.offsets[place])
        raise UnknownLetter(error.alphabet, error.letter, column, f"sequence {name}") from None
