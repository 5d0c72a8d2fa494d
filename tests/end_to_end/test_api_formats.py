"""A result in BLAST's formats by their numbers, and tables with other delimiters; names of files of other kinds."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.planted_genomes import QUERY, SUBJECT
from tests.support.problems import problem
from tests.support.server import PATIENCE_S, Server

PAIRS = ">one\nACGTTGCATTGACCAG\n>two\nTTGACCATTCAGGATT\n"


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def place(server: Server, queries: str) -> str:
    """The address of a result with ten hits of each of four queries."""
    found = server.search(queries, max_target_seqs=10, alignments=3, evalue=1e9, title="by number")
    return f"/v1/searches/{found['search']}/results"


@pytest.mark.parametrize(
    ("number", "name"), [("0", "pairwise"), ("5", "xml"), ("6", "tab"), ("15", "blast-json"), ("17", "sam")]
)
def test_blasts_numbers_name_the_same_formats(http: httpx.Client, place: str, number: str, name: str) -> None:
    by_number, by_name = (http.get(place, params={"format": form}) for form in (number, name))
    assert by_number.content == by_name.content
    for header in ("Content-Type", "Content-Disposition", "ETag"):
        assert by_number.headers[header] == by_name.headers[header]


def test_format_7_is_the_table_with_comment_lines_and_10_the_one_without_a_header(
    http: httpx.Client, place: str
) -> None:
    commented = http.get(place, params={"format": "7"})
    rows = [line for line in commented.text.splitlines(keepends=True) if not line.startswith("#")]
    assert "".join(rows) == http.get(place, params={"format": "tab"}).text
    assert commented.text.splitlines()[-1] == "# Shardwater processed 4 queries"
    bare, headed = (http.get(place, params={"format": form}) for form in ("10", "csv"))
    assert bare.text.splitlines() == headed.text.splitlines()[1:]
    assert bare.headers["Content-Type"].startswith("text/csv; header=absent")
    assert len({reply.headers["ETag"] for reply in (commented, bare, headed)}) == 3


def test_warnings_are_in_a_header_field_where_text_has_no_place_for_them(http: httpx.Client) -> None:
    body = {"sequence": ">a\u00e9 \u2603\nMKVLAAGW\n>b\n" + "ACGT" * 10, "database": "demo"}
    headers = {"Prefer": f"wait={PATIENCE_S}"}
    found = http.post("/v1/searches", json=body, headers=headers).json()
    place = f"/v1/searches/{found['search']}/results"
    told = [
        f'"query {number}: {each["code"]}: {each["detail"]}"'
        for number, one in enumerate(found["results"], start=1)
        for each in one["warnings"]
    ]
    assert [one.split(":")[1] for one in told[:2]] == [" short-query", " looks-like-dna"]
    for form in ("tab", "csv", "pairwise", "sam", "7"):
        for reply in (http.get(place, params={"format": form}), http.head(place, params={"format": form})):
            assert reply.headers["X-Shardwater-Warnings"] == ", ".join(told)
    of_second = http.get(place, params={"format": "tab", "query": 2}).headers["X-Shardwater-Warnings"]
    assert of_second == ", ".join(one for one in told if one.startswith('"query 2'))
    at_once = http.post("/v1/searches", json=body, headers={**headers, "Accept": "text/tab-separated-values"})
    assert at_once.headers["X-Shardwater-Warnings"] == ", ".join(told)
    for form in ("json", "ndjson"):
        assert "X-Shardwater-Warnings" not in http.get(place, params={"format": form}).headers


def test_format_16_is_xml_2(http: httpx.Client, place: str) -> None:
    found = http.get(place, params={"format": "16"})
    assert found.headers["Content-Type"] == "application/xml"
    assert found.text.count("<BlastOutput2>") == 4


def test_cells_have_another_delimiter_between_them(http: httpx.Client, place: str) -> None:
    params = {"format": "7", "columns": "sseqid,score", "delim": ";", "query": 1}
    rows = [line for line in http.get(place, params=params).text.splitlines() if not line.startswith("#")]
    assert [len(row.split(";")) for row in rows] == [2] * 10


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("format=csv&delim=x", "delim"),
        ("format=csv&delim=%3B%3B", "delim"),
        ("format=xml&delim=,", "delim"),
        ("format=json&spreadsheet=true", "spreadsheet"),
        ("format=csv&spreadsheet=perhaps", "spreadsheet"),
        ("format=9", "format"),
    ],
)
def test_wrong_parameter_of_a_table_is_named(http: httpx.Client, place: str, query: str, name: str) -> None:
    [error] = problem(http.get(f"{place}?{query}"), 422, "invalid-parameter")["errors"]
    assert error["parameter"] == name


@pytest.mark.parametrize(
    ("kind", "body", "more"),
    [
        ("alignments", {"queries": PAIRS, "subjects": PAIRS}, {"?format=tab&pairs=2": "named.2.tsv"}),
        ("comparisons", {"query": QUERY, "subject": SUBJECT}, {"?format=tab": "named.tsv"}),
    ],
)
def test_json_of_other_kinds_is_a_file_where_it_is_named(
    http: httpx.Client, kind: str, body: dict[str, str], more: dict[str, str]
) -> None:
    sent = http.post(f"/v1/{kind}", json={**body, "title": "named"}, headers={"Prefer": "wait=60"})
    assert (sent.status_code, sent.headers.get("Content-Disposition")) == (200, None)
    place = f"/v1/{kind}/{sent.json()['id']}/results"
    assert "Content-Disposition" not in http.get(place).headers
    for query, name in ({"?format=json": "named.json"} | more).items():
        for send in (http.get, http.head):
            assert send(f"{place}{query}").headers["Content-Disposition"] == f'attachment; filename="{name}"'
