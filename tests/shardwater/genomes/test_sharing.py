"""Pairs of letters that alignments share belong to the best one of them."""

import numpy as np
import pytest

from shardwater.genomes import sharing
from shardwater.genomes.alignments import ROW, Alignments
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.sharing import own_columns
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS

Runs = list[tuple[int, str]]


def aligned(*rows: tuple[int, int, int, Runs], reverse: bool = False) -> Alignments:
    """Where each begins along the query (backward in reverse), and in the subject; its score, its runs."""
    table, words = np.zeros(len(rows), ROW), list[int]()
    for number, (x, y, score, runs) in enumerate(rows):
        taken, other = (sum(length for length, kind in runs if kind != gap) for gap in "DI")
        query = (1000 - x - taken, 1000 - x) if reverse else (x, x + taken)
        columns = sum(length for length, _ in runs)
        table[number] = (*query, y, y + other, score, columns, columns, reverse, len(runs))
        words += (length << KIND_BITS | RUN_KINDS.index(kind) for length, kind in runs)
    return Alignments(table, np.array(words, np.int32))


def own(alignments: Alignments) -> list[list[int]]:
    """Row, first column, and end of what is its own."""
    found = own_columns(alignments)
    return [[row, int(found.begins[row]), int(found.ends[row])] for row in found.rows.tolist()]


@pytest.mark.parametrize("reverse", [False, True])
def test_the_worse_of_two_is_cut_where_they_share_a_path(reverse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "LEAST_OWN", 5)
    # Both go over a gap of 7; the second ends what the first begins.
    first = (0, 0, 300, [(100, "M"), (7, "I"), (60, "M")])
    second = (87, 87, 200, [(13, "M"), (7, "I"), (90, "M")])
    assert own(aligned(first, second, reverse=reverse)) == [[0, 0, 167], [1, 80, 110]]
    before = (73, 70, 200, [(10, "M"), (3, "D"), (17, "M"), (7, "I"), (60, "M")])
    assert own(aligned(first, before, reverse=reverse)) == [[0, 0, 167], [1, 0, 10]]


def test_one_on_the_path_of_another_is_nothing_of_its_own() -> None:
    better, same = (0, 0, 300, [(200, "M")]), (50, 50, 90, [(100, "M")])
    assert own(aligned(better, same)) == [[0, 0, 200]]
    # The gap stands 30 letters further; then 40.
    moved = [(50, 50, 90, [(100, "M"), (2, "D"), (above, "M")]) for above in (31, 40)]
    assert own(aligned(better, moved[0])) == [[0, 0, 200]]
    assert own(aligned(better, moved[1])) == [[0, 0, 200], [1, 102, 142]]


def test_what_is_shared_between_two_ends_is_worth_less_than_these() -> None:
    better, around = (0, 0, 300, [(100, "M")]), [(40, "M"), (3, "I"), (100, "M"), (2, "D"), (90, "M")]
    assert own(aligned(better, (-43, -40, 200, around))) == [[0, 0, 100], [1, 0, 235]]
    around[4] = (50, "M")
    assert own(aligned(better, (-43, -40, 200, around))) == [[0, 0, 100]]


def test_letters_in_two_places_are_two_alignments() -> None:
    once, again = (0, 0, 300, [(80, "M"), (1, "I"), (20, "M")]), (0, 300, 200, [(80, "M"), (1, "I"), (20, "M")])
    assert own(aligned(once, again)) == [[0, 0, 101], [1, 0, 101]]
    turned = Alignments.joined([aligned(once), aligned((899, 0, 200, once[3]), reverse=True)])
    assert own(turned) == [[0, 0, 101], [1, 0, 101]]


def test_hsps_are_their_own() -> None:
    places, lengths = np.array([10, 60]), np.array([50, 60])
    assert own(Alignments.of_hsps(Hsps.of(places, places, lengths, lengths, False))) == [[0, 0, 50], [1, 0, 60]]
    assert own(Alignments.joined([])) == []
