"""The drawing of an alignment, of a hit and of a pair."""

import tracemalloc
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from shardwater.alignment.scheme import Mode
from shardwater.formats.figures.alignment import (
    ALIKE,
    GAP,
    MOST_COLUMNS,
    SAME,
    Shown,
    Side,
    alignment_svg,
    hit_alignment_svg,
    pair_svg,
)
from shardwater.formats.figures.svg import UnfitFigure
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.columns import Columns
from shardwater.pairs.told import ToldPairs
from shardwater.search.merge import Hit
from tests.support.example_results import ALIGNED, LONG, SHORT, TWICE, UNALIGNED, one_hit
from tests.support.found_pairs import DNA_SCHEME, found
from tests.support.pairs import alignment
from tests.support.pictures import SVG, boxes, picture, size, texts, within


def drawn(hit: Hit, number: int = 1) -> ElementTree.Element:
    root = picture(hit_alignment_svg(one_hit(hit), number))
    assert within(root)
    return root


def columns_of(root: ElementTree.Element, color: str) -> int:
    """How many columns have a colour, the legend's box left out."""
    return round(sum(width for _, _, width, height in boxes(root, color) if height == 48) / 8)


def test_rows_come_in_blocks_with_names_and_places() -> None:
    shown = texts(drawn(ALIGNED))
    assert shown[:2] == [
        "q1 and sp|P1|A Alpha, the first",
        "swiss, version 2026_01 · 123 bits, score 310, E-value 2e-30",
    ]
    first, second = shown[2:11], shown[11:20]
    assert first == [
        LONG.midline[:60], "q1", "5", LONG.qseq[:60], "62", "sp|P1|A", "101", LONG.hseq[:60], "159",
    ]  # fmt: skip
    assert second == ["H+AGA", "q1", "63", "HEAGA", "67", "sp|P1|A", "160", "HDAGA", "164"]


def test_columns_have_their_kinds_colours_and_the_legend_counts_them() -> None:
    root = drawn(ALIGNED)
    assert texts(root)[-4:] == ["the same letters: 61", "others that score above 0: 1", "gaps: 3", "65 columns"]
    assert {color: columns_of(root, color) for color in (SAME, ALIKE, GAP)} == {SAME: 61, ALIKE: 1, GAP: 3}


def test_letters_stand_a_column_apart_whatever_the_font() -> None:
    rows = [each for each in drawn(ALIGNED).iter(f"{SVG}text") if "textLength" in each.attrib]
    assert [float(each.attrib["textLength"]) for each in rows] == [8 * len(each.text or "") for each in rows]
    assert Counter(len(each.text or "") for each in rows) == {60: 3, 5: 3}


def test_any_alignment_of_a_hit_is_drawn_and_no_other() -> None:
    shown = texts(drawn(TWICE, 2))
    assert shown[1].endswith("13.1 bits, score 22, E-value 0.75")
    assert SHORT.qseq in shown
    for hit, number, told in (
        (TWICE, 3, "hit 1 has 2 alignments in"),
        (ALIGNED, 2, "hit 1 has 1 alignment in"),
        (UNALIGNED, 1, "hit 2 has no alignment in"),
    ):
        with pytest.raises(UnfitFigure, match=told) as refused:
            hit_alignment_svg(one_hit(hit), number)
        assert refused.value.parameter == "alignment"


def test_pair_is_drawn_and_a_reverse_complement_counts_down() -> None:
    [pair] = found([("GGGGTTTTACCCAGTCCA", "CCTGGACTGGGTAAAACCCC")], strand="both")
    told, rows = pair.told, pair.rows
    assert rows is not None
    root = picture(pair_svg(pair.together, pair.row))
    assert texts(root)[:2] == ["q1 and s1", f"score {told.score}, the query's reverse complement"]
    assert texts(root)[2:11] == [
        rows.midline, "q1", str(told.query_to), rows.query, str(told.query_from), "s1", str(told.subject_from),
        rows.subject, str(told.subject_to),
    ]  # fmt: skip
    assert columns_of(root, SAME) == told.identity


def test_names_with_control_characters_are_text_on_one_line() -> None:
    [pair] = found([("ACGT", "ACGT")])
    told = replace(pair.together, queries=["q\x01\x0b\x1b[31m<b>&\"'\ufffe\u202e"], subjects=["s\ud800"])
    root = picture(pair_svg(told, 0))
    assert root.attrib["aria-label"] == texts(root)[0] == "q   [31m<b>&\"'   and s "


def test_pair_without_an_alignment_has_no_picture() -> None:
    [pair] = found([("AAAA", "CCCC")])
    with pytest.raises(UnfitFigure, match="nothing of it scores above 0"):
        pair_svg(pair.together, pair.row)


def test_a_line_of_gaps_alone_stands_at_the_letter_before() -> None:
    row = "A" * 60 + "-" * 60 + "A"
    sides = Side("q", row, 11), Side("s", "A" * 121, 1)
    shown = texts(picture(alignment_svg(Shown("t", "", sides[0], row.replace("-", " "), sides[1], len(row)))))
    places = [(shown[at + 1], shown[at + 3]) for at, words in enumerate(shown) if words == "q"]
    assert places == [("11", "70"), ("70", "70"), ("71", "71")]


def test_long_alignments_are_drawn_to_their_bound_and_say_so() -> None:
    side = Side("<name> & " + "n" * 30, "A" * MOST_COLUMNS, 1)
    shown = Shown("t", "", side, "|" * MOST_COLUMNS, replace(side, name="s"), MOST_COLUMNS + 1)
    root = picture(alignment_svg(shown))
    assert texts(root)[-2:] == ["7,201 columns", "drawn and counted are the first 7,200"]
    assert columns_of(root, SAME) == 7200
    assert "<name> & nnnnnnnnnn…" in texts(root)
    assert size(root)[1] < 8000


def test_picture_of_a_long_pair_takes_no_more_than_that_of_its_first_columns() -> None:
    letters = 15_000_000
    pair = PairBatch(Joined.of([np.full(4, ord("A"), np.uint8)]), Joined.of([np.full(letters, ord("A"), np.uint8)]))
    path = alignment(4 * 2 - (letters - 4) - 1, (0, 4), (0, letters), f"2M{letters - 4}D2M")
    columns, scheme = Columns.of([(0, path)], pair.lengths, local=False), replace(DNA_SCHEME, mode=Mode.GLOBAL)
    told = ToldPairs(["q"], ["s"], pair, columns, np.zeros(1, np.bool_), scheme, "alignment")
    tracemalloc.start()
    root = picture(pair_svg(told, 0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000
    assert texts(root)[-5:] == [
        "the same letters: 2", "others that score above 0: 0", "gaps: 7,198", "15,000,000 columns",
        "drawn and counted are the first 7,200",
    ]  # fmt: skip
