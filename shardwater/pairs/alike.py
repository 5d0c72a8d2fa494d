"""Pairs on a CPU that are alike enough for a band: most of their cells are never computed (alignment/band.py)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.band import LAST, align_band, bytes_of, lanes_for
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
MOST_LANES = 256
"""Of one band: no more of them are done sooner side by side."""
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

    def parts(self, batch: PairBatch, numbers: Sequence[int], last: int) -> Iterator[list[int]]:
        """Of these numbers of pairs, those that share a band, the longest first; last: the last diagonal of bands."""
        lengths = batch.lengths[:, numbers]
        near = np.abs(lengths[0] - lengths[1]) <= LAST // 2
        chosen = np.flatnonzero(near & (lengths.min(axis=0) >= LEAST_LETTERS))
        chosen = np.array(numbers)[chosen[np.argsort(-lengths.max(axis=0)[chosen], kind="stable")]]
        return self._bands([number for number in chosen.tolist() if _are_alike(batch[number])], batch, last)

    def align(self, pairs: Sequence[CodedPair], last: int, watch: Watch) -> list[Alignment | None]:
        """The best alignment of each, as far as it is wanted; None where the band does not prove it. Raises Stopped."""
        letters = [(pair.query, pair.subject) for pair in pairs]
        found = align_band(letters, self.costs, last, watch, last // KEPT)
        return [None if each is None else told(each, self.report) for each in found]

    def _bands(self, numbers: Sequence[int], pairs: Sequence[CodedPair], last: int) -> Iterator[list[int]]:
        """Those of these pairs, longer ones first, that share a band; bands that are not worth it are left out."""
        band, cells, lanes = list[int](), 0, lanes_for(0, last)
        for number in numbers:
            pair = pairs[number]
            size = max(len(pair.query), len(pair.subject))
            if band and not lanes.fits(size) and not self._has_room(lanes.longest, len(lanes) + 1, last):
                if _is_worth(cells, lanes.longest, last):
                    yield band
                band, cells = [], 0
            if band or self._has_room(size, 1, last):
                lanes = lanes if band else lanes_for(size, last)
                lanes.add(size)
                band.append(number)
                cells += pair.cells * (LARGE if 4 * pair.cells > MOST_TABLE else 1)
        if _is_worth(cells, lanes.longest, last):
            yield band

    def _has_room(self, longest: int, lanes: int, last: int) -> bool:
        return lanes <= MOST_LANES and bytes_of(longest, lanes, self.costs, last, last // KEPT) <= self.memory


def _is_worth(cells: int, longest: int, last: int) -> bool:
    """Whether a band takes less than so many cells."""
    return cells > LETTER_CELLS * longest * (1 if last == LAST else 2)


def _are_alike(pair: CodedPair) -> bool:
    shorter = min(len(pair.query), len(pair.subject))
    return int(np.count_nonzero(pair.query[:shorter] == pair.subject[:shorter])) >= ALIKE * shorter
