"""A dot plot as SVG 1.1: one path a strand, attributes alone (no style sheet, no script), all text escaped."""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from shardwater.formats.figures.svg import BORDER, END, INK, WIDTH, begin, head, legend, text
from shardwater.formats.genomes.dotplot import FORWARD, LEGEND, REVERSE, Caption, Dotplot, Floats, Lines, dotplot
from shardwater.formats.genomes.text_cells import rows_text
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps

MOST_LINES = 100_000
"""Drawn, of some 20 bytes each: the longest."""
_TENTHS = 10
"""Of a pixel, in which places are whole numbers."""
_AT_ONCE = 1 << 14


def dotplot_svg(query: Genome, subject: Genome, hsps: Hsps, caption: Caption, width: int = WIDTH) -> Iterator[str]:
    """The picture, piece by piece. Raises UnfitWidth."""
    return _drawn(dotplot(query, subject, hsps, caption, width, MOST_LINES))


def _drawn(plot: Dotplot) -> Iterator[str]:
    yield from begin(plot.width, plot.height, plot.title)
    yield from head(plot.width, plot.title, plot.of)
    yield from _borders(plot)
    for reverse, color in ((False, FORWARD), (True, REVERSE)):
        yield from _strand(plot, color, reverse=reverse)
    box = f'x="{plot.left}" y="{plot.top}" width="{plot.x.size}" height="{plot.y.size}"'
    yield f'<rect {box} fill="none" stroke="{INK}"/>\n'
    yield from _axes(plot)
    yield from legend(plot.legend, plot.left, plot.bottom + LEGEND, math.inf)
    yield END


def _borders(plot: Dotplot) -> Iterator[str]:
    yield f'<path fill="none" stroke="{BORDER}" d="'
    for at in plot.x.borders:
        yield f"M{plot.left + at:.1f} {plot.top}v{plot.y.size}"
    for at in plot.y.borders:
        yield f"M{plot.left} {plot.bottom - at:.1f}h{plot.x.size}"
    yield '"/>\n'


def _strand(plot: Dotplot, color: str, *, reverse: bool) -> Iterator[str]:
    which = np.flatnonzero(plot.lines.reverse == reverse)
    yield f'<path transform="translate({plot.left} {plot.bottom}) scale(.1 -.1)" fill="none" stroke="{color}"'
    yield ' stroke-width="15" stroke-linecap="round" d="'
    for first in range(0, len(which), _AT_ONCE):
        yield _path(plot.lines, which[first : first + _AT_ONCE])
    yield '"/>\n'


def _path(lines: Lines, which: npt.NDArray[np.int64]) -> str:
    x, y, x_end, y_end = (_whole(each[which]) for each in (lines.x, lines.y, lines.x_end, lines.y_end))
    return rows_text([b"M", x, b" ", y, b"l", x_end - x, b" ", y_end - y], len(which)).decode()


def _whole(pixels: Floats) -> npt.NDArray[np.int64]:
    return np.rint(pixels * _TENTHS).astype(np.int64)


def _axes(plot: Dotplot) -> Iterator[str]:
    bottom, right = plot.bottom, plot.left + plot.x.size
    for tick in plot.x.ticks:
        yield f'<path stroke="{INK}" d="M{plot.left + tick.at:.1f} {bottom}v5"/>'
        yield text(plot.left + tick.at, bottom + 17, tick.text, "middle")
    for tick in plot.y.ticks:
        yield f'<path stroke="{INK}" d="M{plot.left} {bottom - tick.at:.1f}h-5"/>'
        yield text(plot.left - 8, bottom - tick.at + 4, tick.text, "end")
    yield from (text(plot.left + name.at, plot.top - 7, name.text, "middle") for name in plot.x.names)
    yield from (text(right + 6, bottom - name.at + 4, name.text, "start") for name in plot.y.names)
    yield text(plot.left + plot.x.size / 2, bottom + 36, plot.x.title, "middle")
    turned = f' transform="rotate(-90 16 {bottom - plot.y.size / 2:.1f})"'
    yield text(16, bottom - plot.y.size / 2, plot.y.title, "middle", turned)
