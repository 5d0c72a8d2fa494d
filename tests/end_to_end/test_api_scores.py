"""All scores of a search: kept where they are asked for, the same in every form, cut at any threshold, gone with it."""

import io
import struct
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest
from pyarrow import parquet

from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import read_fasta
from tests.support.answers import scores_of
from tests.support.problems import problem
from tests.support.searches import LONG
from tests.support.server import Server, until

COLUMNS = ["query", "accession", "length", "score", "bits", "evalue", "database"]


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def database(server: Server) -> Database:
    return Catalog(server.data).open("demo")


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    """Two queries with their scores."""
    two = ">" + ">".join(queries.split(">")[1:3])
    return server.search(two, scores="all", max_target_seqs=50, evalue=1e9, composition="none")


@pytest.fixture(scope="module")
def place(result: dict[str, Any]) -> str:
    return f"/v1/searches/{result['search']}/scores"


def rows_of(reply: httpx.Response) -> list[dict[str, str]]:
    assert reply.status_code == 200, reply.text
    header, *lines = reply.text.splitlines()
    assert header == "#" + "\t".join(COLUMNS)
    return [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines]


def test_raw_has_each_subjects_score_in_the_order_of_the_database(
    http: httpx.Client, place: str, queries: str, database: Database
) -> None:
    engine = CpuEngine(2)
    engine.load(database.shard(0, 1))
    expected = [scores_of(engine, record, Scoring("BLOSUM62", 11, 1)) for record in read_fasta(queries.encode())[:2]]
    both = http.get(place, params={"format": "raw"})
    assert both.headers["Content-Type"] == "application/octet-stream"
    assert np.array_equal(np.frombuffer(both.content, "<i4"), np.concatenate(expected))
    second = http.get(place, params={"query": 2}, headers={"Accept": "application/octet-stream"})
    assert second.content == both.content[-4 * len(database) :]
    assert second.headers["Content-Disposition"].endswith('.2.scores.int32"')


def test_table_has_every_subject_and_the_figures_of_the_hits(
    http: httpx.Client, result: dict[str, Any], place: str, database: Database
) -> None:
    table = parquet.read_table(io.BytesIO(http.get(place, params={"format": "parquet"}).content))
    assert table.column_names == COLUMNS
    assert b"rho" in table.schema.metadata[b"queries"]
    names = [accession for accession, _ in database.names_of_all(range(len(database)))]
    assert table["accession"].to_pylist() == names * 2
    assert table["length"].to_pylist() == database.lengths.tolist() * 2
    raw = http.get(place, params={"format": "raw"}).content
    assert struct.pack(f"<{2 * len(database)}i", *table["score"].to_pylist()) == raw
    found = {(row["query"], row["accession"]): row for row in table.to_pylist()}
    for one in result["results"]:
        assert len(one["hits"]) == 50
        for hit in one["hits"]:
            row = found[one["query"]["id"], hit["accession"]]
            assert (row["score"], row["bits"], row["evalue"]) == (hit["score"], hit["bits"], hit["evalue"])
    text = rows_of(http.get(place))
    assert [(row["query"], row["accession"], int(row["score"])) for row in text] == [
        (row["query"], row["accession"], row["score"]) for row in table.to_pylist()
    ]


def test_thresholds_are_moved_without_searching_again(http: httpx.Client, place: str) -> None:
    every = parquet.read_table(io.BytesIO(http.get(place, params={"format": "parquet"}).content)).to_pylist()
    for asked, admits in (
        ({"max_evalue": "0.5"}, lambda row: row["evalue"] <= 0.5),
        ({"min_score": "60"}, lambda row: row["score"] >= 60),
        ({"min_score": "60", "max_evalue": "1e-5"}, lambda row: row["score"] >= 60 and row["evalue"] <= 1e-5),
        ({"query": "1", "max_evalue": "20"}, lambda row: row["evalue"] <= 20 and row["query"] == every[0]["query"]),
    ):
        wanted = [row for row in every if admits(row)]
        assert 0 < len(wanted) < len(every) / 2
        left = http.get(place, params={"format": "parquet", **asked})
        assert parquet.read_table(io.BytesIO(left.content)).to_pylist() == wanted
        assert [row["accession"] for row in rows_of(http.get(place, params=asked))] == [
            row["accession"] for row in wanted
        ]
    assert rows_of(http.get(place, params={"min_score": 2**31 - 1})) == []


def test_histogram_and_certificate_hold_for_the_scores(
    server: Server, http: httpx.Client, queries: str, database: Database
) -> None:
    found = server.search(">" + queries.split(">")[2], scores="all", score_distribution=True)
    raw = http.get(f"/v1/searches/{found['search']}/scores", params={"format": "raw"})
    counts = np.bincount(np.minimum(np.frombuffer(raw.content, "<i4"), 2047))
    assert found["results"][0]["distribution"]["counts"] == counts.tolist()
    assert found["certificate"]["subjects"] == len(database) == counts.sum()


