"""Pictures over HTTP: what they show is what the results say."""

import io
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from shardwater.formats.figures.alignment import SAME
from shardwater.formats.figures.conservation import conservation_svg
from shardwater.formats.msas.a3m import read_a3m
from shardwater.msa.conservation import conservation
from shardwater.sequences.fasta import read_fasta
from tests.support.guarded import standing
from tests.support.pictures import boxes, picture, size, texts
from tests.support.problems import problem
from tests.support.server import Server

WAIT = {"Prefer": "wait=60"}
FIRST, SECOND = "ACGTTGCATTGACCAGTCCATGATTACAGG", "TTGACCATTCAGGATTACAGGACCTA"


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    """Two queries, with the counts of all scores."""
    two = ">" + ">".join(queries.split(">")[1:3])
    fields = {"score_distribution": True, "max_target_seqs": 300, "evalue": 1e9, "title": "for a paper"}
    return server.search(two, **fields)


@pytest.fixture(scope="module")
def figures(result: dict[str, Any]) -> str:
    return f"/v1/searches/{result['search']}/figures"


@pytest.fixture(scope="module")
def family(http: httpx.Client, queries: str) -> str:
    """The place of two chains' MSAs."""
    chains = [f">{each.header}\n{each.residues.decode()}\n" for each in read_fasta(queries.encode())[:2]]
    body = {"queries": [{"chains": chains}], "databases": ["demo"], "pairing": "greedy", "iterations": 1}
    assert http.post("/v1/msas", json=body, headers=WAIT).status_code == 200
    [made] = http.get("/v1/msas", params={"page_size": 1}).json()["items"]
    return f"/v1/msas/{made['id']}"


def drawn(http: httpx.Client, place: str, **asked: object) -> tuple[ElementTree.Element, httpx.Response]:
    reply = http.get(place, params={name: str(value) for name, value in asked.items()})
    assert reply.status_code == 200, reply.text
    assert reply.headers["Content-Type"] == "image/svg+xml"
    return picture(reply.text), reply


def test_hits_are_those_of_the_result(http: httpx.Client, result: dict[str, Any], figures: str) -> None:
    root, reply = drawn(http, f"{figures}/hits.svg", query=2)
    one, shown = result["results"][1], texts(root)
    assert len(one["hits"]) == 300
    database = result["database"]
    assert shown[0] == f"Hits of {one['query']['id']}"
    assert shown[1] == f"{database['name']}, version {database['version']} · 50 of 300 hits"
    for hit in one["hits"][:50]:
        assert any(each.startswith(hit["accession"][:30]) for each in shown)
    assert reply.headers["Content-Disposition"].startswith('attachment; filename="for_a_paper.2_')
    assert reply.headers["Content-Disposition"].endswith('.hits.svg"')
    some, reply = drawn(http, f"{figures}/hits.svg", query=2, hits="3,7-9", width=640)
    assert size(some)[0] == 640
    assert texts(some)[1].endswith("· 4 of 300 hits")
    assert reply.headers["Content-Disposition"].endswith('.selected.hits.svg"')


def test_pictures_are_kept_as_long_as_the_result(http: httpx.Client, figures: str, family: str) -> None:
    of_search = [f"{figures}/{name}.svg?query=1" for name in ("hits", "scores", "alignment")]
    for place in (*of_search, f"{family}/figures/rows.svg", f"{family}/figures/conservation.svg"):
        reply = http.get(place)
        assert reply.headers["Cache-Control"].startswith("private, immutable, max-age=")
        known = http.get(place, headers={"If-None-Match": reply.headers["ETag"]})
        assert (known.status_code, known.content) == (304, b"")
        head = http.head(place)
        assert (head.status_code, head.headers["ETag"], head.content) == (200, reply.headers["ETag"], b"")


def test_scores_are_those_that_were_counted(http: httpx.Client, result: dict[str, Any], figures: str) -> None:
    shown = texts(drawn(http, f"{figures}/scores.svg", query=1, range="all")[0])
    total = sum(result["results"][0]["distribution"]["counts"])
    assert shown[1].endswith(f"· {total:,} subjects")
    assert f"hits that are reported: {len(result['results'][0]['hits'])}" in shown
    assert {"raw score", "expected by chance, fitted"} <= {*shown}


