"""How conserved the query's positions are in an MSA, and how many rows cover each."""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from shardwater.formats.figures.made_of import database_of, query_of
from shardwater.formats.figures.scales import (
    Box,
    Tick,
    bottom_axis,
    frame,
    left_axis,
    residue_ticks,
    right_axis,
    round_places,
)
from shardwater.formats.figures.svg import END, HEAD, WIDTH, Entry, begin, head, legend, legend_height
from shardwater.msa.conservation import Conservation
from shardwater.msa.msa import Msa
from shardwater.plural import plural
from shardwater.statistics.background import RESIDUES

DEPTH, IDENTITY, CONSERVED = "#ccd6de", "#0072b2", "#d55e00"
MOST_POINTS = 1000
"""Of a line: more positions are put together, and their means are drawn."""
_LEFT, _RIGHT = 76, 70

Floats = npt.NDArray[np.float64]


def conserved(counted: Conservation) -> Floats:
    """1 where all residues of a column are the same, 0 where all twenty are as frequent."""
    return 1.0 - counted.entropy / math.log2(RESIDUES)


def covered(counted: Conservation) -> npt.NDArray[np.bool_]:
    """Where a row besides the query has a letter: elsewhere there is nothing that could be conserved."""
    return counted.depth > 1


def conservation_svg(msa: Msa, counted: Conservation, width: int = WIDTH) -> Iterator[str]:
    """The columns of an MSA. Where only the query has a letter there is nothing to draw."""
    across = width - _LEFT - _RIGHT
    box = Box(_LEFT, HEAD + 6, across, min(600, max(200, round(across * 0.35))))
    others = (counted.depth - 1).astype(np.float64)
    deepest = max(1, int(others.max(initial=0)))
    identity = (counted.identical - 1) / np.maximum(1.0, others)
    step = -(-msa.columns // MOST_POINTS)
    entries = _entries(step)
    title = f"Coverage and conservation: {query_of(msa)}"
    yield from begin(width, box.bottom + 62 + legend_height(entries, across), title)
    yield from head(width, title, f"{database_of(msa)}{plural(len(msa), 'row')} besides the query")
    yield from left_axis(box, _counts(deepest, box.height), "rows with a letter")
    yield _area(box, _steps(others / deepest, np.ones(len(others), np.bool_), step), msa.columns)
    for color, values in ((IDENTITY, identity), (CONSERVED, conserved(counted))):
        yield _line(box, _steps(values, covered(counted), step), msa.columns, color)
    yield frame(box)
    yield from right_axis(box, [Tick(share * box.height / 5, f"{share / 5:.1f}") for share in range(6)], "share")
    yield from bottom_axis(box, residue_ticks(msa.columns, across), f"position in {query_of(msa)}")
    yield from legend(entries, _LEFT, box.bottom + 58, across)
    yield END


def _counts(deepest: int, height: int) -> list[Tick]:
    return [Tick(rows / deepest * height, f"{rows:,}") for rows in round_places(deepest, 2 * height)]


def _entries(step: int) -> list[Entry]:
    entries = [
        Entry("rows with a letter", DEPTH, "box"),
        Entry("share of them with the query's letter", IDENTITY),
        Entry("conservation: 1 − entropy / log2 20", CONSERVED),
    ]
    return entries if step == 1 else [*entries, Entry(f"means of {step} positions")]


def _steps(values: Floats, there: npt.NDArray[np.bool_], step: int) -> list[tuple[int, int, float | None]]:
    """From which place to which, and the mean of those that are there."""
    found = list[tuple[int, int, float | None]]()
    for first in range(0, len(values), step):
        last = min(len(values), first + step)
        some = values[first:last][there[first:last]]
        found.append((first, last, float(some.mean()) if len(some) else None))
    return found


def _area(box: Box, steps: list[tuple[int, int, float | None]], length: int) -> str:
    path = "".join(
        f"V{box.bottom - (share or 0) * box.height:.1f}H{box.left + last / length * box.width:.1f}"
        for _, last, share in steps
    )
    return f'<path fill="{DEPTH}" d="M{box.left} {box.bottom}{path}V{box.bottom}z"/>\n'


def _line(box: Box, steps: list[tuple[int, int, float | None]], length: int, color: str) -> str:
    """Broken where there is nothing to draw."""
    path, pen = list[str](), "M"
    for first, last, share in steps:
        if share is None:
            pen = "M"
            continue
        begins, ends = (box.left + place / length * box.width for place in (first, last))
        path.append(f"{pen}{begins:.1f} {box.bottom - share * box.height:.1f}H{ends:.1f}")
        pen = "L"
    return f'<path fill="none" stroke="{color}" stroke-width="1.5" d="{"".join(path)}"/>\n'
