"""A dot plot as SVG 1.1: one path a strand, attributes alone (no style sheet, no script), all text escaped."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import numpy.typing as npt

from shardwater.formats.genomes.axes import LETTER
from shardwater.formats.genomes.dotplot import (
    BORDER,
    FONT,
    FORWARD,
    INK,
    LEGEND,
    REVERSE,
    TITLE_FONT,
    WIDTH,
    Dotplot,
    Floats,
    Lines,
    dotplot,
)
from shardwater.formats.genomes.text_cells import rows_text
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps

MOST_LINES = 100_000
"""Drawn, of some 20 bytes each: the longest."""
_TENTHS = 10
"""Of a pixel, in which places are whole numbers."""
_AT_ONCE = 1 << 14


def dotplot_svg(query: Genome, subject: Genome, hsps: Hsps, title: str, width: int = WIDTH) -> Iterator[str]:
    """The picture, piece by piece. Raises UnfitWidth."""
    return _drawn(dotplot(query, subject, hsps, title, width, MOST_LINES))


def _drawn(plot: Dotplot) -> Iterator[str]:
    size = f'width="{plot.width}" height="{plot.height}" viewBox="0 0 {plot.width} {plot.height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(plot.title)}'
    yield f' font-family="sans-serif" font-size="{FONT}" fill="{INK}">\n<title>{escape(plot.title)}</title>\n'
    yield f'<rect width="{plot.width}" height="{plot.height}" fill="#ffffff"/>\n'
    yield _text(plot.width / 2, 20, plot.title, "middle", f' font-size="{TITLE_FONT}"')
    yield from _borders(plot)
    for reverse, color in ((False, FORWARD), (True, REVERSE)):
        yield from _strand(plot, color, reverse=reverse)
    box = f'x="{plot.left}" y="{plot.top}" width="{plot.x.size}" height="{plot.y.size}"'
    yield f'<rect {box} fill="none" stroke="{INK}"/>\n'
    yield from _axes(plot)
    yield from _legend(plot)
    yield "</svg>\n"


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
        yield _text(plot.left + tick.at, bottom + 17, tick.text, "middle")
    for tick in plot.y.ticks:
        yield f'<path stroke="{INK}" d="M{plot.left} {bottom - tick.at:.1f}h-5"/>'
        yield _text(plot.left - 8, bottom - tick.at + 4, tick.text, "end")
    yield from (_text(plot.left + name.at, plot.top - 7, name.text, "middle") for name in plot.x.names)
    yield from (_text(right + 6, bottom - name.at + 4, name.text, "start") for name in plot.y.names)
    yield _text(plot.left + plot.x.size / 2, bottom + 36, plot.x.title, "middle")
    turned = f' transform="rotate(-90 16 {bottom - plot.y.size / 2:.1f})"'
    yield _text(16, bottom - plot.y.size / 2, plot.y.title, "middle", turned)


def _legend(plot: Dotplot) -> Iterator[str]:
    x, y = float(plot.left), plot.bottom + LEGEND
    for entry in plot.legend:
        if entry.color is not None:
            yield f'<path stroke="{entry.color}" stroke-width="3" d="M{x:.1f} {y}h18"/>'
            x += 24
        yield _text(x, y + 4, entry.text, "start")
        x += len(entry.text) * LETTER + 20


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(text)}</text>\n'
