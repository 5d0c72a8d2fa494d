"""Pairs on a CPU that are alike enough for a band: most of their cells are never computed (alignment/band.py)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.band import LAST, align_band, bytes_of
from shardwater.alignment.outside import Costs
from shardwater.alignment.scheme import Scheme
from shardwater.alignment.striped import MOST_TABLE
from shardwater.alignment.watch import Watch
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair, Report, told

LEAST_LETTERS = 700
"""Of both sequences: parasail fills all cells of shorter ones as soon."""
ALIKE = 0.75
"""The share of equal letters along the first diagonal that says that a band is mostly enough."""
WIDER = 4 * LAST
"""The last diagonal of the second band, of pairs that the first one is not enough for."""
KEPT = 2
"""Of so many diagonals of a band one is kept, the middle ones: few ways back leave them."""
MOST_PAIRS = 256
"""Pairs in one band: no more of them are done sooner side by side."""
LETTER_CELLS = 10_000
"""So many cells are filled without a band while a band gets longer by a letter, however few pairs are in it."""
LARGE = 4
"""Times as long as others take cells of pairs that parasail's tables have no room for."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Which pairs are aligned in bands, and in which of these together; memory: bytes for a band."""

    costs: Costs
    report: Report
    memory: int

    @classmethod
    def of(cls, scheme: Scheme, report: Report, memory: int) -> Self | None:
        """None where bands do not take such pairs, or parasail does without: scores need no way back."""
        costs = None if report == "score" else Costs.of(scheme)
        return None if costs is None else cls(costs, report, memory)

    def parts(self, batch: PairBatch) -> Iterator[list[int]]:
        """The numbers of pairs that share a band; those of like length do."""
        lengths = batch.lengths
        near = np.abs(lengths[0] - lengths[1]) <= LAST // 2
        chosen = np.flatnonzero(near & (lengths.min(axis=0) >= LEAST_LETTERS))
        chosen = chosen[np.argsort(lengths.max(axis=0)[chosen], kind="stable")]
        return self._bands([number for number in chosen.tolist() if _are_alike(batch[number])], batch, LAST)

    def align(self, pairs: Sequence[CodedPair], watch: Watch) -> list[Alignment | None]:
        """The best alignment of each, as far as it is wanted; None where no band proves it. Raises Stopped."""
        found = self._aligned(pairs, LAST, watch)
        left = [number for number, each in enumerate(found) if each is None]
        for band in self._bands(left, pairs, WIDER):
            wider = self._aligned([pairs[number] for number in band], WIDER, watch)
            for number, each in zip(band, wider, strict=True):
                found[number] = each
        return found

    def _aligned(self, pairs: Sequence[CodedPair], last: int, watch: Watch) -> list[Alignment | None]:
        letters = [(pair.query, pair.subject) for pair in pairs]
        found = align_band(letters, self.costs, last, watch, last // KEPT)
        return [None if each is None else told(each, self.report) for each in found]

    def _bands(self, numbers: Sequence[int], pairs: Sequence[CodedPair], last: int) -> Iterator[list[int]]:
        """Those of these pairs, shorter ones first, that share a band; bands that are not worth it are left out."""
        band, cells, longest = list[int](), 0, 0
        for number in numbers:
            pair = pairs[number]
            size = max(len(pair.query), len(pair.subject))
            if len(band) == MOST_PAIRS or bytes_of(size, len(band) + 1, self.costs, last, last // KEPT) > self.memory:
                if _is_worth(cells, longest, last):
                    yield band
                band, cells = [], 0
            if bytes_of(size, 1, self.costs, last, last // KEPT) <= self.memory:
                band.append(number)
                cells += pair.cells * (LARGE if 4 * pair.cells > MOST_TABLE else 1)
                longest = size
        if _is_worth(cells, longest, last):
            yield band


def _is_worth(cells: int, longest: int, last: int) -> bool:
    """Whether a band takes less than so many cells."""
    return cells > LETTER_CELLS * longest * (1 if last == LAST else 2)


def _are_alike(pair: CodedPair) -> bool:
    shorter = min(len(pair.query), len(pair.subject))
    return int(np.count_nonzero(pair.query[:shorter] == pair.subject[:shorter])) >= ALIKE * shorter
