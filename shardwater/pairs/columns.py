"""What was found of many pairs, in columns: alignments are made of it only where somebody asks for them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Literal, Self, overload

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment, Run
from shardwater.errors import EngineError
from shardwater.pairs.batch import Numbers
from shardwater.pairs.coded import Report

Way = Literal["batch", "long", "cpu"]
"""How a pair is computed: with many others on a GPU; by all of a GPU, strip by strip; on a CPU."""
RUN_KINDS = " MID"
"""By number: a match or mismatch, an insertion, a deletion."""
_KIND_NUMBERS = np.zeros(256, np.int32)
_KIND_NUMBERS[list(RUN_KINDS.encode("ascii"))] = range(len(RUN_KINDS))
KIND_BITS = 2
"""Of the word of a run: its kind; above it stands its length."""
LONGEST_RUN = (1 << 31 - KIND_BITS) - 1
"""Letters of a run: a word has 32 bits, the first of them for the sign."""
_PLACES = ("query_start", "query_end", "subject_start", "subject_end")


@dataclass(frozen=True, slots=True, eq=False)
class Columns(Sequence[tuple[int, Alignment | None]]):
    """A row for each alignment; as a sequence, the number of its pair and itself, None where a local one has no score.

    A pair has one row, or several that follow each other, the best first. numbers and cells: of the rows' pairs, the
    cells in the first row of each; places (rows, 4): where the query's part begins and ends, and the subject's; the
    runs of a row are the words of `runs` from its first to before its last. ahead: cells that were computed for pairs
    that are not answered yet, since it was last told. way: how the pairs were computed.
    """

    local: bool
    numbers: Numbers
    cells: Numbers
    scores: npt.NDArray[np.integer]
    places: npt.NDArray[np.integer]
    firsts: npt.NDArray[np.integer]
    lasts: npt.NDArray[np.integer]
    runs: npt.NDArray[np.int32]
    ahead: int = 0
    way: Way = "batch"

    @classmethod
    def scored(cls, local: bool, numbers: Numbers, cells: Numbers, scores: npt.NDArray[np.integer]) -> Self:
        """Scores alone: places are 0, and there are no runs."""
        # One zero, wherever it is looked for.
        zeros = np.broadcast_to(np.int64(0), (len(numbers), len(_PLACES)))
        return cls(local, numbers, cells, scores, zeros, zeros[:, 0], zeros[:, 0], np.zeros(0, np.int32))

    @classmethod
    def nothing(cls, local: bool, ahead: int = 0) -> Self:
        """No pair, and so many cells of pairs that are not answered yet."""
        return replace(cls.scored(local, *(np.zeros(0, np.int64),) * 3), ahead=ahead)

    @classmethod
    def of(cls, answers: Sequence[tuple[int, Alignment | None]], lengths: Numbers, local: bool) -> Self:
        """The same of answers; lengths (2, pairs) of the queries and subjects that they are numbers of.

        Raises OverflowError for a run of more than LONGEST_RUN letters.
        """
        numbers = np.fromiter((number for number, _ in answers), np.int64, len(answers))
        found = [each or Alignment.scored(0) for _, each in answers]
        places = np.array([[getattr(each, name) for name in _PLACES] for each in found], np.int64)
        lasts = np.cumsum([len(each.runs) for each in found], dtype=np.int64)
        firsts = np.concatenate((np.zeros(1, np.int64), lasts))[: len(lasts)]
        runs = [run for each in found for run in each.runs]
        kinds = _KIND_NUMBERS[np.frombuffer("".join([run.kind for run in runs]).encode("ascii"), np.uint8)]
        words = run_words(kinds, np.array([run.length for run in runs], np.int64))
        scores = np.array([each.score for each in found], np.int64)
        cells = np.where(_begins(numbers), np.multiply(*lengths[:, numbers]), 0)
        places = places.reshape(-1, len(_PLACES))
        return cls(local, numbers, cells, scores, places, firsts, lasts, words)

    @classmethod
    def joined(cls, local: bool, parts: Sequence["Columns"]) -> "Columns":
        """All rows of several."""
        parts = [cls.nothing(local), *parts]
        befores = np.cumsum([0, *(len(part.runs) for part in parts)])
        shifted = [
            replace(part, firsts=part.firsts + before, lasts=part.lasts + before)
            for part, before in zip(parts, befores[:-1], strict=True)
        ]
        names = [field.name for field in fields(cls) if field.name not in ("local", "ahead", "way")]
        every: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in shifted]) for name in names}
        return replace(shifted[0], **every, ahead=0)

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def begins(self) -> npt.NDArray[np.bool_]:
        """Which rows are the first of their pair."""
        return _begins(self.numbers)

    @property
    def pairs(self) -> int:
        """How many pairs have rows."""
        return int(np.count_nonzero(self.begins))

    @property
    def counts(self) -> npt.NDArray[np.integer]:
        """How many rows each pair has."""
        return np.diff(np.flatnonzero(np.append(self.begins, True)))

    @property
    def ranks(self) -> Numbers:
        """Which alignment of its pair each row is, from 1."""
        rows = np.arange(len(self))
        return 1 + rows - np.maximum.accumulate(np.where(self.begins, rows, 0))

    @property
    def found(self) -> npt.NDArray[np.bool_]:
        """Where there is an alignment."""
        return np.ones(len(self), np.bool_) if not self.local else self.scores != 0

    @property
    def row_runs(self) -> npt.NDArray[np.int32]:
        """The runs of the first row, then those of the second, and so on, and nobody's."""
        counts = self.lasts - self.firsts
        before = np.cumsum(counts) - counts
        runs: npt.NDArray[np.int32] = self.runs[np.repeat(self.firsts - before, counts) + np.arange(counts.sum())]
        return runs

    @overload
    def __getitem__(self, row: int) -> tuple[int, Alignment | None]: ...
    @overload
    def __getitem__(self, row: slice) -> "Columns": ...
    def __getitem__(self, row: int | slice) -> "tuple[int, Alignment | None] | Columns":
        if isinstance(row, slice):
            return self.select(row)
        place = range(len(self))[row]
        return next(iter(self.select(slice(place, place + 1))))

    def __iter__(self) -> Iterator[tuple[int, Alignment | None]]:
        columns = (self.numbers, self.scores, self.places, self.firsts, self.lasts)
        rows: Iterator[Any] = zip(*(each.tolist() for each in columns), strict=True)
        for number, score, (query_start, query_end, subject_start, subject_end), first, last in rows:
            if self.local and score == 0:
                yield number, None
            else:
                runs = tuple(map(_run, self.runs[first:last].tolist()))
                yield number, Alignment(score, query_start, query_end, subject_start, subject_end, runs)

    def select(self, rows: slice | npt.NDArray[Any]) -> "Columns":
        """Some rows, by their places or by what is true of those wanted."""
        chosen = {name: getattr(self, name)[rows] for name in ("numbers", "cells", "scores", "places")}
        return replace(self, **chosen, firsts=self.firsts[rows], lasts=self.lasts[rows])

    def of_each(self, pairs: int) -> "Columns":
        """A row for each of so many pairs, in their order; of one that has none here a row without an alignment.

        Raises EngineError for a row of any other pair, and for two of one.
        """
        if len(np.intersect1d(self.numbers, np.arange(pairs))) != len(self):
            raise EngineError("an answer for a pair that was not asked for, or two for one")
        empty = np.zeros(pairs, np.int64)
        every = self.joined(self.local, [self.scored(self.local, np.arange(pairs), empty, empty), self])
        rows = empty.copy()
        rows[every.numbers] = np.arange(len(every))
        return every.select(rows)

    def numbered(self, numbers: Numbers) -> "Columns":
        """The same of pairs that are counted otherwise, by the numbers that they have there."""
        return replace(self, numbers=numbers[self.numbers])

    def told(self, report: Report) -> "Columns":
        """What is told of it where no more is wanted."""
        if report == "alignment":
            return self
        scored = Columns.scored(self.local, self.numbers, self.cells, self.scores)
        scored = replace(scored, ahead=self.ahead, way=self.way)
        return scored if report == "score" else replace(scored, places=self.places)


