"""Many aligned pairs of stored lists: one by one, or what is told of them by columns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any

import numpy as np

from shardwater.alignment.scheme import Scheme
from shardwater.pairs.align import FoundPair
from shardwater.pairs.aligned import AlignedPair, Strand
from shardwater.pairs.engine import Report
from shardwater.pairs.lists import PairLists
from shardwater.pairs.stored import Answers

MEMBERS = tuple(field.name for field in fields(AlignedPair))
Told = dict[str, list[Any]]
"""What is told of some pairs, as AlignedPair has it: a list of values for each member."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundPart(Iterable[FoundPair]):
    """The answers of consecutive pairs of two lists."""

    lists: PairLists
    numbers: range
    answers: Answers
    scheme: Scheme
    report: Report

    def __iter__(self) -> Iterator[FoundPair]:
        pairs = self.lists.pairs(self.numbers)
        rows = zip(pairs, self.answers.columns, self.answers.reverse.tolist(), strict=True)
        for (query, subject), (_, found), turned in rows:
            strand: Strand = "-" if turned else "+"
            yield FoundPair(query, subject, found, strand, self.scheme, self.report)

    @property
    def told(self) -> Told:
        """What is told of all of them."""
        if self.report == "alignment":
            return told_one_by_one(self)
        queries, subjects = self.lists.places(self.numbers)
        columns, turned = self.answers.columns, self.answers.reverse
        known: Told = {
            "query": self.lists.queries.names(queries),
            "subject": self.lists.subjects.names(subjects),
            "score": [self._shown(score) for score in columns.scores.tolist()],
            "strand": np.where(turned, "-", "+").tolist(),
        }
        if self.report == "ends":
            first, last, subject_first, subject_last = columns.places.T.astype(np.int64)
            whole = self.lists.queries.lengths[np.asarray(queries, np.int64)]
            first, last = np.where(turned, whole - last, first), np.where(turned, whole - first, last)
            ends = {
                "query_from": first + 1,
                "query_to": last,
                "subject_from": subject_first + 1,
                "subject_to": subject_last,
            }
            known |= {name: _where_found(columns.found, each) for name, each in ends.items()}
        nothing = [None] * len(self.numbers)
        return {name: known.get(name, nothing) for name in MEMBERS}

    def _shown(self, score: int) -> int | float:
        # 0 as it is where there is no alignment.
        return self.scheme.shown(score) if score or not self.scheme.mode.local else 0


class FoundParts(Iterable[FoundPair]):
    """The pairs of several parts, which are made as they are asked for."""

    def __init__(self, parts: Iterable[FoundPart]) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[FoundPair]:
        return chain.from_iterable(self._parts)

    @property
    def told(self) -> Iterator[Told]:
        """What is told of all, part by part."""
        return (part.told for part in self._parts)


def told_of(pairs: Iterable[FoundPair]) -> Iterator[Told]:
    """What is told of pairs, of as many together as are there together."""
    if isinstance(pairs, FoundParts):
        return pairs.told
    return (told_one_by_one([pair]) for pair in pairs)


def told_one_by_one(pairs: Iterable[FoundPair]) -> Told:
    """What is told of some pairs, each asked for itself."""
    told = [pair.told for pair in pairs]
    return {name: [getattr(each, name) for each in told] for name in MEMBERS}


def _where_found(found: Any, numbers: Any) -> list[int | None]:
    if found.all():
        return list(numbers.tolist())
    return [number if there else None for there, number in zip(found.tolist(), numbers.tolist(), strict=True)]
