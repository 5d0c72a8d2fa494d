"""A query's part is written in canonical form, whatever its strings and numbers are."""

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from shardwater.search.canonical_json import canonical
from shardwater.search.judging import Distribution, Evalues
from shardwater.search.merge import Query, QueryResult
from shardwater.search.warnings import QueryWarning
from shardwater.statistics.goodness import Goodness
from shardwater.statistics.length_regression import Fit
from tests.support.example_results import ALIGNED, FOUND, NOTHING, QUERY, STATISTICS, STRANGE
from worker.jobs.results.canonical_part import canonical_part

PART = TypeAdapter(QueryResult)
NUMBERS = [0.0, -0.0, 1.0, 100.0, 0.1, -2.5, 1e-4, 1e-5, 1.25e-5, 1e-6, 1e-7, 1.5e-7, 5e-324, 2.2250738585072014e-308]
NUMBERS += [123456789012345.0, 1e15, 1e16, 1.5e16, 1e20, 123456789e13, 1e21, 1e22, 1.7976931348623157e308, -1e-9, -1e22]
TEXTS = [
    ":1.0,",
    '":1.0,',
    'a":1.0,"b":2.0}',
    '\\":1e-9,',
    "x:[1.0,2.0]",
    '":[1.0,2.0]',
    "a\\",
    "1.0",
    "\x00\x1f\x7f\n\t",
    "\U0001f600\ufb01\u2028",
]


def by_the_book(part: QueryResult) -> bytes:
    members: dict[str, Any] = json.loads(PART.dump_json(part))
    del members["digest"]
    return canonical(members)


@pytest.mark.parametrize("part", [FOUND, NOTHING, STRANGE], ids=["found", "nothing", "strange"])
def test_part_is_in_canonical_form(part: QueryResult) -> None:
    assert canonical_part(part) == by_the_book(part)
    assert canonical_part(replace(part, digest="sha256:0")) == by_the_book(part)


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_written_as_javascript_does(number: float) -> None:
    hit = replace(ALIGNED, bits=number, evalue=number, identity=None, evalues=Evalues(number, number, number, True))
    fit = Fit(number, -number, number, 1, 2, Goodness(number, None, 1.0))
    bins = Distribution(1, (0, 3), (number, 0.5, number), fit)
    part = QueryResult(QUERY, replace(STATISTICS, fit=fit), (hit, ALIGNED), bins)
    assert canonical_part(part) == by_the_book(part)


@pytest.mark.parametrize("whole", [2**53 - 1, 2**53, 2**53 + 1, 10**15, 10**16 + 1, 10**21, 2**80])
def test_whole_numbers_are_those_that_javascript_knows(whole: int) -> None:
    part = QueryResult(QUERY, replace(STATISTICS, eff_space=whole), (replace(ALIGNED, score=-whole),))
    assert canonical_part(part) == by_the_book(part)


@pytest.mark.parametrize("text", TEXTS)
def test_numbers_inside_strings_stay_as_they_are(text: str) -> None:
    hit = replace(ALIGNED, title=text, accession=f"{text}a")
    query = Query(text, f"x{text}", 3, {"U": 1, "J": 2, "\ufb01": 3, "\U0001f600": 4})
    part = QueryResult(query, STATISTICS, (hit, hit), None, (QueryWarning("code", text),))
    assert canonical_part(part) == by_the_book(part)


def test_lists_of_numbers_may_be_empty() -> None:
    part = QueryResult(QUERY, STATISTICS, (), Distribution(1, (), (), None))
    assert canonical_part(part) == by_the_book(part)
