"""What the service says of itself: databases, sequences, parameters, limits, health and its schema."""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from Bio import SeqIO
from jsonschema import Draft202012Validator
from lxml import html
from pydantic import BaseModel

from shardwater.database.catalog import Catalog
from shardwater.genomes.bounds import ComparisonBounds
from shardwater.pairs.lists import PairBounds
from tests.support.problems import problem
from tests.support.server import Server
from worker.jobs.comparison_requests import ComparisonRequest
from worker.jobs.limits import Limits
from worker.jobs.msa_requests import MsaRequest
from worker.jobs.pair_requests import AlignmentRequest
from worker.jobs.requests import SearchRequest
from worker.uploads.limits import UploadLimits

TINY = ">q\nMKVLAAGW"
METHODS = ["table", "karlin-altschul", "simulated", "fitted", "none"]


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def schema(http: httpx.Client) -> dict[str, Any]:
    return http.get("/openapi.json").json()


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    return server.search(queries, max_target_seqs=6, alignments=2)


def validator(schema: dict[str, Any], method: str, path: str, response: httpx.Response) -> Draft202012Validator:
    """A judge of replies like this one, by the interface's description."""
    documented = schema["paths"][path][method]["responses"][str(response.status_code)]["content"]
    content_type = response.headers["Content-Type"]
    return Draft202012Validator({**documented[content_type]["schema"], "components": schema["components"]})


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/v1/searches", "/v1/searches?page_size=1000"),
        ("/v1/searches", "/v1/searches?page_size=0"),
        ("/v1/searches/{search}", "/v1/searches/{id}"),
        ("/v1/searches/{search}", "/v1/searches/nobody"),
        ("/v1/searches/{search}/request", "/v1/searches/{id}/request"),
        ("/v1/searches/{search}/request", "/v1/searches/nobody/request"),
        ("/v1/searches/{search}/results", "/v1/searches/{id}/results"),
        ("/v1/searches/{search}/results", "/v1/searches/{id}/results?query=1"),
        ("/v1/searches/{search}/results", "/v1/searches/{id}/results?query=1&page_size=2"),
        ("/v1/searches/{search}/results", "/v1/searches/{id}/results?query=99"),
        ("/v1/databases", "/v1/databases"),
        ("/v1/databases/{name}", "/v1/databases/demo"),
        ("/v1/databases/{name}", "/v1/databases/nothing"),
        ("/v1/databases/{name}/sequences/{accession}", "/v1/databases/demo/sequences/{accession}?format=json"),
        ("/v1/parameters", "/v1/parameters"),
        ("/v1/service-info", "/v1/service-info"),
        ("/healthz", "/healthz"),
        ("/readyz", "/readyz"),
    ],
)
def test_replies_are_as_their_schema_says(
    http: httpx.Client, schema: dict[str, Any], result: dict[str, Any], path: str, address: str
) -> None:
    accession = result["results"][0]["hits"][0]["accession"]
    response = http.get(address.format(id=result["search"], accession=accession))
    judge = validator(schema, "get", path, response)
    body = response.json()
    judge.validate(body)
    # The schema does say something: without any one of its required members the reply is not valid.
    required = set(body) & set(judge.schema["components"]["schemas"][reference(judge)].get("required", []))
    for name in required:
        assert not judge.is_valid({other: value for other, value in body.items() if other != name})


def reference(judge: Draft202012Validator) -> str:
    return str(judge.schema["$ref"]).rpartition("/")[2]


def test_replies_to_a_post_are_as_their_schema_says(http: httpx.Client, schema: dict[str, Any]) -> None:
    body = {"sequence": TINY, "database": "demo", "max_target_seqs": 2}
    for status, headers in ((202, {}), (200, {"Prefer": "wait=30"})):
        response = http.post("/v1/searches", json=body, headers=headers)
        assert response.status_code == status
        validator(schema, "post", "/v1/searches", response).validate(response.json())


