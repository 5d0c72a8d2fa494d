"""Scores a part of a shard for a query: which kernels, over which packs, in which order.

Packs go through 16-bit kernels, by a schedule; long subjects, and those whose best value left 16 bits, go through
sw_wide in 32. Nothing is waited for here: who asks for the next launch decides when.
"""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.arithmetic import ARITHMETICS, DEAREST, Arithmetic, Choice
from gpu.compile import kernel
from gpu.database.choices import LeftOut
from gpu.database.packing import PackClass
from gpu.database.resident import Part
from gpu.device import device, tuned
from gpu.family import teams
from gpu.launch.launches import Launches
from gpu.launch.streams import on_stream
from gpu.launch.workspace import COUNTERS, Workspace
from gpu.layout import GROUP, GROUPS, MATRIX_LETTERS, PIECE_WORDS, THREADS, WARP, WIDE_COLUMNS
from gpu.score.gap_costs import have_kernels
from gpu.score.query import DeviceQuery
from gpu.score.schedules import PLAIN, Asked, Batch, Schedule, Step
from gpu.score.teams import BLOCK_WARPS, Team
from shardwater.engines.extent import Extent
from shardwater.scoring.scoring import Scoring

COUNT_THREADS = 1024
OTHER_LAUNCHES = 8
"""At most so many launches for a query besides steps and slices of cells: long subjects, those scored again."""
LONG_STREAM = 2

Launching = Generator[None, None, None]
"""Yields after launches, with no stream held: more are queued when it goes on."""


@dataclass(frozen=True, slots=True)
class ScorerContext:
    """What a scorer works with: a part of the shard, scratch for it, the count of launches, the schedule, and whom the
    search leaves out.
    """

    part: Part
    space: Workspace
    launches: Launches
    schedule: Schedule
    left_out: LeftOut | None = None


@dataclass(frozen=True, slots=True)
class _Launched:
    """What a launch has to do: its cells, and what its counter shows once all its work was taken.

    Each of its takers, warps or teams of warps, counts the shares that it takes, and once more when none is left.
    """

    cells: int
    counter: int


@dataclass(frozen=True, slots=True)
class DeviceCounts:
    """What the device has counted while it scored a part, known once the scores are.

    cells_left_out: those of subjects that were scored with the others, and are none of the search's.
    """

    counted: npt.NDArray[np.int32]
    launched: Sequence[_Launched]
    cells_left_out: int
    tries_16_bits: bool

    def rescored(self) -> int:
        """How many subjects went from 16 bits to 32."""
        return int(self.counted[4:COUNTERS].sum()) if self.tries_16_bits else 0

    def extent(self) -> Extent:
        """What was scored. Cells are those of the launches whose counters show that all their work was taken."""
        subjects, residues = self.counted[:4].view(np.uint64).tolist()
        counters = zip(self.launched, self.counted[COUNTERS:].tolist(), strict=True)
        cells = sum(each.cells for each, counter in counters if counter == each.counter)
        return Extent(subjects, residues, cells - self.cells_left_out)


