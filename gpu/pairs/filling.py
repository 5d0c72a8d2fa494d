"""Matrices of long pairs, filled launch by launch, strip after strip of columns (fill_long.cu).

The strips of one pair may be cut into shares, of one device or several, each with launches of its own. What the last
strip of a share hands on is copied to the next one, which is a launch behind.

Columns are of the subjects here, and rows of the queries: schemes are turned.
"""

from collections import deque
from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.device import device
from gpu.family import long_kept
from gpu.layout import END_WORDS, KEPT_COLUMNS, WARP
from gpu.pairs.classes import Shape
from gpu.pairs.found import fetched, pinned, sending
from gpu.pairs.long_layout import Inputs, kept_room, placed, shape_for
from gpu.pairs.plan import launches, rounds_of
from gpu.pairs.potential import Form
from gpu.pairs.section_rows import kept_columns, strip_columns
from gpu.pairs.shares import Fill, Launched, Purpose, Share, copied
from gpu.pairs.ways import Matrices, pointers
from shardwater.pairs.batch import Numbers
from shardwater.pairs.coded import CodedPair

ROUNDS = 512
"""Of WARP rows of a strip, that a warp does in a launch: some milliseconds."""
LEAST_ROUNDS = 32
"""That are worth a launch."""
BUSY = 0.85
"""Warps, at least, that are to have a strip where some have several in a launch."""
AHEAD = 2
"""Launches under way."""


