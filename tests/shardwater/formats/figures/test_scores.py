"""The drawing of all subjects' scores."""

import math
from dataclasses import replace
from typing import Literal
from xml.etree import ElementTree

import pytest

from shardwater.formats.figures.scores import CURVE, HITS, SUBJECTS, scores_svg
from shardwater.search.judging import Distribution
from tests.support.example_results import ALIGNED, FOUND, UNALIGNED, result_of
from tests.support.pictures import SVG, boxes, picture, texts, within

EXPECTED = tuple(3000 * math.exp(-(((score - 40) / 12) ** 2)) for score in range(311))
COUNTED = Distribution(1, (*map(round, EXPECTED[:-1]), 1), EXPECTED, None)
"""All as expected, but for one subject of score 310; 74 is the last score of which half a subject is expected."""


def drawn(counted: Distribution, shown: Literal["chance", "all"] = "chance", width: int = 1000) -> ElementTree.Element:
    root = picture(scores_svg(result_of(replace(FOUND, hits=(ALIGNED, UNALIGNED))), counted, shown, width))
    assert within(root)
    return root


def test_title_both_axes_and_legend_are_named() -> None:
    shown = texts(drawn(COUNTED))
    total = sum(COUNTED.counts)
    assert shown[:2] == ["Scores of all subjects: q1", f"swiss, version 2026_01 · {total:,} subjects"]
    assert {"raw score", "subjects", "0", "20", "120", "1", "10", "100", "1,000"} <= {*shown}
    assert shown[-4:] == [
        f"{total:,} subjects",
        "hits that are reported: 2",
        "expected by chance, fitted",
        "1 of the hits lies further right",
    ]


def test_heights_are_logarithms_of_the_counts() -> None:
    bars = boxes(drawn(COUNTED), SUBJECTS)[:-1]
    heights = {round(COUNTED.counts[score]): height for (_, _, _, height), score in zip(bars, nonzero(), strict=True)}
    most = max(COUNTED.counts)
    per_decade = heights[most] / math.log10(most / 0.5)
    for count, height in heights.items():
        assert height == pytest.approx(math.log10(count / 0.5) * per_decade, abs=0.2)


def nonzero() -> list[int]:
    return [score for score in range(134) if COUNTED.counts[score]]


def test_range_all_goes_to_the_highest_score_and_has_all_hits() -> None:
    root = drawn(COUNTED, "all")
    assert "300" in texts(root)
    assert texts(root)[-1] == "expected by chance, fitted"
    assert "subjects in 2 scores" in texts(root)
    bars = boxes(root, HITS)[:-1]
    assert [round((x - 76) / 904 * 312) for x, *_ in bars] == [58, 310]
    wide = drawn(COUNTED, "all", 2000)
    assert "subjects" in texts(wide)


def test_curve_is_broken_below_half_a_subject_and_missing_without_a_fit() -> None:
    [curve] = [each for each in drawn(COUNTED).iter(f"{SVG}path") if each.get("stroke") == CURVE and each.get("fill")]
    points = curve.attrib["d"].replace("M", "L").split("L")[1:]
    assert len(points) == sum(each >= 0.5 for each in EXPECTED)
    bare = drawn(Distribution(1, COUNTED.counts, None, None))
    assert not [each for each in bare.iter(f"{SVG}path") if each.get("stroke") == CURVE]
    assert "expected by chance, fitted" not in texts(bare)


def test_few_counts_make_a_picture() -> None:
    root = drawn(Distribution(7, (0, 3), None, None))
    assert "subjects in 7 scores" in texts(root)
    assert len(boxes(root, SUBJECTS)) == 2