def test_schema_of_a_result_refuses_other_results(
    http: httpx.Client, schema: dict[str, Any], result: dict[str, Any]
) -> None:
    response = http.get(f"/v1/searches/{result['search']}/results")
    judge = validator(schema, "get", "/v1/searches/{search}/results", response)
    for wrong in ({"score": "high"}, {"hsps": None}, {"rank": None}):
        [one, *_] = result["results"]
        hits = [{**one["hits"][0], **wrong}]
        assert not judge.is_valid({**result, "results": [{**one, "hits": hits}]})


def test_database_is_described_as_its_manifest_says(http: httpx.Client, data: Path) -> None:
    manifest = Catalog(data).current("demo").manifest
    [listed] = http.get("/v1/databases").json()["items"]
    assert listed == http.get("/v1/databases/demo").json()
    assert (listed["name"], listed["version"], listed["checksum"]) == ("demo", manifest.version, manifest.checksum)
    assert (listed["sequences"], listed["residues"]) == (manifest.subjects, manifest.residues)
    assert (listed["longest"], listed["shards"], listed["state"]) == (8081, 2, "ready")
    problem(http.get("/v1/databases/other"), 404, "not-found")


def test_sequence_comes_as_fasta_or_json(http: httpx.Client, data: Path) -> None:
    database = Catalog(data).current("demo")
    subject = database.find("sp|Q8AWH3|SX17A_XENTR")
    letters = database.sequence(subject).decode()
    assert letters.startswith("MSSPDGGYASDDQNQGKCSVPIMMTGLG")
    place = "/v1/databases/demo/sequences/sp%7CQ8AWH3%7CSX17A_XENTR"
    fasta = http.get(place)
    assert fasta.headers["Content-Type"].startswith("text/x-fasta")
    [record] = SeqIO.parse(io.StringIO(fasta.text), "fasta")
    assert (record.description, str(record.seq)) == (database.header(subject), letters)
    expected = {
        "accession": "sp|Q8AWH3|SX17A_XENTR",
        "title": "Transcription factor Sox-17-alpha OS=Xenopus tropicalis GN=sox17a PE=2 SV=1",
        "length": len(letters),
        "sequence": letters,
    }
    assert http.get(place, params={"format": "json"}).json() == expected
    assert http.get(place, headers={"Accept": "application/json"}).json() == expected


@pytest.mark.parametrize(
    "place", ["demo/sequences/nobody", "other/sequences/sp%7CQ8AWH3%7CSX17A_XENTR", "demo/sequences/"]
)
def test_unknown_sequence_is_404(http: httpx.Client, place: str) -> None:
    problem(http.get(f"/v1/databases/{place}"), 404, "not-found")


BATCH = "/v1/databases/demo/sequences:batchGet"


@pytest.fixture(scope="module")
def accessions(data: Path) -> list[str]:
    """Those of five sequences, in another order than the database's, one twice."""
    database = Catalog(data).current("demo")
    return [database.accession(subject) for subject in (3000, 7, 8, 1, 7)]


def test_many_sequences_come_as_fasta_or_json_in_the_order_asked_for(
    http: httpx.Client, schema: dict[str, Any], accessions: list[str]
) -> None:
    places = [f"/v1/databases/demo/sequences/{quote(each, safe='')}" for each in accessions]
    fasta = http.post(BATCH, json={"accessions": accessions})
    assert fasta.headers["Content-Type"].startswith("text/x-fasta")
    assert fasta.text == "".join(http.get(place).text for place in places)
    listed = http.post(BATCH, json={"accessions": accessions}, headers={"Accept": "application/json"})
    assert listed.json() == {"items": [http.get(place, params={"format": "json"}).json() for place in places]}
    assert listed.content == http.post(f"{BATCH}?format=json", json={"accessions": accessions}).content
    validator(schema, "post", "/v1/databases/{name}/sequences:batchGet", listed).validate(listed.json())


