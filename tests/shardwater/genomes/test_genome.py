"""A genome: records one after another, and how many letters it may have."""

import numpy as np
import pytest

from shardwater.errors import LimitExceeded
from shardwater.genomes.genome import MOST_LETTERS, Genome
from shardwater.sequences.named import Letters
from tests.support.genomes import genome


def test_records_are_joined_with_nothing_between_them() -> None:
    found = Genome.of([Letters("one", b"ACG"), Letters("none", b""), Letters("two", b"ttN")])
    assert (found.names, found.letters.tobytes()) == (("one", "none", "two"), b"ACGttN")
    assert (found.offsets.tolist(), found.lengths.tolist(), len(found)) == ([0, 3, 3, 6], [3, 0, 3], 6)
    assert found.records(np.arange(6)).tolist() == [0, 0, 0, 2, 2, 2]


def test_a_genome_may_be_empty() -> None:
    assert (len(Genome.of([])), Genome.of([]).names) == (0, ())


def test_genomes_are_the_same_where_letters_and_records_are() -> None:
    assert genome("ACG", "T").same_as(genome("ACG", "T"))
    assert not genome("ACG", "T").same_as(genome("AC", "GT"))
    assert not genome("ACG", "T").same_as(genome("ACG", "C"))


def test_places_fit_29_bits() -> None:
    letters = np.broadcast_to(np.uint8(65), MOST_LETTERS + 1)
    assert len(Genome(("all",), letters[1:], np.array([0, MOST_LETTERS]))) == MOST_LETTERS
    with pytest.raises(LimitExceeded):
        Genome(("more",), letters, np.array([0, MOST_LETTERS + 1]))
