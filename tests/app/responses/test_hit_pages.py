"""Parts of a result's JSON are what one gets by reading it, taking the part, and writing that."""

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from app.problems import InvalidParameterError
from app.responses.hit_pages import Turned, hit_page, hits_of, index
from shardwater.formats.selection import InvalidRanks, select_hits
from shardwater.search.databases import DatabaseUsed
from shardwater.search.judging import Distribution
from shardwater.search.merge import (
    Certificate,
    Hit,
    Query,
    QueryResult,
    SearchResult,
    StatisticsUsed,
)
from shardwater.search.parameters import Parameters
from shardwater.software import software
from worker.jobs.page_tokens import PageTokenError
from worker.jobs.results.packing import pack
from worker.jobs.results.stored import StoredResult

RESULT = TypeAdapter(SearchResult)
# Text that would end a string, an object or a list, if it stood there bare.
AWKWARD = [
    '{"rank":1}',
    '],"hits":[',
    '"},{"query":{"id":"',
    "\\",
    '\\"',
    ',{"rank":',
    "]}]}",
    '],"distribution":',
    "名\u2028",
]


def hit(rank: int, title: str) -> Hit:
    return Hit(rank, f"acc{rank}", title, 30, 100 - rank, 1.5e-7 * rank, 1e-200 / rank, None, None, ())


def result(*numbers: int) -> dict[str, Any]:
    """A result with so many hits for each query."""
    queries = tuple(
        QueryResult(
            Query(f'q{number}"', AWKWARD[number % len(AWKWARD)], 9, {"U": 1}),
            StatisticsUsed("none", None, None, None, None),
            tuple(hit(rank, AWKWARD[rank % len(AWKWARD)]) for rank in range(1, hits + 1)),
            Distribution(1, (3, 2, 1), None, None) if number % 2 else None,
        )
        for number, hits in enumerate(numbers)
    )
    whole = SearchResult(
        "search",
        DatabaseUsed("demo", "v", "c"),
        replace(software(), commit="c"),
        Parameters(),
        Certificate(True, 1, 1, 1, ()),
        queries,
    )
    return json.loads(RESULT.dump_json(whole))


def kept(whole: dict[str, Any]) -> StoredResult:
    return StoredResult(pack(json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode()))


@pytest.mark.parametrize(("hits", "size"), [(0, 3), (1, 3), (3, 3), (4, 3), (10, 3), (10, 1), (10, 10), (10, 1000)])
def test_pages_of_a_query_make_up_its_hits(hits: int, size: int) -> None:
    whole = result(2, hits, 1)
    found: list[Any] = []
    pages, token = 0, ""
    while pages == 0 or token:
        page = hit_page("search", kept(whole), 2, Turned(size, token))
        body = json.loads(page.body)
        assert body.pop("next_page_token") == page.next_token
        assert page.total == hits
        [one] = body["results"]
        assert {**body, "results": whole["results"]} == whole
        assert {**one, "hits": None} == {**whole["results"][1], "hits": None}
        assert len(one["hits"]) <= size
        found += one["hits"]
        pages, token = pages + 1, page.next_token
    assert found == whole["results"][1]["hits"]
    assert pages == max(1, -(-hits // size))


@pytest.mark.parametrize("query", [1, 2])
@pytest.mark.parametrize("ranks", ["1", "3,9-10", "1-10"])
def test_chosen_hits_are_those_of_the_whole_and_others_are_not_read(query: int, ranks: str) -> None:
    whole = result(10, 10)
    expected = select_hits(RESULT.validate_python(whole).results[query - 1], ranks)
    for hit in whole["results"][query - 1]["hits"]:
        if hit["rank"] not in [one.rank for one in expected.hits]:
            hit["score"] = "no number"
    [found] = hits_of(kept(whole), query, ranks).results
    assert replace(found, digest=None) == expected
    assert found.digest


def test_ranks_that_there_are_not_are_told() -> None:
    with pytest.raises(InvalidRanks, match=r"^there is no hit of rank 5: the query has 4$"):
        hits_of(kept(result(4)), 1, "5")
    with pytest.raises(InvalidRanks, match=r"^there is no hit of rank 1: the query has 0$"):
        hits_of(kept(result(0)), 1, "1")
    with pytest.raises(InvalidParameterError, match=r"^there is no query 2: the search has 1 query$"):
        hits_of(kept(result(4)), 2, "1")


def test_only_query_need_not_be_named() -> None:
    whole = kept(result(4))
    assert hit_page("search", whole, None, Turned(2)) == hit_page("search", whole, 1, Turned(2))
    with pytest.raises(InvalidParameterError, match=r"^there is no query 2: the search has 1 query$"):
        hit_page("search", whole, 2, Turned(2))
    with pytest.raises(InvalidParameterError, match="say which"):
        hit_page("search", kept(result(4, 4)), None, Turned(2))


def test_token_is_for_one_list_and_a_place_in_it() -> None:
    whole = kept(result(5, 5))
    token = hit_page("search", whole, 1, Turned(2)).next_token
    assert json.loads(hit_page("search", whole, 1, Turned(3, token)).body)["results"][0]["hits"][0]["rank"] == 3
    for search, query, sent in (("another", 1, token), ("search", 2, token), ("search", 1, "nonsense"),
                                ("search", 1, token[:-4])):  # fmt: skip
        with pytest.raises(PageTokenError):
            hit_page(search, whole, query, Turned(2, sent))
    shorter = kept(result(2, 5))
    with pytest.raises(PageTokenError):
        hit_page("search", shorter, 1, Turned(2, token))


def test_index_has_every_query_with_its_best_hit() -> None:
    whole = result(2, 0, 5, 1)
    found = list(index(kept(whole)))
    for entry, one in zip(found, whole["results"], strict=True):
        query, hits = one["query"], one["hits"]
        assert (entry.id, entry.title, entry.length) == (query["id"], query["title"], query["length"])
        assert entry.hits == len(hits)
        best = hits[0] if hits else dict.fromkeys(("score", "bits", "evalue"))
        assert (entry.score, entry.bits, entry.evalue) == (best["score"], best["bits"], best["evalue"])
