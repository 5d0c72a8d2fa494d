"""Results in all their formats, chosen, filtered and scored as asked."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from Bio import SearchIO, SeqIO
from pyarrow import parquet

from shardwater.database.catalog import Catalog
from shardwater.search.digests import check_digest, result_digest
from tests.support.problems import problem
from tests.support.server import Server

NAMES = ["qseqid", "sseqid", "pident", "length", "mismatch", "gapopen", "qstart", "qend", "sstart", "send"]
NAMES += ["evalue", "bitscore"]
FORMATS = [
    ("json", "application/json", "json"),
    ("ndjson", "application/x-ndjson", "ndjson"),
    ("tab", "text/tab-separated-values", "tsv"),
    ("csv", "text/csv; header=present", "csv"),
    ("10", "text/csv; header=absent", "csv"),
    ("pairwise", "text/plain", "txt"),
    ("fasta", "text/x-fasta", "fasta"),
    ("xml", "application/xml", "xml"),
    ("blast-json", "application/x-blast+json", "blast.json"),
    ("sam", "text/x-sam", "sam"),
    ("aligned-fasta", "text/x-aligned-fasta", "afa"),
    ("stockholm", "text/x-stockholm", "sto"),
    ("a3m", "text/x-a3m", "a3m"),
    ("parquet", "application/vnd.apache.parquet", "parquet"),
]


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    """Four queries with ten hits each, three of them aligned."""
    return server.search(queries, max_target_seqs=10, alignments=3, evalue=1e9)


@pytest.fixture(scope="module")
def place(result: dict[str, Any]) -> str:
    return f"/v1/searches/{result['search']}/results"


def hits_of(result: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(one["query"]["id"], hit) for one in result["results"] for hit in one["hits"]]


@pytest.mark.parametrize(("name", "media_type", "ending"), FORMATS)
def test_format_by_name_and_by_accept_are_the_same(
    http: httpx.Client, result: dict[str, Any], place: str, name: str, media_type: str, ending: str
) -> None:
    asked = http.get(place, params={"format": name}, headers={"Accept": "image/png"})
    accepted = http.get(place, headers={"Accept": f"image/png, {media_type}, */*;q=0.1"})
    assert (asked.status_code, asked.content) == (200, accepted.content)
    attached = f'attachment; filename="{result["search"]}.{ending}"'
    for reply, attachment in ((asked, attached), (accepted, None if name == "json" else attached)):
        # Starlette adds the charset of text.
        assert reply.headers["Content-Type"].startswith(media_type)
        assert reply.headers["Vary"] == "Accept, Accept-Encoding"
        assert reply.headers.get("Content-Disposition") == attachment


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", "application/json"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "application/json"),
        ("text/csv;q=0.5, text/tab-separated-values;q=0.9", "text/tab-separated-values"),
        ("text/csv;q=0.9, text/tab-separated-values;q=0.5", "text/csv"),
        ("application/json;q=0, text/x-fasta;q=0.001", "text/x-fasta"),
        ("application/x-ndjson, application/json", "application/x-ndjson"),
    ],
)
def test_accept_is_weighed(http: httpx.Client, place: str, accept: str, media_type: str) -> None:
    reply = http.get(place, headers={"Accept": accept})
    assert reply.headers["Content-Type"].partition(";")[0] == media_type


@pytest.mark.parametrize("accept", ["image/png", "application/pdf", "application/json;q=0"])
def test_no_format_that_will_do_is_406_and_lists_them(http: httpx.Client, place: str, accept: str) -> None:
    detail = problem(http.get(place, headers={"Accept": accept}), 406, "not-acceptable")["detail"]
    assert all(media_type.partition(";")[0] in detail for _, media_type, _ in FORMATS)


def part_of(result: dict[str, Any], query: int) -> dict[str, Any]:
    """One query's part of a result, with a digest of its own."""
    part = {**result, "results": [result["results"][query - 1]]}
    return {**part, "digest": result_digest(part, [part["results"][0]["digest"]])}


