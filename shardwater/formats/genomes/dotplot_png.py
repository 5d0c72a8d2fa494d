"""A dot plot as PNG: numpy draws the lines, all of them; Pillow writes the text and the file.

A pixel is a byte: its place in a palette, which begins with the shades from paper to ink that letters have.
"""

from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import product

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor, ImageDraw, ImageFont

from shardwater.formats.figures.svg import (
    BORDER,
    DIM,
    FONT,
    INK,
    LETTER,
    MARGIN,
    MOST_WIDTH,
    PAPER,
    TITLE_FONT,
    WIDTH,
    fitted,
)
from shardwater.formats.genomes.dotplot import FORWARD, LEGEND, REVERSE, Caption, Dotplot, dotplot
from shardwater.formats.genomes.raster import line_pixels
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps

SCALE = 2
"""Pixels for each of the drawing, in pictures of MOST_WIDTH pixels at most; wider ones have one."""

_Pixels = npt.NDArray[np.uint8]
_INK = 127
"""The last of the shades."""
_COLORS = {color: _INK + 1 + place for place, color in enumerate((BORDER, FORWARD, REVERSE))}


def _brightness(color: str) -> int:
    return sum(ImageColor.getrgb(color)[:3])


_DIM = round(_INK * (_brightness(PAPER) - _brightness(DIM)) / (_brightness(PAPER) - _brightness(INK)))


def _palette() -> list[int]:
    shades = np.linspace(ImageColor.getrgb(PAPER), ImageColor.getrgb(INK), _INK + 1)
    colors = [ImageColor.getrgb(each) for each in _COLORS]
    palette: list[int] = np.concatenate((np.rint(shades).astype(int), colors)).ravel().tolist()
    return palette


def _drawing(picture: Image.Image) -> ImageDraw.ImageDraw:
    """What draws on bytes, letters in shades."""
    draw = ImageDraw.Draw(picture)
    draw.fontmode = "L"
    return draw


def dotplot_png(query: Genome, subject: Genome, hsps: Hsps, caption: Caption, width: int = WIDTH) -> bytes:
    """The picture of a drawing so wide. Raises UnfitWidth."""
    plot, scale = dotplot(query, subject, hsps, caption, width), SCALE if SCALE * width <= MOST_WIDTH else 1
    pixels = np.zeros((scale * plot.height, scale * plot.width), np.uint8)
    box = pixels[scale * plot.top : scale * plot.bottom, scale * plot.left : scale * (plot.left + plot.x.size)]
    for at in plot.x.borders:
        box[:, _border(at, plot.x.size, scale)] = _COLORS[BORDER]
    for at in plot.y.borders:
        box[::-1][_border(at, plot.y.size, scale)] = _COLORS[BORDER]
    for reverse, color in ((False, FORWARD), (True, REVERSE)):
        _mark(box, plot, scale, _COLORS[color], reverse=reverse)
    picture = Image.fromarray(pixels)
    picture.putpalette(_palette())
    pen = _Pen(picture, scale)
    _write(pen, plot)
    pen.write_upwards(16, plot.top + plot.y.size / 2, plot.y.title)
    file = BytesIO()
    pen.picture.save(file, "png")
    return file.getvalue()


def _border(at: float, size: int, scale: int) -> slice:
    first = scale * min(int(at), size - 1)
    return slice(first, first + scale)


def _mark(box: _Pixels, plot: Dotplot, scale: int, color: int, *, reverse: bool) -> None:
    """Draw the lines of a strand, a pixel of the drawing wide and one of the picture more."""
    lines, which = plot.lines, plot.lines.reverse == reverse
    x, y, x_end, y_end = (scale * each[which] for each in (lines.x, lines.y, lines.x_end, lines.y_end))
    high, wide = box.shape
    steepness, sign = plot.y.scale / plot.x.scale, -1 if reverse else 1
    if steepness <= 1:
        found = line_pixels((wide, high), x, x_end, y, sign * steepness)
    else:
        begins, ends, across = (y_end, y, x_end) if reverse else (y, y_end, x)
        steep = line_pixels((high, wide), begins, ends, across, sign / steepness)
        found = ((columns, up) for up, columns in steep)
    for columns, up in found:
        for down, right in product(range(scale + 1), repeat=2):
            box[np.minimum(high - 1 - up + down, high - 1), np.minimum(columns + right, wide - 1)] = color


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws on a picture by places of the drawing, of which it has so many pixels each."""

    picture: Image.Image
    scale: int

    def write(self, x: float, y: float, words: str, anchor: str, size: int = FONT, ink: int = _INK) -> None:
        """A line of text; its middle is y."""
        place = self.scale * x, self.scale * y
        _drawing(self.picture).text(place, words, ink, _font(self.scale * size), anchor)

    def line(self, ends: tuple[float, float, float, float], color: int = _INK, width: int = 1) -> None:
        """From one place to another."""
        _drawing(self.picture).line([self.scale * each for each in ends], color, self.scale * width)

    def box(self, left: int, top: int, right: int, bottom: int) -> None:
        """A frame around what is in it."""
        first, last = (
            (self.scale * left - self.scale, self.scale * top - self.scale),
            (self.scale * right, self.scale * bottom),
        )
        edge = self.scale - 1
        corners = (*first, last[0] + edge, last[1] + edge)
        _drawing(self.picture).rectangle(corners, outline=_INK, width=self.scale)

    def write_upwards(self, x: float, y: float, words: str) -> None:
        """A line of text around this place."""
        size = (round(self.scale * len(words) * 2 * LETTER), 2 * self.scale * FONT)
        line = Image.new("P", size)
        place = size[0] / 2, size[1] / 2
        _drawing(line).text(place, words, _INK, _font(self.scale * FONT), "mm")
        turned = line.crop(line.getbbox()).rotate(90, expand=True)
        left, top = round(self.scale * x) - turned.width // 2, round(self.scale * y) - turned.height // 2
        self.picture.paste(turned, (left, top))


def _write(pen: _Pen, plot: Dotplot) -> None:
    right, room = plot.left + plot.x.size, plot.width - 2 * MARGIN
    pen.box(plot.left, plot.top, right, plot.bottom)
    pen.write(plot.width / 2, 19, fitted(plot.title, room, TITLE_FONT), "mm", TITLE_FONT)
    pen.write(plot.width / 2, 39, fitted(plot.of, room), "mm", ink=_DIM)
    for tick in plot.x.ticks:
        at = plot.left + tick.at
        pen.line((at, plot.bottom, at, plot.bottom + 5))
        pen.write(at, plot.bottom + 13, tick.text, "mm")
    for tick in plot.y.ticks:
        at = plot.bottom - tick.at
        pen.line((plot.left - 5, at, plot.left, at))
        pen.write(plot.left - 8, at, tick.text, "rm")
    for name in plot.x.names:
        pen.write(plot.left + name.at, plot.top - 10, name.text, "mm")
    for name in plot.y.names:
        pen.write(right + 6, plot.bottom - name.at, name.text, "lm")
    pen.write(plot.left + plot.x.size / 2, plot.bottom + 33, plot.x.title, "mm")
    _legend(pen, plot)


def _legend(pen: _Pen, plot: Dotplot) -> None:
    x, y = float(plot.left), plot.bottom + LEGEND
    for entry in plot.legend:
        if entry.color is not None:
            pen.line((x, y, x + 18, y), _COLORS[entry.color], 3)
            x += 24
        pen.write(x, y, entry.text, "lm")
        x += len(entry.text) * LETTER + 20
