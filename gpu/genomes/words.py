"""The words of a strand, sorted, and those that two strands have in common."""

from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.genomes.strands import Strand
from gpu.layout import GENOME_TILE, THREADS
from gpu.pairs.scores import by_value
from shardwater.genomes.comparison import Part

CLASSES = 5
"""Letters before a word: A, C, G, T, and none."""


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words of a strand by value, then by the letter before, then by place: their values, and both of these."""

    values: Any
    places: Any

    @classmethod
    def listed(cls, strand: Strand, word: int, part: Part) -> Self:
        """All words of so many letters in the units of a part."""
        blocks = -(-strand.length // GENOME_TILE)
        if blocks == 0:
            return cls(cupy.zeros(0, np.uint64), cupy.zeros(0, np.uint32))
        wanted = by_value(np.array([word, part.first, part.last], np.int32))
        counts = cupy.empty((CLASSES, blocks), np.int32)
        kernel("count_words")((blocks,), (THREADS,), (strand.argument(), wanted, counts))
        ends = cupy.cumsum(counts.ravel(), dtype=np.int32)
        begins, count = ends - counts.ravel(), int(ends[-1])
        values, places = cupy.empty(count, np.uint64), cupy.empty(count, np.uint32)
        kernel("list_words")((blocks,), (THREADS,), (strand.argument(), wanted, begins, values, places))
        return cls(values, places)

    def sorted(self) -> "Words":
        """The same by value; of one value as they were."""
        order = cupy.argsort(self.values)
        return Words(self.values[order], self.places[order])

    def __len__(self) -> int:
        return len(self.values)


def matched(query: Words, subject: Words) -> Any:
    """Words that both have, which are sorted: (words, 4) int32, Matched of kernels/genomes/runs.cuh, not counted."""
    if len(query) == 0 or len(subject) == 0:
        return cupy.zeros((0, 4), np.int32)
    found = cupy.empty(len(query), np.int32)
    sizes = np.int32(len(query)), np.int32(len(subject))
    arguments = query.values, sizes[0], subject.values, sizes[1], found
    kernel("match_words")((-(-len(query) // GENOME_TILE),), (THREADS,), arguments)
    firsts = cupy.flatnonzero(found >= 0)
    words = cupy.zeros((len(firsts), 4), np.int32)
    words[:, 0], words[:, 1] = firsts, found[firsts]
    return words


def units_of(values: Any) -> Any:
    """The unit of each word, as decision 042 has it."""
    return ((values * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(56)).astype(np.int64)


def host(numbers: Any) -> npt.NDArray[Any]:
    """Numbers of the device, as they are now."""
    there: npt.NDArray[Any] = numbers.get()
    return there
