"""A result checked by a sample: by the scores of its hits and of some other subjects, made anew (sampling.py).

What follows from these scores is made as a result is, and compared as a whole one is (verification.py). What only the
scores of all subjects tell is taken as the result says it (expected.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import merge

import numpy as np

from shardwater.database.database import Database
from shardwater.search.expected import Answer, Expected
from shardwater.search.expected_hits import Asked, without_alignment
from shardwater.search.merge import Certificate, DatabaseUsed, QueryResult, SearchResult
from shardwater.search.parameters import Parameters
from shardwater.search.plain import plain_of
from shardwater.search.sampling import find_all
from shardwater.search.verification import Difference, Differences, Plain, between, value_text
from shardwater.sequences.fasta import Record
from shardwater.software import software

Scores = Mapping[int, int]
"""Scores by subject."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a result is checked with: the sequences of its queries that were searched, what was asked of them, the
    database that it was asked of and what a result calls that, and subjects.
    """

    queries: Sequence[Record]
    parameters: Parameters
    database: Database
    used: DatabaseUsed
    subjects: Sequence[int]

    def chosen(self, answer: QueryResult) -> list[int]:
        """The subjects whose scores with a query are needed, ascending: its hits that there are, and the sample."""
        hits = find_all(self.database, [hit.accession for hit in answer.hits])
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
            Answer(Asked(number, record, self.parameters, self.database), answer, known).expected(self.subjects)
            for number, (record, answer, known) in enumerate(each_query, start=1)
        ]
        computed = {**plain_of(self._head(result)), "results": [each.part for each in expected]}
        # Queries that the result has no answer to are only counted.
        computed["results"] += [{}] * (len(self.queries) - len(expected))
        compared = (_reasoned(each, expected) for each in between(_judged(stored, expected), computed))
        told = [*self._in_shards(result.certificate), *(each for one in expected for each in one.told)]
        yield from merge(compared, told, key=lambda each: each.query or 0)

    def _head(self, result: SearchResult) -> SearchResult:
        """The result without answers, as this program makes it."""
        manifest = self.database.manifest
        certificate = Certificate(True, manifest.subjects, manifest.residues, self._cells(manifest.residues), ())
        return SearchResult(result.search, self.used, software(), self.parameters, certificate, ())

    def _cells(self, residues: int) -> int:
        """Those of so many residues and all queries."""
        return residues * sum(len(record.residues) for record in self.queries)

    def _in_shards(self, certificate: Certificate) -> Iterator[Difference]:
        """What differs in the sums of the shards' numbers, and what no shard can have counted.

        How the database was cut, and who computed, may be anything.
        """
        shards, manifest = certificate.shards, self.database.manifest
        sums = {"subjects": manifest.subjects, "residues": manifest.residues, "cells": self._cells(manifest.residues)}
        for member, should in sums.items():
            found = sum(getattr(shard, member) for shard in shards)
            if found != should:
                yield Difference(f"certificate.shards.{member}", f"{value_text(found)} in all", f"{should} in all")
        for number, shard in enumerate(shards):
            if shard.index != number:
                yield Difference(f"certificate.shards[{number + 1}].index", value_text(shard.index), str(number))
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
