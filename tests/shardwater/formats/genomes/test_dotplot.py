"""Dot plots of a case with an inversion and a duplication: geometry, SVG and PNG."""

import re
import tracemalloc
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from shardwater.formats.genomes.axes import axis_of
from shardwater.formats.genomes.dotplot import FORWARD, REVERSE, Caption, Dotplot, UnfitWidth, dotplot
from shardwater.formats.genomes.dotplot_png import SCALE, dotplot_png
from shardwater.formats.genomes.dotplot_svg import MOST_LINES, dotplot_svg
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps

SVG = "{http://www.w3.org/2000/svg}"


def genome(*records: tuple[str, int]) -> Genome:
    """Records of so many letters, whatever they are."""
    lengths = [length for _, length in records]
    offsets = np.cumsum([0, *lengths], dtype=np.int64)
    return Genome(tuple(name for name, _ in records), np.zeros(sum(lengths), np.uint8), offsets)


def hsps(*rows: tuple[int, int, int, bool]) -> Hsps:
    each = (Hsps.of(*(np.array([value]) for value in (row[0], row[1], row[2], row[2])), row[3]) for row in rows)
    return Hsps.joined([*each])


QUERY, SUBJECT = genome(("chr1", 916_000)), genome(("chrA", 1_000_000))
# 0 to 300 kb, then 200 kb turned round, then the rest; 100 kb of the first part once more at the subject's end.
CASE = hsps(
    (0, 0, 300_000, False), (300_000, 300_000, 200_000, True), (500_000, 500_000, 400_000, False),
    (100_000, 900_000, 100_000, False),
)  # fmt: skip


def svg(*asked: object, **more: int) -> ElementTree.Element:
    return ElementTree.fromstring("".join(dotplot_svg(*asked, **more)))  # type: ignore[arg-type]


