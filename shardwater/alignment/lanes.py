"""Where pairs of a band lie: side by side in lanes, and one after another in each lane.

A lane is as long as the longest pair. So a band of one long pair and many short ones has few lanes.
"""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pair lies: its lane, and the letters of the lane before its first letter."""

    lane: int
    before: int


@dataclass(slots=True, eq=False)
class Lanes:
    """Lanes of `longest` letters. between: letters between two pairs, or more; step: pairs begin at multiples of it."""

    longest: int
    between: int
    step: int
    _free: list[tuple[int, int]] = field(default_factory=list)
    _count: int = 0

    def fits(self, letters: int) -> bool:
        """Whether a pair of so many letters fits into the lanes that there are."""
        return bool(self._free) and self._free[0][0] + letters <= self.longest

    def add(self, letters: int) -> Place:
        """Put a pair into the emptiest lane, or into a new one. Pairs should come in order, the longest first."""
        before, lane = heapq.heappop(self._free) if self.fits(letters) else (0, self._count)
        self._count = max(self._count, lane + 1)
        behind = -(-(before + letters + self.between) // self.step) * self.step
        heapq.heappush(self._free, (behind, lane))
        return Place(lane, before)

    def __len__(self) -> int:
        return self._count

    def places(self, lengths: Iterable[int]) -> list[Place]:
        """The places of pairs of so many letters, in their order."""
        sizes = list(lengths)
        places = dict[int, Place]()
        for number in sorted(range(len(sizes)), key=lambda each: -sizes[each]):
            places[number] = self.add(sizes[number])
        return [places[number] for number in range(len(sizes))]