class Scorer:
    """Queues the kernels that score one part for one query; made on the stream of its workspace.

    counts: there once all is queued.
    """

    counts: DeviceCounts

    def __init__(self, query: DeviceQuery, scoring: Scoring, choice: Choice, context: ScorerContext) -> None:
        self._query, self._scoring = query, scoring
        self._part, self._space, self._launches = context.part, context.space, context.launches
        self._left_out = context.left_out
        self._schedule = context.schedule.suited(context.part.longest, query.length)
        packed = choice.packed
        fits = packed is not None and packed.holds_gaps(scoring) and have_kernels(scoring)
        self._packed = packed if fits else None
        self._wide = choice.wide_for(query.length * query.best)
        self._team = Team.of(query.length, device().shared_bytes)
        self._launched: list[_Launched] = []

    def score(self) -> Launching:
        """Queue launch after launch on the workspace's streams; the scores will be in it, by subject of the part."""
        return on_stream(self._space.stream, self._score())

    def _score(self) -> Launching:
        part, space = self._part, self._space
        space.use(part, self._most_launches())
        self._wide_profile: Any = None
        if self._packed is None:
            yield from self._score_all_wide()
        else:
            yield from self._score_packs(self._packed)
            space.join()
            self._score_again(self._packed)
        if self._left_out is not None:
            # As if nobody had scored them.
            space.scores[self._left_out.subjects] = -1
        kernel("extent")(
            (device().multiprocessors,), (COUNT_THREADS,),
            (space.scores, part.lengths, np.int32(len(part)), space.scored),
        )  # fmt: skip
        counted = space.counted[: COUNTERS + len(self._launched)]
        on_host: npt.NDArray[np.int32] = cupyx.empty_pinned(len(counted), np.int32)
        counted.get(stream=space.stream, out=on_host, blocking=False)
        left_out = 0 if self._left_out is None else self._left_out.residues * self._query.length
        self.counts = DeviceCounts(on_host, self._launched, left_out, tries_16_bits=self._packed is not None)

    def _score_again(self, packed: Arithmetic) -> None:
        """Scores of subjects from those of pairs, and again in 32 bits where 16 could not hold them."""
        space = self._space
        for number, classes in enumerate((PLAIN, (PackClass.AMBIGUOUS,))):
            if self._part.packs.span(*classes):
                self._finish(packed, packed.limit(self._query.best), classes, number)
                # Their cells are counted where 16 bits were tried; without these pieces they have no score.
                pieces = _Pieces(space.rescored[number], space.rescored_counts[number:])
                self._score_pieces(classes[0].letters, pieces, device().multiprocessors, _Launched(0, 0))

    def _most_launches(self) -> int:
        """An upper bound: strips of all three kinds of packs have a block of columns at least."""
        length = self._query.length
        in_32_bits = sum(self._part.residues) * length // tuned().wide_launch_cells
        return 3 * -(-length // GROUP) + in_32_bits + OTHER_LAUNCHES

    def _counter(self, launched: _Launched) -> Any:
        """The counter of the next launch, and a note of what it has to do."""
        self._launched.append(launched)
        return self._space.counter()

    def _score_packs(self, packed: Arithmetic) -> Launching:
        """Most packs on most multiprocessors; those that need another table beside them, on their even share."""
        counts = {classes: len(order) for classes, order in self._part.orders.items()}
        main, *beside = self._schedule.classes(counts, self._query.length)
        shares = [self._share(tuned().side_cost, classes) for classes in beside]
        left, long_blocks = device().multiprocessors - sum(shares), self._long_blocks()
        steps = self._steps(packed, main, device().multiprocessors)
        if len(steps) == 1:
            # Between steps multiprocessors fall free for long subjects; one step must leave them some.
            left -= long_blocks
        # The device begins with the first main step while the rest is made ready.
        launching = self._launch(steps, main, max(1, left), self._space.stream)
        next(launching, None)
        self._score_long(long_blocks)
        yield
        for number, (classes, share) in enumerate(zip(beside, shares, strict=True)):
            if share:
                stream = self._space.beside(number)
                with stream:
                    steps = self._steps(packed, classes, share)
                yield from on_stream(stream, self._launch(steps, classes, share, stream))
        yield from launching

    def _share(self, cost: float, classes: tuple[PackClass, ...]) -> int:
        """Multiprocessors for what goes beside the main launch, by residues and what one costs there."""
        residues = sum(self._part.residues[number] for number in classes)
        others = sum(self._part.residues) - residues
        return math.ceil(device().multiprocessors * cost * residues / (cost * residues + others)) if residues else 0

    def _steps(self, packed: Arithmetic, classes: tuple[PackClass, ...], multiprocessors: int) -> list[Step]:
        """The launches over packs of these classes, of which there may be none."""
        packs = len(self._part.orders[classes])
        asked = Asked(self._query, packed, self._scoring)
        return self._schedule.steps(asked, Batch(classes, packs, multiprocessors)) if packs else []

    def _launch(
        self, steps: list[Step], classes: tuple[PackClass, ...], multiprocessors: int, stream: Any
    ) -> Launching:
        """Queue step after step over packs of these classes on the current stream."""
        order, residues = self._part.orders[classes], self._part.ordered_residues[classes]
        packs, length = len(order), self._query.length
        for number, step in enumerate(steps):
            reads, writes = number > 0, number < len(steps) - 1
            cells = residues * step.strip.columns(length)
            counter = self._counter(_Launched(cells, step.shares(packs) + step.takers(packs, multiprocessors)))
            arguments = (
                self._part.codes, self._part.packs.starts, self._part.packs.rows, order, np.int32(packs), step.profile,
                *step.own, self._space.border, np.int32(reads), np.int32(writes), self._space.best, counter,
            )  # fmt: skip
            step.launch(step.grid(packs, multiprocessors), arguments)
            self._launches.queued(stream, cells)
            yield

    def _finish(self, packed: Arithmetic, limit: int, classes: tuple[PackClass, ...], number: int) -> None:
        """Scores of subjects from those of pairs; what is beyond the limit goes to list `number`."""
        packs, space = self._part.packs, self._space
        span = packs.span(*classes)
        pairs = GROUPS * len(span)
        arguments = (
            space.best, packs.slots, self._part.lengths, np.int32(GROUPS * span.start), np.int32(pairs),
            np.int32(limit), space.scores, space.rescored[number], space.rescored_counts[number:],
        )  # fmt: skip
        kernel("finish", OPS=packed.ops)((-(-pairs // THREADS),), (THREADS,), arguments)

    def _score_long(self, blocks: int) -> None:
        """Long subjects on a stream of their own, on few multiprocessors that they keep for most of the time."""
        if len(self._part.long_subjects) == 0:
            return
        with self._space.beside(LONG_STREAM) as stream:
            pieces = self._pieces()
            cells = _rows_of(pieces) * self._team_columns()
            launched = _Launched(cells, len(pieces) + self._teams(blocks))
            self._score_pieces(MATRIX_LETTERS, _Pieces(*_listed(pieces)), blocks, launched)
            self._launches.queued(stream, cells)

    def _long_blocks(self) -> int:
        """So many blocks that long subjects are done well before the others, or one for each team's worth of them."""
        subjects, teams = self._part.long_subjects, self._team.block_warps // self._team.warps
        if len(subjects) == 0:
            return 0
        overlap = self._longest_span()
        pieces = sum(len(_begins(rows, overlap)) for rows in subjects[:, 1].tolist())
        rows = self._part.residues[PackClass.LONG] + overlap * (pieces - len(subjects))
        # A block of fewer warps leaves its multiprocessor idle for as much.
        cells = rows * BLOCK_WARPS // teams * self._team.passes * WIDE_COLUMNS
        others = max(1, sum(self._part.residues[: PackClass.LONG]) * self._query.length)
        blocks = math.ceil(device().multiprocessors * tuned().long_cost * cells / others)
        return min(device().multiprocessors // 2, blocks, -(-pieces // teams))

    def _pieces(self) -> npt.NDArray[np.int32]:
        """Long subjects in pieces that overlap by as much as an alignment can span: some piece holds the best whole."""
        overlap = self._longest_span()
        pieces = [
            (slot, begin, min(rows, begin + _piece_rows(overlap) + overlap), subject)
            for slot, rows, subject in self._part.long_subjects.tolist()
            for begin in _begins(rows, overlap)
        ]
        pieces.sort(key=lambda piece: piece[1] - piece[2])
        return np.array(pieces, np.int32).reshape(-1, PIECE_WORDS)

    def _longest_span(self) -> int:
        """Residues that an alignment of the whole query can span and still score: query + what it can pay in gaps."""
        scoring, length = self._scoring, self._query.length
        left = length * self._query.best - scoring.gap_open
        if left <= 0:
            return length
        return length + (left // scoring.gap_extend if scoring.gap_extend else 1 << 30)

    def _team_columns(self) -> int:
        """Columns of the query that a team of sw_wide scores in all its passes."""
        return min(self._query.length, self._team.passes * self._team.warps * WIDE_COLUMNS)

    def _teams(self, blocks: int) -> int:
        """Teams of so many blocks of sw_wide."""
        return blocks * (self._team.block_warps // self._team.warps)

    def _score_pieces(self, letters: int, pieces: "_Pieces", blocks: int, launched: _Launched) -> None:
        """Queue sw_wide over a list of pieces on the current stream."""
        team, scoring = self._team, self._scoring
        if self._wide_profile is None:
            self._wide_profile = self._query.wide_profile(self._wide.ops, team.warps * team.passes)
        border_rows = self._part.longest if team.passes > 1 else 0
        borders = cupy.empty((self._teams(blocks), border_rows, 2), cupy.int32)
        arguments = (
            self._part.codes, self._part.packs.starts, pieces.list, pieces.count, self._wide_profile,
            np.int32(team.passes), np.int32(-min(scoring.gap_first, DEAREST)),
            np.int32(-min(scoring.gap_extend, DEAREST)), borders, np.int32(border_rows), self._space.scores,
            self._counter(launched),
        )  # fmt: skip
        score = wide_kernel(self._wide, team, letters)
        score((blocks,), (WARP * team.block_warps,), arguments, shared_mem=team.profile_bytes)

    def _score_all_wide(self) -> Launching:
        """Every subject in 32 bits: gap costs ask for it, or the engine was told to."""
        for number, classes in enumerate((PLAIN, (PackClass.AMBIGUOUS, PackClass.LONG))):
            span = self._part.packs.span(*classes)
            if span:
                # No value is within the limit, so all subjects are listed.
                self._finish(ARITHMETICS["s16x2"], -(1 << 15) - 1, classes, number)
                yield from self._score_listed(number, classes)

    def _score_listed(self, number: int, classes: tuple[PackClass, ...]) -> Launching:
        """The subjects of list `number`, which is all of these classes, in launches short enough for a cancel."""
        span, space = self._part.packs.span(*classes), self._space
        subjects = int((self._part.packs.slots[span.start : span.stop] >= 0).sum())
        residues = sum(self._part.residues[pack_class] for pack_class in classes)
        length = self._query.length
        parts = min(subjects, max(1, residues * length // tuned().wide_launch_cells))
        for part in range(parts):
            begin, end = subjects * part // parts, subjects * (part + 1) // parts
            pieces = _Pieces(space.rescored[number][begin:end], cupy.asarray(np.array([end - begin], np.int32)))
            cells = (residues * (part + 1) // parts - residues * part // parts) * self._team_columns()
            launched = _Launched(cells, end - begin + self._teams(device().multiprocessors))
            self._score_pieces(classes[0].letters, pieces, device().multiprocessors, launched)
            self._launches.queued(space.stream, cells)
            yield


@dataclass(frozen=True, slots=True)
class _Pieces:
    """A list of pieces on the device, int32 (pieces, 4), and their count there."""

    list: Any
    count: Any


def _begins(rows: int, overlap: int) -> range:
    """Where the pieces of a long subject begin."""
    return range(0, max(1, rows - overlap), _piece_rows(overlap))


def _piece_rows(overlap: int) -> int:
    """Rows of a piece before those that it shares with the next one."""
    return max(tuned().least_piece, overlap)


def _rows_of(pieces: npt.NDArray[np.int32]) -> int:
    """Rows of subjects that pieces have, those where they overlap once."""
    ordered = pieces[np.lexsort((pieces[:, 1], pieces[:, 3]))].astype(np.int64)
    begins, ends, subjects = ordered[:, 1], ordered[:, 2], ordered[:, 3]
    overlaps = np.maximum(0, ends[:-1] - begins[1:])[subjects[:-1] == subjects[1:]]
    return int((ends - begins).sum() - overlaps.sum())


def _listed(pieces: npt.NDArray[np.int32]) -> tuple[Any, Any]:
    """Pieces and their count on the device, in one copy."""
    listed = cupy.asarray(np.concatenate([np.full((1, PIECE_WORDS), len(pieces), np.int32), pieces]))
    return listed[1:], listed


@cache
def wide_kernel(wide: Arithmetic, team: Team, letters: int) -> Any:
    """sw_wide for such teams."""
    family = teams(wide, team, letters)
    compiled = kernel(family.schedule, family.ptxas, **family.macros)
    compiled.max_dynamic_shared_size_bytes = team.profile_bytes
    return compiled
