"""Members of hits' clusters, which were not searched: chosen, aligned with the query after the last round, and judged
as hits are.

Which are chosen follows from the hits alone, so that neither shards nor engines show. Each is aligned exactly, with
the profile that the last round has searched with.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from shardwater.database.database import Database
from shardwater.database.joined import Joined, Part
from shardwater.database.members import Clusters, Members
from shardwater.engines.engine import Engine, Pair
from shardwater.errors import EngineError
from shardwater.pairs.columns import Columns
from shardwater.ranges import ranges_of
from shardwater.scoring.scoring import Scoring
from shardwater.search.adjusting import Judged, adjust, place_of
from shardwater.search.aligning import align_each
from shardwater.search.databases import firsts_of
from shardwater.search.judging import Judge
from shardwater.search.merge import Hit, Searched, SearchResult, hit_of
from shardwater.search.parameters import Parameters
from shardwater.search.step import Steps
from shardwater.search.traced import Traced, written_hits
from shardwater.sequences.fasta import Record
from shardwater.statistics.evalue import Statistics

TOGETHER = 10_000
"""Members that are aligned at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The clusters whose members are aligned, by database; left_out: members of hits for which there is no room."""

    clusters: tuple[Clusters, ...]
    left_out: int

    @classmethod
    def of(cls, databases: Sequence[Database], hits: Sequence[Hit], most: int) -> Self:
        """The members of hits that come first, so that no more than `most` rows can come of all.

        Of the last cluster that has room the longest ones. databases: those of the search, in their order.
        """
        subjects = np.array([hit.subject for hit in hits], np.int64)
        own = [np.flatnonzero((subjects >= part.first) & (subjects < part.subjects.stop)) for part in _parts(databases)]
        clusters = [
            part.database.clusters_of((subjects[places] - part.first).tolist())
            for part, places in zip(_parts(databases), own, strict=True)
        ]
        counts = np.zeros(len(hits), np.int64)
        for places, each in zip(own, clusters, strict=True):
            counts[places] = each.counts
        room = most - len(hits) - (np.cumsum(counts) - counts)
        taken = np.clip(room, 0, counts)
        kept = [each.longest(taken[places]) for places, each in zip(own, clusters, strict=True)]
        return cls(tuple(each.where(each.counts > 0) for each in kept), int((counts - taken).sum()))

    @property
    def members(self) -> int:
        """How many are aligned."""
        return sum(int(each.counts.sum()) for each in self.clusters)


def _parts(databases: Sequence[Database]) -> Sequence[Part]:
    return Joined.of(databases).parts


def trace_members(engine: Engine, members: Members, record: Record, scoring: Scoring) -> Steps[Traced]:
    """The best alignment of each with a query; raises EngineError where the engine does not answer for each."""
    # An empty part, so that there is one.
    traced = [Traced.of_members(members.numbers[:0], Columns.nothing(True))]
    for some in ranges_of(len(members), TOGETHER):
        pairs = [Pair(record.residues, letters, record.pssm) for letters in members.sequences(some)]
        paths = yield from align_each(engine, pairs, scoring, len(some) / len(members))
        if (found := np.count_nonzero(paths.cells)) != len(some):
            raise EngineError(f"{found} of {len(some)} members were aligned")
        traced.append(Traced.of_members(members.numbers[some], paths))
    return Traced.joined(traced)


@dataclass(frozen=True, slots=True, eq=False)
class TracedMembers:
    """Members of a database's clusters, and what a shard has found for them; database: its place among those searched,
    from 0.
    """

    database: int
    members: Members
    traced: Traced


@dataclass(frozen=True, slots=True)
class MembersReport:
    """What became of members of hits' clusters, which no search has looked at.

    aligned: with the query; rows: of these, those whose E-value is within the limit; left_out: not aligned, since with
    them there might be more rows than were asked for.
    """

    aligned: int
    rows: int
    left_out: int


@dataclass(frozen=True, slots=True)
class MemberHits:
    """Members that are hits, by the subject that represents them (its number among all), the best first."""

    hits: Mapping[int, Sequence[Hit]]
    report: MembersReport

    @classmethod
    def of(cls, searched: Searched, result: SearchResult, found: Sequence[TracedMembers], left_out: int) -> Self:
        """Members judged by the statistics of the query that this result of the last round is of.

        searched: with the query as that has searched for it. Raises EngineError for what is no alignment of a member.
        """
        [record], parameters = searched.queries, result.parameters
        [one] = result.results
        space = parameters.space(len(record.residues), searched.size.residues, searched.size.subjects)
        statistics = Judge.by(parameters, space, one.statistics.fit, "").statistics
        firsts, by_subject = firsts_of(searched.databases), defaultdict[int, list[Judged]](list)
        for part in found:
            for judged in _judged(part, record, parameters, statistics):
                place = judged.hit.subject
                subject = firsts[part.database] + int(part.members.subjects[place])
                number = int(part.members.numbers[place])
                by_subject[subject].append(judged._replace(hit=replace(judged.hit, subject=number)))
        hits = {}
        for subject, members in by_subject.items():
            members.sort(key=lambda each: place_of(parameters, each))
            name = searched.name_of(subject)
            hits[subject] = [hit_of(0, each, one.query, None, name) for each in members]
        aligned, rows = (sum(map(len, each)) for each in ((part.members for part in found), hits.values()))
        return cls(hits, MembersReport(aligned, rows, left_out))


def _judged(part: TracedMembers, record: Record, parameters: Parameters, statistics: Statistics) -> list[Judged]:
    """Those that are within the limits; the subjects of hits are their places among the members."""
    members, traced = part.members, part.traced
    if not np.array_equal(traced.subjects, members.numbers):
        raise EngineError("other members were aligned than those that were chosen")
    of_places = replace(traced, subjects=np.arange(len(members)))
    hits = [hit for hit in written_hits(of_places, members, record, parameters) if hit.hsps]
    figures = statistics.figures([hit.score for hit in hits], [hit.length for hit in hits])
    judged = map(Judged, hits, figures)
    admitted = [each for each in judged if parameters.admit(each.figures.bits, each.figures.evalue)]
    kept, _ = adjust(admitted, parameters, statistics)
    return kept
