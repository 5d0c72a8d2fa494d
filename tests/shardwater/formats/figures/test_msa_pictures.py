"""The drawings of MSAs: rows, and how conserved columns are."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from shardwater.formats.figures.conservation import CONSERVED, DEPTH, IDENTITY, conservation_svg
from shardwater.formats.figures.msa_rows import GAPS, GROUPS, MOST_POSITIONS, Wanted, rows_svg
from shardwater.formats.figures.svg import SMALL_FONT, UnfitFigure, fitted
from shardwater.msa.conservation import conservation
from shardwater.msa.msa import Msa
from tests.support.msas import MSA, family, of_rows
from tests.support.pictures import SVG, boxes, picture, size, texts, within

FAMILY = family(80, 330)
HYDROPHOBIC = GROUPS[0][2]


def rows(msa: Msa, **wanted: int) -> ElementTree.Element:
    root = picture(rows_svg(msa, conservation(msa), Wanted(**wanted)))
    assert within(root)
    return root


def conserved(msa: Msa, **more: int) -> ElementTree.Element:
    root = picture(conservation_svg(msa, conservation(msa), **more))
    assert within(root)
    return root


def letters_of(root: ElementTree.Element) -> list[str]:
    """The letters of all lines of rows."""
    return [each.text or "" for each in root.iter(f"{SVG}text") if "textLength" in each.attrib]


def test_rows_have_names_letters_positions_and_a_legend() -> None:
    root = rows(MSA)
    shown = texts(root)
    assert shown[:2] == [
        "Rows aligned to q1",
        "swiss, version 2026_01; env, version 7 · 4 of 4 rows · positions 1 to 10 of 10",
    ]
    assert {"q1", "sp|P1|A_HUMAN", "P2", "P3", "10"} <= {*shown}
    assert letters_of(root) == ["MKTAYIAKQR", "MKTAYIAKQR", " KSAY AR  ", "MKUBYIX   ", "MKTA      "]
    assert shown[-12:] == [
        *(f"{label} ({letters})" if letters else label for letters, label, _ in GROUPS),
        "gap",
        "conservation: 1 − entropy / log2 20, of all rows",
        "letters between the query's positions are left out",
    ]


def test_letters_have_the_colour_of_their_group_and_gaps_only_within_an_alignment() -> None:
    root = rows(MSA)
    painted = {
        color: sum(width / 9 for _, _, width, height in boxes(root, color) if height == 14) for _, _, color in GROUPS
    }
    every = "".join(letters_of(root))
    for letters, _, color in GROUPS[:-1]:
        assert painted[color] == sum(every.count(letter) for letter in letters)
    assert painted[GROUPS[-1][2]] == sum(every.count(letter) for letter in "UBX")
    # One gap of the second row is between its letters.
    assert [width for _, _, width, height in boxes(root, GAPS) if height == 14] == [9.0]


def test_track_is_as_high_as_columns_are_conserved() -> None:
    share = 1 - conservation(MSA).entropy / np.log2(20)
    bars = [height for *_, height in boxes(rows(MSA), CONSERVED)[:-1]]
    assert bars == pytest.approx(np.round(share * 22, 1).tolist())


def test_no_bar_stands_where_only_the_query_has_a_letter() -> None:
    root = rows(of_rows("MKTAYI", "MK--YI", "MK--YI"))
    # The last box is the legend's.
    assert [round((x - 171) / 9) for x, *_ in boxes(root, CONSERVED)[:-1]] == [0, 1, 4, 5]


def test_long_names_end_before_the_letters() -> None:
    names = ["Q" * 40, "W" * 40, "i" * 80, "tr|A0A0A0MRZ7|A0A0A0MRZ7_HUMAN"]
    # The widest usual sans-serif font, in pixels: of Q, W, i and the last name.
    for name, pixels in zip(names, (8.66, 10.88, 3.06, 7.2), strict=True):
        shown = fitted(name, 142, SMALL_FONT)
        assert shown.endswith("…")
        assert 118 < (len(shown) - 1) * pixels + 11 <= 142


def test_blocks_rows_and_positions_are_those_asked_for() -> None:
    root = rows(FAMILY, rows=5, first=11, last=110, width=600)
    assert texts(root)[1] == "5 of 80 rows · positions 11 to 110 of 330"
    across = (600 - 2 * 20 - 150 - 44) // 9
    lines = letters_of(root)
    query = FAMILY.query.residues.decode()
    assert lines[0] == query[10 : 10 + across]
    joined = "".join(line for line in lines if line in query)
    assert joined == query[10:110]
    assert len(letters_of(rows(FAMILY))) > 4 * 25
    assert texts(rows(FAMILY))[1] == "30 of 80 rows · positions 1 to 300 of 330"


@pytest.mark.parametrize(
    ("wanted", "parameter", "told"),
    [
        ({"first": 331}, "from", "the query has 330 positions"),
        ({"last": 331}, "to", "the query has 330 positions"),
        ({"first": 20, "last": 19}, "to", "positions count up"),
        ({"rows": 80, "last": 330, "width": 400}, "rows", "pixels high, and 8,000 is the most"),
    ],
)
def test_what_makes_no_picture_is_named(wanted: dict[str, int], parameter: str, told: str) -> None:
    with pytest.raises(UnfitFigure, match=told) as refused:
        rows_svg(FAMILY, conservation(FAMILY), Wanted(**wanted))
    assert refused.value.parameter == parameter


def test_positions_of_a_picture_are_bounded() -> None:
    long = of_rows("M" * 1200, "M" * 1200)
    with pytest.raises(UnfitFigure, match="1,000 positions at most"):
        rows_svg(long, conservation(long), Wanted(last=MOST_POSITIONS + 1))
    assert size(rows(long, last=MOST_POSITIONS))[1] < 2000


def test_query_alone_is_a_picture_of_itself() -> None:
    alone = MSA.take([])
    assert letters_of(rows(alone)) == ["MKTAYIAKQR"]
    root = conserved(alone)
    assert texts(root)[1].endswith("0 rows besides the query")
    assert [line(root, color) for color in (IDENTITY, CONSERVED)] == ["", ""]


def line(root: ElementTree.Element, color: str) -> str:
    [path] = [each for each in root.iter(f"{SVG}path") if each.get("stroke") == color and each.get("fill") == "none"]
    return path.attrib["d"]


def heights(root: ElementTree.Element, color: str) -> list[float]:
    """Of a line's steps, from the lower border of the box, where the box is so many pixels high."""
    [box] = [each for each in root.iter(f"{SVG}rect") if each.get("fill") == "none"]
    bottom, high = float(box.attrib["y"]) + float(box.attrib["height"]), float(box.attrib["height"])
    return [(bottom - float(y)) / high for y in re.findall(r"[ML][\d.]+ ([\d.]+)H", line(root, color))]


