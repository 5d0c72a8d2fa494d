"""Searches in rounds that go together: each round of all of them is one pass over the databases.

Each search finds what it would find alone. One that has ended leaves the others; where there are more databases it goes
on to them once, with the profile of what it has found.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from shardwater.profiles.iterated import Iterated, ended
from shardwater.search.databases import SearchedDatabase
from shardwater.search.hits import ShardResult
from shardwater.search.merge import Searched, SearchResult
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch
from shardwater.sequences.fasta import Record

T = TypeVar("T")
Find = Callable[[int, list[ShardSearch]], Sequence[Sequence[ShardResult]]]
"""What a stage's shards have for each of several searches: of each search a list, by shard."""


@dataclass(slots=True)
class _One(Generic[T]):
    """A search on its way: where it is, and what is kept of its results so far."""

    now: Iterated
    kept: list[T] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Together(Generic[T]):
    """How several queries are searched for, each of them alone.

    stages: the databases that are searched in rounds, and those that are searched once after them, if there are any.
    find: searches a stage's databases, from 0. keep: what is kept of a query's result in a stage, which comes with what
    was searched for in its last round. name: stands for the searches' ids.
    """

    stages: Sequence[Sequence[SearchedDatabase]]
    parameters: Parameters
    find: Find
    keep: Callable[[int, Searched, SearchResult], T]
    name: str

    def searched(self, queries: Sequence[Record]) -> list[list[T]]:
        """What is kept for each query, by stage. Raises what assemble does."""
        searches = [_One[T](Iterated.first([query])) for query in queries]
        for stage in range(len(self.stages)):
            waiting = searches
            while waiting:
                found = self.find(stage, [one.now.asked(self.parameters) for one in waiting])
                for one, shards in zip(waiting, found, strict=True):
                    self._go_on(one, stage, shards)
                waiting = [one for one in waiting if len(one.kept) == stage]
        return [one.kept for one in searches]

    def _go_on(self, one: _One[T], stage: int, shards: Sequence[ShardResult]) -> None:
        searched = Searched(self.name, tuple(self.stages[stage]), self.parameters, one.now.records)
        one.now, result = ended(one.now, searched, shards)
        if result is None:
            return
        one.kept.append(self.keep(stage, searched, result))
        if stage + 1 < len(self.stages):
            one.now = one.now.in_next_stage(result, self.parameters)
