"""Long pairs: strips of a pair over all multiprocessors, handed on from one to the next on the device (fill_long.cu).

Columns are of the subjects here, and rows of the queries: schemes are turned. What is kept for ways back takes
4.25 / KEPT_ROWS + 4.125 / KEPT_COLUMNS bytes a cell; where that is too much, a section of rows at a time (sections.py).
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.device import device, free_bytes
from gpu.layout import END_WORDS, FOUND_WORDS, KEPT_COLUMNS, KEPT_ROWS, LOWEST, PLACES, WARP
from gpu.pairs.classes import LONG_BASES, long_shapes
from gpu.pairs.filling import Filling
from gpu.pairs.found import columns, fetched
from gpu.pairs.long_layout import placed, strips_of
from gpu.pairs.pieces import pieces_of
from gpu.pairs.plan import rounds_of
from gpu.pairs.potential import MOST_BYTE, Form, form
from gpu.pairs.scores import with_borders
from gpu.pairs.section_rows import sections_for
from gpu.pairs.sections import SectionedWay
from gpu.pairs.shares import Purpose
from gpu.pairs.ways import Ways, plain_scores
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, lengths_of
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.pieces import Pieces

MEMORY = 64 << 30
"""Bytes kept on the device at a time; never more than half of what is free."""
MOST_PAIRS = 1 << 14
"""Of a chunk: a row of blocks packs a pair."""
SECTIONED_ROWS = 1 << 19
"""Rows of a pair that is sooner aligned in sections: what is kept of all is written for long, and walked by a warp."""
FEW = 1 << 5
"""Pairs that leave some of a device idle, however they are shaped."""
MOST = (1 << 15) - 1
"""What 16 bits hold."""
MOST_SUM = 1 << 30
"""What no number comes near to, bases included."""


def holds(how: Form, scheme: Scheme, lengths: Numbers) -> npt.NDArray[np.bool_]:
    """Which of these pairs (2, pairs) the kernel is exact for.

    Neighbours in a row or column differ by no more than `step`: whoever leaves a letter out of an alignment loses its
    score, and opens a gap. In potential form each has its potential more. So a place's numbers keep within the window
    of strip.cuh for a round: WARP rows, its own columns, and the one before them.
    """
    best, row, column = max(1, int(scheme.table.best)), how.free[5], how.free[6]
    step = best + scheme.gap_first + row + column
    cells = WARP + max(shape.items for shape in long_shapes(how)) + 1
    kept_low = 3 * scheme.gap_first + cells * scheme.gap_extend <= LOWEST
    kept_high = 2 * LOWEST + cells * step + MOST_BYTE <= MOST
    most = how.free[0] + (lengths.sum(axis=0) + PLACES * WARP) * (row + column + scheme.gap_extend)
    most = most + np.minimum(*lengths) * best + 3 * scheme.gap_first
    held: npt.NDArray[np.bool_] = (most < MOST_SUM) & (lengths.min(axis=0) > 0) & kept_low & kept_high
    return held


def kept_bytes(lengths: Numbers) -> Numbers:
    """What is kept of pairs of so many letters, in columns and in rows, by the most that any shape takes."""
    narrow, wide = LONG_BASES
    columns = strips_of(lengths[0], wide) * 2 * wide.width
    of_rows = lengths[1] // KEPT_ROWS * columns * (4 * narrow.items + 4) // narrow.items
    found: Numbers = of_rows + lengths[0] // KEPT_COLUMNS * rounds_of(lengths[1]) * (4 * WARP + 4)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class LongPairs:
    """How long pairs are aligned under a scheme: of letters that are bases alone, or of all.

    prunes: whether what can have no best alignment may be left out. devices: those that one pair may go over, the
    current one first, by CUDA's numbers.
    """

    scheme: Scheme
    how: Form
    ways: Ways
    prunes: bool = True
    devices: Sequence[int] = (0,)

    @classmethod
    def of(cls, scheme: Scheme, *, bases: bool, prunes: bool = True, devices: Sequence[int] = (0,)) -> Self | None:
        """None where the scheme is not for 16 bits."""
        how = form(scheme.turned, bases=bases)
        scores = None if how is None else plain_scores(scheme, len(how.scores))
        return (
            None if how is None or scores is None else cls(scheme, how, Ways.of(scheme, how, scores), prunes, devices)
        )

    def holds(self, lengths: Numbers) -> npt.NDArray[np.bool_]:
        """Which pairs of so many letters they are aligned exactly for."""
        return holds(self.how, self.scheme, lengths[::-1])

    def align(self, pairs: Sequence[CodedPair], numbers: Numbers, report: Report) -> Generator[Columns, None, None]:
        """What is found of some pairs by their numbers, in some order, and between launches how far they are.

        On the current stream. Nothing of pairs of which more is to be kept than there is memory.
        """
        cut = [self._pieces(lengths) for lengths in lengths_of(pairs)[:, numbers].T] if len(numbers) < FEW else []
        for number, pieces in zip(numbers.tolist(), cut, strict=False):
            if pieces is not None:
                yield from self._in_pieces(pieces, pairs[number], number, report)
        whole = np.array([each is None for each in cut], np.bool_)
        yield from self._whole(pairs, numbers[whole] if cut else numbers, report)

    def _whole(self, pairs: Sequence[CodedPair], numbers: Numbers, report: Report) -> Generator[Columns, None, None]:
        """The same, of pairs that are not cut."""
        lengths, keeps = lengths_of(pairs)[::-1, numbers], report != "score"
        # The driver takes a while to say what is free.
        memory = min(MEMORY, free_bytes() // 2) if keeps else 0
        bytes_of = kept_bytes(lengths) if keeps else np.zeros(len(numbers), np.int64)
        order = np.argsort(-lengths[1], kind="stable")
        cut = bytes_of > memory
        if len(numbers) < FEW:
            cut |= (bytes_of > 0) & (lengths[1] >= SECTIONED_ROWS)
        for place in order[cut[order]].tolist():
            yield from self._in_sections(pairs, numbers[[place]], memory)
        order = order[~cut[order]]
        start = 0
        while start < len(order):
            fitting = int(np.searchsorted(np.cumsum(bytes_of[order[start:]]), memory, side="right"))
            some = numbers[order[start : start + min(MOST_PAIRS, fitting)]]
            start += len(some)
            yield from self._align(pairs, some, report)

    def _align(self, pairs: Sequence[CodedPair], numbers: Numbers, report: Report) -> Generator[Columns, None, None]:
        lengths = lengths_of(pairs)[:, numbers]
        cells = np.multiply(*lengths)
        purpose = Purpose(keeps=report != "score", prunes=self.prunes)
        filling = Filling([pairs[number] for number in numbers.tolist()], self.how, purpose, self.devices)
        for share in filling.run(filling.whole):
            yield Columns.nothing(self.scheme.mode.local, int(share * cells.sum()))
        stream = cupy.cuda.get_current_stream()
        if report == "score":
            ends = fetched(filling.ends, stream).reshape(-1, END_WORDS)
            scores = with_borders(ends[:, 0].astype(np.int64), lengths, self.scheme)
            yield Columns.scored(self.scheme.mode.local, numbers, cells, scores)
            return
        runs, taken = cupy.empty(int(lengths.sum()), np.int32), cupy.zeros(1, np.int32)
        found = self.ways.walk(filling.matrices(filling.whole), filling.ends, runs, taken)
        rows = fetched(found, stream).reshape(-1, FOUND_WORDS)
        count = int(fetched(taken, stream)[0])
        yield columns(self.scheme.mode.local, numbers, cells, rows, fetched(runs[:count], stream))

    def _pieces(self, lengths: Numbers) -> Pieces | None:
        narrowest = long_shapes(self.how)[0]
        return pieces_of(lengths, 2 * narrowest.width, self.scheme, device().multiprocessors)

    def _in_pieces(
        self, pieces: Pieces, pair: CodedPair, number: int, report: Report
    ) -> Generator[Columns, None, None]:
        """What is found of one pair."""
        cells, found = pair.cells, list[Columns]()
        cut = [pieces.piece(pair, piece) for piece in range(len(pieces.ranges))]
        # Their cells are more than those of the pair.
        share = cells / int(np.multiply(*lengths_of(cut)).sum())
        for each in self._whole(cut, np.arange(len(cut)), report):
            found.append(each)
            if len(each) == 0:
                yield Columns.nothing(self.scheme.mode.local, int(share * each.ahead))
        every = Columns.joined(self.scheme.mode.local, found)
        best, _ = pieces.best(every, np.zeros(len(every), np.bool_), number, cells, report)
        yield best

    def _in_sections(self, pairs: Sequence[CodedPair], numbers: Numbers, memory: int) -> Generator[Columns, None, None]:
        """What is found of one pair; nothing where there is not even memory for its sections."""
        lengths, local = lengths_of(pairs)[::-1, numbers], self.scheme.mode.local
        shape, _ = placed(lengths[0], self.how, self.devices)
        sections = sections_for(lengths[:, 0], shape, memory)
        if sections is None:
            return
        purpose = Purpose(sections=sections, prunes=self.prunes)
        filling = Filling([pairs[int(numbers[0])]], self.how, purpose, self.devices)
        cells = np.multiply(*lengths)
        # Two passes, whose shares are of one; the second one seldom fills all again.
        for share in filling.run(filling.whole):
            yield Columns.nothing(local, int(share * cells[0] / 2))
        [end] = fetched(filling.ends, cupy.cuda.get_current_stream())
        way = SectionedWay(filling, sections, self.ways, int(lengths.sum()), end)
        for share in way.walk():
            yield Columns.nothing(local, int(share * cells[0] / 2))
        yield columns(local, numbers, cells, way.row, way.runs)
