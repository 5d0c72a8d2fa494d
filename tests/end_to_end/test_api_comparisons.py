"""Comparisons of genomes by a real service: from text, uploads and a database to every format and plot."""

import json
import signal
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import asdict
from io import BytesIO
from os import kill
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from shardwater.database.build import build_database
from shardwater.formats.genomes.chained import chain_blocks
from shardwater.formats.genomes.dotplot import Caption
from shardwater.formats.genomes.dotplot_svg import dotplot_svg
from shardwater.formats.genomes.layout import Layout, Listed
from shardwater.formats.genomes.names import GENOME_FORMATS, GenomeFormat
from shardwater.formats.genomes.writers import WRITERS, columns_for
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.chain_list import ChainList
from shardwater.genomes.compare import Compared, compare
from shardwater.genomes.comparison import Comparison
from shardwater.genomes.cpu import CpuGenomes
from shardwater.genomes.gapped import Gapped, GappedScoring, align_boxes, distinct
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import ROW
from shardwater.genomes.summary import chains_found, summarise
from shardwater.pairs.cpu import CpuPairs
from shardwater.sequences.named import Letters, reverse_complement
from shardwater.steps import finish
from tests.support.guarded import small_data, standing
from tests.support.problems import problem
from tests.support.server import Server, at_work, running, until

RNG = np.random.default_rng(42)
WAIT = {"Prefer": "wait=60"}


def letters(count: int) -> bytes:
    return RNG.choice(np.frombuffer(b"ACGT", np.uint8), count).tobytes()


FIRST, SECOND = letters(3000), letters(1500)
QUERY = [Letters("chr1", FIRST), Letters("chr2", SECOND)]
SUBJECT = [
    Letters("I", letters(300) + FIRST[:400] + reverse_complement(FIRST[400:2200]) + FIRST[2200:]),
    # Three letters more, and one other letter.
    Letters("II", SECOND[:700] + b"ACG" + SECOND[700:1200] + b"N" + SECOND[1201:]),
]
"""An inversion of chr1, and a gap in chr2."""


def fasta(records: list[Letters]) -> str:
    return "".join(f">{record.name}\n{record.letters.decode()}\n" for record in records)


BODY = {"query": fasta(QUERY), "subject": fasta(SUBJECT)}
COMPARED = compare(Genome.of(QUERY), Genome.of(SUBJECT), Comparison(), CpuGenomes())
REGION = {"side": "query", "record": "chr1", "from": 1001, "to": 1300}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = small_data(tmp_path_factory.mktemp("comparisons"))
    (data.parent / "genome.fasta").write_text(BODY["query"])
    build_database([data.parent / "genome.fasta"], data, name="genome", alphabet="dna")
    limits = {"SHARDWATER_MAX_COMPARISON_LETTERS": "900000", "SHARDWATER_MAX_COMPARISON_RECORDS": "50"}
    with running(Server(data, environment=limits)) as server:
        yield server


@pytest.fixture(scope="module")
def http(service: Server) -> Iterator[httpx.Client]:
    with service.http as client:
        yield client


def compared(http: httpx.Client, **fields: Any) -> dict[str, Any]:
    """The result of a comparison of both genomes."""
    reply = http.post("/v1/comparisons", json={**BODY, **fields}, headers=WAIT)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def written(name: GenomeFormat, found: Compared, gapped: Gapped | None = None) -> str:
    """What the library writes."""
    writer = WRITERS[name]
    gapped = None if writer.shows == "hsps" else gapped
    alignments = Alignments.of_hsps(found.hsps) if gapped is None else gapped.alignments
    chains = chain_blocks(found.query, found.subject, ChainList.of(chains_found(found, gapped)))
    listed = Listed(found.query, found.subject, alignments, gapped is not None, chains)
    pieces = writer.write(listed, Layout(found.comparison, columns_for(name, None)))
    return "".join(piece if isinstance(piece, str) else piece.decode() for piece in pieces)


