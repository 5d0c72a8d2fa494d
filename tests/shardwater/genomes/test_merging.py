"""HSPs of all parts become one list: literal cases, and random ones against loops; the order of parts is nothing."""

from dataclasses import replace

import numpy as np
import pytest

from shardwater.genomes.comparison import Comparison
from shardwater.genomes.genome import PLACE_BITS
from shardwater.genomes.hsps import ROW, Hsps
from shardwater.genomes.merging import merge_hsps, without_contained, without_overlaps
from tests.support.genome_oracle import Stretch, bounded, chosen
from tests.support.genomes import genome

Row = tuple[int, int, int, int, bool]
ANY = Comparison(min_length=1, min_identity=0, x_drop=0)
QUERY, SUBJECT = genome("A"), genome("C")
PLACES = 1 << PLACE_BITS


def hsps(*rows: Row) -> Hsps:
    return Hsps(np.array(list(rows), ROW))


def rows(found: Hsps) -> list[Row]:
    return [tuple(row) for row in found.rows.tolist()]


def test_what_lies_in_another_one_of_its_diagonal_is_dropped() -> None:
    whole = (100, 200, 50, 40, False)
    for inner in (
        (100, 200, 50, 40, False),
        (100, 200, 20, 20, False),
        (130, 230, 20, 9, False),
        (110, 210, 9, 9, False),
    ):
        assert rows(without_contained(hsps(inner, whole))) == [whole]
        assert rows(without_contained(hsps(whole, inner, whole))) == [whole]


def test_what_lies_on_another_diagonal_or_strand_stays() -> None:
    one, beside, other = (100, 200, 50, 40, False), (110, 211, 20, 20, False), (110, 210, 20, 20, True)
    assert sorted(rows(without_contained(hsps(one, beside, other)))) == [one, other, beside]


def test_reverse_ones_share_a_diagonal_where_the_sum_of_both_places_is_the_same() -> None:
    whole, inner, beside = (100, 200, 50, 40, True), (110, 210, 30, 30, True), (110, 209, 30, 30, True)
    # Its last letter in the query is the first one in the subject: 110 + 240 = 100 + 250.
    assert rows(without_contained(hsps(inner, whole, beside))) == [beside, whole]


def test_ends_of_one_diagonal_do_not_reach_into_the_next() -> None:
    long, short = (0, 0, PLACES - 2, 5, False), (0, 1, 1, 1, False)
    assert rows(without_contained(hsps(short, long))) == [long, short]
    last, first = (PLACES - 2, 0, 1, 1, False), (0, PLACES - 2, 1, 1, False)
    turned = (PLACES - 2, PLACES - 2, 1, 1, True)
    assert rows(merge_hsps(QUERY, SUBJECT, ANY, [hsps(turned, last, first, short, long)])) == [
        long,
        short,
        first,
        last,
        turned,
    ]


def test_of_overlapping_ones_the_longest_stay_one_after_another() -> None:
    # 0-50, 40-80, 70-130, 120-160, 155-190: first 70-130, then 0-50; 40-80 and 120-160 overlap those, 155-190 none.
    chain = [(0, 0, 50, 50, False), (40, 40, 40, 40, False), (70, 70, 60, 60, False), (120, 120, 40, 40, False)]
    chain.append((155, 155, 35, 35, False))
    assert rows(without_overlaps(hsps(*chain))) == [chain[0], chain[2], chain[4]]


def test_of_equally_long_ones_that_overlap_the_first_stays() -> None:
    one, other, third = (0, 0, 50, 50, False), (49, 49, 50, 50, False), (98, 98, 50, 50, False)
    assert rows(without_overlaps(hsps(one, other))) == [one]
    assert rows(without_overlaps(hsps(one, other, third))) == [one, third]
    apart = (50, 50, 50, 50, False)
    assert rows(without_overlaps(hsps(one, apart))) == [one, apart]


def test_bounds_come_after_overlaps() -> None:
    # The longest has few equal letters: it drops the other one before it is dropped itself.
    poor, good = (0, 0, 100, 50, False), (90, 90, 50, 50, False)
    assert rows(merge_hsps(QUERY, SUBJECT, ANY, [hsps(good, poor)])) == [poor]
    assert rows(merge_hsps(QUERY, SUBJECT, replace(ANY, min_identity=60), [hsps(good, poor)])) == []
    edge = (0, 0, 100, 60, False)
    assert rows(merge_hsps(QUERY, SUBJECT, Comparison(x_drop=0), [hsps(edge)])) == [edge]
    assert rows(merge_hsps(QUERY, SUBJECT, Comparison(x_drop=0, min_length=101), [hsps(edge)])) == []
    assert rows(merge_hsps(QUERY, SUBJECT, Comparison(x_drop=0, min_identity=60.1), [hsps(edge)])) == []


def test_a_genome_with_itself_leaves_out_the_main_diagonal_forward() -> None:
    main, beside, reverse = (5, 5, 10, 10, False), (5, 6, 10, 10, False), (5, 5, 10, 10, True)
    assert rows(merge_hsps(QUERY, QUERY, ANY, [hsps(main, beside, reverse)])) == [beside, reverse]
    assert rows(merge_hsps(QUERY, SUBJECT, ANY, [hsps(main, beside, reverse)])) == [main, beside, reverse]


def test_the_order_is_strand_query_subject_length() -> None:
    # The two reverse ones begin together, on diagonals of their own.
    expected = [
        (1, 9, 5, 5, False),
        (2, 3, 5, 5, False),
        (2, 9, 5, 5, False),
        (1, 3, 5, 5, True),
        (1, 3, 8, 8, True),
    ]
    for order in ([4, 3, 2, 1, 0], [3, 4, 0, 2, 1], [2, 0, 4, 1, 3]):
        assert rows(merge_hsps(QUERY, SUBJECT, ANY, [hsps(*(expected[place] for place in order))])) == expected


@pytest.mark.parametrize("seed", range(6))
def test_random_ones_are_merged_as_by_loops_in_any_order_and_parts(seed: int) -> None:
    rng, table = np.random.default_rng(seed), np.zeros(300, ROW)
    table["query"], table["length"] = rng.integers(0, 120, 300), rng.integers(1, 30, 300)
    diagonals, table["matches"], table["reverse"] = rng.integers(0, 4, 300), table["length"], rng.integers(0, 2, 300)
    forward = table["query"] + diagonals
    table["subject"] = np.where(table["reverse"], 200 + diagonals - table["query"] - table["length"], forward)
    comparison, expected = Comparison(min_length=8, x_drop=0), list[Row]()
    for reverse in (False, True):
        # A strand's own places: those of a reverse diagonal go up with the query's.
        own = [row for row in table.tolist() if row[4] == reverse]
        stretches = [Stretch(x, 200 - y - n if reverse else y, n, m) for x, y, n, m, _ in own]
        for each in [each for each in chosen(stretches) if bounded(each, comparison)]:
            y = 200 - each.y - each.length if reverse else each.y
            expected.append((each.x, y, each.length, each.matches, reverse))
    for parts in (1, 2, 7):
        shuffled = Hsps(rng.permutation(table))
        found = merge_hsps(QUERY, SUBJECT, comparison, [shuffled[part::parts] for part in range(parts)])
        assert rows(found) == sorted(expected, key=lambda row: (row[4], *row[:3]))


def test_no_hsps_are_an_empty_list() -> None:
    for several in ([], [hsps()], [hsps(), hsps()]):
        assert len(merge_hsps(QUERY, QUERY, ANY, several)) == 0