def test_ndjson_has_a_line_for_each_query(http: httpx.Client, result: dict[str, Any], place: str) -> None:
    lines = [json.loads(line) for line in http.get(place, params={"format": "ndjson"}).text.splitlines()]
    assert lines == [part_of(result, number) for number in range(1, len(result["results"]) + 1)]


def half_a_step(evalue: float) -> float:
    """Half of the last digit that BLAST prints of an E-value in a table."""
    if evalue < 0.0009:
        return max(1e-180, 0.0051 * evalue)
    return next(step for limit, step in ((0.1, 0.00051), (1, 0.0051), (10, 0.051), (1e99, 0.51)) if evalue < limit)


def check_row(row: dict[str, str], query: str, hit: dict[str, Any]) -> None:
    """A table's standard columns against the JSON's numbers."""
    assert (row["qseqid"], row["sseqid"]) == (query, hit["accession"])
    assert abs(float(row["evalue"]) - hit["evalue"]) <= half_a_step(hit["evalue"])
    # Whole bits from 100 on.
    assert float(row["bitscore"]) == pytest.approx(hit["bits"], abs=1 if hit["bits"] > 99.9 else 0.05)
    if not hit["hsps"]:
        assert {row[name] for name in NAMES[2:10]} == {"N/A"}
        return
    [hsp] = hit["hsps"]
    assert row["pident"] == f"{hit['identity']:.3f}"
    numbers = [int(row[name]) for name in ("length", "qstart", "qend", "sstart", "send")]
    assert numbers == [hsp[name] for name in ("align_len", "query_from", "query_to", "hit_from", "hit_to")]
    assert int(row["mismatch"]) == hsp["align_len"] - hsp["identity"] - hsp["gaps"]
    assert int(row["gapopen"]) == sum(hsp["cigar"].count(kind) for kind in "ID")


def test_table_has_the_numbers_of_the_json(http: httpx.Client, result: dict[str, Any], place: str) -> None:
    text = http.get(place, params={"format": "tab"}).text
    rows = [dict(zip(NAMES, line.split("\t"), strict=True)) for line in text.splitlines()]
    assert len(rows) == len(hits_of(result)) == 40
    for row, (query, hit) in zip(rows, hits_of(result), strict=True):
        check_row(row, query, hit)


def test_csv_is_the_same_table_with_a_header(http: httpx.Client, result: dict[str, Any], place: str) -> None:
    rows = list(csv.DictReader(io.StringIO(http.get(place, params={"format": "csv"}).text, newline="")))
    assert list(rows[0]) == NAMES
    for row, (query, hit) in zip(rows, hits_of(result), strict=True):
        check_row(row, query, hit)


def test_columns_are_those_asked_for(http: httpx.Client, result: dict[str, Any], place: str) -> None:
    params = {"format": "csv", "columns": "sseqid,qlen,slen,score,stitle,cigar,qseq"}
    rows = list(csv.DictReader(io.StringIO(http.get(place, params=params).text, newline="")))
    first, unaligned = result["results"][0]["hits"][0], result["results"][0]["hits"][5]
    assert rows[0] == {
        "sseqid": first["accession"],
        "qlen": "384",
        "slen": str(first["length"]),
        "score": str(first["score"]),
        "stitle": first["title"],
        "cigar": first["hsps"][0]["cigar"],
        "qseq": first["hsps"][0]["qseq"],
    }
    assert (rows[5]["sseqid"], rows[5]["cigar"]) == (unaligned["accession"], "N/A")
    table = http.get(place, params={"format": "tab", "columns": "score,std"}).text.splitlines()
    assert [len(line.split("\t")) for line in table] == [13] * 40


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("format=tab&columns=qseqid,nothing", "columns"),
        ("format=csv&columns=QSEQID", "columns"),
        ("format=yaml", "format"),
        ("query=1&hits=11", "hits"),
        ("query=1&hits=0", "hits"),
        ("query=1&hits=best", "hits"),
        ("query=1&hits=", "hits"),
        ("hits=1", "hits"),
        ("query=5&hits=1", "query"),
        ("query=0", "query"),
        ("query=5", "query"),
        ("query=first", "query"),
    ],
)
def test_wrong_parameter_of_a_result_is_named(http: httpx.Client, place: str, query: str, name: str) -> None:
    [error] = problem(http.get(f"{place}?{query}"), 422, "invalid-parameter")["errors"]
    assert error["parameter"] == name


