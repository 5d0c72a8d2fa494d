"""A result checked by a sample: by the scores of its hits and of some other subjects, made anew (sampling.py).

What follows from these scores is made as a result is, and compared as a whole one is (verification.py). What only the
scores of all subjects tell is taken as the result says it (expected.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from itertools import count

import numpy as np

from shardwater.database.joined import Joined
from shardwater.search.databases import SearchedDatabase, size_of, together, without_tree
from shardwater.search.expected import Answer, Expected
from shardwater.search.expected_hits import Asked, without_alignment
from shardwater.search.merge import Certificate, QueryResult, SearchResult
from shardwater.search.parameters import Parameters
from shardwater.search.plain import plain_of
from shardwater.search.sampling import find_listed
from shardwater.search.verification import Difference, Differences, Plain, between, value_text
from shardwater.sequences.fasta import Record
from shardwater.software import software

Scores = Mapping[int, int]
"""Scores by subject."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a result is checked with: the sequences of its queries that were searched, what was asked of them, the
    databases that it was asked of, those of them that are open here, and subjects.
    """

    queries: Sequence[Record]
    parameters: Parameters
    searched: tuple[SearchedDatabase, ...]
    databases: Joined
    subjects: Sequence[int]

    def chosen(self, answer: QueryResult) -> list[int]:
        """The subjects whose scores with a query are needed, ascending: its hits that there are, and the sample."""
        hits = find_listed(self.databases, answer.hits)
        return sorted({hit for hit in hits if hit is not None}.union(self.subjects))

    def differences(self, result: SearchResult, scores: Sequence[Scores], stored: Plain | None = None) -> Differences:
        """What differs from the result, and which subjects of the sample should be among its hits.

        scores: with each query those of its chosen subjects. stored: the result as its JSON is, where that may have
        what a result has not.
        """
        # Somebody may have written any numbers.
        with np.errstate(all="ignore"):
            return Differences.of(self._between(result, scores, stored or plain_of(result)))

    def _between(self, result: SearchResult, scores: Sequence[Scores], stored: Plain) -> Iterator[Difference]:
        each_query = zip(self.queries, result.results, scores, strict=False)
        expected = [
            Answer(self._asked(number, record), answer, known).expected(self.subjects)
            for number, (record, answer, known) in enumerate(each_query, start=1)
        ]
        computed = {**plain_of(self._head(result)), "results": [each.part for each in expected]}
        # Queries that the result has no answer to are only counted.
        computed["results"] += [{}] * (len(self.queries) - len(expected))
        compared = (_reasoned(each, expected) for each in between(_judged(stored, expected), computed))
        told = [*self._in_shards(result), *(each for one in expected for each in one.told)]
        yield from merge(compared, told, key=lambda each: each.query or 0)

    def _asked(self, number: int, record: Record) -> Asked:
        return Asked(number, record, self.parameters, self.databases, without_tree(self.searched))

    def _head(self, result: SearchResult) -> SearchResult:
        """The result without answers, as this program makes it."""
        size = size_of(self.searched)
        certificate = Certificate(True, size.subjects, size.residues, self._cells(size.residues), ())
        used = together(self.searched)
        return SearchResult(result.search, used, software(), self.parameters, certificate, (), databases=self.searched)

    def _cells(self, residues: int) -> int:
        """Those of so many residues and all queries."""
        return residues * sum(len(record.residues) for record in self.queries)

    def _in_shards(self, result: SearchResult) -> Iterator[Difference]:
        """What differs in the sums of the shards' numbers, and what no shard can have counted.

        How databases were cut, and who computed, may be anything.
        """
        shards, size = result.certificate.shards, size_of(self.searched)
        sums = {"subjects": size.subjects, "residues": size.residues, "cells": self._cells(size.residues)}
        for member, should in sums.items():
            found = sum(getattr(shard, member) for shard in shards)
            if found != should:
                yield Difference(f"certificate.shards.{member}", f"{value_text(found)} in all", f"{should} in all")
        due = {each.name: count() for each in self.searched}
        for number, shard in enumerate(shards):
            # Earlier versions searched one, and do not say it.
            name = shard.database if result.databases else self.searched[0].name
            if name not in due:
                known = " or ".join(due)
                yield Difference(f"certificate.shards[{number + 1}].database", value_text(name), known)
            elif shard.index != (index := next(due[name])):
                yield Difference(f"certificate.shards[{number + 1}].index", value_text(shard.index), str(index))
            cells = self._cells(shard.residues)
            if min(shard.subjects, shard.residues) < 0 or shard.cells != cells:
                member, stored = f"certificate.shards[{number + 1}].cells", value_text(shard.cells)
                yield Difference(member, stored, value_text(max(0, cells)))


def _reasoned(difference: Difference, expected: Sequence[Expected]) -> Difference:
    """The same, with the reason where it is a hit that should not be listed."""
    if difference.member or difference.computed is not None or difference.query is None or difference.rank is None:
        return difference
    return replace(difference, computed=expected[difference.query - 1].reasons.get(difference.rank))


def _judged(stored: Plain, expected: Sequence[Expected]) -> Plain:
    """What of the stored result is compared: of alignments that are none, nothing more is told."""
    if not any(each.unsound for each in expected):
        return stored
    parts = list(stored["results"])
    for number, each in enumerate(expected):
        hits = [
            without_alignment(hit) if at in each.unsound else hit
            for at, hit in enumerate(parts[number]["hits"], start=1)
        ]
        parts[number] = {**parts[number], "hits": hits}
    return {**stored, "results": parts}
