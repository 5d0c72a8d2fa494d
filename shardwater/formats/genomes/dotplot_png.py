"""A dot plot as PNG: numpy draws the lines, all of them; Pillow writes the text and the file.

A pixel is a byte: its place in a palette, which begins with the shades from paper to ink that letters have.
"""

from io import BytesIO
from itertools import product

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor, ImageDraw, ImageFont

from shardwater.formats.figures.svg import BORDER, FONT, INK, LETTER, PAPER, TITLE_FONT, WIDTH
from shardwater.formats.genomes.dotplot import FORWARD, LEGEND, REVERSE, Dotplot, dotplot
from shardwater.formats.genomes.raster import line_pixels
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps

_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
_Pixels = npt.NDArray[np.uint8]
_INK = 127
"""The last of the shades."""
_COLORS = {color: _INK + 1 + place for place, color in enumerate((BORDER, FORWARD, REVERSE))}


def _palette() -> list[int]:
    shades = np.linspace(ImageColor.getrgb(PAPER), ImageColor.getrgb(INK), _INK + 1)
    colors = [ImageColor.getrgb(each) for each in _COLORS]
    palette: list[int] = np.concatenate((np.rint(shades).astype(int), colors)).ravel().tolist()
    return palette


def dotplot_png(query: Genome, subject: Genome, hsps: Hsps, title: str, width: int = WIDTH) -> bytes:
    """The picture, so many pixels wide. Raises UnfitWidth."""
    plot = dotplot(query, subject, hsps, title, width)
    pixels = np.zeros((plot.height, plot.width), np.uint8)
    box = pixels[plot.top : plot.bottom, plot.left : plot.left + plot.x.size]
    for at in plot.x.borders:
        box[:, min(int(at), plot.x.size - 1)] = _COLORS[BORDER]
    for at in plot.y.borders:
        box[plot.y.size - 1 - min(int(at), plot.y.size - 1)] = _COLORS[BORDER]
    for reverse, color in ((False, FORWARD), (True, REVERSE)):
        _mark(box, plot, _COLORS[color], reverse=reverse)
    picture = Image.fromarray(pixels)
    picture.putpalette(_palette())
    _write(_drawing(picture), plot)
    _turned(picture, plot)
    file = BytesIO()
    picture.save(file, "png")
    return file.getvalue()


def _mark(box: _Pixels, plot: Dotplot, color: int, *, reverse: bool) -> None:
    """Draw the lines of a strand, two pixels wide."""
    lines, which = plot.lines, plot.lines.reverse == reverse
    x, y, x_end, y_end = (each[which] for each in (lines.x, lines.y, lines.x_end, lines.y_end))
    steepness, lowest, last = plot.y.scale / plot.x.scale, plot.y.size - 1, plot.x.size - 1
    sign = -1 if reverse else 1
    if steepness <= 1:
        found = line_pixels((plot.x.size, plot.y.size), x, x_end, y, sign * steepness)
    else:
        begins, ends, across = (y_end, y, x_end) if reverse else (y, y_end, x)
        steep = line_pixels((plot.y.size, plot.x.size), begins, ends, across, sign / steepness)
        found = ((columns, up) for up, columns in steep)
    for columns, up in found:
        for down, right in product((0, 1), (0, 1)):
            box[np.minimum(lowest - up + down, lowest), np.minimum(columns + right, last)] = color


def _write(draw: ImageDraw.ImageDraw, plot: Dotplot) -> None:
    font, right = ImageFont.load_default(FONT), plot.left + plot.x.size
    draw.rectangle((plot.left - 1, plot.top - 1, right, plot.bottom), outline=_INK)
    draw.text((plot.width / 2, 20), plot.title, _INK, ImageFont.load_default(TITLE_FONT), "mm")
    for tick in plot.x.ticks:
        at = plot.left + tick.at
        draw.line((at, plot.bottom, at, plot.bottom + 5), _INK)
        draw.text((at, plot.bottom + 13), tick.text, _INK, font, "mm")
    for tick in plot.y.ticks:
        at = plot.bottom - tick.at
        draw.line((plot.left - 5, at, plot.left, at), _INK)
        draw.text((plot.left - 8, at), tick.text, _INK, font, "rm")
    for name in plot.x.names:
        draw.text((plot.left + name.at, plot.top - 10), name.text, _INK, font, "mm")
    for name in plot.y.names:
        draw.text((right + 6, plot.bottom - name.at), name.text, _INK, font, "lm")
    draw.text((plot.left + plot.x.size / 2, plot.bottom + 33), plot.x.title, _INK, font, "mm")
    _legend(draw, plot, font)


def _legend(draw: ImageDraw.ImageDraw, plot: Dotplot, font: _Font) -> None:
    x, y = float(plot.left), plot.bottom + LEGEND
    for entry in plot.legend:
        if entry.color is not None:
            draw.line((x, y, x + 18, y), _COLORS[entry.color], 3)
            x += 24
        draw.text((x, y), entry.text, _INK, font, "lm")
        x += len(entry.text) * LETTER + 20


def _turned(picture: Image.Image, plot: Dotplot) -> None:
    """The title of the axis that goes up."""
    size = (round(len(plot.y.title) * 2 * LETTER), 2 * FONT)
    title = Image.new("P", size)
    _drawing(title).text((size[0] / 2, FONT), plot.y.title, _INK, ImageFont.load_default(FONT), "mm")
    turned = title.crop(title.getbbox()).rotate(90, expand=True)
    middle = plot.top + plot.y.size // 2
    picture.paste(turned, (16 - turned.width // 2, middle - turned.height // 2))


def _drawing(picture: Image.Image) -> ImageDraw.ImageDraw:
    """What draws on bytes, letters in shades."""
    draw = ImageDraw.Draw(picture)
    draw.fontmode = "L"
    return draw
