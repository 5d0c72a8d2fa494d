"""An axis of a dot plot: ticks at round numbers, borders of records, and names of those that have room for one."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shardwater.formats.figures.scales import Tick, round_places
from shardwater.formats.figures.svg import LETTER, LINE, fitted
from shardwater.genomes.genome import Genome

LONG_NAME = 24 * LETTER
"""Pixels that a name may take that is longer than its record."""
_BETWEEN_BORDERS = 3
_MOST_NAMES = 500
"""Of the longest records, that a place is looked for; no axis has room for more."""
_UNITS = ((1_000_000, "Mb"), (1_000, "kb"), (1, "bp"))


@dataclass(frozen=True, slots=True)
class Axis:
    """Places are pixels from the axis's begin; size: all of them. names: empty where there is one record."""

    title: str
    size: int
    letters: int
    ticks: tuple[Tick, ...]
    borders: tuple[float, ...]
    names: tuple[Tick, ...]

    @property
    def scale(self) -> float:
        """Pixels of a letter."""
        return self.size / max(1, self.letters)


def axis_of(genome: Genome, side: Literal["query", "subject"], size: int, beside: float | None = None) -> Axis:
    """The axis of a genome; beside: pixels for names beside their records, which else stand along the axis."""
    letters = len(genome)
    scale = size / max(1, letters)
    unit, called = next(each for each in _UNITS if letters >= each[0] or each[0] == 1)
    records = len(genome.names)
    room = size - LETTER * len(f"{side}: , {called}")
    what = fitted(genome.names[0], room) if records == 1 else f"{records:,} records"
    ticks = tuple(Tick(place * scale, f"{place / unit:g}") for place in round_places(letters, size))
    borders = genome.offsets[1:-1] * scale
    _, firsts = np.unique(borders // _BETWEEN_BORDERS, return_index=True)
    names = _names(genome, scale, beside) if records > 1 else ()
    return Axis(f"{side}: {what}, {called}", size, letters, ticks, tuple(borders[firsts].tolist()), names)


def _names(genome: Genome, scale: float, beside: float | None) -> tuple[Tick, ...]:
    """Those that do not overlap, longer records first."""
    taken, kept = list[tuple[float, float]](), list[Tick]()
    for record in np.argsort(-genome.lengths, kind="stable")[:_MOST_NAMES].tolist():
        room = max(LONG_NAME, float(genome.lengths[record]) * scale) if beside is None else beside
        text = fitted(genome.names[record], room)
        middle = float(genome.offsets[record] + genome.offsets[record + 1]) / 2 * scale
        half = len(text) * LETTER / 2 + 3 if beside is None else LINE / 2
        begin, end = middle - half, middle + half
        at = bisect_left(taken, (begin, end))
        if (at == 0 or taken[at - 1][1] <= begin) and (at == len(taken) or taken[at][0] >= end):
            taken.insert(at, (begin, end))
            kept.append(Tick(middle, text))
    return tuple(sorted(kept, key=lambda tick: tick.at))