def test_scores_that_were_not_counted_are_404(server: Server, http: httpx.Client, queries: str) -> None:
    plain = server.search(">" + queries.split(">")[1])
    detail = problem(http.get(f"/v1/searches/{plain['search']}/figures/scores.svg"), 404, "not-found")["detail"]
    assert "score_distribution" in detail
    # With one query its number may be left out.
    assert http.get(f"/v1/searches/{plain['search']}/figures/hits.svg").status_code == 200


def test_alignment_is_that_of_the_hit(http: httpx.Client, result: dict[str, Any], figures: str) -> None:
    hit = result["results"][0]["hits"][2]
    hsp = hit["hsps"][0]
    root, reply = drawn(http, f"{figures}/alignment.svg", query=1, hit=3)
    shown = texts(root)
    lines = [hsp["qseq"][first : first + 60] for first in range(0, hsp["align_len"], 60)]
    assert [each for each in shown if each in lines] == lines
    assert {str(hsp["query_from"]), str(hsp["query_to"]), str(hsp["hit_from"]), str(hsp["hit_to"])} <= {*shown}
    assert f"the same letters: {hsp['identity']}" in shown
    assert round(sum(box[2] for box in boxes(root, SAME) if box[3] == 48) / 8) == hsp["identity"]
    assert reply.headers["Content-Disposition"].endswith('.hit-3.alignment.svg"')


def test_pictures_of_msas_are_those_of_the_download(http: httpx.Client, family: str) -> None:
    wanted = {"chain": 2, "format": "a3m"}
    msa = read_a3m(io.BytesIO(http.get(f"{family}/results", params=wanted).content))
    root, reply = drawn(http, f"{family}/figures/rows.svg", chain=2, rows=3, to=msa.columns, width=4000)
    shown = texts(root)
    assert shown[1].endswith(f" · 3 of {len(msa)} rows · positions 1 to {msa.columns} of {msa.columns}")
    letters = [each.text for each in root.iter() if "textLength" in each.attrib]
    rows = [msa.query.residues.decode(), *(line.tobytes().decode() for line in msa.aligned(0, 3))]
    assert letters == [row.replace("-", " ") for row in rows]
    assert reply.headers["Content-Disposition"].endswith('.rows.svg"')
    told = drawn(http, f"{family}/figures/conservation.svg", chain=2)[0]
    expected = picture(conservation_svg(msa, conservation(msa)))
    # A3M says nothing of databases, which stand in the second line.
    assert [paths(told), texts(told)[2:]] == [paths(expected), texts(expected)[2:]]
    pairs = http.get(f"{family}/figures/rows.svg?chain=2&pairs=true")
    assert pairs.headers["Content-Disposition"].endswith('.pairs.rows.svg"')


def paths(root: ElementTree.Element) -> list[str]:
    return [each.attrib["d"] for each in root.iter() if "d" in each.attrib]


def test_pair_is_that_of_the_job(http: httpx.Client) -> None:
    fasta = f">one\n{FIRST}\n>two\n{SECOND}\n"
    body = {
        "queries": fasta,
        "subjects": fasta,
        "pairing": "all",
        "best": 2,
        "query_apart": 3,
        "subject_apart": 3,
        "title": "two & two",
    }
    job = http.post("/v1/alignments", json=body, headers=WAIT).json()
    assert len(job["alignments"]) > 4
    place = f"/v1/alignments/{job['id']}/figures/alignment.svg"
    numbers = {("one", "one"): 1, ("one", "two"): 2, ("two", "one"): 3, ("two", "two"): 4}
    for pair in job["alignments"]:
        asked = {"pair": numbers[pair["query"], pair["subject"]], "rank": pair["rank"]}
        root, reply = drawn(http, place, **asked)
        assert texts(root)[:2] == [f"{pair['query']} and {pair['subject']}", f"score {pair['score']}"]
        assert f"the same letters: {pair['identity']}" in texts(root)
        assert f"{pair['align_len']} columns" in texts(root)
        assert f".{asked['pair']}." in reply.headers["Content-Disposition"]
    problem(http.get(f"{place}?pair=1&rank=1000"), 422, "invalid-parameter")
    refused = problem(http.get(f"{place}?pair=5"), 422, "invalid-parameter")
    assert refused["detail"] == "pair: there is no pair 5: the job has 4 pairs"
    scored = {"queries": fasta, "subjects": fasta, "report": "score"}
    scores = http.post("/v1/alignments", json=scored, headers=WAIT).json()
    problem(http.get(f"/v1/alignments/{scores['id']}/figures/alignment.svg"), 404, "not-found")