@pytest.mark.parametrize(("name", "query"), [("json", 2), ("ndjson", 3), ("json", 4)])
def test_one_querys_part(http: httpx.Client, result: dict[str, Any], place: str, name: str, query: int) -> None:
    part = http.get(place, params={"format": name, "query": query}).json()
    assert part == part_of(result, query)


def test_hits_are_paged(http: httpx.Client, result: dict[str, Any], place: str) -> None:
    page = http.get(place, params={"query": 3, "page_size": 4})
    pages = [page.json()]
    while "next" in page.links:
        assert page.json()["next_page_token"] in page.links["next"]["url"]
        page = http.get(page.links["next"]["url"])
        assert page.headers["X-Total-Results"] == "10"
        pages.append(page.json())
    assert [each.pop("next_page_token") == "" for each in pages] == [False, False, True]
    third = result["results"][2]
    assert pages == [{**result, "results": [{**third, "hits": third["hits"][n : n + 4]}]} for n in (0, 4, 8)]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("page_size=3", "query"),
        ("query=1&page_size=0", "page_size"),
        ("query=1&page_size=1001", "page_size"),
        ("query=9&page_size=3", "query"),
        ("query=1&page_token=nonsense", "page_token"),
        ("query=1&page_size=3&format=tab", "page_size"),
        ("query=1&page_size=3&hits=1-2", "page_size"),
    ],
)
def test_wrong_page_is_named(http: httpx.Client, place: str, query: str, name: str) -> None:
    [error] = problem(http.get(f"{place}?{query}"), 422, "invalid-parameter")["errors"]
    assert error["parameter"] == name


def test_page_token_is_for_one_query(http: httpx.Client, place: str) -> None:
    token = http.get(place, params={"query": 1, "page_size": 3}).json()["next_page_token"]
    refused = http.get(place, params={"query": 2, "page_size": 3, "page_token": token})
    [error] = problem(refused, 422, "invalid-parameter")["errors"]
    assert error["parameter"] == "page_token"
    assert http.get(place, params={"query": 1, "page_token": token}).json()["results"][0]["hits"][0]["rank"] == 4


@pytest.mark.parametrize(("ranks", "kept"), [("2", [2]), ("9,1,3-4", [1, 3, 4, 9]), ("1-10", list(range(1, 11)))])
def test_selected_hits_keep_their_ranks(
    http: httpx.Client, result: dict[str, Any], place: str, ranks: str, kept: list[int]
) -> None:
    selected = http.get(place, params={"query": 3, "hits": ranks}).json()
    [one], whole = selected["results"], result["results"][2]
    check_digest(selected)
    assert {**one, "digest": None} == {**whole, "hits": [whole["hits"][rank - 1] for rank in kept], "digest": None}


@pytest.mark.parametrize("name", [name for name, _, _ in FORMATS])
def test_selected_hits_are_those_of_the_format_alone(
    http: httpx.Client, result: dict[str, Any], place: str, name: str
) -> None:
    hits = result["results"][1]["hits"]
    reply = http.get(place, params={"query": 2, "hits": "1,3", "format": name})
    read = parquet.read_table(io.BytesIO(reply.content)).to_pylist() if name == "parquet" else reply.text
    for rank, hit in enumerate(hits, start=1):
        # A primary line and a subject of its own; every other format names the accession as it is.
        assert (hit["accession"] in str(read)) == (rank in (1, 3)), rank
    ending = next(ending for known, _, ending in FORMATS if known == name)
    query = result["results"][1]["query"]["id"].replace("|", "_")
    named = f"{result['search']}.2_{query}.selected.{ending}"
    assert reply.headers["Content-Disposition"] == f'attachment; filename="{named}"'


