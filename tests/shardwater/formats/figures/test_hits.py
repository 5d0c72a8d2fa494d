"""The drawing of hits along their query."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from shardwater.formats.figures.hits import CLASSES, MOST_HITS, hits_svg
from shardwater.formats.figures.svg import UnfitFigure
from shardwater.search.merge import SearchResult
from tests.support.example_results import (
    ALIGNED,
    FOUND,
    LONG,
    NO_STATISTICS,
    NOTHING,
    QUERY,
    STRANGE,
    TWICE,
    UNALIGNED,
    result_of,
)
from tests.support.pictures import SVG, boxes, picture, size, texts, within

ACROSS = 1000 - 2 * 20 - 340
"""Pixels of the query in a picture of the usual width."""
COLORS = {label: color for _, label, color in CLASSES}


def drawn(result: SearchResult, total: int = 2, **more: int) -> ElementTree.Element:
    root = picture(hits_svg(result, total, **more))
    assert within(root)
    return root


def test_title_names_scale_and_legend_are_there() -> None:
    shown = texts(drawn(result_of(FOUND), 17))
    assert shown[:2] == ["Hits of q1", "swiss, version 2026_01 · 2 of 17 hits"]
    assert {"sp|P1|A Alpha, the first", "P2 beta chain", "not aligned", "query, 101 residues"} <= {*shown}
    assert {"1", "101", "20", "80"} <= {*shown}
    assert shown[-6:] == ["Bit score:", *COLORS]


def test_bars_lie_where_their_alignments_do_in_the_colour_of_their_bits() -> None:
    root = drawn(result_of(replace(FOUND, hits=(TWICE,))))
    # The legend has a box of each colour besides.
    [bar] = boxes(root, COLORS["80–200"])[:-1]
    [short] = boxes(root, COLORS["under 40"])[:-1]
    assert bar[0] == pytest.approx(20 + 4 / 101 * ACROSS, abs=0.1)
    assert bar[2] == pytest.approx(63 / 101 * ACROSS, abs=0.1)
    assert short[0] == pytest.approx(20 + 2 / 101 * ACROSS, abs=0.1)
    assert short[1] == bar[1]
    assert [each.text for each in root.iter(f"{SVG}title")] == [
        "Hits of q1",
        "1. sp|P1|A: 123 bits, E-value 2e-30, 5-67, 3-6",
    ]


@pytest.mark.parametrize(
    ("bits", "label"),
    [
        (-3.0, "under 40"),
        (39.9, "under 40"),
        (40.0, "40–50"),
        (79.9, "50–80"),
        (80.0, "80–200"),
        (200.0, "200 or more"),
    ],
)
def test_classes_begin_at_their_bounds(bits: float, label: str) -> None:
    one = replace(FOUND, hits=(replace(ALIGNED, bits=bits, hsps=(LONG,)),))
    assert len(boxes(drawn(result_of(one)), COLORS[label])) == 2


def test_without_bits_one_colour_stands_for_all() -> None:
    hit = replace(ALIGNED, bits=None, evalue=None)
    root = drawn(result_of(replace(FOUND, statistics=NO_STATISTICS, hits=(hit,))))
    assert texts(root)[-1] == "alignment, without a bit score"
    assert "1. sp|P1|A: score 310, 5-67" in [each.text for each in root.iter(f"{SVG}title")]


def test_strange_names_are_text_and_long_ones_are_cut() -> None:
    root = drawn(result_of(STRANGE), 1)
    assert texts(root)[0] == root.attrib["aria-label"] == "Hits of a<b>&c@d"
    assert '=x,[y]é% <b> & "c" é ]]>' in texts(root)
    long = replace(ALIGNED, title="long" * 50)
    [label] = [each for each in texts(drawn(result_of(replace(FOUND, hits=(long,))))) if each.startswith("sp|P1|A")]
    assert label.endswith("…")
    assert len(label) < 60
    whole = replace(FOUND, query=replace(QUERY, id="q" * 500))
    assert texts(drawn(result_of(whole), width=400))[0].endswith("q…")


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Alpha, the first OS=Homo sapiens OX=9606 GN=A PE=1 SV=2", "Alpha, the first"),
        ("Alpha OS=Bacillus subtilis (strain 168)", "Alpha"),
        ("alpha chain [Bacillus subtilis]", "alpha chain"),
        ("alpha [partial] chain", "alpha [partial] chain"),
        ("Alpha OS=", "Alpha OS="),
    ],
)
def test_titles_are_without_what_stands_behind_them(title: str, shown: str) -> None:
    hit = replace(ALIGNED, title=title)
    assert f"sp|P1|A {shown}" in texts(drawn(result_of(replace(FOUND, hits=(hit,)))))


def test_names_are_cut_where_their_room_ends_whatever_their_letters() -> None:
    hits = (replace(ALIGNED, title="W" * 99), replace(ALIGNED, title="i" * 199), replace(ALIGNED, title="n" * 99))
    shown = [each for each in texts(drawn(result_of(replace(FOUND, hits=hits)))) if each.endswith("…")]
    # Of 330 pixels the accession takes about 50; these are the widths of a W, an i and an n.
    widths = [
        shown.count(letter) * width for shown, letter, width in zip(shown, "Win", (10.88, 3.06, 6.97), strict=True)
    ]
    assert max(widths) - min(widths) < 25


def test_several_databases_have_their_versions() -> None:
    result = result_of(FOUND)
    result = replace(result, database=replace(result.database, name="swiss env", version="2026_01 7"))
    assert texts(drawn(result))[1] == "swiss, version 2026_01; env, version 7 · 2 of 2 hits"


def test_width_is_that_asked_for_and_the_number_of_hits_is_bounded() -> None:
    assert size(drawn(result_of(FOUND), width=2000))[0] == 2000
    # Without hits there is nothing that a legend could tell.
    assert texts(drawn(result_of(NOTHING), 0))[-1] == "no hits"
    many = replace(FOUND, hits=(UNALIGNED,) * MOST_HITS)
    assert size(drawn(result_of(many)))[1] < 4000
    with pytest.raises(UnfitFigure, match="200 hits at most: these are 201") as refused:
        hits_svg(result_of(replace(FOUND, hits=(UNALIGNED,) * (MOST_HITS + 1))), MOST_HITS + 1)
    assert refused.value.parameter == "hits"
