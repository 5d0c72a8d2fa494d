"""How pairs share the threads of score_pairs.cu: two of like lengths to a slot, such slots to a set, a warp's work."""

from dataclasses import dataclass
from typing import Any

import cupy

from gpu.layout import SLOT_BURST
from gpu.pairs.classes import Shape


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """Pairs in the order of slots, -1 for none; lengths and sets as the kernels read them. All on the device.

    words: one number, how many words the letters of all sets take.
    """

    pairs: Any
    queries: Any
    subjects: Any
    sets: Any
    words: Any

    @classmethod
    def of(cls, queries: Any, subjects: Any, shape: Shape, letter_words: int) -> "Slots":
        """Those of pairs of these lengths, the most work first; letter_words: of four letters of two sequences."""
        work = -(-queries // shape.width) * (subjects.max() + 1) + subjects
        order = cupy.argsort(-work)
        pairs = cupy.full(-(-len(order) // (2 * shape.slots)) * 2 * shape.slots, -1, cupy.int64)
        pairs[: len(order)] = order
        columns, rows = (cupy.where(pairs < 0, 0, each[pairs]).astype(cupy.int32) for each in (queries, subjects))
        longest = [each.reshape(-1, 2 * shape.slots).max(axis=1).astype(cupy.int64) for each in (columns, rows)]
        words = cupy.stack([-(-each // SLOT_BURST) * shape.slots * letter_words for each in longest], axis=1)
        ends = cupy.cumsum(words.ravel()).reshape(-1, 2)
        # score_pairs.cu's Set: two places, and two lengths of 32 bits.
        sets = cupy.column_stack((ends - words, longest[0] | longest[1] << 32))
        return cls(pairs, columns, rows, sets, ends[-1, 1])

    def placed(self, values: Any, nothing: int) -> Any:
        """A number of each pair in the order of slots, another one where there is no pair."""
        return cupy.where(self.pairs < 0, nothing, values[self.pairs])