def test_hits_of_a_single_query_need_no_number(server: Server, http: httpx.Client) -> None:
    found = server.search("MKVLAAGWDEHHKLMWWHEAGAW", max_target_seqs=3, evalue=1e9)
    lines = http.get(f"/v1/searches/{found['search']}/results?format=tab&hits=2").text.splitlines()
    assert [line.split("\t")[1] for line in lines] == [found["results"][0]["hits"][1]["accession"]]


def test_xml_has_the_numbers_of_the_json(http: httpx.Client, result: dict[str, Any], place: str) -> None:
    reply = http.get(place, params={"format": "xml"})
    for found, one in zip(SearchIO.parse(io.BytesIO(reply.content), "blast-xml"), result["results"], strict=True):
        assert found.id == one["query"]["id"]
        assert [(hit.id, hit[0].bitscore, hit[0].evalue) for hit in found] == [
            (hit["accession"], hit["bits"], hit["evalue"]) for hit in one["hits"][:3]
        ]


def test_parquet_has_the_numbers_of_the_json(http: httpx.Client, result: dict[str, Any], place: str) -> None:
    params = {"format": "parquet", "columns": "qseqid,sseqid,evalue,cigar"}
    table = parquet.read_table(io.BytesIO(http.get(place, params=params).content))
    assert table.to_pylist() == [
        {
            "qseqid": query,
            "sseqid": hit["accession"],
            "evalue": hit["evalue"],
            "cigar": hit["hsps"][0]["cigar"] if hit["hsps"] else None,
        }
        for query, hit in hits_of(result)
    ]
    assert json.loads(table.schema.metadata[b"certificate"]) == result["certificate"]


def test_whole_json_is_the_one_that_a_waiting_client_gets(
    http: httpx.Client, result: dict[str, Any], place: str
) -> None:
    assert http.get(place).json() == result


def test_one_querys_part_of_a_table(http: httpx.Client, result: dict[str, Any], place: str) -> None:
    lines = http.get(place, params={"format": "tab", "query": 2}).text.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["sp|Q9DC28|KC1D_MOUSE"] * 10


def test_fasta_has_each_hits_whole_sequence_once(
    http: httpx.Client, data: Path, result: dict[str, Any], place: str
) -> None:
    database = Catalog(data).current("demo")
    records = list(SeqIO.parse(io.StringIO(http.get(place, params={"format": "fasta"}).text), "fasta"))
    assert [record.id for record in records] == list(dict.fromkeys(hit["accession"] for _, hit in hits_of(result)))
    for record in records:
        subject = database.find(record.id)
        assert str(record.seq) == database.sequence(subject).decode()
        assert record.description == database.header(subject)


def test_pairwise_report_shows_queries_hits_and_alignments(
    http: httpx.Client, result: dict[str, Any], place: str
) -> None:
    text = http.get(place, params={"format": "pairwise"}).text
    for one in result["results"]:
        assert f"Query= {one['query']['id']}" in text
        for hit in one["hits"]:
            assert hit["accession"] in text
        for hit in one["hits"][:3]:
            assert hit["hsps"][0]["midline"][:60] in text
    assert text.count("\n>") == 4 * 3


def test_hits_beyond_the_alignments_have_scores_alone(server: Server, queries: str, result: dict[str, Any]) -> None:
    none = server.search(queries, max_target_seqs=10, alignments=0, evalue=1e9)
    for one, bare in zip(result["results"], none["results"], strict=True):
        assert [len(hit["hsps"]) for hit in one["hits"]] == [1] * 3 + [0] * 7
        for hit, unaligned in zip(one["hits"], bare["hits"], strict=True):
            assert (unaligned["hsps"], unaligned["identity"], unaligned["query_coverage"]) == ([], None, None)
            assert (hit["identity"] is None) == (hit["hsps"] == [])
            for name in ("rank", "accession", "score", "bits", "evalue"):
                assert hit[name] == unaligned[name]


