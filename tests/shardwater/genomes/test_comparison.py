"""What a comparison refuses, and the parts that it is done in."""

from typing import Any

import pytest

from shardwater.genomes import comparison as bounds
from shardwater.genomes.comparison import UNITS, Comparison, ComparisonError, Part
from tests.support.genomes import genome

TWO = genome("A" * 60), genome("A" * 40)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"word": 7}, "words have 8 to 32 letters"),
        ({"word": 33}, "words have 8 to 32 letters"),
        ({"sensitivity": "slow"}, "sensitivity is one of sensitive, fast, hyperfast"),
        ({"extension": "words"}, "extension is one of letters, blocks"),
        ({"strands": "reverse"}, "strands is one of both, forward"),
        ({"extension": "blocks", "word": 16}, "words of 32"),
        ({"max_frequency": 0}, "max_frequency"),
        ({"x_drop": -1}, "x_drop is from 0"),
        ({"x_drop": 1 << 31 | 1}, "x_drop is from 0 to 2,147,483,648"),
        ({"min_length": 0}, "min_length"),
        ({"min_identity": 100.1}, "min_identity"),
        ({"min_identity": -1}, "min_identity"),
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(ComparisonError, match=why):
        Comparison(**wrong)


def test_a_strand_of_small_genomes_is_one_part() -> None:
    assert Comparison().parts(*TWO) == (Part(False, 0, UNITS), Part(True, 0, UNITS))
    assert Comparison(strands="forward").parts(*TWO) == (Part(False, 0, UNITS),)
    assert Comparison(strands="forward").parts(genome(), genome()) == (Part(False, 0, UNITS),)


@pytest.mark.parametrize(("letters", "count"), [(100, 1), (99, 2), (50, 2), (33, 4), (1, 64)])
def test_parts_of_large_ones_have_each_unit_once(monkeypatch: pytest.MonkeyPatch, letters: int, count: int) -> None:
    monkeypatch.setattr(bounds, "PART_LETTERS", letters)
    parts = Comparison().parts(*TWO)
    assert len(parts) == 2 * count
    for reverse in (False, True):
        own = [part for part in parts if part.reverse == reverse]
        assert [unit for part in own for unit in range(part.first, part.last)] == list(range(UNITS))
        sizes = {part.last - part.first for part in own}
        assert max(sizes) - min(sizes) <= 1


def test_blocks_have_a_part_a_strand_however_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "PART_LETTERS", 1)
    assert Comparison(extension="blocks").parts(*TWO) == (Part(False, 0, UNITS), Part(True, 0, UNITS))
