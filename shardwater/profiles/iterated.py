"""A search in rounds: its queries become profiles of what the round before has found (iteration.py).

Whoever searches asks for the records of the round, and goes on with what it has found; what is found last is the
result. All queries of a search go through the same rounds: one that has nothing new to find keeps its profile.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from shardwater.formats.pssms.saved import Percentages, SavedPssm, Shares, percentages
from shardwater.profiles.building import Profile
from shardwater.profiles.iteration import Round, included, next_profile
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import ShardResult
from shardwater.search.merge import Hit, NarrowShortlist, Searched, SearchResult, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.rounds import RoundReport
from shardwater.search.search import ShardSearch
from shardwater.sequences.fasta import Record
from shardwater.statistics.background import background

MOST_INCLUDED = 10_000
"""Subjects that a profile is made of, at most."""
MOST_TOGETHER = 200_000
"""Those of all queries together, and their alignments: what the hits of a round may take of memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """What a profile was made of, as SavedPssm has it, in the digits that files of rounds keep.

    So what is written of it is the same here and through a server.
    """

    expected: Shares
    observed: Percentages
    weight: Shares

    @classmethod
    def of(cls, profile: Profile) -> Self:
        """What this one was made of."""
        expected, weight = (
            each.astype(np.float32).astype(np.float64) for each in (profile.ratios * background(), profile.weight)
        )
        return cls(expected, percentages(profile.frequencies), weight)


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A query as it is searched in a round: its rounds until then, and what its profile was made of, if it has one."""

    query: Record
    rounds: tuple[Round, ...] = ()
    made: Made | None = None

    @property
    def converged(self) -> bool:
        """Whether another round would find nothing new."""
        return bool(self.rounds) and self.rounds[-1].converged

    def after(self, round_: Round) -> "Turn":
        """The same after a round, with the profile that it was searched with."""
        return replace(self, rounds=(*self.rounds, round_))

    def profiled(self, hits: Sequence[Hit], scoring: Scoring) -> "Turn":
        """The same with a profile of the query and these hits, the best first; raises what next_profile does."""
        profile = next_profile(self.query, hits, scoring)
        return replace(self, query=replace(self.query, pssm=profile.pssm), made=Made.of(profile))

    def saved(self, scoring: Scoring) -> SavedPssm | None:
        """Its profile; None where it is searched with a matrix."""
        if self.query.pssm is None:
            return None
        saved = SavedPssm(self.query, scoring.matrix, scoring.gap_open, scoring.gap_extend)
        if self.made is None:
            return saved
        return replace(saved, expected=self.made.expected, observed=self.made.observed, weight=self.made.weight)


@dataclass(frozen=True, slots=True, eq=False)
class Iterated:
    """The queries of a search as they are searched in a round; any_line: as ShardSearch has it.

    stage: 0 in the rounds that make profiles; 1 where other databases are searched with what these have made.
    """

    turns: tuple[Turn, ...]
    any_line: bool = False
    stage: int = 0

    @classmethod
    def first(cls, queries: Sequence[Record]) -> Self:
        """Before the first round."""
        return cls(tuple(map(Turn, queries)))

    @property
    def number(self) -> int:
        """That of the round, from 1."""
        return 1 + max((len(turn.rounds) for turn in self.turns), default=0)

    @property
    def records(self) -> list[Record]:
        """What is searched for."""
        return [turn.query for turn in self.turns]

    def asked(self, parameters: Parameters) -> ShardSearch:
        """What is asked of a shard, where the search asks for this in the end."""
        return ShardSearch(self.records, for_shards(parameters, len(self.turns)), self.any_line)

    def after(self, found: SearchResult, parameters: Parameters) -> "Iterated":
        """After a round that has found this."""
        return Iterated(
            tuple(
                turn if turn.converged else _after(turn, number, found, parameters)
                for number, turn in enumerate(self.turns)
            )
        )

    def in_next_stage(self, result: SearchResult, parameters: Parameters) -> "Iterated":
        """The one round on other databases: with profiles of what the result of the last round includes."""
        each = zip(self.turns, result.results, strict=True)
        turns = (_profiled(turn, one.hits, parameters) for turn, one in each)
        return Iterated(tuple(replace(turn, rounds=()) for turn in turns), stage=1)

    def is_over(self, parameters: Parameters) -> bool:
        """Whether no round follows: none is asked for, or none would find more."""
        return self.number > parameters.iterations or all(turn.converged for turn in self.turns)

    def reported(self, result: SearchResult) -> SearchResult:
        """The result of the last round, with what all rounds have found."""
        each = zip(result.results, self.turns, strict=True)
        told = tuple(replace(one, rounds=tuple(map(_report, turn.rounds))) for one, turn in each)
        return replace(result, results=told)


def _after(turn: Turn, number: int, found: SearchResult, parameters: Parameters) -> Turn:
    entering = included(found.results[number].hits, parameters.inclusion_evalue)
    round_ = Round.of(entering, turn.rounds[-1] if turn.rounds else None)
    if round_.converged or round_.number == parameters.iterations:
        return turn.after(round_)
    return _profiled(turn.after(round_), entering, parameters)


def _profiled(turn: Turn, hits: Sequence[Hit], parameters: Parameters) -> Turn:
    """A query with a profile of these hits, as far as they may be included; as it is where none may."""
    entering = included(hits, parameters.inclusion_evalue)
    return turn.profiled(entering, parameters.scoring) if entering else turn


def _report(round_: Round) -> RoundReport:
    return RoundReport(round_.number, len(round_.included), len(round_.kept), round_.new, round_.lost)


def ended(now: Iterated, searched: Searched, shards: Sequence[ShardResult]) -> tuple[Iterated, SearchResult | None]:
    """What follows of what shards have found in a round, and the result if it was the last one.

    Where the shards have chosen by another line, the round is made again. searched: the search, with what was asked for
    in the end. Raises what assemble does.
    """
    asked, searched = searched.parameters, replace(searched, queries=now.records)
    if now.stage:
        asked = replace(asked, iterations=1)
    likely = replace(for_shards(asked, len(now.turns)), evalue=asked.inclusion_evalue)
    try:
        found = assemble(replace(searched, parameters=likely), shards)
        after = now.after(found, asked)
        if not after.is_over(asked):
            return after, None
        # As ColabFold asks for it: what is reported is what is included.
        return after, after.reported(found if likely == searched.parameters else assemble(searched, shards))
    except NarrowShortlist:
        if now.any_line:
            raise
        return replace(now, any_line=True), None


def for_shards(asked: Parameters, queries: int) -> Parameters:
    """What shards are asked for in a round: all that will be reported if it is the last one, and all for a profile."""
    most = max(asked.max_target_seqs, min(MOST_INCLUDED, MOST_TOGETHER // (max(1, queries) * asked.max_hsps)))
    return replace(
        asked,
        max_target_seqs=most,
        alignments=most,
        evalue=max(asked.evalue, asked.inclusion_evalue),
        min_bits=None,
        min_identity=None,
        min_query_coverage=None,
    )


def in_rounds(
    searched: Searched, parameters: Parameters, find: Callable[[ShardSearch], Sequence[ShardResult]]
) -> tuple[Iterated, SearchResult]:
    """All rounds of a search, and its result. find: what all shards have for a round, of a database of one shard.

    parameters: those of the search, with what it is judged by.
    """
    now = Iterated.first(searched.queries)
    while True:
        after, result = ended(now, searched, find(now.asked(parameters)))
        if result is not None:
            return after, result
        now = after