def test_result_is_that_of_a_search_without_them(
    server: Server, http: httpx.Client, result: dict[str, Any], queries: str
) -> None:
    two = ">" + ">".join(queries.split(">")[1:3])
    plain = server.search(two, max_target_seqs=50, evalue=1e9, composition="none")
    assert plain["search"] != result["search"]
    assert plain["digest"] == result["digest"]
    assert problem(http.get(f"/v1/searches/{plain['search']}/scores"), 404, "not-found")["detail"] == (
        "the search has kept scores of its hits alone: send it again with scores=all"
    )
    any_tag = {"If-None-Match": "*"}
    problem(http.get(f"/v1/searches/{plain['search']}/scores", headers=any_tag), 404, "not-found")
    report = http.post(f"/v1/searches/{result['search']}:verify", headers={"Prefer": "wait=60"}).json()["report"]
    assert report["equal"]


def test_search_without_statistics_has_scores_alone(server: Server, http: httpx.Client) -> None:
    found = server.search("MKVLAAGWDEHHKLMNPQRSTVWY", scores="all", statistics="none", gap_open=3, gap_extend=3)
    place = f"/v1/searches/{found['search']}/scores"
    assert {(row["bits"], row["evalue"]) for row in rows_of(http.get(place))} == {("N/A", "N/A")}
    table = parquet.read_table(io.BytesIO(http.get(place, params={"format": "parquet"}).content))
    assert set(table["evalue"].to_pylist()) == {None}
    reply = problem(http.get(place, params={"max_evalue": 1}), 422, "invalid-parameter")
    assert reply["errors"][0]["parameter"] == "max_evalue"


@pytest.mark.parametrize(
    ("asked", "status", "kind", "parameter"),
    [
        ({"query": "3"}, 422, "invalid-parameter", "query"),
        ({"query": "0"}, 422, "invalid-parameter", "query"),
        ({"format": "json"}, 422, "invalid-parameter", "format"),
        ({"format": "raw", "min_score": "5"}, 422, "invalid-parameter", "min_score"),
        ({"format": "raw", "max_evalue": "5"}, 422, "invalid-parameter", "max_evalue"),
        ({"max_evalue": "nan"}, 422, "invalid-parameter", "max_evalue"),
        ({"max_evalue": "1_0"}, 422, "invalid-parameter", "max_evalue"),
        ({"max_evalue": "+1"}, 422, "invalid-parameter", "max_evalue"),
        ({"min_score": "-1"}, 422, "invalid-parameter", "min_score"),
        ({"page_size": "5"}, 422, "invalid-parameter", "page_size"),
    ],
)
def test_what_cannot_be_had_is_named(
    http: httpx.Client, place: str, asked: dict[str, str], status: int, kind: str, parameter: str
) -> None:
    assert problem(http.get(place, params=asked), status, kind)["errors"][0]["parameter"] == parameter


def test_scores_have_a_tag_and_headers_of_their_own(http: httpx.Client, place: str) -> None:
    first, other = (http.get(place, params=asked) for asked in ({"query": 1}, {"query": 1, "min_score": 40}))
    assert first.headers["ETag"] != other.headers["ETag"]
    assert "immutable" in first.headers["Cache-Control"]
    known = http.get(place, params={"query": 1}, headers={"If-None-Match": first.headers["ETag"]})
    assert (known.status_code, known.content) == (304, b"")
    head = http.head(place, params={"query": 1})
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["ETag"] == first.headers["ETag"]
    problem(http.get(place, headers={"Accept": "image/png"}), 406, "not-acceptable")


def test_scores_go_with_their_search(server: Server, http: httpx.Client) -> None:
    found = server.search("MKVLAAGWDEHHKLMNPQRSTVWYACDEF", scores="all")
    folder = server.data / ".work" / "jobs" / "kept" / found["search"]
    sizes = [path.stat().st_size for path in (folder / "scores").iterdir()]
    assert sum(sizes) == 4 * found["certificate"]["subjects"] + 32 * len(sizes)
    assert http.delete(f"/v1/searches/{found['search']}").status_code == 204
    assert not folder.exists()
    problem(http.get(f"/v1/searches/{found['search']}/scores"), 404, "not-found")


def test_scores_that_have_changed_are_not_given_out(server: Server, http: httpx.Client) -> None:
    found = server.search("MKVLAAGWDEHHKLMNPQRSTVWYACDEFG", scores="all")
    [path, *_] = (server.data / ".work" / "jobs" / "kept" / found["search"] / "scores").iterdir()
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)
    problem(http.get(f"/v1/searches/{found['search']}/scores"), 500, "internal-error")
    path.unlink()
    problem(http.get(f"/v1/searches/{found['search']}/scores", params={"format": "raw"}), 500, "internal-error")


def test_cancelled_search_leaves_no_scores_to_be_had(idle: Server, http: httpx.Client) -> None:
    accepted = idle.post(LONG, scores="all").json()["id"]
    http.post(f"/v1/searches/{accepted}:cancel")
    until(lambda: http.get(f"/v1/searches/{accepted}").json()["state"] == "cancelled")
    problem(http.get(f"/v1/searches/{accepted}/scores"), 409, "search-failed")
