"""Aligned pairs of stored lists: one by one, or by columns as told.py makes them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from shardwater.alignment.scheme import Scheme
from shardwater.pairs.align import FoundPair, found_pairs
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import Report
from shardwater.pairs.stored import Answers
from shardwater.pairs.told import Told, ToldPairs

if TYPE_CHECKING:
    from shardwater.pairs.lists import PairLists


@dataclass(frozen=True, slots=True, eq=False)
class FoundPart(Iterable[FoundPair]):
    """The answers of consecutive pairs of two lists."""

    lists: "PairLists"
    numbers: range
    answers: Answers
    scheme: Scheme
    report: Report

    def __iter__(self) -> Iterator[FoundPair]:
        return found_pairs(self.lists.pairs(self.numbers), self.together)

    def only(self, numbers: range) -> "FoundPart":
        """Those of its pairs that are among these numbers."""
        first = max(self.numbers.start, numbers.start)
        wanted = range(first, max(first, min(self.numbers.stop, numbers.stop)))
        columns, before = self.answers.columns, first - self.numbers.start
        rows = (columns.numbers >= before) & (columns.numbers < before + len(wanted))
        kept = columns.select(rows).numbered(np.arange(len(self.numbers)) - before)
        return replace(self, numbers=wanted, answers=Answers(kept, self.answers.reverse[rows]))

    @property
    def told(self) -> Told:
        """All of them by columns. Raises EngineError where an alignment is not worth its score."""
        return self.together.all

    @property
    def together(self) -> ToldPairs:
        """All of them, none looked at yet."""
        queries, subjects = self.lists.places(self.numbers)
        names = self.lists.queries.names(queries), self.lists.subjects.names(subjects)
        # A score needs no letters, which may be many.
        letters = PairBatch.of([]) if self.report == "score" else self.lists.letters(self.numbers)
        return ToldPairs(*names, letters, self.answers.columns, self.answers.reverse, self.scheme, self.report)


class FoundParts(Iterable[FoundPair]):
    """The pairs of several parts; a part is read when it is reached."""

    def __init__(self, parts: Iterable[FoundPart]) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[FoundPair]:
        return chain.from_iterable(self._parts)

    @property
    def told(self) -> Iterator[Told]:
        """All of them by columns, part by part."""
        return (part.told for part in self._parts)


def told_of(pairs: Iterable[FoundPair]) -> Iterator[Told]:
    """Pairs by columns: those of a part together, others one by one."""
    if isinstance(pairs, FoundParts):
        return pairs.told
    return ({name: values[pair.row : pair.row + 1] for name, values in pair.together.all.items()} for pair in pairs)