def test_comparison_is_answered_with_certificate_and_summary(http: httpx.Client) -> None:
    reply = http.post("/v1/comparisons", json={**BODY, "title": "two genomes"})
    job = reply.json()
    assert (reply.status_code, reply.headers["Location"]) == (202, job["links"]["self"])
    assert (job["title"], job["parts"]["total"], job["reused"]) == ("two genomes", 2, False)
    until(lambda: http.get(job["links"]["self"]).json()["state"] == "succeeded")
    state = http.get(job["links"]["self"]).json()
    counts, policy = COMPARED.counts[0], state["summary"]["policy"]
    assert state["certificate"] | {"software": ""} == {
        "exact": True, "query_words": counts.query_words, "subject_words": counts.subject_words, "policy": policy,
        "parts": 2, "engines": ["cpu"], "software": "",
    }  # fmt: skip
    assert state["summary"] == json.loads(json.dumps(asdict(summarise(COMPARED))))
    assert state["summary"]["synteny"]["counts"] == {
        "collinear": 2, "inversion": 1, "translocation": 0, "duplication": 0, "repeat": 0,
    }  # fmt: skip
    assert (state["progress"], state["parts"], state["position"]) == (1, {"done": 2, "total": 2}, None)
    assert state["parameters"] == {
        "word": 32, "sensitivity": "sensitive", "max_frequency": None, "extension": "letters", "x_drop": 1000,
        "strands": "both", "min_length": 100, "min_identity": 60, "gapped": "none", "match": 2, "mismatch": -3,
        "gap_open": 5, "gap_extend": 2, "regions": None,
    }  # fmt: skip
    result = http.get(job["links"]["results"]).json()
    assert {name: result[name] for name in ("id", "certificate", "summary", "parameters")} == {
        name: state[name] for name in ("id", "certificate", "summary", "parameters")
    }
    assert [(each["query"], each["query_from"], each["subject"], each["strand"]) for each in result["hsps"]] == [
        ("chr1", 1, "I", "+"), ("chr1", 2200, "I", "+"), ("chr2", 1, "II", "+"), ("chr2", 701, "II", "+"),
        ("chr1", 401, "I", "-"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in GENOME_FORMATS if name != "json"])
def test_formats_are_those_of_the_library(http: httpx.Client, name: GenomeFormat) -> None:
    job, gapped = compared(http)["id"], compared(http, gapped="exact")["id"]
    reply = http.get(f"/v1/comparisons/{job}/results", params={"format": name})
    assert reply.text == written(name, COMPARED)
    assert reply.headers["Content-Disposition"].startswith(f'attachment; filename="{job}.')
    head = http.head(f"/v1/comparisons/{job}/results", params={"format": name})
    assert "Content-Length" not in head.headers
    assert (head.status_code, head.headers["Content-Type"]) == (200, reply.headers["Content-Type"])
    query, subject = COMPARED.query, COMPARED.subject
    boxes = align_boxes(query, subject, COMPARED.hsps, GappedScoring(), CpuPairs(1))
    expected = written(name, COMPARED, Gapped(distinct(finish(boxes)), GappedScoring()))
    assert http.get(f"/v1/comparisons/{gapped}/results", params={"format": name}).text == expected


def test_rows_are_hsps_as_they_are_kept(http: httpx.Client) -> None:
    job = compared(http)["id"]
    reply = http.get(f"/v1/comparisons/{job}/results?format=rows")
    assert reply.headers["Content-Type"] == "application/octet-stream"
    assert np.array_equal(np.frombuffer(reply.content, ROW), COMPARED.hsps.rows)


def test_records_are_told_with_their_lengths(http: httpx.Client) -> None:
    place = f"/v1/comparisons/{compared(http, regions=[REGION])['id']}/records"
    reply = http.get(place)
    told = [[(each["name"], each["length"]) for each in reply.json()[side]] for side in ("query", "subject")]
    assert told == [[(each.name, len(each.letters)) for each in side] for side in (QUERY, SUBJECT)]
    assert reply.headers["Cache-Control"] == "private, no-cache"
    assert (http.head(place).status_code, http.head(place).headers["Content-Type"]) == (200, "application/json")
    problem(http.get(f"{place}?page=1"), 422, "invalid-parameter")


def test_accept_names_the_format_where_nothing_else_does(http: httpx.Client) -> None:
    place = f"/v1/comparisons/{compared(http)['id']}/results"
    for accept, media_type in [
        ("*/*", "application/json"),
        ("text/x-paf", "text/x-paf"),
        ("text/csv;q=0.4, text/x-maf;q=0.6", "text/x-maf"),
        ("application/octet-stream", "application/octet-stream"),
    ]:
        reply = http.get(place, headers={"Accept": accept})
        assert (reply.status_code, reply.headers["Content-Type"].partition(";")[0]) == (200, media_type)
        assert "Accept" in reply.headers["Vary"].replace(" ", "").split(",")
    detail = problem(http.get(place, headers={"Accept": "text/html"}), 406, "not-acceptable")["detail"]
    assert all(media_type in detail for media_type in ("application/json", "text/x-psl", "text/x-bed"))
    known = http.get("/v1/service-info").json()
    assert known["comparison_formats"] == [*GENOME_FORMATS, "rows"]


