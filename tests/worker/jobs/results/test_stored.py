"""Results as they are kept: read part by part, with the same content as read whole."""

import json
import zlib
from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from shardwater.search.merge import Query, QueryResult, SearchResult
from tests.support.example_results import ALIGNED, FOUND, NOTHING, QUERY, STATISTICS, STRANGE, result_of
from worker.jobs.results import stored
from worker.jobs.results.packing import pack
from worker.jobs.results.stored import DamagedResult, StoredResult

RESULT = TypeAdapter(SearchResult)
# Titles that look like what begins a query's part, as plain text and with every kind of quote.
TRAP = '{"query":{"id":"q","title":""'
TRAPPED = QueryResult(
    Query('{"query":{"id":', f"{TRAP} \\{TRAP} ,{TRAP}]}}", 9, {}),
    STATISTICS,
    (replace(ALIGNED, title=f'"{TRAP}', accession="\\"),),
)
MANY = result_of(FOUND, NOTHING, TRAPPED, STRANGE, FOUND)


def kept(result):
    return StoredResult(zlib.compress(RESULT.dump_json(result), 1))


@pytest.fixture(params=[1, 7, 100, 1 << 20])
def piece(request, monkeypatch):
    """However the JSON is cut while it is read."""
    monkeypatch.setattr(stored, "PIECE", request.param)
    return request.param


def test_json_is_the_whole_in_pieces(piece):
    pieces = list(kept(MANY).json())
    assert b"".join(pieces) == RESULT.dump_json(MANY)
    assert max(map(len, pieces)) <= piece


def test_what_compresses_well_comes_back_whole():
    result = result_of(replace(NOTHING, query=replace(QUERY, title="a" * 5_000_000)))
    assert b"".join(kept(result).json()) == RESULT.dump_json(result)


@pytest.mark.usefixtures("piece")
def test_report_gives_every_query_and_gives_it_again():
    report = kept(MANY).report()
    assert tuple(report.results) == MANY.results
    assert tuple(report.results) == MANY.results
    assert (report.search, report.database, report.software) == (MANY.search, MANY.database, MANY.software)
    assert (report.parameters, report.certificate) == (MANY.parameters, MANY.certificate)


@pytest.mark.usefixtures("piece")
def test_part_is_the_result_with_one_query():
    found = kept(MANY)
    assert len(found) == 5
    for number, one in enumerate(MANY.results, start=1):
        assert found.part(number) == replace(MANY, results=(one,))
    assert found.part(6) is None


@pytest.mark.usefixtures("piece")
def test_lines_are_results_of_one_query():
    lines = b"".join(kept(MANY).lines()).splitlines(keepends=True)
    assert lines == [RESULT.dump_json(replace(MANY, results=(one,))) + b"\n" for one in MANY.results]
    assert [json.loads(line)["results"][0]["query"]["id"] for line in lines] == [one.query.id for one in MANY.results]


def test_parts_are_read_only_as_they_are_needed():
    data = RESULT.dump_json(MANY)
    broken = data[: data.rindex(b'"hits"')] + b"nonsense"
    report = StoredResult(zlib.compress(broken)).report()
    assert next(iter(report.results)) == FOUND


def test_single_query():
    found = kept(result_of(NOTHING))
    assert len(found) == 1
    assert tuple(found.report().results) == (NOTHING,)


@pytest.mark.parametrize(
    "kept",
    [b"", b"nonsense", pack(RESULT.dump_json(MANY))[:-9], pack(RESULT.dump_json(MANY))[:-8] + bytes(8)],
    ids=["nothing", "nonsense", "cut", "wrong checksum"],
)
def test_what_is_no_whole_result_is_damaged_however_it_is_read(kept):
    found = StoredResult(kept)
    ways = (found.json, found.lines, found.texts, lambda: found.report().results, lambda: [found.part(9)])
    for read in ways:
        with pytest.raises(DamagedResult):
            list(read())


def test_a_damaged_part_is_not_the_clients_fault():
    found = StoredResult(pack(RESULT.dump_json(MANY).replace(b'"rank":1', b'"rank":"x"')))
    with pytest.raises(DamagedResult):
        found.part(1)
    with pytest.raises(DamagedResult):
        tuple(found.report().results)
    with pytest.raises(DamagedResult):
        StoredResult(pack(RESULT.dump_json(MANY).replace(b'"search"', b'"such"', 1))).report()