def test_sequences_that_are_not_there_are_named_and_none_comes(http: httpx.Client, accessions: list[str]) -> None:
    body = problem(http.post(BATCH, json={"accessions": ["nobody", *accessions, "none"]}), 404, "not-found")
    assert [error["pointer"] for error in body["errors"]] == ["/accessions/0", "/accessions/6"]
    assert body["detail"] == "2 of 7 accessions are not in database demo"
    many = problem(http.post(BATCH, json={"accessions": ["nobody"] * 1000}), 404, "not-found")
    assert len(many["errors"]) == 20
    problem(http.post(BATCH.replace("demo", "other"), json={"accessions": accessions}), 404, "not-found")


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        (b'{"accessions": []}', 422, "invalid-parameter"),
        (json.dumps({"accessions": ["a"] * 1001}).encode(), 422, "invalid-parameter"),
        (b'{"accessions": [1]}', 422, "invalid-parameter"),
        (b'{"accessions": ["a"], "more": 1}', 422, "invalid-parameter"),
        (b"[", 400, "malformed-request"),
        (b'{"accessions": ["\xff"]}', 400, "malformed-request"),
        (b"[" * 2_000_000, 413, "limit-exceeded"),
    ],
)
def test_question_for_many_sequences_has_bounds(http: httpx.Client, body: bytes, status: int, kind: str) -> None:
    problem(http.post(BATCH, content=body, headers={"Content-Type": "application/json"}), status, kind)


def test_question_for_many_sequences_is_json(http: httpx.Client) -> None:
    problem(http.post(BATCH, data={"accessions": "a"}), 415, "unsupported-media-type")


def test_parameters_are_the_fields_of_a_request(http: httpx.Client) -> None:
    listed = {each["name"]: each for each in http.get("/v1/parameters").json()["parameters"]}
    assert set(listed) == set(SearchRequest.model_fields)
    # Of a query and a profile one is needed, and of one database and several.
    assert not any(each["required"] for each in listed.values())
    defaults = {name: each["default"] for name, each in listed.items() if name != "sequence"}
    said = {name: SearchRequest.model_fields[name].default for name in defaults}
    assert defaults == {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}
    assert all(each["description"] for each in listed.values())
    bounds = {name: (each["minimum"], each["maximum"]) for name, each in listed.items()}
    assert bounds["max_target_seqs"] == (1, 10_000)
    assert bounds["min_identity"] == bounds["min_query_coverage"] == (0, 100)
    assert bounds["evalue"] == (0, None)
    assert [each["value"] for each in listed["statistics"]["values"]] == METHODS
    matrices = [each["matrix"] for each in http.get("/v1/parameters").json()["matrices"]]
    assert [each["value"] for each in listed["matrix"]["values"]] == matrices


@pytest.mark.parametrize(
    ("member", "model"),
    [
        ("parameters", SearchRequest),
        ("alignments", AlignmentRequest),
        ("comparisons", ComparisonRequest),
        ("msas", MsaRequest),
    ],
)
def test_each_parameter_is_explained_to_everybody(http: httpx.Client, member: str, model: type[BaseModel]) -> None:
    listed = {each["name"]: each for each in http.get("/v1/parameters").json()[member]}
    assert list(listed) == list(model.model_fields)
    for name, each in listed.items():
        told = each["summary"]
        assert each["description"].split("\n\n")[0] == told, name
        # A sentence or two in words; names and formulas are for programs.
        assert told.endswith(".") and 15 < len(told) <= 160, name
        assert not re.search(r"[`_*/]|\bHSPs?\b", told), name
        if each["values"] and name != "matrix":
            assert any(value["label"] != value["value"] for value in each["values"]), name
        field = model.model_fields[name]
        if not field.is_required() and not isinstance(field.default, tuple):
            assert each["default"] == field.default, name


def test_bounds_and_usual_values_are_those_of_the_request(http: httpx.Client) -> None:
    listed = http.get("/v1/parameters").json()
    pairs, genomes, msas = (
        {each["name"]: each for each in listed[kind]} for kind in ("alignments", "comparisons", "msas")
    )
    assert (pairs["best"]["minimum"], pairs["best"]["maximum"], pairs["best"]["default"]) == (1, 1000, 1)
    assert (pairs["matrix"]["usual"], pairs["match"]["usual"]) == (
        {"protein": "BLOSUM62", "dna": None}, {"protein": None, "dna": 2},
    )  # fmt: skip
    assert pairs["gap_open"]["usual"] == {"protein": 11, "dna": 1}
    assert [each["value"] for each in pairs["free_ends"]["values"]][::3] == ["query_begin", "subject_end"]
    assert (genomes["word"]["minimum"], genomes["word"]["maximum"], genomes["x_drop"]["default"]) == (8, 32, 1000)
    assert [msas[name]["exclusive_minimum"] for name in ("evalue", "iterations")] == [True, False]


