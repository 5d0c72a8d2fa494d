"""GpuEngine: the Engine protocol on one CUDA device."""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.arithmetic import Choice
from gpu.device import DeviceFault, device, faults
from gpu.memory import OVERTAKING_WORKSPACES, WORKSPACES
from gpu.query import DeviceQuery
from gpu.resident import Part, ResidentShard
from gpu.scorer import Place, Scorer
from gpu.selection import Best, Census
from gpu.traceback import align_pairs
from gpu.variants import all_variants, compile_all
from gpu.workspace import Launches, Workspace
from shardwater.alignment.alignment import Alignment
from shardwater.database.database import Shard
from shardwater.engines.engine import Found, Pair, Progress, Survey, no_progress
from shardwater.engines.extent import NOTHING, Extent
from shardwater.errors import DatabaseError
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import Cut, LeastScores
from shardwater.search.hits import Score
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import LENGTH_EDGES, Counts, no_subjects

DEFAULT = Scoring("BLOSUM62", 11, 1)
"""Kernels are compiled for gap costs: those of other scorings at their first search."""
AHEAD = 4
"""Queries queued before the results of the first are fetched."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """A query whose scores of a part are queued, and what must live until they are made.

    So many others may be queued before its scores are overwritten.
    """

    number: int
    part: Part
    space: Workspace
    scorer: Scorer
    others: int


class GpuEngine:
    """Exact search of one shard on a CUDA device."""

    def __init__(self, memory: int | None = None, arithmetic: str | None = None) -> None:
        """Use so many bytes of the device (what is free when None), and this arithmetic (its best when None)."""
        with faults():
            self._device = device()
            self._choice = Choice.of(self._device.capability, arithmetic)
            # For the search at work, and for one that is made within its progress; taken from the end.
            self._spaces = [
                [Workspace(priority=-2) for _ in range(OVERTAKING_WORKSPACES)],
                [Workspace() for _ in range(WORKSPACES)],
            ]
        self._align_streams: list[Any] = []
        self._memory = memory
        self._resident: ResidentShard | None = None
        self._edges: Any = None
        self.rescored = 0
        """Subjects of the last search whose scores 16 bits could not hold, over all queries."""

    @property
    def name(self) -> str:
        """The device's name."""
        return self._device.name

    @property
    def interruptible(self) -> bool:
        """Whether the progress of a search may itself search: there is scratch for that beside a shard that fits."""
        return self._resident is not None and not self._resident.streams

    @property
    def parts(self) -> int:
        """How many parts the shard has on the device, or is streamed in."""
        return len(self._loaded())

    def load(self, shard: Shard) -> None:
        """Put the shard on the device, or make ready to stream it, and compile the kernels of the default scoring."""
        self._resident = None
        with faults():
            # The pool keeps memory for the streams that had it, and those of the loaders before are gone.
            cupy.get_default_memory_pool().free_all_blocks()
            self._compile()
            self._edges = cupy.asarray(np.array(LENGTH_EDGES, np.uint32))
            self._resident = ResidentShard(shard, self._memory)

    def _compile(self) -> None:
        try:
            compile_all(all_variants(self._device.capability, self._device.shared_bytes, DEFAULT))
        except (RuntimeError, cupy.cuda.compiler.CompileException) as error:
            raise DeviceFault(f"the kernels do not compile: {error}") from error

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, progress: Progress = no_progress
    ) -> list[Found]:
        """The best `top` subjects of each query that score above 0, best first, in the total order."""
        with faults():
            return self._search(queries, scoring, top, progress)

    def survey(
        self, queries: Sequence[Record], scoring: Scoring, cuts: Sequence[Cut], progress: Progress = no_progress
    ) -> list[Survey]:
        """How many subjects of the shard have each score, by length, and the subjects that each query's cut wants."""
        with faults():
            return self._survey(queries, scoring, cuts, progress)

    def _survey(
        self, queries: Sequence[Record], scoring: Scoring, cuts: Sequence[Cut], progress: Progress
    ) -> list[Survey]:
        """The survey; a query's counts are looked at while the next one is scored."""
        counts = [no_subjects() for _ in queries]
        extents = [NOTHING for _ in queries]
        found: list[list[npt.NDArray[np.int64]]] = [[] for _ in queries]
        leasts: list[list[LeastScores]] = [[] for _ in queries]
        counting, coming = deque[tuple[_Scored, Census]](), deque[tuple[_Scored, Any]]()
        rescored = 0

        def choose(most: int) -> None:
            while len(counting) > most:
                scored, census = counting.popleft()
                least = cuts[scored.number](census.counts())
                coming.append((scored, census.wanted(least)))
                counts[scored.number] += census.counts()
                leasts[scored.number].append(least)

        def take(most: int) -> None:
            nonlocal rescored
            while len(coming) > most:
                scored, keys = coming.popleft()
                found[scored.number].append(keys.get())
                extents[scored.number] = _together(extents[scored.number], scored.scorer.extent())
                rescored += scored.scorer.rescored()

        with closing(self._score(queries, scoring, progress)) as all_scored:
            for scored in all_scored:
                if scored is None:
                    choose(0)
                    take(0)
                    continue
                with scored.space.stream:
                    counting.append((scored, Census(scored.space.scores, scored.part, self._edges)))
                # Before the next query is scored in its place.
                choose(scored.others)
                take(AHEAD)
        self.rescored = rescored
        keys = (np.concatenate([np.zeros(0, np.int64), *each]) for each in found)
        # Each part was cut by its own counts, which wants no less than those of all parts.
        whole = (
            each[0] if len(each) == 1 else cut(counted) for each, cut, counted in zip(leasts, cuts, counts, strict=True)
        )
        return [self._surveyed(*each) for each in zip(keys, extents, counts, whole, strict=True)]

    def _surveyed(self, keys: npt.NDArray[np.int64], extent: Extent, counts: Counts, least: LeastScores) -> Survey:
        """One query's survey, from keys of all parts."""
        shard = self._loaded().shard
        places, scores = 0xFFFF_FFFF - (keys & 0xFFFF_FFFF), keys >> 32
        subjects = shard.subjects.start + shard.subjects.step * places
        return Survey.among(subjects, shard.lengths[places], scores, extent, counts, least)

    def _search(
        self,
        queries: Sequence[Record],
        scoring: Scoring,
        top: int,
        progress: Progress,
    ) -> list[Found]:
        shard = self._loaded().shard
        best = [np.zeros(0, np.int64) for _ in queries]
        extents = [NOTHING for _ in queries]
        waiting: deque[tuple[int, Best, _Scored]] = deque()
        rescored = 0

        def take(most: int) -> None:
            nonlocal rescored
            while len(waiting) > most:
                number, found, scored = waiting.popleft()
                best[number] = np.sort(np.concatenate((best[number], found.keys())))[::-1][:top]
                extents[number] = _together(extents[number], scored.scorer.extent())
                rescored += scored.scorer.rescored()

        with closing(self._score(queries, scoring, progress)) as all_scored:
            for scored in all_scored:
                if scored is None:
                    take(0)
                    continue
                with scored.space.stream:
                    found = Best(scored.space.scores, scored.part.first, top)
                waiting.append((scored.number, found, scored))
                take(AHEAD)
        self.rescored = rescored
        subjects = shard.subjects
        return [
            Found([Score(subjects[0xFFFF_FFFF - (key & 0xFFFF_FFFF)], key >> 32) for key in keys.tolist()], extent)
            for keys, extent in zip(best, extents, strict=True)
        ]

    def align(
        self, pairs: Sequence[Pair], scoring: Scoring, progress: Progress = no_progress
    ) -> list[Alignment | None]:
        """The best local alignment of each pair, None where no pair of letters scores above 0."""
        with faults(), self._align_stream():
            found: list[Alignment | None] = align_pairs(pairs, scoring, progress)
        return found

    def scores(self, query: Record, scoring: Scoring, progress: Progress = no_progress) -> npt.NDArray[np.int32]:
        """The score of every subject of the shard, by position."""
        with faults(), closing(self._score([query], scoring, progress)) as all_scored:
            parts = [scored.space.scores.get(stream=scored.space.stream) for scored in all_scored if scored is not None]
        return np.concatenate([np.zeros(0, np.int32), *parts])

    @contextmanager
    def _align_stream(self) -> Iterator[None]:
        """A stream that no other call uses meanwhile, and kept: memory is used again by the stream that had it.

        Alignments are few and somebody waits for them, so they go before what is scored.
        """
        try:
            stream = self._align_streams.pop()
        except IndexError:
            stream = cupy.cuda.Stream(non_blocking=True, priority=-1)
        try:
            with stream:
                yield
        finally:
            self._align_streams.append(stream)

    def _loaded(self) -> ResidentShard:
        if self._resident is None:
            raise DatabaseError("no shard is loaded")
        return self._resident

    def _score(
        self, queries: Sequence[Record], scoring: Scoring, progress: Progress
    ) -> Generator[_Scored | None, None, None]:
        """Each part and query once their scores are queued; None where all that was queued must first be done.

        By parts outside, so that a part that is streamed comes once for all queries.
        """
        resident, launches, turn = self._loaded(), Launches(progress), 0
        with self._workspaces() as spaces:
            for part in resident.parts():
                for number, query in enumerate(queries):
                    space = spaces[turn % len(spaces)]
                    turn += 1
                    place = Place(part, space, launches)
                    yield self._queue(number, query, scoring, place, len(spaces) - 1)
                if resident.streams:
                    yield None
            launches.wait()
            yield None

    @contextmanager
    def _workspaces(self) -> Iterator[list[Workspace]]:
        """The scratch of one search; within it that of another, which must end first."""
        spaces = self._spaces.pop()
        try:
            yield spaces
        finally:
            # Also when a search is given up: what is under way still uses the scratch.
            for space in spaces:
                space.synchronize()
            self._spaces.append(spaces)

    def _queue(self, number: int, query: Record, scoring: Scoring, place: Place, others: int) -> _Scored:
        with place.space.stream:
            scorer = Scorer(DeviceQuery(query.residues, scoring), scoring, self._choice, place)
            scorer.score()
        return _Scored(number, place.part, place.space, scorer, others)


def _together(one: Extent, other: Extent) -> Extent:
    """What was scored of two parts of a shard."""
    return Extent(one.subjects + other.subjects, one.residues + other.residues, one.cells + other.cells)