def test_columns_of_a_table_can_be_chosen(http: httpx.Client) -> None:
    place = f"/v1/comparisons/{compared(http)['id']}/results"
    assert http.get(f"{place}?format=tab&columns=score,query").text.startswith("#score\tquery\n1604\tchr1\n")
    for query in ("format=paf&columns=score", "format=rows&columns=score", "format=tab&columns=evalue"):
        refused = problem(http.get(f"{place}?{query}"), 422, "invalid-parameter")
        assert refused["errors"][0]["parameter"] == "columns"
    assert http.get(f"{place}?format=tab&columns=score&spreadsheet=true").text.startswith("#score\n1604\n")
    refused = problem(http.get(f"{place}?format=csv&spreadsheet=true"), 422, "invalid-parameter")
    assert refused["errors"][0]["parameter"] == "spreadsheet"


def test_dot_plots_are_drawn(http: httpx.Client) -> None:
    place = f"/v1/comparisons/{compared(http, title='<plot>')['id']}"
    svg, png = (http.get(f"{place}/figures/dotplot.{which}") for which in ("svg?width=400", "png"))
    assert svg.text == "".join(dotplot_svg(COMPARED.query, COMPARED.subject, COMPARED.hsps, Caption("<plot>"), 400))
    assert (svg.headers["Content-Type"], ET.fromstring(svg.text).get("width")) == ("image/svg+xml", "400")
    assert (png.headers["Content-Type"], Image.open(BytesIO(png.content)).width) == ("image/png", 2000)
    assert http.head(f"{place}/figures/dotplot.png").status_code == 200
    for width in ("299", "4001", "x"):
        problem(http.get(f"{place}/figures/dotplot.svg?width={width}"), 422, "invalid-parameter")


def test_uploads_and_databases_give_what_text_gives(http: httpx.Client) -> None:
    upload = http.post("/v1/uploads", content=BODY["subject"].encode()).json()["id"]
    named, used = {"database": "genome", "accessions": ["chr1", "chr2"]}, http.get("/v1/databases/genome").json()
    found = compared(http, query=named, subject={"upload": upload}, title="named")
    assert found["hsps"] == compared(http)["hsps"]
    plot = http.get(f"/v1/comparisons/{found['id']}/figures/dotplot.svg").text
    assert f">query of genome, version {used['version']} · 5 HSPs<" in plot
    # What was uploaded may go: the comparison has its own copy.
    assert http.delete(f"/v1/uploads/{upload}").status_code == 204
    assert len(http.get(f"/v1/comparisons/{found['id']}/results").json()["hsps"]) == 5