class Progress:
    """Progress without counting a cell twice: an engine may tell cells ahead of the answers that they belong to."""

    def __init__(self) -> None:
        self._ahead = 0

    def since(self, part: Columns) -> int:
        """The cells of a part that were not told before."""
        cells = int(part.cells.sum())
        news = part.ahead + max(0, cells - self._ahead)
        self._ahead = max(0, self._ahead - cells) + part.ahead
        return news


def alignments_of(parts: Iterable[Columns]) -> list[Alignment | None]:
    """Of some answers for all pairs, the best alignment of each, by their numbers."""
    found = dict(answer for part in parts for answer in part)
    return [found[number] for number in range(len(found))]


def _begins(numbers: Numbers) -> npt.NDArray[np.bool_]:
    begins: npt.NDArray[np.bool_] = np.diff(numbers, prepend=-1) != 0
    return begins


def joined_runs(parts: Sequence[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    """The runs of all parts of an alignment, where neighbours of one kind are one run.

    Raises OverflowError for one of more than LONGEST_RUN letters.
    """
    runs = np.concatenate([np.zeros(0, np.int32), *parts])
    if len(runs) == 0:
        return runs
    kinds, lengths = runs & (1 << KIND_BITS) - 1, runs >> KIND_BITS
    first = np.flatnonzero(np.diff(kinds, prepend=-1))
    return run_words(kinds[first], np.add.reduceat(lengths, first, dtype=np.int64))


def run_words(kinds: npt.NDArray[np.int32] | int, lengths: Numbers) -> npt.NDArray[np.int32]:
    """The words of runs of these kinds, or all of one kind, and these lengths.

    Raises OverflowError for one of more than LONGEST_RUN letters: its word would be that of another run.
    """
    if len(lengths) and lengths.max() > LONGEST_RUN:
        raise OverflowError(f"a run of {lengths.max():,} letters: one has at most {LONGEST_RUN:,}")
    words: npt.NDArray[np.int32] = kinds | lengths.astype(np.int32) << KIND_BITS
    return words


@lru_cache(maxsize=1 << 14)
def _run(word: int) -> Run:
    # Most alignments are made of the same few runs: looking one up costs a tenth of making it.
    return Run(RUN_KINDS[word % (1 << KIND_BITS)], word >> KIND_BITS)