def test_defaults_said_aloud_ask_for_the_same_search(http: httpx.Client) -> None:
    listed = http.get("/v1/parameters").json()["parameters"]
    defaults = {each["name"]: each["default"] for each in listed}
    body = {"sequence": TINY, "database": "demo"}
    short = http.post("/v1/searches", json=body).json()
    assert http.post("/v1/searches", json={**defaults, **body}).json()["id"] == short["id"]


@pytest.mark.parametrize(
    "matrix", ["BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250"]
)
def test_listed_gap_costs_are_accepted_and_the_recommended_are_the_default(http: httpx.Client, matrix: str) -> None:
    listed = {each["matrix"]: each["gap_costs"] for each in http.get("/v1/parameters").json()["matrices"]}
    pairs = listed[matrix]
    assert [pair["recommended"] for pair in pairs] == [True] + [False] * (len(pairs) - 1)
    body = {"sequence": TINY, "database": "demo", "matrix": matrix, "max_target_seqs": 1}
    first, last = (
        http.post("/v1/searches", json={**body, **{name: pair[name] for name in ("gap_open", "gap_extend")}})
        for pair in (pairs[0], pairs[-1])
    )
    assert (first.status_code, last.status_code) == (202, 202)
    # Without gap costs it is the search with the recommended ones.
    assert http.post("/v1/searches", json=body).json()["id"] == first.json()["id"]
    unlisted = http.post("/v1/searches", json={**body, "statistics": "table", "gap_open": 99, "gap_extend": 1})
    detail = problem(unlisted, 422, "invalid-parameter")["detail"]
    assert all(f"{pair['gap_open']}/{pair['gap_extend']}" in detail for pair in pairs)


def test_pam30_takes_its_own_gap_costs(server: Server) -> None:
    parameters = server.search(TINY, matrix="pam30")["parameters"]
    assert (parameters["matrix"], parameters["gap_open"], parameters["gap_extend"]) == ("PAM30", 9, 1)


def test_service_info_publishes_the_limits(http: httpx.Client) -> None:
    info = http.get("/v1/service-info").json()
    fixed = {"max_target_seqs": 10_000, "max_wait_s": 60, "retention_s": 604_800}
    assert info["limits"] == {
        **asdict(Limits()),
        **fixed,
        "uploads": asdict(UploadLimits()),
        "pairs": asdict(PairBounds()),
        "comparisons": asdict(ComparisonBounds()),
    }
    assert info["matrices"] == http.get("/v1/parameters").json()["matrices"]
    assert info["formats"] == [
        *("json", "ndjson", "tab", "csv", "pairwise", "fasta", "xml", "blast-json", "sam"),
        *("aligned-fasta", "stockholm", "a3m", "parquet"),
    ]
    assert info["statistics"] == METHODS
    assert info["type"] == {"group": "org.shardwater", "artifact": "shardwater", "version": info["version"]}


def test_listed_columns_can_be_had(server: Server, http: httpx.Client) -> None:
    columns = http.get("/v1/service-info").json()["columns"]
    found = server.search(TINY, max_target_seqs=2, evalue=1e9)["search"]
    params = {"format": "csv", "columns": ",".join(columns)}
    header, *rows = http.get(f"/v1/searches/{found}/results", params=params).text.splitlines()
    assert header == ",".join(columns)
    assert len(rows) == 2


def test_health(http: httpx.Client, data: Path) -> None:
    assert http.get("/healthz").json() == {"status": "ok"}
    version = Catalog(data).current("demo").manifest.version
    shards = [{"database": "demo", "version": version, "index": index, "alive": True} for index in (0, 1)]
    assert http.get("/readyz").json() == {"ready": True, "shards": shards}


