"""Strands in bits: 32 letters from any place on are those of the text, forward and reverse."""

import numpy as np
import pytest

from shardwater.genomes import strands
from shardwater.genomes.strands import LETTERS, Strand, reversed_bits, room, unequal
from tests.support import genome_oracle
from tests.support.genomes import genome, kinds

QUERIES, SUBJECTS = kinds(1)["unknown letters"]
RECORDS = [*QUERIES, "", "ACGT", *SUBJECTS]


def bits(flags: list[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)


@pytest.mark.parametrize("at_once", [LETTERS, 96, 1 << 24])
@pytest.mark.parametrize("reverse", [False, True])
def test_letters_from_any_place_are_those_of_the_text(
    monkeypatch: pytest.MonkeyPatch, reverse: bool, at_once: int
) -> None:
    monkeypatch.setattr(strands, "PACKED_AT_ONCE", at_once)
    strand, text = Strand.of(genome(*RECORDS), reverse=reverse), genome_oracle.Strand.of(RECORDS, reverse=reverse).text
    places = np.arange(-LETTERS, len(text) + 1)
    around = "A" * LETTERS + text + "A" * 2 * LETTERS
    windows = [around[place : place + LETTERS] for place in range(len(places))]
    known = [genome_oracle.value_of(window.replace("?", "A")) for window in windows]
    assert strand.letters_from(places).tolist() == known
    assert strand.unknown_from(places).tolist() == [bits([letter == "?" for letter in each]) for each in windows]
    assert len(strand) == len(text)
    assert strand.codes.tolist() == ["ACGT?".index(letter) for letter in text]


@pytest.mark.parametrize("reverse", [False, True])
def test_records_and_their_room_are_those_of_the_text(reverse: bool) -> None:
    strand, told = Strand.of(genome(*RECORDS), reverse=reverse), genome_oracle.Strand.of(RECORDS, reverse=reverse)
    places = np.arange(len(strand))
    begins, ends = strand.record_at(places)
    assert (begins.tolist(), ends.tolist()) == (told.begins, told.ends)
    before, after = room(strand, places, strand, places[::-1])
    assert before.tolist() == [
        min(x - told.begins[x], y - told.begins[y]) for x, y in zip(places, places[::-1], strict=True)
    ]
    assert after.tolist() == [
        min(told.ends[x] - x, told.ends[y] - y) for x, y in zip(places, places[::-1], strict=True)
    ]


def test_unequal_letters_have_a_bit_each() -> None:
    query, subject = (Strand.of(genome(*each), reverse=False) for each in (QUERIES, SUBJECTS))
    one, other = (genome_oracle.Strand.of(each).text for each in (QUERIES, SUBJECTS))
    x = np.arange(min(len(one), len(other)) - LETTERS)
    y = x[::-1]
    expected = [
        bits([not one[at + each] == other[by + each] != "?" for each in range(LETTERS)])
        for at, by in zip(x.tolist(), y.tolist(), strict=True)
    ]
    assert unequal(query, x, subject, y).tolist() == expected


def test_bits_are_reversed() -> None:
    numbers = np.array([0, 1, 0x80000000, 0x12345678, 0xFFFFFFFF], np.uint32)
    assert reversed_bits(numbers).tolist() == [int(f"{number:032b}"[::-1], 2) for number in numbers.tolist()]


def test_a_genome_without_letters_has_strands() -> None:
    for records in ([], [""], ["", ""]):
        for reverse in (False, True):
            assert len(Strand.of(genome(*records), reverse=reverse)) == 0
