"""Boxes around HSPs: their ranges, their letters, and how many are aligned together."""

import numpy as np
import pytest

from shardwater.genomes import boxes as module
from shardwater.genomes.boxes import Boxes, cells_of
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.sequences.alphabets import DNA
from shardwater.sequences.named import Letters

QUERY = Genome.of([Letters("q1", b"ACGT" * 100), Letters("q2", b"aaccgu!N" + b"G" * 392)])
SUBJECT = Genome.of([Letters("s1", b"T" * 300), Letters("s2", b"CCA" * 200)])
NUMBERS = np.arange(2)


def hsps(query: int, subject: int, length: int, *, reverse: bool = False) -> Hsps:
    return Hsps.of(*(np.array([value]) for value in (query, subject, length, length)), reverse)


def test_a_box_is_wider_than_its_hsp_as_far_as_its_records_go() -> None:
    found = Boxes.around(QUERY, SUBJECT, Hsps.joined([hsps(150, 320, 50), hsps(410, 650, 360, reverse=True)]))
    assert list(zip(found.query.tolist(), found.query_end.tolist(), strict=True)) == [(50, 300), (400, 800)]
    assert list(zip(found.subject.tolist(), found.subject_end.tolist(), strict=True)) == [(300, 470), (550, 900)]
    assert found.cells.tolist() == [250 * 170, 400 * 350]
    assert found.letters.tolist() == [250 + 170, 400 + 350]


def test_cells_are_those_of_boxes_that_are_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    some = Hsps.joined([hsps(150, 320, 50), hsps(410, 650, 360)])
    assert cells_of(QUERY, SUBJECT, some) == 250 * 170 + 400 * 350
    monkeypatch.setattr(module, "MOST_BOX_CELLS", 400 * 350 - 1)
    assert cells_of(QUERY, SUBJECT, some) == 250 * 170
    assert Boxes.around(QUERY, SUBJECT, some).aligned.tolist() == [True, False]


def test_the_letters_of_a_box() -> None:
    pairs = Boxes.around(QUERY, SUBJECT, hsps(400, 302, 10)).pairs(NUMBERS[:1], QUERY, SUBJECT)
    # What is no letter of DNA counts as N.
    assert pairs[0].query.tolist() == DNA.encode(b"AACCGTNN" + b"G" * 102).tolist()
    assert pairs[0].subject.tolist() == DNA.encode(b"CCA" * 37 + b"C").tolist()
    pairs = Boxes.around(QUERY, SUBJECT, hsps(400, 302, 10, reverse=True)).pairs(NUMBERS[:1], QUERY, SUBJECT)
    assert pairs[0].query.tolist() == DNA.encode(b"C" * 102 + b"NNACGGTT").tolist()
    assert pairs[0].subject.tolist() == DNA.encode(b"CCA" * 37 + b"C").tolist()


def test_boxes_of_both_strands_have_their_own_letters_side_by_side() -> None:
    both = Hsps.joined([hsps(400, 302, 10, reverse=reverse) for reverse in (True, False, True)])
    pairs, every = Boxes.around(QUERY, SUBJECT, both).pairs(np.arange(3), QUERY, SUBJECT), DNA.encode(b"AACCGTNN")
    assert [pair.query[:8].tolist() == every.tolist() for pair in pairs] == [False, True, False]
    assert pairs[0].query.tolist() == pairs[2].query.tolist() == DNA.encode(b"C" * 102 + b"NNACGGTT").tolist()


def test_batches_are_of_so_many_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    forward, reverse = hsps(150, 420, 50), hsps(150, 420, 50, reverse=True)
    boxes = Boxes.around(QUERY, SUBJECT, Hsps.joined([forward, reverse, forward, forward, reverse, forward]))
    assert [batch.tolist() for batch in boxes.batches()] == [[0, 1, 2, 3, 4, 5]]
    monkeypatch.setattr(module, "BATCH_LETTERS", 1000)
    assert [batch.tolist() for batch in boxes.batches()] == [[0, 1], [2, 3], [4, 5]]
    monkeypatch.setattr(module, "MOST_BOX_CELLS", 1)
    assert list(boxes.batches()) == []
