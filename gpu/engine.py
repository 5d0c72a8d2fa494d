"""GpuEngine: the Engine protocol on one CUDA device."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import cycle
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.ahead import compile_all
from gpu.arithmetic import Choice
from gpu.database.choices import Choices, LeftOut, Searched
from gpu.database.resident import Part, ResidentShard
from gpu.device import device, faults, tuned
from gpu.launch.launches import Launches
from gpu.launch.streams import on_stream
from gpu.launch.workspace import Workspace
from gpu.memory import PREEMPTING, WORKSPACES
from gpu.pairs.crowds import Units, score_crowds
from gpu.pairs.engine import GpuPairs
from gpu.pairs.potential import form
from gpu.pairs.traceback import align_pairs
from gpu.score.answers import Answers, BestAnswers, Scored, SurveyAnswers
from gpu.score.query import DeviceQuery
from gpu.score.schedules import BY_NAME
from gpu.score.scorer import Scorer, ScorerContext
from gpu.variants import all_variants
from shardwater.alignment.scheme import Scheme
from shardwater.database.database import Shard
from shardwater.engines.engine import NOT_SCORED, Crowd, Found, Pair, Slice, Slices, Survey
from shardwater.engines.schedules import SCHEDULES, ScheduleName
from shardwater.errors import DatabaseError
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.columns import Columns
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import Cut
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import LENGTH_EDGES

DEFAULT = Scoring("BLOSUM62", 11, 1)
"""Kernels are compiled for gap costs: those of other scorings at their first search."""
AHEAD = 4
"""Queries queued before the answer of the first is fetched."""


class GpuEngine:
    """Exact search of one shard on a CUDA device."""

    def __init__(
        self, memory: int | None = None, arithmetic: str | None = None, schedule: ScheduleName = SCHEDULES[0]
    ) -> None:
        """Use so many bytes of the device (what is free when None), and this arithmetic (its best when None).

        schedule: one of SCHEDULES, for subjects in packs.
        """
        with faults():
            self._device = device()
            self._choice = Choice.of(self._device.capability, arithmetic)
            self._schedule = BY_NAME[schedule]
            # For the search at work, one that is made between its slices, and so on; taken from the end.
            self._spaces = [
                *([Workspace(priority=-2 * depth)] for depth in range(PREEMPTING, 0, -1)),
                [Workspace() for _ in range(WORKSPACES)],
            ]
        self._align_streams: list[Any] = []
        self._pair_engines: list[GpuPairs] = []
        self._memory = memory
        self._resident: ResidentShard | None = None
        self._choices: Choices | None = None
        self._edges: Any = None
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
        self._resident = self._choices = None
        with faults():
            # The pool keeps memory for the streams that had it, and those of the loaders before are gone.
            cupy.get_default_memory_pool().free_all_blocks()
            self._compile(shard)
            self._edges = cupy.asarray(np.array(LENGTH_EDGES, np.uint32))
            self._resident = ResidentShard(shard, self._memory, self._schedule.longest())
            self._choices = Choices(self._resident)

    def _compile(self, shard: Shard) -> None:
        device, for_short = self._device, self._schedule.suited(int(shard.lengths.max(initial=0)), 1)
        schedules = [name for name, each in BY_NAME.items() if each in (self._schedule, for_short)]
        compile_all(all_variants(device.capability, device.shared_bytes, DEFAULT, schedules))

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, among: Shard | None = None
    ) -> Slices[Found]:
        """The best `top` subjects of each query that score above 0, best first, in the total order."""
        searched = self._searched(among)
        resident = searched.resident
        answers = BestAnswers(resident.shard, len(resident), len(queries), top)
        return self._search(queries, scoring, searched, answers)

    def survey(
        self,
        queries: Sequence[Record],
        scoring: Scoring,
        cuts: Sequence[Cut],
        scores: bool = False,
        among: Shard | None = None,
    ) -> Slices[Survey]:
        """How many subjects of the shard have each score, by length, and the subjects that each query's cut wants."""
        searched = self._searched(among)
        answers = SurveyAnswers(searched.resident, cuts, self._edges, scores)
        return self._search(queries, scoring, searched, answers)

    def align(self, pairs: Sequence[Pair], scoring: Scoring) -> Generator[Columns, None, None]:
        """The best local alignment of each pair."""
        with faults(), self._align_stream() as stream:
            yield from on_stream(stream, align_pairs(pairs, scoring))

    def score(self, crowds: Sequence[Crowd], scoring: Scoring) -> Slices[npt.NDArray[np.int32]]:
        """The best local scores of each crowd, (ones, shuffles)."""
        scheme, units = Scheme.local(scoring), Units.of(crowds)
        how = form(scheme)
        held = np.zeros(len(units), np.bool_) if how is None else units.held(how)
        found = [np.full((len(crowd.ones), crowd.shuffling.count), NOT_SCORED, np.int32) for crowd in crowds]
        if how is not None and held.any():
            with faults(), self._align_stream() as stream:
                for some, scores in on_stream(stream, score_crowds(crowds, units.select(held), how)):
                    of_units = np.split(scores, np.cumsum(some.counts)[:-1])
                    for crowd, place, own in zip(some.crowds, some.places, of_units, strict=True):
                        found[crowd][place] = own
                    yield Slice(some.cells)
        if not held.all():
            yield from self._score_as_pairs(crowds, units.select(~held), scheme, found)
        yield Slice(answers=list(enumerate(found)))

    def _score_as_pairs(
        self, crowds: Sequence[Crowd], units: Units, scheme: Scheme, found: Sequence[npt.NDArray[np.int32]]
    ) -> Slices[npt.NDArray[np.int32]]:
        """The scores of units that are for another kernel: shuffles are made on the host."""
        with self._pair_engine() as pairs:
            for number, place in zip(units.crowds.tolist(), units.places.tolist(), strict=True):
                batch = _as_pairs(crowds[number], place)
                with closing(pairs.align_batch(batch, scheme, "score")) as scored:
                    for each in scored:
                        found[number][place, each.numbers] = each.scores
                        yield Slice(int(each.cells.sum()))

    @contextmanager
    def _pair_engine(self) -> Iterator[GpuPairs]:
        """An engine of pairs that no other call uses meanwhile; made where somebody asks for scores of pairs."""
        try:
            pairs = self._pair_engines.pop()
        except IndexError:
            pairs = GpuPairs()
        try:
            yield pairs
        finally:
            self._pair_engines.append(pairs)

    @contextmanager
    def _align_stream(self) -> Iterator[Any]:
        """A stream that no other call uses meanwhile, and kept: memory is used again by the stream that had it.

        Alignments are few and somebody waits for them, so they go before what is scored.
        """
        try:
            stream = self._align_streams.pop()
        except IndexError:
            stream = cupy.cuda.Stream(non_blocking=True, priority=-1)
        try:
            yield stream
        finally:
            self._align_streams.append(stream)

    def _loaded(self) -> ResidentShard:
        if self._resident is None:
            raise DatabaseError("no shard is loaded")
        return self._resident

    def _searched(self, among: Shard | None) -> Searched:
        """What a search goes over; chosen subjects are packed where that is worth it."""
        if self._choices is None:
            raise DatabaseError("no shard is loaded")
        with faults():
            return self._choices.searched(among)

    def _search(self, queries: Sequence[Record], scoring: Scoring, searched: Searched, answers: Answers) -> Slices[Any]:
        """Score every query against every part, and hand on what is answered; few queries are queued ahead."""
        resident, launches = searched.resident, Launches()
        with faults(), self._workspaces() as spaces:
            yield answers.take(0)
            turns = cycle(spaces)
            left_out: dict[int, LeftOut | None] = {}
            for part, number in _passes(resident, len(queries)):
                space = next(turns)
                if part.first not in left_out:
                    with space.stream:
                        left_out[part.first] = searched.left_out(part)
                out = left_out[part.first]
                with space.stream:
                    query = DeviceQuery(queries[number], scoring)
                    context = ScorerContext(part, space, launches, self._schedule, out)
                    scorer = Scorer(query, scoring, self._choice, context)
                for _ in scorer.score():
                    yield from map(Slice, launches.ended(tuned().cells_under_way))
                with space.stream:
                    answers.queue(Scored(number, part, space, scorer.counts, out))
                # A part that is streamed must be done with before the next one; else some are counted behind it.
                last = resident.streams and number == len(queries) - 1
                answers.free(0 if last else len(spaces) - 1)
                yield answers.take(0 if last else AHEAD)
            yield from map(Slice, launches.ended(0))
            answers.free(0)
            yield answers.take(0)
        self.rescored = answers.rescored

    @contextmanager
    def _workspaces(self) -> Iterator[list[Workspace]]:
        """The scratch of one search; between its slices that of another, which must end first."""
        spaces = self._spaces.pop()
        try:
            yield spaces
        finally:
            # Also when a search is given up: what is under way still uses the scratch.
            for space in spaces:
                space.synchronize()
            self._spaces.append(spaces)


def _passes(resident: ResidentShard, queries: int) -> Iterator[tuple[Part, int]]:
    """Parts and numbers of queries: one query after the other, but a part that is streamed comes once for all."""
    if resident.streams:
        yield from ((part, number) for part in resident.parts() for number in range(queries))
    else:
        yield from ((part, number) for number in range(queries) for part in resident.parts())


def _as_pairs(crowd: Crowd, place: int) -> PairBatch:
    """One of a crowd beside each shuffle."""
    one, count = crowd.ones[place], crowd.shuffling.count
    shuffles = crowd.shuffling.rows(crowd.shuffled, range(count))
    return PairBatch(
        Joined(np.tile(one, count), len(one) * np.arange(count + 1)),
        Joined(shuffles.ravel(), len(crowd.shuffled) * np.arange(count + 1)),
    )