def test_lines_are_those_of_the_columns() -> None:
    root, counted = conserved(MSA), conservation(MSA)
    shown = texts(root)
    assert shown[:2] == [
        "Coverage and conservation: q1",
        "swiss, version 2026_01; env, version 7 · 4 rows besides the query",
    ]
    assert {"rows with a letter", "share", "position in q1", "share of them with the query's letter"} <= {*shown}
    assert heights(root, IDENTITY) == pytest.approx((counted.identical - 1) / (counted.depth - 1), abs=0.005)
    assert heights(root, CONSERVED) == pytest.approx(1 - counted.entropy / np.log2(20), abs=0.005)
    [area] = [each for each in root.iter(f"{SVG}path") if each.get("fill") == DEPTH]
    assert area.attrib["d"].count("H") == 10


def test_lines_are_broken_where_only_the_query_has_a_letter() -> None:
    root = conserved(of_rows("MKTAYI", "MK--YI", "MK--YI"))
    assert line(root, IDENTITY).count("M") == 2
    assert len(heights(root, IDENTITY)) == 4


def test_long_queries_are_drawn_by_means() -> None:
    root = conserved(of_rows("MA" * 1250, "MC" * 1250), width=400)
    assert texts(root)[-1] == "means of 3 positions"
    assert len(heights(root, IDENTITY)) == 834
    assert heights(root, IDENTITY)[:2] == pytest.approx([2 / 3, 1 / 3], abs=0.01)


def test_names_are_text() -> None:
    strange = replace(MSA, query=replace(MSA.query, header="<q>&\x07 x"))
    assert texts(rows(strange))[0] == "Rows aligned to <q>& "
    assert texts(conserved(strange))[0] == "Coverage and conservation: <q>& "
