"""Which kernels score a query: how its columns are cut into strips, and the launch that each strip's kernel likes best.

Cutting is arithmetic; what a device likes is measured (gpu/tuning).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from gpu.layout import CHUNK, GROUP
from gpu.tuning import Launch, tuning

MORE_LANES = 2 * GROUP
"""For few packs: a warp has half of one, so that twice as many warps have work."""
MOST_ITEMS = 18


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a profile: pair codes of so many letters, with or without those of a subject that ended first.

    `lanes` share its columns.
    """

    letters: int
    even: bool = False
    lanes: int = GROUP

    @property
    def rows(self) -> int:
        """Rows, one for each pair code (kernels/database/packs.cuh)."""
        return self.letters**2 + 1 + (0 if self.even else self.letters)

    def bytes(self, items: int) -> int:
        """Shared memory for a strip of so many items a lane (ProfileLayout in kernels/core/scores.cuh)."""
        chunks, rest = divmod(items, CHUNK)
        # A load is of 1, 2 or 4 words.
        return self.rows * self.lanes * 4 * (chunks * CHUNK + (CHUNK if rest == CHUNK - 1 else rest))

    def macros(self, items: int) -> dict[str, int]:
        """The macros of a kernel that makes or reads such a table for so many items a lane."""
        return {"ROWS": self.rows, "ITEMS": items, "LANES": self.lanes, "TABLE_BYTES": self.bytes(items)}

    def most_items(self, shared_bytes: int) -> int:
        """The most items a lane may own."""
        return _most_items(self, shared_bytes)


@cache
def _most_items(table: Table, shared_bytes: int) -> int:
    return max(items for items in range(1, MOST_ITEMS + 1) if table.bytes(items) <= shared_bytes)


def lanes_for(packs: int, multiprocessors: int, few_warps: int) -> int:
    """Lanes for each pair of packs: more where half a pack for each warp is all that there is."""
    return MORE_LANES if 2 * packs <= few_warps * multiprocessors else GROUP


@dataclass(frozen=True, slots=True)
class Strip:
    """The columns first, first + 1, ... of a query, lanes * items of them."""

    first: int
    items: int
    lanes: int = GROUP

    def columns(self, query_length: int) -> int:
        """Those of them that are the query's."""
        return min(self.lanes * self.items, query_length - self.first)


def cut(query_length: int, most_items: int, capability: int, lanes: int = GROUP) -> list[Strip]:
    """The strips that this device scores soonest, as equal as can be: only the last may reach beyond the query."""
    blocks = -(-query_length // lanes)
    least = -(-blocks // most_items)
    if least == 1:
        return [Strip(0, blocks, lanes)]
    counts = range(least, min(blocks // _fewest(most_items), least + tuning(capability).more_strips) + 1)
    sizes = min((_sizes(blocks, count) for count in counts), key=lambda sizes: _seconds(sizes, capability, lanes))
    firsts = accumulate(sizes, initial=0)
    return [Strip(lanes * first, items, lanes) for first, items in zip(firsts, sizes, strict=False)]


def _sizes(blocks: int, count: int) -> list[int]:
    items, wider = divmod(blocks, count)
    return [items + 1] * wider + [items] * (count - wider)


def _seconds(sizes: Sequence[int], capability: int, lanes: int) -> float:
    """What strips take, as far as measured, in some unit."""
    return sum(items / launch(capability, items, border=True, lanes=lanes).tcups for items in sizes)


def _fewest(most_items: int) -> int:
    return (most_items + 1) // 2


def bordered_items(most_items: int) -> Sequence[int]:
    """The items that strips of queries longer than one strip can have."""
    return range(_fewest(most_items), most_items + 1)


@cache
def launch(capability: int, items: int, border: bool, lanes: int = GROUP) -> Launch:
    """How to launch a strip's kernel on a device of this compute capability."""
    return tuning(capability).strips.get(kind_of(border, lanes), {}).get(items, Launch())


def kind_of(border: bool, lanes: int) -> str:
    """The name of such kernels among the tables of strips."""
    return f"{'border' if border else 'single'}_{lanes}"