@pytest.fixture(scope="module")
def whole(server: Server, queries: str) -> list[dict[str, Any]]:
    """Sixty hits of the third query, all aligned."""
    query = ">EFP" + queries.split(">")[3]
    [one] = server.search(query, max_target_seqs=60, alignments=60, evalue=1e9)["results"]
    return one["hits"]


@pytest.mark.parametrize(
    ("name", "member", "sign"),
    [
        ("evalue", "evalue", -1),
        ("min_bits", "bits", 1),
        ("min_identity", "identity", 1),
        ("min_query_coverage", "query_coverage", 1),
    ],
)
def test_filter_keeps_what_passes_and_ranks_it_anew(
    server: Server, queries: str, whole: list[dict[str, Any]], name: str, member: str, sign: int
) -> None:
    # The very value of a hit: "at most" and "at least" include it.
    bound = sorted(hit[member] for hit in whole)[30]
    query = ">EFP" + queries.split(">")[3]
    fields = {"evalue": 1e9, name: bound}
    [one] = server.search(query, max_target_seqs=60, alignments=0, **fields)["results"]
    expected = [hit["accession"] for hit in whole if sign * hit[member] >= sign * bound]
    assert 0 < len(expected) < 60
    assert [hit["accession"] for hit in one["hits"]] == expected
    assert [hit["rank"] for hit in one["hits"]] == list(range(1, len(expected) + 1))
    # A filter on alignments aligns what it judges.
    assert all(bool(hit["hsps"]) is (member in ("identity", "query_coverage")) for hit in one["hits"])


def test_max_target_seqs_cuts_the_list(server: Server, queries: str, whole: list[dict[str, Any]]) -> None:
    query = ">EFP" + queries.split(">")[3]
    [one] = server.search(query, max_target_seqs=7, evalue=1e9)["results"]
    # The cut is by what scores mean alone, the order by what composition leaves of that.
    best = {hit["accession"] for hit in sorted(whole, key=lambda hit: hit["evalues"]["fitted"])[:7]}
    kept = [hit for hit in whole if hit["accession"] in best]
    assert one["hits"] == [{**hit, "rank": rank} for rank, hit in enumerate(kept, start=1)]


def test_karlin_altschul_is_the_plain_formula(server: Server, queries: str, whole: list[dict[str, Any]]) -> None:
    query = ">EFP" + queries.split(">")[3]
    [one] = server.search(query, max_target_seqs=60, evalue=1e9, statistics="karlin-altschul")["results"]
    assert one["statistics"]["method"] == "karlin-altschul"
    scores = [hit["score"] for hit in one["hits"]]
    assert scores == sorted(scores, reverse=True)
    for hit in one["hits"]:
        assert hit["evalue"] == pytest.approx(one["statistics"]["eff_space"] * 2 ** -hit["bits"], rel=1e-9)
    assert [hit["evalue"] for hit in one["hits"]] != [hit["evalue"] for hit in whole]


def test_any_gap_costs_without_statistics(server: Server, queries: str) -> None:
    found = server.search(queries, statistics="none", gap_open=5, gap_extend=1, max_target_seqs=4)
    assert (found["parameters"]["gap_open"], found["parameters"]["gap_extend"]) == (5, 1)
    for one in found["results"]:
        figures = ("lambda", "kappa", "entropy", "eff_space", "fit", "simulated")
        nothing = (*figures, "fallback_reason", "composition", "mask")
        assert one["statistics"] == {"method": "none", **dict.fromkeys(nothing)}
        assert [(hit["bits"], hit["evalue"]) for hit in one["hits"]] == [(None, None)] * 4
        assert all(hit["score"] > 0 and len(hit["hsps"]) == 1 for hit in one["hits"])