class Filling:
    """Matrices that are filled, launch by launch, on the current stream."""

    def __init__(
        self,
        pairs: Sequence[CodedPair],
        how: Form,
        purpose: Purpose,
        devices: Sequence[int] = (0,),
        *,
        shape: Shape | None = None,
    ) -> None:
        """Send all, and pack the letters.

        devices: those that one pair may go over, by CUDA's numbers. shape: of strips; by the pairs where None.
        """
        columns = np.array([len(pair.subject) for pair in pairs])
        if shape is not None:
            places = devices[:1]
        elif purpose.keeps:
            shape, places = shape_for(columns, how), devices[:1]
        else:
            shape, places = placed(columns, how, devices)
        self._shape, self._sections, self._known = shape, purpose.sections, 0
        inputs = self._inputs = Inputs.of(pairs, how, shape, each_edge=purpose.least is not None)
        ends = np.linspace(0, int(inputs.strips.sum()), len(places) + 1).astype(int).tolist()
        streams = [cupy.cuda.get_current_stream(), *map(_stream_on, places[1:])]
        self._shares = [
            Share(inputs, purpose, range(*own), number, stream)
            for own, number, stream in zip(pairwise(ends), places, streams, strict=True)
        ]
        self._devices = len(set(places))
        self.whole, self.peaks = self._shares[0].whole, self._shares[0].peaks
        self.cells, self.handed_on_by = self._shares[0].cells, self._shares[0].handed_on_by

    def only(self, strips: range, entered: Any) -> None:
        """As Share.only has it."""
        self._shares[0].only(strips, entered)
        self.whole = self._shares[0].whole

    def section_room(self) -> list[Any]:
        """Room for what is kept of any section."""
        assert self._sections is not None
        [columns] = self.whole.layout["columns"].tolist()
        rows = self._sections.kept_rows * strip_columns(columns, self._shape)
        return kept_room(rows, kept_columns(columns) * self._sections.kept_rounds, self._shape)

    def section(self, number: int, column: int, kept: Sequence[Any]) -> Fill:
        """A section with what ways back from a column need, as far to the left as one is likely to come there; in such
        a room, once all was filled.
        """
        assert self._sections is not None
        pairs, sections = self.whole.layout.copy(), self._sections
        # Rows end where the section does, as if alignments might end there.
        pairs["rows"] = np.minimum(pairs["rows"], sections.first_row(number + 1))
        pairs["kept_rows"] = sections.rows_shift(number) * strip_columns(int(pairs["columns"][0]), self._shape)
        pairs["kept_columns"], pairs["kept_rounds"] = sections.rounds_shift(number), sections.kept_rounds
        sent = pinned(pairs)
        width = 2 * self._shape.width
        first_strip = sections.first_strip(column, width)
        strips = np.minimum(self.whole.strips, column // width + 1) - first_strip
        rounds = rounds_of(pairs["rows"].astype(np.int64))
        # A tile needs the column before it.
        left = first_strip * width + KEPT_COLUMNS if first_strip else 0
        first, ends = sections.first_round(number), self._shares[0].no_ends()
        return Fill(sent, sending(sent), kept, ends, strips, rounds, first, True, first_strip, left)

    def run(self, fill: Fill) -> Generator[float, None, None]:
        """Fill; queues no more than AHEAD launches, and tells which share of all each one was."""
        parts = [(each, each.whole) for each in self._shares]
        if fill is not self.whole:
            self._begin(fill)
            parts = [(self._shares[0], fill)]
        under_way = deque[tuple[npt.NDArray[np.void], list[Launched]]]()
        rounds = fill.rounds - fill.first
        every = int((fill.strips * rounds).sum())
        try:
            for works in launches(fill.strips, rounds, *self._share_of_launch(fill), fill.first):
                if len(under_way) == AHEAD + len(parts) - 1:
                    done, launched = under_way.popleft()
                    launched[-1].ended.synchronize()
                    if len(parts) > 1:
                        self._known = max(int(each.best[0]) for each in launched)
                    yield float((done["to"] - done["from"]).sum()) / every
                for name in ("strip", "stored"):
                    works[name] += fill.first_strip
                under_way.append((works, self._launch(parts, works)))
        finally:
            # Memory must outlast what is done with it.
            for each, _ in parts:
                each.synchronize()
        if len(parts) > 1:
            self._join_ends()

    def _launch(self, parts: Sequence[tuple[Share, Fill]], works: npt.NDArray[np.void]) -> list[Launched]:
        if len(parts) == 1:
            [(share, fill)] = parts
            return [share.launch(fill, works, self._known)]
        launched = list[Launched]()
        for number, (each, fill) in enumerate(parts):
            own = (works["stored"] >= each.own.start) & (works["stored"] < each.own.stop)
            with each.active():
                if number:
                    each.receive(parts[number - 1][0], works, launched[-1])
                launched.append(each.launch(fill, works[own], self._known))
        return launched

    def _begin(self, section: Fill) -> None:
        """Give the first share what a section begins with, from those that have stored it."""
        assert self._sections is not None
        first = self._shares[0]
        first.edges[...] = 0
        for each in self._shares:
            group, row = section.first_strip // self._sections.group - 1, section.first * WARP
            if group in each.groups:
                copied(first.edges[row:], each.handed_on[group - each.groups.start, row:])
            if section.first:
                stored = each.checkpoints[section.first // self._sections.rounds - 1]
                copied(first.stored[each.own.start : each.own.stop], stored)

    def _join_ends(self) -> None:
        """Let the first share have the end of the pair, as FirstEnd of kernels/pairs/ends.cuh chooses it."""
        ends = list[tuple[int, int, int]]()
        for each in self._shares:
            with each.active():
                score, row, column = fetched(each.whole.ends, cupy.cuda.get_current_stream())[0, :END_WORDS].tolist()
            ends.append((score, -row, -column))
        score, row, column = max(ends)
        self.whole.ends[0, :END_WORDS] = cupy.asarray(np.array([score, -row, -column], np.int32))

    def _share_of_launch(self, fill: Fill) -> tuple[int, int]:
        """Strips that take part in a launch, and rounds of each.

        As many strips as there are warps, until they end. But the better the best alignment is that has been seen, the
        more can be left out, and it is in the first rows of all strips sooner than in all rows of the first strips. And
        a share can begin when the last strip of the one before it has begun.
        """
        warps, strips = self._shape.blocks * device().multiprocessors * self._shape.warps, int(fill.strips.sum())
        several = fill is self.whole and len(self._shares) > 1
        turns = -(-strips // (warps * (self._devices if several else 1)))
        if several or (self._shares[0].prunes and strips >= BUSY * turns * warps):
            return strips, max(LEAST_ROUNDS, ROUNDS // turns)
        return warps, ROUNDS

    @property
    def ends(self) -> Any:
        """Where alignments end, once all is filled: FirstEnd of kernels/pairs/ends.cuh."""
        return cupy.ascontiguousarray(self.whole.ends[:, :END_WORDS])

    def matrices(self, fill: Fill) -> Matrices:
        """What ways back need of what was filled."""
        codes, sides, count = self._shares[0].codes, self._shares[0].sides, len(fill.layout)
        return Matrices(
            long_kept(self._shape), self.memory(fill), count, self._inputs.most, codes, sides[:2], *sides[2:]
        )

    def matrices_of(self, fill: Fill, numbers: Numbers, most: int) -> Matrices:
        """The same of its pairs by their numbers, of one perhaps several times.

        most: words of runs that an alignment has at most.
        """
        sent = [pinned(each[numbers]) for each in (fill.layout, *self._inputs.sent[2:])]
        # They last until the next ones.
        self._several, *sides = map(sending, sent)
        cupy.cuda.get_current_stream().synchronize()
        memory = pointers(self._several, *fill.kept)
        return Matrices(
            long_kept(self._shape), memory, len(numbers), most, self._shares[0].codes, sides[:2], *sides[2:]
        )

    def memory(self, fill: Fill) -> npt.NDArray[Any]:
        """LongMemory of what was filled."""
        return pointers(fill.pairs, *fill.kept)

    @property
    def items(self) -> int:
        """Columns of a place."""
        return self._shape.items


def _stream_on(number: int) -> Any:
    with cupy.cuda.Device(number):
        return cupy.cuda.Stream(non_blocking=True)
