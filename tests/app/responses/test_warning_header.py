"""Warnings in a header field: one line of ASCII, bounded, whatever a sentence holds."""

from dataclasses import replace

from app.responses.warning_header import HEADER, MOST_BYTES, warning_header
from shardwater.search.merge import SearchResult
from shardwater.search.warnings import QueryWarning
from tests.support.example_results import RESULT
from worker.jobs.results.digested import RESULT_JSON
from worker.jobs.results.packing import pack
from worker.jobs.results.stored import StoredResult


def warned(*warnings: QueryWarning) -> SearchResult:
    """A result whose last query has these warnings."""
    *others, last = RESULT.results
    return replace(RESULT, results=(*(replace(one, warnings=()) for one in others), replace(last, warnings=warnings)))


def field(result: SearchResult) -> str:
    found = warning_header(StoredResult(pack(RESULT_JSON.dump_json(result))))
    assert found == warning_header(
        StoredResult(pack(RESULT_JSON.dump_json(RESULT))),
        replace(result, results=result.results[-1:]),
        len(result.results),
    )
    return found.get(HEADER, "")


def test_nothing_is_said_without_a_warning() -> None:
    assert field(warned()) == ""


def test_a_sentence_stays_one_quoted_string_of_ascii() -> None:
    odd = QueryWarning("odd", 'a "quote", a \\, "warnings":[]\r\nX-Other: 1, caf\u00e9')
    expected = f'"query {len(RESULT.results)}: odd: a \\"quote\\", a \\\\, \\"warnings\\":[]X-Other: 1, caf"'
    assert field(warned(odd)) == expected


def test_what_is_too_long_is_counted() -> None:
    found = field(warned(*(QueryWarning("long", "x" * 100) for _ in range(100))))
    assert len(found) < MOST_BYTES + 50
    shown = found.count("long: ")
    assert found.endswith(f', "{100 - shown} more: format=json has all"')