def texts(picture: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def drawn(picture: ElementTree.Element, color: str) -> list[list[int]]:
    """The lines of a strand in tenths of a pixel: where they begin, and how far they go."""
    [path] = [each for each in picture.iter(f"{SVG}path") if each.get("stroke") == color and each.get("transform")]
    return [[int(number) for number in re.findall(r"-?\d+", line)] for line in path.attrib["d"].split("M")[1:]]


def test_lines_go_up_and_reverse_ones_down() -> None:
    picture = svg(QUERY, SUBJECT, CASE, Caption("an inversion and a duplication"))
    # The plot is 916 pixels wide and 1,000 high: a kb is a pixel.
    assert drawn(picture, FORWARD) == [[0, 0, 3000, 3000], [5000, 5000, 4000, 4000], [1000, 9000, 1000, 1000]]
    assert drawn(picture, REVERSE) == [[3000, 5000, 2000, -2000]]


def test_title_axes_and_legend_are_told() -> None:
    shown = texts(svg(QUERY, SUBJECT, CASE, Caption("an inversion", "subject of genomes, version 1")))
    assert shown[:2] == ["an inversion", "subject of genomes, version 1 · 4 HSPs"]
    assert {"query: chr1, kb", "subject: chrA, Mb", "forward: 3", "reverse: 1"} <= {*shown}
    assert {"100", "900", "0.1", "1"} <= {*shown}


def test_png_has_the_same_size_and_the_strands_colours() -> None:
    plot = dotplot(QUERY, SUBJECT, CASE, Caption())
    with Image.open(BytesIO(dotplot_png(QUERY, SUBJECT, CASE, Caption()))) as file:
        assert (file.format, file.size) == ("PNG", (SCALE * plot.width, SCALE * plot.height))
        picture = file.convert("RGB")
        assert colors_near(picture, plot, 150, 150) == {rgb(FORWARD), (255, 255, 255)}
        assert colors_near(picture, plot, 400, 400) == {rgb(REVERSE), (255, 255, 255)}
        assert colors_near(picture, plot, 150, 950) == {rgb(FORWARD), (255, 255, 255)}
        assert colors_near(picture, plot, 350, 350) == {(255, 255, 255)}


def colors_near(picture: Image.Image, plot: Dotplot, x: int, y: int) -> set[object]:
    left, bottom = (SCALE * place for place in (plot.left + x, plot.bottom - y))
    return {picture.getpixel((left + i, bottom + j)) for i in range(-2, 3) for j in range(-2, 3)}


def rgb(color: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(color[1:]))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("subject_letters", [200_000, 4_000_000])
def test_png_follows_lines_in_plots_that_are_flat_or_steep(reverse: bool, subject_letters: int) -> None:
    subject = genome(("s", subject_letters))
    some = hsps((100_000, 50_000, 140_000, reverse))
    plot = dotplot(QUERY, subject, some, Caption())
    with Image.open(BytesIO(dotplot_png(QUERY, subject, some, Caption()))) as file:
        picture = file.convert("RGB")
        for share in (0.05, 0.5, 0.95):
            up = 50_000 + 140_000 * (1 - share if reverse else share)
            x, y = (100_000 + 140_000 * share) * plot.x.scale, up * plot.y.scale
            assert rgb(REVERSE if reverse else FORWARD) in colors_near(picture, plot, round(x), round(y))


def test_a_large_png_takes_a_byte_a_pixel() -> None:
    tracemalloc.start()
    content = dotplot_png(genome(("q", 64)), genome(("s", 60)), hsps((1, 1, 30, False)), Caption(), 4000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    with Image.open(BytesIO(content)) as picture:
        assert (picture.mode, picture.width) == ("P", 4000)
        assert picture.width * picture.height < peak < 1.5 * picture.width * picture.height
        # Letters are not of ink and paper alone.
        assert len(picture.convert("L").crop((0, 0, 4000, 35)).getcolors()) > 10


def test_a_plot_without_a_title_has_the_genomes_names_in_full() -> None:
    one, many = genome(("gi|208433976|ref|NC_011333.1|", 1_652_982)), genome(("chr1", 900), ("chr2", 100))
    picture = svg(one, many, hsps((0, 0, 100, False)), Caption())
    called = "gi|208433976|ref|NC_011333.1| and chr1 (2 records)"
    shown = texts(picture)
    assert (picture.attrib["aria-label"], shown[:2]) == (called, [called, "1 HSP"])
    [title] = [each.text for each in picture.iter(f"{SVG}title")]
    assert title == called
    assert "query: gi|208433976|ref|NC_011333.1|, Mb" in shown


def test_png_is_the_same_each_time_and_no_wider_than_the_widest() -> None:
    asked = (QUERY, SUBJECT, CASE, Caption())
    assert dotplot_png(*asked) == dotplot_png(*asked)
    for width, pixels in ((300, 600), (2000, 4000), (2001, 2001), (4000, 4000)):
        with Image.open(BytesIO(dotplot_png(*asked, width))) as picture:
            assert picture.width == pixels


def test_names_are_escaped_and_borders_drawn() -> None:
    strange = genome(("<a> & \"b\" 'c'\x07", 600), (60 * "s", 400))
    picture = svg(strange, strange, hsps((0, 0, 100, False)), Caption("<title> & ]]>"))
    shown = texts(picture)
    assert shown.count("<a> & \"b\" 'c' ") == 2
    # Along the axis as much as its record has room for, beside it a quarter of the width.
    long = sorted((name.rstrip("…") for name in shown if name.startswith("sss")), key=len)
    assert 20 < len(long[0]) < len(long[1]) <= 60
    assert {*"".join(long)} == {"s"}
    assert (picture.attrib["aria-label"], shown[0]) == ("<title> & ]]>", "<title> & ]]>")
    [borders] = [each for each in picture.iter(f"{SVG}path") if each.get("stroke") == "#cccccc"]
    assert re.sub(r"\d+", "", borders.attrib["d"]) == "M. vM .h"


def test_names_that_have_no_room_are_dropped_the_shortest_records_first() -> None:
    records = genome(("big", 5_000), *((f"small{number}", 10) for number in range(200)), ("large", 3_000))
    axis = axis_of(records, "query", 1000)
    assert [name.text for name in axis.names if "small" not in name.text] == ["big", "large"]
    places = [name.at for name in axis.names]
    assert len(places) < 10
    assert min(np.diff(places)) > 40
    assert len(axis.borders) < 80


@pytest.mark.parametrize(
    ("letters", "ticks"),
    [
        (0, ["0"]),
        (7, ["0", "1", "2", "3", "4", "5", "6", "7"]),
        (2_500, ["0", "0.5", "1", "1.5", "2", "2.5"]),
        (730_000, ["0", "100", "200", "300", "400", "500", "600", "700"]),
        (248_000_000, ["0", "50", "100", "150", "200"]),
    ],
)
def test_ticks_are_at_round_numbers(letters: int, ticks: list[str]) -> None:
    assert [tick.text for tick in axis_of(genome(("r", letters)), "query", 800).ticks] == ticks


def test_more_lines_than_are_drawn_are_said() -> None:
    count = MOST_LINES + 20_000
    lengths = np.arange(count) % 300 + 100
    places = np.arange(count) * 8
    many = Hsps.of(places, places, lengths, lengths, False)
    whole = genome(("w", 1_000_000))
    text = "".join(dotplot_svg(whole, whole, many, Caption("many")))
    picture = ElementTree.fromstring(text)
    assert "drawn are the 100,000 longest" in texts(picture)
    assert len(drawn(picture, FORWARD)) == MOST_LINES
    assert len(text) < 5_000_000


def test_width_is_bounded() -> None:
    assert svg(QUERY, SUBJECT, CASE, Caption(), width=300).attrib["width"] == "300"
    for width in (299, 4001):
        with pytest.raises(UnfitWidth, match=f"^width is {width}: plots are 300 to 4000 pixels wide$"):
            dotplot_png(QUERY, SUBJECT, CASE, Caption(), width)