@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/databases", "/v1/searches/nobody", "/nowhere", "/openapi.json"])
def test_every_reply_keeps_a_browser_from_guessing(http: httpx.Client, path: str) -> None:
    headers = http.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "Server" not in headers
    assert headers["X-Request-ID"]


def test_the_page_is_explained_in_words(http: httpx.Client) -> None:
    reply = http.get("/help")
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    page = html.fromstring(reply.text)
    listed = http.get("/v1/parameters").json()
    kinds = {"search": "parameters", "align": "alignments", "compare": "comparisons", "msa": "msas"}
    for (kind, member), table in zip(kinds.items(), page.xpath("//table"), strict=True):
        # A form's field leads to its row.
        assert [f"{kind}-{each['name']}" for each in listed[member]] == table.xpath("tbody/tr/@id")
        for row, each in zip(table.xpath("tbody/tr"), listed[member], strict=True):
            assert row.xpath("string(td[1])") == each["name"]
            assert row.xpath("string(td[3])").startswith(each["summary"].replace("`", ""))
    defaults = {str(row.get("id")): row.xpath("string(td[2])") for row in page.xpath("//tr[@id]")}
    assert (defaults["align-matrix"], defaults["align-match"]) == ("BLOSUM62 (proteins)", "2 (DNA)")
    assert (defaults["align-gap_open"], defaults["align-mode"]) == ("11 (proteins), 1 (DNA)", "local")
    names = ("msa-max_sequences", "msa-inclusion_evalue", "msa-then")
    assert [defaults[name] for name in names] == ["10,000", "0.002", ""]
    links = [str(link) for link in page.xpath("//a/@href")]
    places = {link.removeprefix("#") for link in links if link.startswith("#")}
    assert places == {"main"} | {str(place) for place in page.xpath("//h2/@id")}
    assert {http.get(f"/{link}").status_code for link in links if not link.startswith("#")} == {200}
    assert [link.text for link in page.xpath("//nav//a[@aria-current]")] == ["Help"]
    assert page.xpath("//script") == []
    assert "`" not in reply.text


def test_interface_is_explained_in_words(http: httpx.Client, schema: dict[str, Any]) -> None:
    reply = http.get("/docs")
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    page = html.fromstring(reply.text)
    requests = {row.xpath("string(td[1])") for row in page.xpath("//table[1]/tbody/tr")}
    assert requests == {f"{method.upper()} {path}" for path, methods in schema["paths"].items() for method in methods}
    assert all(row.xpath("string(td[2])") for row in page.xpath("//table[1]/tbody/tr"))
    problems = {row.xpath("string(td[1])") for row in page.xpath("//table[2]/tbody/tr")}
    assert {"invalid-sequence", "limit-exceeded", "queue-full"} <= problems
    # Relative, so that they lead on below a proxy's path.
    links = {str(link) for link in page.xpath("//a/@href") if link != "#main"}
    assert {"openapi.json", "v1/databases", "v1/parameters", "v1/service-info"} <= links
    assert [http.get(f"/{link}").status_code for link in sorted(links)] == [200] * len(links)
    assert page.xpath("//script") == []
    assert "default-src 'none'; style-src 'self'; img-src 'self'; base" in reply.headers["Content-Security-Policy"]
    assert http.head("/docs").status_code == 200


@pytest.mark.parametrize("path", ["/help", "/docs"])
def test_pages_in_words_have_the_pages_colours(http: httpx.Client, path: str) -> None:
    for chosen, told in (("dark", "dark"), ("light", "light"), ('"><script>', None)):
        reply = http.get(path, headers={"Cookie": f"shardwater_theme={chosen}"})
        page = html.fromstring(reply.text)
        assert (page.get("data-theme"), page.xpath("//script")) == (told, [])
        styles = [http.get(f"/{link}").headers["Content-Type"] for link in page.xpath("//link/@href")]
        assert styles == ["image/svg+xml", "text/css; charset=utf-8"]
        assert reply.headers["Vary"].find("Cookie") >= 0
