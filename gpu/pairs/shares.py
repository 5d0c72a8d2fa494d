"""Strips of long pairs that one device fills: what it has of them, and its launches (fill_long.cu, long_cells.cu)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.device import device
from gpu.family import long_cells, long_pairs
from gpu.layout import END_WORDS, NOTHING, PLACES, THREADS, WARP
from gpu.pairs.end_choice import EndCells
from gpu.pairs.found import fetching, pinned, sending
from gpu.pairs.long_layout import Inputs, kept_room
from gpu.pairs.scores import by_value, run_blocks, scores_of
from gpu.pairs.section_rows import Sections, state_words
from gpu.pairs.ways import pointers
from shardwater.pairs.batch import Numbers

PACK_BLOCKS = 64
"""That pack a pair."""

CHECKPOINTS = np.dtype(
    [(name, np.int64) for name in ("words", "edges")]
    + [(name, np.int32) for name in ("rounds", "strips", "every", "unused")]
)
"""Checkpoints of kernels/pairs/handed.cuh."""
HANDED_ON_BITS = 48
HANDED_ON = (1 << HANDED_ON_BITS) - 1
"""Of a word that a strip hands on: H and how much less E is; above them stands whose it is."""
PRUNING = np.dtype([("best", np.int64), ("gain", np.int32), ("known", np.int32)])
"""Pruning of kernels/pairs/prunes.cuh."""
PEAK_WORDS = 4
PEAKS = np.dtype([("all", np.int64), ("rounds", np.int32), ("least", np.int32)])
"""Peak and Peaks of kernels/pairs/peaks.cuh."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """What matrices are filled for, beside where their alignments end.

    keeps: what ways back need. sections: before each of which strips are stored. least: where rounds are to tell their
    best cell, what that has to score; what strips hand on stays then. prunes: whether rounds are skipped that cannot
    contain a best alignment; of local pairs alone, and not where ways back or best cells of rounds are wanted.
    """

    keeps: bool = False
    sections: Sections | None = None
    least: int | None = None
    prunes: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Fill:
    """Strips that are filled together, rounds from the first one on, and where what they leave goes.

    left: the column from which on a way back can be walked: of a section that is not filled from the first strip on.
    layout: LongPair of each in pinned memory; pairs, kept and ends on the device: the same, LongMemory (nothing in it
    where nothing is kept), and PairEnd.
    """

    layout: npt.NDArray[np.void]
    pairs: Any
    kept: Sequence[Any]
    ends: Any
    strips: Numbers
    rounds: Numbers
    first: int
    keeps: bool
    first_strip: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Launched:
    """A launch under way: what must last until it has ended, and the best score of its first pair, known then."""

    sent: npt.NDArray[np.void] | None
    best: npt.NDArray[np.int32]
    ended: Any


class Share:
    """Strips of pairs, all of them or some of one pair, which a device fills launch by launch."""

    def __init__(self, inputs: Inputs, purpose: Purpose, own: range, number: int, stream: Any) -> None:
        """Send all, and pack the letters.

        own: the numbers of its strips among those of all pairs; number: CUDA's, of the device.
        """
        self.own, self._inputs, self._purpose, self._number, self._stream = own, inputs, purpose, number, stream
        how, shape, layout, sections = inputs.how, inputs.shape, inputs.layout, purpose.sections
        self.prunes = purpose.prunes and how.mode == "Local" and not purpose.keeps and purpose.least is None
        # Of a single pair: sections begin right of these strips, too.
        group = sections.group if sections is not None and purpose.least is None else 0
        self.groups = range(own.start // group, own.stop // group) if group else range(0)
        with self.active():
            pairs, self.codes, *self.sides = map(sending, inputs.sent)
            self._letters = cupy.empty(layout.words, np.uint32)
            pack = kernel("pack_long", LANES=WARP, ITEMS=shape.items, WORDS=how.letter_words)
            blocks = max(1, min(PACK_BLOCKS, inputs.most // (4 * THREADS)))
            pack((blocks, len(layout.pairs)), (THREADS,), (pairs, self.codes, *self.sides[:2], self._letters))
            kept = kept_room(*((layout.kept_rows, layout.kept_columns) if purpose.keeps else (0, 0)), shape)
            self.whole = Fill(
                inputs.sent[0], pairs, kept, self.no_ends(), inputs.strips, inputs.rounds, 0, purpose.keeps
            )
            # No strip is 0 to those that come after it.
            self.edges = cupy.zeros(layout.edges, np.uint64)
            self.stored = cupy.empty((int(inputs.strips.sum()), state_words(shape)), np.uint32)
            self._bests = cupy.zeros(len(layout.pairs), np.int32)
            rows = int(inputs.lengths[1].max())
            self.checkpoints = cupy.empty(
                (sections.stored(rows) if sections else 0, len(own), state_words(shape)), np.uint32
            )
            self.handed_on = cupy.empty((len(self.groups), rows), np.uint64)
            told = 0 if purpose.least is None else len(own)
            self.peaks = cupy.zeros((told, int(inputs.rounds.max()), PEAK_WORDS), np.int32)

    @contextmanager
    def active(self) -> Iterator[None]:
        """With the device and its stream the current ones."""
        with cupy.cuda.Device(self._number), self._stream:
            yield

    def only(self, strips: range, entered: Any) -> None:
        """Fill of a single pair these strips alone.

        entered: what the strip before them hands on, as handed_on_by has it; nothing where there is none.
        """
        with self.active():
            if entered is not None:
                self.edges[: len(entered)] = entered | np.uint64(strips.start << HANDED_ON_BITS)
            self.whole = replace(self.whole, first_strip=strips.start, strips=np.array([len(strips)]))

    def handed_on_by(self, strips: Sequence[tuple[int, int]]) -> Any:
        """What some strips have handed on, where all stays: a row for each, a word for each row of the matrix.

        strips: of each its pair and its number in that; the pairs have equally many rows. Without whose words they are.
        """
        rows = int(self._inputs.lengths[1, strips[0][0]])
        begins = [int(self._inputs.layout.pairs["edges_at"][pair]) + strip * rows for pair, strip in strips]
        return self.edges[cupy.asarray(begins)[:, None] + cupy.arange(rows)] & np.uint64(HANDED_ON)

    def synchronize(self) -> None:
        """Wait for all that was queued."""
        self._stream.synchronize()

    def no_ends(self) -> Any:
        """PairEnd of each pair, before anything is filled."""
        ends = cupy.zeros((len(self._inputs.layout.pairs), END_WORDS + 1), np.int32)
        if self._inputs.how.mode != "Local":
            ends[:, 0] = NOTHING
        return ends

    def launch(self, fill: Fill, works: npt.NDArray[np.void], known: int) -> Launched:
        """Do these works; known: what the best alignment of the pair scores, if there is but one, or less."""
        sent = pinned(works) if len(works) else None
        if sent is not None:
            shape, purpose, prunes = self._inputs.shape, self._purpose, self.prunes and not fill.keeps
            storing, telling = self._storing(fill), self._telling()
            stored = self.edges, self.stored, storing, telling, self._pruning(known)
            before = sending(sent), np.int32(len(works)), *self._of_all(fill)
            arguments = *before, *stored, cupy.zeros(1, np.int32), fill.ends
            family = long_pairs(self._inputs.how, shape, fill.keeps, purpose.least is not None, prunes)
            run_blocks(family, self._grid(len(works)), arguments, shape.profile_bytes(self._inputs.how))
        return Launched(sent, fetching(self._bests[:1], self._stream), self._stream.record())

    def receive(self, before: "Share", works: npt.NDArray[np.void], launched: Launched) -> None:
        """What the last strip of the share before has handed on in the rounds of a launch, once it has."""
        self._stream.wait_event(launched.ended)
        last = works[works["stored"] == before.own[-1]]
        for first, end in zip(last["from"].tolist(), last["to"].tolist(), strict=True):
            rows = slice(*(max(0, each * WARP - (PLACES - 1)) for each in (first, end)))
            copied(self.edges[rows], before.edges[rows])

    def cells(self, works: Any, parts: Any, leasts: Any, found: EndCells) -> None:
        """Append to those found the cells that rounds have, once all was filled (long_cells.cu).

        On the device: works, WORK from rounds before which strips are stored; parts, EndPart of each pair that is
        filled; leasts, what cells of each pair that these are parts of score at least.
        """
        shape, taken = self._inputs.shape, cupy.zeros(1, np.int32)
        stored = self.edges, self._storing(self.whole), self._telling()
        before = works, np.int32(len(works)), *self._of_all(self.whole)
        family = long_cells(self._inputs.how, shape)
        arguments = *before, *stored, parts, leasts, taken, found.argument()
        run_blocks(family, self._grid(len(works)), arguments, shape.profile_bytes(self._inputs.how))

    def _grid(self, works: int) -> int:
        shape = self._inputs.shape
        return min(shape.blocks * device().multiprocessors, -(-works // shape.warps))

    def _of_all(self, fill: Fill) -> tuple[Any, ...]:
        """Arguments of both kernels: letters, scores, and what is kept."""
        numbers = scores_of(self._inputs.how), by_value(np.array(self._inputs.how.free, np.int32))
        return self._letters, *numbers, pointers(fill.pairs, *fill.kept)

    def _pruning(self, known: int) -> npt.NDArray[Any]:
        pruning = np.zeros(1, PRUNING)
        pruning["best"], pruning["gain"] = self._bests.data.ptr, self._inputs.how.each
        pruning["known"] = known
        return by_value(pruning)

    def _telling(self) -> npt.NDArray[Any]:
        peaks = np.zeros(1, PEAKS)
        if self._purpose.least is not None:
            peaks["all"], peaks["rounds"], peaks["least"] = (
                self.peaks.data.ptr,
                self.peaks.shape[1],
                self._purpose.least,
            )
        return by_value(peaks)

    def _storing(self, fill: Fill) -> npt.NDArray[Any]:
        checkpoints, sections = np.zeros(1, CHECKPOINTS), self._purpose.sections
        if sections is not None and fill is self.whole:
            # Strips and groups have their numbers among those of all shares.
            checkpoints["words"] = self.checkpoints.data.ptr - self.own.start * self.stored[0].nbytes
            checkpoints["rounds"], checkpoints["strips"] = sections.rounds, len(self.own)
            if len(self.groups):
                checkpoints["edges"] = self.handed_on.data.ptr - self.groups.start * self.handed_on[0].nbytes
                checkpoints["every"] = sections.group
        return by_value(checkpoints)


def copied(there: Any, here: Any) -> None:
    """Copies numbers from any device to the current one, in the order of its current stream."""
    stream = cupy.cuda.get_current_stream()
    places = there.data.ptr, there.device.id, here.data.ptr, here.device.id
    cupy.cuda.runtime.memcpyPeerAsync(*places, there.nbytes, stream.ptr)