@pytest.mark.parametrize(
    ("asked", "parameter"),
    [
        ("hits.svg", "query"),
        ("hits.svg?query=3", "query"),
        ("hits.svg?query=0", "query"),
        ("hits.svg?query=1&width=399", "width"),
        ("hits.svg?query=1&width=4001", "width"),
        ("hits.svg?query=1&hits=1-201", "hits"),
        ("hits.svg?query=1&hits=301", "hits"),
        ("hits.svg?query=1&hits=x", "hits"),
        ("hits.svg?query=1&colour=red", "colour"),
        ("hits.svg?query=1&query=2", "query"),
        ("scores.svg?query=1&range=some", "range"),
        ("alignment.svg?query=1&hit=301", "hit"),
        ("alignment.svg?query=1&hit=300", "alignment"),
        ("alignment.svg?query=1&alignment=2", "alignment"),
        ("alignment.svg?query=1&width=800", "width"),
    ],
)
def test_what_makes_no_picture_of_a_search_is_named(
    http: httpx.Client, figures: str, asked: str, parameter: str
) -> None:
    told = problem(http.get(f"{figures}/{asked}"), 422, "invalid-parameter")
    assert parameter in str(told["errors"]), told


@pytest.mark.parametrize(
    ("asked", "parameter"),
    [
        ("rows.svg?chain=3", "chain"),
        ("rows.svg?rows=0", "rows"),
        ("rows.svg?rows=201", "rows"),
        ("rows.svg?from=100000", "from"),
        ("rows.svg?from=9&to=8", "to"),
        ("conservation.svg?rows=3", "rows"),
        ("conservation.svg?width=10", "width"),
        ("conservation.svg?of=then&pairs=true", "pairs"),
    ],
)
def test_what_makes_no_picture_of_an_msa_is_named(http: httpx.Client, family: str, asked: str, parameter: str) -> None:
    told = problem(http.get(f"{family}/figures/{asked}"), 422, "invalid-parameter")
    assert parameter in str(told["errors"]), told


def test_other_names_are_404(http: httpx.Client, figures: str, family: str) -> None:
    for place in (f"{figures}/rows.svg", f"{figures}/", f"{family}/figures/hits.svg", "/v1/nothing"):
        told = problem(http.get(place), 404, "not-found")
        assert told["title"] == "Not found"
        assert told["detail"] == "this server has nothing at this address; /docs lists what it has"


def test_pictures_that_are_no_png_are_said_to_be_svg(http: httpx.Client, figures: str, family: str) -> None:
    for place, svg in ((f"{figures}/hits.png", "hits.svg"), (f"{family}/figures/rows.png?rows=3", "rows.svg")):
        detail = problem(http.get(place), 404, "not-found")["detail"]
        assert detail.startswith(f"pictures come as SVG: ask for {svg}")


def test_number_of_a_query_that_there_is_not_is_named(http: httpx.Client, figures: str) -> None:
    told = "query: there is no query 9: the search has 2 queries"
    results = figures.replace("figures", "results")
    for place in (f"{figures}/hits.svg?query=9", f"{results}?query=9", f"{results}?query=9&page_size=5"):
        assert problem(http.get(place), 422, "invalid-parameter")["detail"] == told


def test_what_has_not_ended_is_409(server: Server, http: httpx.Client, queries: str) -> None:
    with standing(server):
        search = server.post(">" + queries.split(">")[1], title="waits").json()["id"]
        problem(http.get(f"/v1/searches/{search}/figures/hits.svg"), 409, "not-ready")
        problem(http.get("/v1/searches/never/figures/hits.svg"), 404, "not-found")
