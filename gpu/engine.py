"""GpuEngine: the Engine protocol on one CUDA device."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

import cupy
import numpy as np
import numpy.typing as npt

from gpu.arithmetic import Choice
from gpu.device import DeviceFault, device, faults
from gpu.memory import WORKSPACES
from gpu.query import DeviceQuery
from gpu.resident import Part, ResidentShard
from gpu.scorer import Place, Scorer
from gpu.selection import Best, histogram
from gpu.traceback import align_pairs
from gpu.variants import all_variants, compile_all
from gpu.workspace import Launches, Workspace
from shardwater.alignment import Alignment
from shardwater.database import Shard
from shardwater.distribution import LENGTH_EDGES, SCORES, no_subjects
from shardwater.engine import Pair, Progress, Survey, no_progress
from shardwater.errors import DatabaseError
from shardwater.fasta import Record
from shardwater.hits import Score
from shardwater.scoring import Scoring

DEFAULT = Scoring("BLOSUM62", 11, 1)
"""Kernels are compiled for gap costs: those of other scorings at their first search."""
AHEAD = 4
"""Queries queued before the results of the first are fetched."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """A query whose scores of a part are queued, and what must live until they are made."""

    number: int
    part: Part
    space: Workspace
    scorer: Scorer


class GpuEngine:
    """Exact search of one shard on a CUDA device."""

    interruptible = False
    """Its searches have the scratch of one search, sized to what the shard leaves free."""

    def __init__(self, memory: int | None = None, arithmetic: str | None = None) -> None:
        """Use so many bytes of the device (what is free when None), and this arithmetic (its best when None)."""
        with faults():
            self._device = device()
            self._choice = Choice.of(self._device.capability, arithmetic)
            self._spaces = [Workspace() for _ in range(WORKSPACES)]
        self._memory = memory
        self._resident: ResidentShard | None = None
        self._aligning = Lock()
        self.rescored = 0
        """Subjects of the last search whose scores 16 bits could not hold, over all queries."""

    @property
    def name(self) -> str:
        """The device's name."""
        return self._device.name

    @property
    def parts(self) -> int:
        """How many parts the shard has on the device, or is streamed in."""
        return len(self._loaded())

    def load(self, shard: Shard) -> None:
        """Put the shard on the device, or make ready to stream it, and compile the kernels of the default scoring."""
        self._resident = None
        with faults():
            self._compile()
            self._resident = ResidentShard(shard, self._memory)

    def _compile(self) -> None:
        try:
            compile_all(all_variants(self._device.capability, self._device.shared_bytes, DEFAULT))
        except (RuntimeError, cupy.cuda.compiler.CompileException) as error:
            raise DeviceFault(f"the kernels do not compile: {error}") from error

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, progress: Progress = no_progress
    ) -> list[list[Score]]:
        """The best `top` subjects of each query that score above 0, best first, in the total order."""
        with faults():
            return self._search(queries, scoring, top, progress)

    def survey(
        self, queries: Sequence[Record], scoring: Scoring, top: int, progress: Progress = no_progress
    ) -> list[Survey]:
        """The same best subjects, and how many subjects of the shard have each score, by length; scored once."""
        counts = [no_subjects() for _ in queries]

        def count(scored: _Scored) -> None:
            with scored.space.stream:
                part = histogram(scored.space.scores, scored.part.lengths, LENGTH_EDGES, SCORES)
            counts[scored.number] += part.get(stream=scored.space.stream)

        with faults():
            best = self._search(queries, scoring, top, progress, count)
        return [Survey(scores, counted) for scores, counted in zip(best, counts, strict=True)]

    def _search(
        self,
        queries: Sequence[Record],
        scoring: Scoring,
        top: int,
        progress: Progress,
        look: Callable[[_Scored], None] | None = None,
    ) -> list[list[Score]]:
        """The search; `look` sees every query whose scores of a part are queued, while they are still there."""
        shard = self._loaded().shard
        best = [np.zeros(0, np.int64) for _ in queries]
        waiting: deque[tuple[int, Best, _Scored]] = deque()
        self.rescored = 0

        def take(most: int) -> None:
            while len(waiting) > most:
                number, found, scored = waiting.popleft()
                best[number] = np.sort(np.concatenate((best[number], found.keys())))[::-1][:top]
                self.rescored += scored.scorer.rescored()

        for scored in self._score(queries, scoring, progress):
            if scored is None:
                take(0)
                continue
            with scored.space.stream:
                found = Best(scored.space.scores, scored.part.first, top)
            if look is not None:
                look(scored)
            waiting.append((scored.number, found, scored))
            take(AHEAD)
        subjects = shard.subjects
        return [
            [Score(subjects[0xFFFF_FFFF - (key & 0xFFFF_FFFF)], key >> 32) for key in keys.tolist()] for keys in best
        ]

    def align(
        self, pairs: Sequence[Pair], scoring: Scoring, progress: Progress = no_progress
    ) -> list[Alignment | None]:
        """The best local alignment of each pair, None where no pair of letters scores above 0."""
        with faults(), self._aligning:
            found: list[Alignment | None] = align_pairs(pairs, scoring, progress)
        return found

    def scores(self, query: Record, scoring: Scoring, progress: Progress = no_progress) -> npt.NDArray[np.int32]:
        """The score of every subject of the shard, by position."""
        with faults():
            parts = [
                scored.space.scores.get(stream=scored.space.stream)
                for scored in self._score([query], scoring, progress)
                if scored is not None
            ]
        return np.concatenate([np.zeros(0, np.int32), *parts])

    def _loaded(self) -> ResidentShard:
        if self._resident is None:
            raise DatabaseError("no shard is loaded")
        return self._resident

    def _score(self, queries: Sequence[Record], scoring: Scoring, progress: Progress) -> Iterator[_Scored | None]:
        """Each part and query once their scores are queued; None where all that was queued must first be done.

        By parts outside, so that a part that is streamed comes once for all queries.
        """
        resident, launches, turn = self._loaded(), Launches(progress), 0
        try:
            for part in resident.parts():
                for number, query in enumerate(queries):
                    space = self._spaces[turn % WORKSPACES]
                    turn += 1
                    yield self._queue(number, query, scoring, part, space, launches)
                if resident.streams:
                    yield None
            launches.wait()
            yield None
        finally:
            # Also when a search is given up: what is under way still uses the scratch.
            self._wait()

    def _queue(
        self, number: int, query: Record, scoring: Scoring, part: Part, space: Workspace, launches: Launches
    ) -> _Scored:
        with space.stream:
            place = Place(part, space, launches)
            scorer = Scorer(DeviceQuery(query.residues, scoring), scoring, self._choice, place)
            scorer.score()
        return _Scored(number, part, space, scorer)

    def _wait(self) -> None:
        for space in self._spaces:
            space.synchronize()
