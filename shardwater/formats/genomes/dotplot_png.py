"""A dot plot as PNG: numpy draws the lines, all of them; Pillow writes the text and the file."""

from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFont

from shardwater.formats.figures.svg import BORDER, FONT, INK, LETTER, TITLE_FONT, WIDTH
from shardwater.formats.genomes.dotplot import FORWARD, LEGEND, REVERSE, Dotplot, dotplot
from shardwater.formats.genomes.raster import mark_lines
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps

_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
_Mask = npt.NDArray[np.bool_]


def dotplot_png(query: Genome, subject: Genome, hsps: Hsps, title: str, width: int = WIDTH) -> bytes:
    """The picture, so many pixels wide. Raises UnfitWidth."""
    plot = dotplot(query, subject, hsps, title, width)
    pixels = np.full((plot.height, plot.width, 3), 255, np.uint8)
    box = pixels[plot.top : plot.bottom, plot.left : plot.left + plot.x.size]
    for at in plot.x.borders:
        box[:, min(int(at), plot.x.size - 1)] = ImageColor.getrgb(BORDER)
    for at in plot.y.borders:
        box[plot.y.size - 1 - min(int(at), plot.y.size - 1)] = ImageColor.getrgb(BORDER)
    for reverse, color in ((False, FORWARD), (True, REVERSE)):
        box[_strand(plot, reverse=reverse)] = ImageColor.getrgb(color)
    picture = Image.fromarray(pixels)
    _write(ImageDraw.Draw(picture), plot)
    _turned(picture, plot)
    file = BytesIO()
    picture.save(file, "png")
    return file.getvalue()


def _strand(plot: Dotplot, *, reverse: bool) -> _Mask:
    """(height, width) of the box: which pixels the lines of a strand are on, two wide."""
    lines, which = plot.lines, plot.lines.reverse == reverse
    x, y, x_end, y_end = (each[which] for each in (lines.x, lines.y, lines.x_end, lines.y_end))
    steepness = plot.y.scale / plot.x.scale
    sign = -1 if reverse else 1
    if steepness <= 1:
        mask = np.zeros((plot.x.size, plot.y.size), np.bool_)
        mark_lines(mask, x, x_end, y, sign * steepness)
        mask = mask.T
    else:
        mask = np.zeros((plot.y.size, plot.x.size), np.bool_)
        begins, ends, across = (y_end, y, x_end) if reverse else (y, y_end, x)
        mark_lines(mask, begins, ends, across, sign / steepness)
    mask = mask[::-1]
    wide = mask.copy()
    wide[1:] |= mask[:-1]
    wide[:, 1:] |= wide[:, :-1].copy()
    return wide


def _write(draw: ImageDraw.ImageDraw, plot: Dotplot) -> None:
    font, right = ImageFont.load_default(FONT), plot.left + plot.x.size
    draw.rectangle((plot.left - 1, plot.top - 1, right, plot.bottom), outline=INK)
    draw.text((plot.width / 2, 20), plot.title, INK, ImageFont.load_default(TITLE_FONT), "mm")
    for tick in plot.x.ticks:
        at = plot.left + tick.at
        draw.line((at, plot.bottom, at, plot.bottom + 5), INK)
        draw.text((at, plot.bottom + 13), tick.text, INK, font, "mm")
    for tick in plot.y.ticks:
        at = plot.bottom - tick.at
        draw.line((plot.left - 5, at, plot.left, at), INK)
        draw.text((plot.left - 8, at), tick.text, INK, font, "rm")
    for name in plot.x.names:
        draw.text((plot.left + name.at, plot.top - 10), name.text, INK, font, "mm")
    for name in plot.y.names:
        draw.text((right + 6, plot.bottom - name.at), name.text, INK, font, "lm")
    draw.text((plot.left + plot.x.size / 2, plot.bottom + 33), plot.x.title, INK, font, "mm")
    _legend(draw, plot, font)


def _legend(draw: ImageDraw.ImageDraw, plot: Dotplot, font: _Font) -> None:
    x, y = float(plot.left), plot.bottom + LEGEND
    for entry in plot.legend:
        if entry.color is not None:
            draw.line((x, y, x + 18, y), entry.color, 3)
            x += 24
        draw.text((x, y), entry.text, INK, font, "lm")
        x += len(entry.text) * LETTER + 20


def _turned(picture: Image.Image, plot: Dotplot) -> None:
    """The title of the axis that goes up."""
    size = (round(len(plot.y.title) * 2 * LETTER), 2 * FONT)
    title = Image.new("RGB", size, "#ffffff")
    ImageDraw.Draw(title).text((size[0] / 2, FONT), plot.y.title, INK, ImageFont.load_default(FONT), "mm")
    turned = title.crop(ImageChops.invert(title).getbbox()).rotate(90, expand=True)
    middle = plot.top + plot.y.size // 2
    picture.paste(turned, (16 - turned.width // 2, middle - turned.height // 2))
