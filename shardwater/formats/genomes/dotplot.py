"""The geometry of a dot plot, for SVG and PNG alike: the query goes right, the subject up, an HSP is a line.

Records stand one after another on both axes. Colours are of Okabe and Ito's set (2008), which the colour-blind tell
apart.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError
from shardwater.formats.figures.svg import HEAD, LETTER, MARGIN, MOST_WIDTH, WIDTH, Entry
from shardwater.formats.genomes.axes import Axis, axis_of
from shardwater.formats.titles import one_line
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps, Numbers

LEAST_WIDTH = 300
"""Pixels."""
FORWARD, REVERSE = "#0072b2", "#d55e00"
LEFT, TOP, BOTTOM, NAMES = 64, HEAD + 6, 78, 20
"""Around the plot: room for ticks and titles; NAMES more above where the query's records are named; MARGIN at least."""
BESIDE = 0.25
"""Of the width that names of the subject's records take at most."""
LEGEND = 58
"""Pixels from the plot's lower border to the middle of the legend, which has the last line."""
_FLATTEST, _STEEPEST = 0.5, 1.25
"""Height in widths, whatever the genomes' lengths are."""

Floats = npt.NDArray[np.float64]


class UnfitWidth(AlignError):
    """A plot too narrow for its labels, or larger than anybody needs."""


@dataclass(frozen=True, slots=True)
class Caption:
    """What stands above a plot: a title, or else the genomes' names; and which databases they are of."""

    title: str = ""
    databases: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """HSPs in pixels of the plot, x from its left, y from its lower border; y falls in reverse ones."""

    x: Floats
    y: Floats
    x_end: Floats
    y_end: Floats
    reverse: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Dotplot:
    """What is drawn: `left` and `top` are where the plot's box begins in the picture, its size is that of the axes."""

    width: int
    height: int
    left: int
    top: int
    title: str
    of: str
    x: Axis
    y: Axis
    lines: Lines
    legend: tuple[Entry, ...]

    @property
    def bottom(self) -> int:
        """Where the box ends."""
        return self.top + self.y.size


def dotplot(
    query: Genome, subject: Genome, hsps: Hsps, caption: Caption, width: int = WIDTH, most: int | None = None
) -> Dotplot:
    """The plot of a list of HSPs; most: so many lines, the longest, and the legend says so. Raises UnfitWidth."""
    if not LEAST_WIDTH <= width <= MOST_WIDTH:
        raise UnfitWidth(f"width is {width}: plots are {LEAST_WIDTH} to {MOST_WIDTH} pixels wide")
    beside, above = _longest_name(subject, BESIDE * width), NAMES if len(query.names) > 1 else 0
    across = width - LEFT - MARGIN - round(beside)
    shape = len(subject) / max(1, len(query))
    up = round(across * min(max(shape, _FLATTEST), _STEEPEST))
    top = TOP + above
    x, y = axis_of(query, "query", across), axis_of(subject, "subject", up, beside)
    drawn = hsps if most is None or len(hsps) <= most else _longest(hsps, most)
    title = one_line(caption.title or title_of(query, subject))
    of = " · ".join(each for each in (caption.databases, f"{len(hsps):,} HSP{'s' if len(hsps) != 1 else ''}") if each)
    return Dotplot(width, top + up + BOTTOM, LEFT, top, title, of, x, y, _lines(drawn, x, y), _legend(hsps, drawn))


def title_of(query: Genome, subject: Genome) -> str:
    """What a comparison is called that has no title: by each genome's first record."""
    return " and ".join(map(_called, (query, subject)))


def _called(genome: Genome) -> str:
    if not genome.names:
        return "nothing"
    return genome.names[0] if len(genome.names) == 1 else f"{genome.names[0]} ({len(genome.names):,} records)"


def _longest_name(subject: Genome, most: float) -> float:
    """Pixels of the names beside the plot; a single record has none."""
    longest = max((len(one_line(name)) for name in subject.names), default=0)
    return min(longest * LETTER, most) if len(subject.names) > 1 else 0.0


def _longest(hsps: Hsps, most: int) -> Hsps:
    """In their order; of equally long ones the first."""
    return hsps[np.sort(np.argsort(-hsps.length, kind="stable")[:most])]


def _lines(hsps: Hsps, x: Axis, y: Axis) -> Lines:
    ends = hsps.subject + hsps.length
    begins, lasts = np.where(hsps.reverse, ends, hsps.subject), np.where(hsps.reverse, hsps.subject, ends)
    query_ends = hsps.query + hsps.length
    return Lines(_pixels(hsps.query, x), _pixels(begins, y), _pixels(query_ends, x), _pixels(lasts, y), hsps.reverse)


def _pixels(places: Numbers, axis: Axis) -> Floats:
    return places.astype(np.float64) * np.float64(axis.scale)


def _legend(hsps: Hsps, drawn: Hsps) -> tuple[Entry, ...]:
    reverse = int(hsps.reverse.sum())
    counts: tuple[tuple[Literal["forward", "reverse"], int, str], ...] = (
        ("forward", len(hsps) - reverse, FORWARD),
        ("reverse", reverse, REVERSE),
    )
    entries = tuple(Entry(f"{strand}: {count:,}", color) for strand, count, color in counts)
    if len(drawn) == len(hsps):
        return entries
    return (*entries, Entry(f"drawn are the {len(drawn):,} longest"))
