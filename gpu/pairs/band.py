"""Alignments from end to end of pairs of DNA that are alike: of cells in a band, where no other can matter.

kernels/pairs/band_fill.cu has the cells, and gpu/pairs/bands.py why they are enough.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.device import device, free_bytes
from gpu.family import banded_pairs
from gpu.layout import BAND_ITEMS, BASES, FOUND_WORDS, LOW_BITS, LOW_THREADS, WARP
from gpu.pairs.bands import DIAGONALS, LANES, LEAST_CELLS, Costs, bounds, guessed, lowest, needed
from gpu.pairs.budgets import Budget, chunks
from gpu.pairs.chunks import WAYS, WORD, Letters, UnderWay, letters_at
from gpu.pairs.found import Answer, columns, fetched, sending
from gpu.pairs.packs import Packs, in_order
from gpu.pairs.scores import by_value
from gpu.pairs.short import MEMORY, bits_for
from gpu.variants import takes_short_pairs
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns

MANY = 1 << 7
"""Pairs that are worth it: fewer would leave most of the device idle."""
BLOCK_WARPS = LOW_THREADS // WARP

PAIR = np.dtype(
    [(name, np.int64) for name in ("query", "subject", "runs")]
    + [(name, np.int32) for name in ("rows", "columns", "lowest", "bound")]
)
WARPS = np.dtype([("lows", np.int64), ("steps", np.int32), ("unused", np.int32)])
"""BandPair and BandWarp of kernels/pairs/band.cuh."""


def packs_of(lengths: Numbers, lanes: int, units: int) -> Packs:
    """Pairs of so many letters in bands of so many lanes; units: of low bits, that a lane stores of an antidiagonal."""
    together = 2 * WARP // lanes
    order, pairs = in_order(lengths.sum(axis=0), lengths, PAIR, together)
    warps = cupyx.empty_pinned(len(pairs) // together, WARPS)
    warps["steps"] = (pairs["rows"] + pairs["columns"]).reshape(-1, together).max(1) // 2 + 1
    return Packs.of(order, pairs, warps, warps["steps"].astype(np.int64) * 2 * units * WARP)


class BandWork:
    """The alignments of those pairs of a batch that a band is enough for; letters are another matter."""

    letters = BASES

    def __init__(self, batch: PairBatch, scheme: Scheme, costs: Costs, bits: int, lanes: Numbers) -> None:
        """Of pairs in bands of so many lanes, 0 for none, in which chunks; bits: of H that are kept, for ways back."""
        self._batch, self._scheme, self._costs, self._lengths = batch, scheme, costs, batch.lengths
        self._bits, self._lanes = bits, lanes
        self._base = costs.corner(min(costs.longest, int(self._lengths.max())))
        self._most = min(MEMORY, free_bytes() // 4) // WAYS
        parts = chunks(batch, self._budget(slice(None), lanes))
        self.chunks = [part for part in parts if lanes[part.start : part.stop].any()]

    @classmethod
    def of(cls, batch: PairBatch, scheme: Scheme, report: Report) -> Self | None:
        """None where the scheme, the device, low bits or the lengths of pairs will not do."""
        costs = Costs.of(scheme) if takes_short_pairs(device().capability) else None
        bits = bits_for(scheme) if report == "alignment" else 0
        # At a glance: to look at a million pairs takes as long as to align them.
        if costs is None or bits is None or int(batch.lengths.max(initial=0)) ** 2 < LEAST_CELLS:
            return None
        lanes = guessed(batch.lengths, costs)
        return cls(batch, scheme, costs, bits, lanes) if np.count_nonzero(lanes) >= MANY else None

    def _budget(self, numbers: slice | Numbers, lanes: Numbers) -> Budget:
        """Bytes of low bits."""
        letters = self._lengths[:, numbers].sum(axis=0)
        return Budget.of(letters * lanes * (DIAGONALS // 2 * self._bits // 8), self._most)

    def prepare(self) -> None:
        """Nothing: the host plans chunk by chunk."""

    def plan(self, number: int) -> list["_Plan"]:
        """How the pairs of a chunk lie."""
        part = self.chunks[number]
        return self._plans(part, np.arange(part.start, part.stop), self._lanes[part.start : part.stop])

    def _plans(self, part: range, numbers: Numbers, lanes: Numbers) -> list["_Plan"]:
        """The same of some of them, in bands of so many lanes; not of those that have 0."""
        return [self._plan(part, numbers[lanes == each], each) for each in LANES if (lanes == each).any()]

    def _plan(self, part: range, chosen: Numbers, lanes: int) -> "_Plan":
        packs = packs_of(self._lengths[:, chosen], lanes, BAND_ITEMS * self._bits // 64)
        numbers, own = chosen[packs.order], packs.pairs[: len(chosen)]
        lengths, every = self._lengths[:, numbers], np.array([lanes])
        bound = bounds(lengths, every, self._costs)
        own["query"], own["subject"] = letters_at(self._batch, part, numbers)
        own["lowest"], own["bound"] = lowest(lengths, every), bound
        return _Plan(numbers, lanes, bound, packs)

    def launch(self, number: int, plan: list["_Plan"], letters: Letters) -> UnderWay:
        """Align a chunk."""
        return self.banded(self.chunks[number], letters, plan)

    def banded(self, part: range, letters: Letters, plan: list["_Plan"]) -> "_Banded":
        """Pairs of a chunk, queued on the current stream."""
        answers = [self._align(each.packs, each.lanes, letters.codes) for each in plan]
        return _Banded(self, part, letters, plan, answers, [])

    def wider(self, part: range, lacking: Columns) -> list["_Plan"]:
        """Bands that are enough for pairs whose own were not, where there are such, and as far as there is room."""
        lanes = needed(self._lengths[:, lacking.numbers], lacking.scores, self._costs)
        numbers, lanes = lacking.numbers[lanes > 0], lanes[lanes > 0]
        end = self._budget(numbers, lanes).end(0)
        return self._plans(part, numbers[:end], lanes[:end])

    def _align(self, packs: Packs, lanes: int, codes: Any) -> Answer:
        """On the current stream."""
        pairs, warps, count = sending(packs.pairs), sending(packs.warps), len(packs.warps)
        lows, scores = cupy.empty(packs.low_bytes, np.uint8), cupy.zeros(len(packs.pairs), np.int32)
        fill = banded_pairs("band_fill", self._bits or LOW_BITS[0], keeps=bool(self._bits))
        bands = pairs, warps, np.int32(count), np.int32(lanes), codes
        numbers = by_value(self._numbers())
        grid, block = (-(-count // BLOCK_WARPS),), (LOW_THREADS,)
        arguments = (*bands, np.int64(codes.size // WORD - 1), numbers, lows, scores)
        kernel(fill.schedule, **fill.macros)(grid, block, arguments)
        if not self._bits:
            return Answer.of(scores, cupy.zeros(1, np.int32), cupy.empty(0, np.int32))
        return self._walk(bands, packs, lows, scores)

    def _walk(self, bands: tuple[Any, ...], packs: Packs, lows: Any, scores: Any) -> Answer:
        scheme, count = self._scheme, len(packs.pairs)
        found, taken = cupy.empty(FOUND_WORDS * count, np.int32), cupy.zeros(1, np.int32)
        scratch, runs = cupy.empty(packs.letters, np.int32), cupy.empty(packs.letters, np.int32)
        walk = banded_pairs("band_walk", self._bits)
        steps = by_value(np.array([self._costs.unlike, self._costs.equal - self._costs.unlike], np.int32))
        costs = steps, np.int32(-scheme.gap_first), np.int32(-scheme.gap_extend), np.int32(self._base)
        pairs, warps, _, lanes, codes = bands
        arguments = (
            pairs, warps, np.int32(count), lanes, codes, *costs, lows, scores, scratch, runs, taken, found,
        )  # fmt: skip
        kernel(walk.schedule, **walk.macros)((-(-count // BLOCK_WARPS),), (LOW_THREADS,), arguments)
        return Answer.of(found, taken, runs)

    def _numbers(self) -> npt.NDArray[np.int32]:
        """Costs of band_fill.cu."""
        costs = self._costs
        unlike = costs.unlike + 2 * costs.gap_extend
        both = np.array([-costs.gap_open, self._base, costs.loss], np.int64) & 0xFFFF
        words = [unlike * 0x10001, costs.equal - costs.unlike, *(both * 0x10001).tolist(), self._base, costs.gap_extend]
        return np.array([word & 0xFFFFFFFF for word in words], np.uint32).view(np.int32)

    def columns(self, plan: "_Plan", answer: Answer) -> Columns:
        """What was found in bands, enough or not."""
        answer.done.synchronize()
        lengths = self._lengths[:, plan.numbers]
        cells = np.multiply(*lengths)
        if self._bits:
            runs = fetched(answer.runs[: int(answer.taken[0])], answer.stream)
            rows = answer.found.reshape(-1, FOUND_WORDS)[: len(plan.numbers)]
            return columns(False, plan.numbers, cells, rows, runs)
        scored = Columns.scored(False, plan.numbers, cells, answer.found[: len(plan.numbers)])
        nowhere = np.zeros(len(scored), np.int64)
        return replace(scored, places=np.stack((nowhere, lengths[0], nowhere, lengths[1]), axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Pairs in bands of so many lanes, in the packs' order, and what no alignment has that leaves them."""

    numbers: Numbers
    lanes: int
    bound: Numbers
    packs: Packs


@dataclass(frozen=True, slots=True, eq=False)
class _Banded:
    """A chunk whose launches are queued; plan: with pinned memory that is on its way to the device.

    lacking: what is known of pairs whose bands are not enough, once that is known.
    """

    work: BandWork
    part: range
    letters: Letters
    plan: list[_Plan]
    answers: list[Answer]
    lacking: list[Columns]

    def columns(self) -> Columns:
        """Those whose bands are enough."""
        known = self.letters.known()
        found = []
        for plan, answer in zip(self.plan, self.answers, strict=True):
            each = self.work.columns(plan, answer)
            enough, taken = each.scores > plan.bound, known[each.numbers - self.part.start]
            if not (enough.all() and taken.all()):
                self.lacking.append(each.select(~enough & taken))
                each = each.select(enough & taken)
            found.append(each)
        return found[0] if len(found) == 1 else Columns.joined(local=False, parts=found)

    def next(self) -> "_Banded | None":
        """Those for which wider bands are."""
        if not self.lacking:
            return None
        plan = self.work.wider(self.part, Columns.joined(local=False, parts=self.lacking))
        with self.answers[0].stream:
            return self.work.banded(self.part, self.letters, plan) if plan else None