@pytest.mark.parametrize(
    ("fields", "kind", "pointer", "detail"),
    [
        ({"query": ">a\nAC\nG!"}, "invalid-sequence", "/query", "record 1, line 3, column 2"),
        ({"subject": ">a\nMKVQ"}, "invalid-sequence", "/subject", "this looks like a protein"),
        ({"query": {"upload": "upload-x"}}, "invalid-parameter", "/query", "no upload-x"),
        ({"query": 5}, "invalid-parameter", "/query", '{"upload": id}'),
        ({"query": {"database": "demo", "accessions": ["one"]}}, "invalid-parameter", "/query", "is of proteins"),
        (
            {"query": {"database": "genome", "accessions": ["chr1", "none"]}},
            "invalid-parameter", "/query/accessions/1", "no such sequence",
        ),
        ({"regions": [{**REGION, "record": "chr3"}]}, "invalid-parameter", "/regions", "no record is called chr3"),
        ({"regions": [{**REGION, "to": 3001}]}, "invalid-parameter", "/regions", "has letters 1 to 3,000"),
        ({"regions": [{**REGION, "to": 5}]}, "invalid-parameter", "/regions/0", "ends behind its beginning"),
        ({"query": f">a\nA\n>{'n' * 251}\nA\n"}, "invalid-parameter", "/query", "name of record 2 has 251 characters"),
        ({"extension": "blocks", "word": 31}, "invalid-parameter", "", "words of 32"),
        ({"word": 33}, "invalid-parameter", "/word", "32 or less"),
        ({"word": True}, "invalid-parameter", "/word", "whole number"),
        ({"match": 1001}, "invalid-parameter", "/match", "1000 or less"),
        ({"evalue": 1}, "invalid-parameter", "/evalue", "no such parameter"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(
    http: httpx.Client, fields: dict[str, Any], kind: str, pointer: str, detail: str
) -> None:
    for path in ("/v1/comparisons", "/v1/comparisons:estimate"):
        refused = problem(http.post(path, json={**BODY, **fields}), 422, kind)
        assert detail in refused["detail"]
        assert refused["errors"][0].get("pointer", "") == pointer


def test_limits_are_kept(service: Server, http: httpx.Client) -> None:
    def kept() -> list[Path]:
        return sorted(each for each in (service.data / ".work" / "jobs").rglob("*") if each.name != "incoming")

    before = kept()
    long = ">a\n" + "A" * 900_000
    upload = http.post("/v1/uploads", content=long.encode()).json()["id"]
    # A record that is named again and again is as much as many.
    again = {"database": "genome", "accessions": ["chr1"] * 301}
    records = "".join(f">{number}\nACGT\n" for number in range(49))
    for query, name, actual in [
        (long, "max_comparison_letters", 904_803),
        ({"upload": upload}, "max_comparison_letters", 904_803),
        (again, "max_comparison_letters", 903_000),
        (records, "max_comparison_records", 51),
    ]:
        refused = problem(http.post("/v1/comparisons", json={**BODY, "query": query}), 413, "limit-exceeded")
        assert (refused["detail"].partition(" ")[0], refused["actual"]) == (name, actual)
    assert kept() == before
    assert http.get("/v1/service-info").json()["limits"]["comparisons"] == {
        "max_comparison_letters": 900_000, "max_comparison_records": 50,
    }  # fmt: skip


def test_estimate_says_what_it_would_be(http: httpx.Client) -> None:
    body = {**BODY, "strands": "forward", "title": "estimated"}
    estimate = http.post("/v1/comparisons:estimate", json=body).json()
    assert (estimate["letters"], estimate["quota_cost"], estimate["reused"]) == (9303, 9_303_000, False)
    assert http.post("/v1/comparisons:estimate", json={**body, "strands": "both"}).json()["letters"] == 2 * 9303
    found = http.post("/v1/comparisons", json=body, headers=WAIT).json()["id"]
    estimate = http.post("/v1/comparisons:estimate", json=body).json()
    assert (estimate["reused"], estimate["quota_cost"]) == (True, 0)
    again = http.post("/v1/comparisons", json=body).json()
    assert (again["id"], again["reused"], again["state"]) == (found, True, "succeeded")


def test_regions_are_told_as_they_were_asked_for(http: httpx.Client) -> None:
    found = compared(http, regions=[REGION])
    assert found["parameters"]["regions"] == [REGION]
    [hsp] = found["hsps"]
    assert (hsp["query_from"], hsp["query_to"], hsp["subject_from"], hsp["strand"]) == (1001, 1300, 1601, "-")
    events = http.get(f"/v1/comparisons/{found['id']}/events").text
    assert json.loads(events.partition("data: ")[2].splitlines()[0])["parameters"]["regions"] == [REGION]


def test_events_tell_the_way_of_both_rounds(http: httpx.Client) -> None:
    job = http.post("/v1/comparisons", json={**BODY, "gapped": "exact", "title": "events"}).json()
    with http.stream("GET", job["links"]["events"]) as lines:
        text = "\n".join(lines.iter_lines())
    assert text.count("event: done") == 1
    done = json.loads(text.rpartition("event: done")[2].partition("data: ")[2].splitlines()[0])
    assert (done["state"], done["summary"]["gapped"]) == (
        "succeeded", {"aligned": 5, "ungapped": 0, "alignments": 5},
    )  # fmt: skip
    assert http.get(job["links"]["events"], headers={"Last-Event-ID": "succeeded"}).status_code == 204


def test_comparisons_are_listed_newest_first_without_what_they_found(http: httpx.Client) -> None:
    made = [compared(http, title=f"listed {number}")["id"] for number in range(3)]
    page = http.get("/v1/comparisons?page_size=2").json()
    rest = http.get(f"/v1/comparisons?page_size=2&page_token={page['next_page_token']}").json()
    items = page["items"] + rest["items"]
    assert [each["id"] for each in items][:3] == made[::-1]
    assert [(each["state"], each["certificate"], each["summary"]) for each in items[:3]] == 3 * [
        ("succeeded", None, None)
    ]
    problem(http.get(f"/v1/alignments/{made[0]}"), 404, "not-found")


def test_cancelled_comparison_leaves_nothing(service: Server, http: httpx.Client) -> None:
    with standing(service):
        place = http.post("/v1/comparisons", json={**BODY, "title": "cancelled"}).json()["links"]["self"]
        problem(http.get(f"{place}/results"), 409, "not-ready")
        problem(http.get(f"{place}/figures/dotplot.png"), 409, "not-ready")
        assert http.post(f"{place}:cancel").status_code == 202
    assert http.get(place).json()["state"] == "cancelled"
    problem(http.get(f"{place}/results"), 409, "search-failed")
    assert http.post(f"{place}:cancel").status_code == 200
    folder = service.data / ".work" / "jobs" / "kept" / place.rpartition("/")[2]
    assert folder.is_dir()
    assert http.delete(place).status_code == 204
    problem(http.get(place), 404, "not-found")
    assert not folder.exists()


@pytest.mark.parametrize("name", ["hsps", "chains", "query/offsets", "subject/letters"])
def test_files_that_are_damaged_are_told_before_anything_is_sent(
    service: Server, http: httpx.Client, name: str
) -> None:
    job = compared(http, title=f"damaged {name}")["id"]
    stored = service.data / ".work" / "jobs" / "kept" / job / name
    content = stored.read_bytes()
    stored.write_bytes(content[:8] + (10**6).to_bytes(8, "little") + content[16:])
    places = ("results?format=chain",) if name == "chains" else ("results", "results?format=paf", "figures/dotplot.svg")
    for place in (*places, *(["records"] if "/" in name else [])):
        refused = problem(http.get(f"/v1/comparisons/{job}/{place}"), 500, "internal-error")
        assert f"what {job} has kept is not what it was" in refused["detail"]
    # What a reply would be is told without reading the list.
    assert http.head(f"/v1/comparisons/{job}/results?format=chain").status_code == 200


def test_killed_worker_loses_nothing(service: Server, http: httpx.Client) -> None:
    genome = letters(300_000)
    other = bytearray(genome)
    other[50:100_000:200] = b"N" * len(other[50:100_000:200])
    body = {"query": f">a\n{genome.decode()}", "subject": f">b\n{other.decode()}", "gapped": "exact"}
    job = at_work(http, "/v1/comparisons", body)
    for pid in service.pids("worker.cli"):
        kill(pid, signal.SIGKILL)
    until(lambda: http.get(job).json()["state"] == "succeeded")
    [found] = http.get(f"{job}/results").json()["hsps"]
    assert (found["query_to"], found["length"], found["matches"]) == (300_000, 300_000, 299_500)


def test_stretches_are_aligned_as_a_job_of_pairs(http: httpx.Client) -> None:
    place = f"/v1/comparisons/{compared(http)['id']}:align"
    subject = {"record": "II", "from": 601, "to": 803}
    stretches = {"query": {"record": "#2", "from": 601, "to": 800}, "subject": subject}
    reply = http.post(place, json=stretches, headers=WAIT)
    [pair] = reply.json()["alignments"]
    assert reply.headers["Location"].startswith("/v1/alignments/alignment-")
    assert (pair["query"], pair["subject"], pair["score"]) == ("chr2:601-800", "II:601-803", 2 * 200 - 5 - 3 * 2)
    assert (pair["query_from"], pair["query_to"], pair["identity"], pair["gaps"]) == (1, 200, 200, 3)
    reverse = {
        "query": {"record": "chr1", "from": 951, "to": 1050},
        "subject": {"record": "I", "from": 1601, "to": 2100},
        "strand": "-",
        "match": 7,
    }
    [pair] = http.post(place, json=reverse, headers=WAIT).json()["alignments"]
    assert (pair["query"], pair["score"], pair["cigar"]) == ("chr1:951-1050(-)", 700, "100=")
    # It ends 1,150 letters before the inversion's end, which is where I has 700 letters before.
    assert pair["subject_from"] == 700 + 1150 + 1 - 1600


@pytest.mark.parametrize(
    ("fields", "pointer", "detail"),
    [
        ({"query": {"record": "chr9", "from": 1, "to": 2}}, "/query/record", "no record is called chr9"),
        ({"subject": {"record": "I", "from": 1, "to": 9999}}, "/subject", "has letters 1 to"),
        ({"subject": {"record": "I", "from": 9, "to": 8}}, "/subject", "has letters 1 to"),
        ({"query": {"record": "chr1", "from": 1}}, "/query/to", "missing"),
        ({"strand": "*"}, "/strand", "'+' or '-'"),
        ({"gap_open": -1}, "/gap_open", "0 or more"),
    ],
)
def test_stretches_that_are_none_are_named(
    http: httpx.Client, fields: dict[str, Any], pointer: str, detail: str
) -> None:
    body = {"query": {"record": "chr1", "from": 1, "to": 9}, "subject": {"record": "I", "from": 1, "to": 9}, **fields}
    refused = problem(http.post(f"/v1/comparisons/{compared(http)['id']}:align", json=body), 422, "invalid-parameter")
    assert (refused["errors"][0]["pointer"], detail in refused["detail"]) == (pointer, True)
