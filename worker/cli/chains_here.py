"""MSAs of chains that an engine of this process makes, many of them in one pass over the databases."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from gpu import open_engine
from shardwater.database.database import Shard
from shardwater.engines.engine import Engine
from shardwater.msa.built import BuiltMsa, built
from shardwater.profiles.iterated import MOST_INCLUDED, MOST_TOGETHER
from shardwater.profiles.together import Together
from shardwater.search.clusters import Chosen, MemberHits, TracedMembers, trace_members
from shardwater.search.databases import wholes_of
from shardwater.search.hits import ShardResult
from shardwater.search.merge import Searched, SearchResult
from shardwater.search.repeats import KnownRepeats
from shardwater.search.search import ShardSearch, trace_all_hits
from shardwater.search.step import Step
from shardwater.search.traced import TracedShard, write_shards
from shardwater.steps import finish
from worker.cli.console import Exit, stop
from worker.cli.run_search import LOCAL
from worker.cli.subjects import Opened, Subjects, open_subjects
from worker.jobs.chain_requests import ChainRequest
from worker.runner.devices import device_failure

T = TypeVar("T")
MOST_RESIDUES = 20_000
"""Of the chains of a pass, where they are more than one."""
ShowShare = Callable[[float], None]
"""Is told which share of what may have to be computed is done."""


@dataclass(slots=True)
class _Cells:
    """Counts cells, and shows which share of the most that there may be is done."""

    show: ShowShare
    most: int
    done: int = 0

    def add(self, step: Step) -> None:
        self.done += step.cells
        self.show(self.done / max(1, self.most))


@dataclass(slots=True)
class ChainsHere:
    """An engine, and the databases that it searches: those searched in rounds, and those that are searched after."""

    engine: Engine
    stages: Sequence[Opened]
    _shards: list[list[Shard]] = field(init=False)
    _loaded: Shard | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Each database is one shard."""
        self._shards = [[part.database.shard(0, 1) for part in opened.databases.parts] for opened in self.stages]

    def made(self, chains: Sequence[ChainRequest], show: ShowShare = lambda _: None) -> list[list[BuiltMsa]]:
        """The MSA of each chain, by stage; all are searched for in the same way.

        Ends the command where the device fails. Raises DatabaseError where a file has changed meanwhile, and what
        trace_all_hits and assemble do.
        """
        cells = _Cells(show, self._most_cells(chains))
        try:
            groups = passes(chains, lambda chain: [len(chain.residues)], chains[0].max_sequences)
            found = [made for group in groups for made in self._together(group, cells)]
        except Exception as error:
            if failure := device_failure(error):
                stop(failure, Exit.DEVICE)
            raise
        for opened in self.stages:
            opened.check()
        return found

    def _most_cells(self, chains: Sequence[ChainRequest]) -> int:
        """What is computed where no search ends before its last round."""
        residues = sum(len(chain.residues) for chain in chains)
        in_rounds = sum(chain.iterations * len(chain.residues) for chain in chains)
        sizes = [opened.databases.residues for opened in self.stages]
        return in_rounds * sizes[0] + residues * sum(sizes[1:])

    def _together(self, chains: Sequence[ChainRequest], cells: _Cells) -> list[list[BuiltMsa]]:
        [first, *_] = chains
        repeats = defaultdict[bytes, KnownRepeats](KnownRepeats)

        def find(stage: int, asked: list[ShardSearch]) -> list[list[ShardResult]]:
            opened, traced = self.stages[stage], self._traced(stage, asked, cells)
            databases = {place: part.database for place, part in enumerate(opened.databases.parts)}
            return [
                write_shards(
                    shards,
                    databases,
                    Searched(LOCAL, tuple(opened.searched), each.parameters, each.queries),
                    each.parameters,
                    repeats[each.queries[0].residues],
                )
                for each, shards in zip(asked, traced, strict=True)
            ]

        def keep(stage: int, searched: Searched, result: SearchResult) -> BuiltMsa:
            members = self._members(stage, searched, result)
            return built(searched.queries[0], result, members, diverse=first.filter == "diverse")

        searched = [opened.searched for opened in self.stages]
        together = Together(searched, first.parameters, find, keep, LOCAL)
        return together.searched([chain.query for chain in chains])

    def _members(self, stage: int, searched: Searched, result: SearchResult) -> MemberHits | None:
        """Members of the hits' clusters; None in databases without clusters."""
        databases = [part.database for part in self.stages[stage].databases.parts]
        if all(database.members is None for database in databases):
            return None
        [record], scoring = searched.queries, searched.parameters.scoring
        chosen = Chosen.of(databases, result.results[0].hits, searched.parameters.max_target_seqs)
        traced = []
        for place, (database, clusters) in enumerate(zip(databases, chosen.clusters, strict=True)):
            members = database.listed(clusters)
            found = finish(trace_members(self.engine, members, record, scoring))
            traced.append(TracedMembers(place, members, found))
        return MemberHits.of(searched, result, traced, chosen.left_out)

    def _traced(self, stage: int, asked: list[ShardSearch], cells: _Cells) -> list[list[TracedShard]]:
        """What each database has for each search."""
        found: list[list[TracedShard]] = [[] for _ in asked]
        wholes = wholes_of(self.stages[stage].searched)
        for shard, whole in zip(self._shards[stage], wholes, strict=True):
            if shard is not self._loaded:
                self.engine.load(shard)
                self._loaded = shard
            steps = trace_all_hits(self.engine, shard, [replace(each, whole=whole) for each in asked])
            for one, result in zip(found, finish(steps, cells.add), strict=True):
                one.append(result)
        return found


def most_together(max_sequences: int) -> int:
    """Chains of one pass, with so many subjects of each at most."""
    return max(1, MOST_TOGETHER // max(MOST_INCLUDED, max_sequences))


def passes(asked: Iterable[T], residues_of: Callable[[T], Sequence[int]], max_sequences: int) -> Iterator[list[T]]:
    """What is asked for in groups of which all hits of a round may be held at once, or of one.

    residues_of: how many each chain of one has; these stay together.
    """
    group, chains, residues = list[T](), 0, 0
    for one in asked:
        sizes = residues_of(one)
        chains, residues = chains + len(sizes), residues + sum(sizes)
        if group and (chains > most_together(max_sequences) or residues > MOST_RESIDUES):
            yield group
            group, chains, residues = [], len(sizes), sum(sizes)
        group.append(one)
    if group:
        yield group


@contextmanager
def opened_here(stages: Sequence[Subjects], threads: int) -> Iterator[ChainsHere]:
    """An engine of so many threads (0: all) for these databases, which are open until the end of the block."""
    with ExitStack() as stack:
        opened = [stack.enter_context(open_subjects(each)) for each in stages]
        yield ChainsHere(open_engine(threads or None), opened)
