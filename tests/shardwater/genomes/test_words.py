"""Words of a strand: those of a dictionary of lists, each once, in the order of decision 042."""

import numpy as np
import pytest

from shardwater.genomes import words
from shardwater.genomes.comparison import UNITS, Part
from shardwater.genomes.strands import Strand
from shardwater.genomes.words import Words, unit_of
from tests.support import genome_oracle
from tests.support.genomes import genome, kinds

Listed = list[tuple[int, int, int]]
"""Value, letter before (0 to 3, 4 where there is none) and place of each."""


def told(found: Words) -> Listed:
    return list(zip(found.values.tolist(), found.before.tolist(), found.places.tolist(), strict=True))


def expected(records: list[str], word: int, *, reverse: bool) -> Listed:
    strand = genome_oracle.Strand.of(records, reverse=reverse)
    return sorted(
        (genome_oracle.value_of(each), genome_oracle.BEFORE.index(strand.before(place)), place)
        for each, places in strand.words(word).items()
        for place in places
    )


@pytest.mark.parametrize("word", [8, 16, 31, 32])
@pytest.mark.parametrize("kind", list(kinds(1)))
def test_words_are_those_of_a_dictionary_in_their_order(monkeypatch: pytest.MonkeyPatch, kind: str, word: int) -> None:
    # Some tiles of places, and records that begin and end within them.
    monkeypatch.setattr(words, "AT_ONCE", 101)
    for records in kinds(word)[kind]:
        for reverse in (False, True):
            strand = Strand.of(genome(*records), reverse=reverse)
            assert told(Words.listed(strand, word, Part(reverse)).sorted()) == expected(records, word, reverse=reverse)


def test_no_word_begins_with_poly_t_by_mistake() -> None:
    # All bits of its value are set, as those of "no word" are in GPUGECKO.
    strand = Strand.of(genome("T" * 33, "N" + "T" * 31), reverse=False)
    assert told(Words.listed(strand, 32, Part(False)).sorted()) == [(2**64 - 1, 3, 1), (2**64 - 1, 4, 0)]


@pytest.mark.parametrize("bits", [1, 6, 24])
def test_words_that_both_have_are_left(monkeypatch: pytest.MonkeyPatch, bits: int) -> None:
    monkeypatch.setattr(words, "MOST_HASH_BITS", bits)
    rng = np.random.default_rng(3)
    one, other = ("".join(rng.choice(list("ACGTN"), 400, p=[0.24, 0.25, 0.25, 0.25, 0.01])) for _ in range(2))
    listed = [Words.listed(Strand.of(genome(each), reverse=False), 16, Part(False)) for each in (one, other + one[:90])]
    own, theirs = map(told, listed)
    values = {value for value, *_ in theirs}
    left = told(listed[0].shared(listed[1]))
    assert [each for each in own if each[0] in values] == [each for each in left if each[0] in values] != []
    assert set(left) <= set(own)
    assert bits < 24 or len(left) < len(own) / 2


def test_no_words_are_shared_with_none() -> None:
    some, none = (Words.listed(Strand.of(genome(each), reverse=False), 8, Part(False)) for each in ("ACGT" * 4, "AC"))
    assert len(some.shared(none)) == len(none.shared(some)) == 0


def test_the_first_letter_is_the_least_significant_one() -> None:
    strand = Strand.of(genome("ACGT" * 2), reverse=False)
    assert told(Words.listed(strand, 8, Part(False))) == [(228 * 257, 4, 0)]


def test_each_word_is_in_one_unit_which_places_do_not_change() -> None:
    [records, _] = kinds(3)["many records"]
    strand = Strand.of(genome(*records), reverse=False)
    units = [told(Words.listed(strand, 9, Part(False, unit, unit + 1))) for unit in range(UNITS)]
    assert sorted(each for unit in units for each in unit) == expected(records, 9, reverse=False)
    found = {
        genome_oracle.value_of(each): genome_oracle.unit_of(each) for each in genome_oracle.Strand.of(records).words(9)
    }
    assert unit_of(np.array(list(found), np.uint64)).tolist() == list(found.values())
    assert all(found[value] == unit for unit, each in enumerate(units) for value, *_ in each)
