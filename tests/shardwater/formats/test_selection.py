from dataclasses import replace

import pytest

from shardwater.formats.selection import InvalidRanks, ranks_text, select_hits
from shardwater.search.merge import QueryResult
from tests.support.example_results import ALIGNED, NOTHING, QUERY, STATISTICS

TWELVE = QueryResult(QUERY, STATISTICS, tuple(replace(ALIGNED, rank=rank) for rank in range(1, 13)))


@pytest.mark.parametrize(
    ("ranks", "kept"),
    [
        ("1", [1]),
        ("12", [12]),
        ("1,5,9", [1, 5, 9]),
        ("9, 1 ,5", [1, 5, 9]),
        ("2-4", [2, 3, 4]),
        ("3-3", [3]),
        ("1,10-12,11", [1, 10, 11, 12]),
        ("1-12", list(range(1, 13))),
    ],
)
def test_hits_are_kept_by_rank_in_their_order(ranks, kept):
    assert [hit.rank for hit in select_hits(TWELVE, ranks).hits] == kept


def test_what_is_selected_keeps_its_ranks_and_can_be_selected_from_again():
    assert [hit.rank for hit in select_hits(select_hits(TWELVE, "2,7-12"), "7,12").hits] == [7, 12]


@pytest.mark.parametrize("ranks", ["", "x", "1,", "1;2", "-3", "3-", "1-2-3", "+1", "1.0", "٣", "9" * 10])
def test_ranks_that_cannot_be_read(ranks):
    with pytest.raises(InvalidRanks, match=r"^ranks are numbers and ranges of numbers by comma, as 1,5,9-12$"):
        select_hits(TWELVE, ranks)


@pytest.mark.parametrize(("ranks", "named"), [("0", "0"), ("5-4", "5-4"), ("1,0-3", "0-3")])
def test_ranges_that_are_none(ranks, named):
    with pytest.raises(InvalidRanks, match=rf"^{named} is no range of ranks: they count up, from 1$"):
        select_hits(TWELVE, ranks)


@pytest.mark.parametrize("ranks", ["13", "1,13", "2-13"])
def test_ranks_beyond_the_last(ranks):
    with pytest.raises(InvalidRanks, match=r"^there is no hit of rank 13: the query has 12$"):
        select_hits(TWELVE, ranks)


def test_query_without_hits_has_none_to_select():
    with pytest.raises(InvalidRanks, match="the query has 0"):
        select_hits(NOTHING, "1")


@pytest.mark.parametrize("text", ["1", "1,3", "1-2", "1-3,5,7-8", "2,4,6-9"])
def test_ranks_are_written_as_they_are_read(text):
    assert ranks_text([hit.rank for hit in select_hits(TWELVE, text).hits]) == text


def test_no_ranks_are_no_text():
    assert ranks_text([]) == ""
