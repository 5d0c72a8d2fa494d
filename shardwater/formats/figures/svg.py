"""What all pictures are written with: SVG 1.1 of attributes alone, without scripts or links.

All text is escaped, and on one line: control characters, which names may have, are not allowed in XML.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from shardwater.errors import AlignError
from shardwater.formats.titles import one_line

WIDTH, LEAST_WIDTH, MOST_WIDTH = 1000, 400, 4000
"""Of a picture, in pixels."""
MOST_HEIGHT = 8000
"""Twice of it is what browsers draw on one canvas."""
FONT, TITLE_FONT, SMALL_FONT = 12, 16, 11
LETTER = 6.5
"""Pixels that a letter of FONT takes, at most on average."""
_WIDTHS = {
    letter: width
    for width, letters in (
        (0.30, "'ijlIJ"),
        (0.39, " ,./:;\\|f-()[]t!"),
        (0.55, 'r"*_`szc?'),
        (0.70, "KAVBRXZC"),
        (0.80, "UHNDG&OQ"),
        (0.88, "Mw#+<=>^~"),
        (1.00, "%mW@…"),
    )
    for letter in letters
}
"""Of letters, in parts of the font's size, in the widest of the usual fonts: what fits there fits everywhere."""
_USUAL, _WIDE, _FIRST_WIDE = 0.64, 1.0, "\u1100"
"""Of other letters, and of those of Chinese, Japanese and Korean, which begin there."""
LINE = 14
"""Pixels that a label is high."""
MARGIN = 20
HEAD = 58
"""Pixels of a picture's two first lines, its title and what it is of."""
INK, DIM, BORDER, PAPER = "#222222", "#666666", "#cccccc", "#ffffff"
MONOSPACE = ' font-family="monospace"'
Anchor = Literal["start", "middle", "end"]


class UnfitFigure(AlignError):
    """A picture that would be too large, or of what is not there; parameter: what would have to be another."""

    def __init__(self, parameter: str, detail: str) -> None:
        super().__init__(detail)
        self.parameter = parameter


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a legend, with a mark of its colour unless it has none."""

    text: str
    color: str | None = None
    mark: Literal["line", "box"] = "line"

    @property
    def room(self) -> float:
        """Pixels to the next one."""
        return len(self.text) * LETTER + 20 + (24 if self.color is not None else 0)


def begin(width: int, height: int, title: str) -> Iterator[str]:
    """The root element's start, the name by which it is read out, and white paper."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(one_line(title))}'
    yield f' font-family="sans-serif" font-size="{FONT}" fill="{INK}">\n{name(title)}'
    yield rect(0, 0, width, height, PAPER)


END = "</svg>\n"


def name(words: str) -> str:
    """What a program for pictures shows of the element that this is the first one in."""
    return f"<title>{escape(one_line(words))}</title>\n"


def text(x: float, y: float, words: str, anchor: Anchor, more: str = "") -> str:
    """A line of text at its baseline; more: further attributes."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(one_line(words))}</text>\n'


def rect(x: float, y: float, width: float, height: float, color: str) -> str:
    """A filled box."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{color}"/>\n'


def boxes(color: str, places: Iterable[tuple[float, float, float, float]]) -> str:
    """Boxes of one colour, each by its left, top, width and height; nothing where there is none."""
    path = "".join(f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z" for x, y, width, height in places)
    return f'<path fill="{color}" d="{path}"/>\n' if path else ""


def columns(x: float, y: float, letters: str, step: float, more: str = "") -> str:
    """Letters of one width, so far apart whatever font there is; blanks count."""
    size = f' xml:space="preserve" textLength="{len(letters) * step:g}"{MONOSPACE}{more}'
    return text(x, y, letters, "start", size) if letters.strip() else ""


def head(width: int, title: str, of: str) -> Iterator[str]:
    """The title in the middle, and below it what the picture is of."""
    yield text(width / 2, 24, fitted(title, width - 2 * MARGIN, TITLE_FONT), "middle", f' font-size="{TITLE_FONT}"')
    yield text(width / 2, 43, fitted(of, width - 2 * MARGIN), "middle", f' fill="{DIM}"')


def fitted(words: str, pixels: float, font: float = FONT) -> str:
    """Words on one line, cut where they are wider than that."""
    line = one_line(words)
    ends = list(accumulate(font * _wide(letter) for letter in line))
    if not ends or ends[-1] <= pixels:
        return line
    # At least a letter stays.
    kept = max(1, bisect_right(ends, pixels - font * _wide("…")))
    return f"{line[:kept].rstrip()}…"


def _wide(letter: str) -> float:
    return _WIDTHS.get(letter, _USUAL if letter < _FIRST_WIDE else _WIDE)


def legend_height(entries: Sequence[Entry], room: float) -> int:
    """Pixels of a legend's lines."""
    return len(_lines(entries, room)) * (LINE + 4)


def legend(entries: Sequence[Entry], left: float, middle: float, room: float) -> Iterator[str]:
    """Entries beside each other, in lines as wide as there is room; middle: of the first line."""
    for line in _lines(entries, room):
        x = left
        for entry in line:
            if entry.color is not None:
                yield _mark(entry, x, middle)
                x += 24
            yield text(x, middle + 4, entry.text, "start")
            x += len(entry.text) * LETTER + 20
        middle += LINE + 4


def _lines(entries: Sequence[Entry], room: float) -> list[list[Entry]]:
    lines, filled = [list[Entry]()], 0.0
    for entry in entries:
        if lines[-1] and filled + entry.room > room:
            lines.append([])
            filled = 0.0
        lines[-1].append(entry)
        filled += entry.room
    return lines


def _mark(entry: Entry, x: float, middle: float) -> str:
    if entry.mark == "box":
        return f'<rect x="{x + 4:.1f}" y="{middle - 5:g}" width="14" height="10" fill="{entry.color}"/>\n'
    return f'<path stroke="{entry.color}" stroke-width="3" d="M{x:.1f} {middle:g}h18"/>\n'
