"""Z-values of hits over HTTP and from the command line: the same everywhere, checked, bounded and charged."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from shardwater.statistics.shuffles import pvalue
from tests.support.command_line import here
from tests.support.demo import DEMO
from tests.support.problems import problem
from tests.support.server import Server

ASKED = {"shuffles": 100, "shuffle": "windows", "shuffle_seed": 5, "max_target_seqs": 5, "alignments": 3, "evalue": 1e9}


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    return server.search(queries, **ASKED)


def test_aligned_hits_have_both_sides_and_the_smaller(result: dict[str, Any]) -> None:
    for one in result["results"]:
        assert [hit["shuffled"] is None for hit in one["hits"]] == [False] * 3 + [True] * 2
        for hit in one["hits"][:3]:
            shuffled = hit["shuffled"]
            sides = [shuffled[side] for side in ("of_query", "of_subject")]
            assert [side["z"] for side in sides] == [(hit["score"] - side["mean"]) / side["sd"] for side in sides]
            assert shuffled["z"] == min(side["z"] for side in sides)
            assert shuffled["pvalue"] == pvalue(shuffled["z"])
    assert {name: result["parameters"][name] for name in ASKED} == ASKED


def test_tables_and_the_report_show_them(http: httpx.Client, result: dict[str, Any]) -> None:
    place, [first, *_] = f"/v1/searches/{result['search']}/results", result["results"]
    asked = {"format": "tab", "columns": "sseqid,shuffled_z,shuffled_p", "query": 1}
    rows = [line.split("\t") for line in http.get(place, params=asked).text.splitlines()]
    assert rows[3:] == [[hit["accession"], "N/A", "N/A"] for hit in first["hits"][3:]]
    for row, hit in zip(rows[:3], first["hits"], strict=False):
        assert row == [hit["accession"], f"{hit['shuffled']['z']:.2f}", f"{hit['shuffled']['pvalue']:.2e}"]
    report = http.get(place, params={"format": "pairwise", "query": 1}).text
    assert report.count(" Z-value = ") == 3
    assert f" Z-value = {rows[0][1]}, P = {rows[0][2]} (shuffles)\n" in report


def test_a_verification_computes_them_again(http: httpx.Client, result: dict[str, Any]) -> None:
    for sample in ("", "?sample=5"):
        place = f"/v1/searches/{result['search']}:verify{sample}"
        report = http.post(place, headers={"Prefer": "wait=60"}).json()["report"]
        assert (report["equal"], report["total"]) == (True, 0)


def test_command_line_finds_the_same(server: Server, result: dict[str, Any], tmp_path: Path) -> None:
    flags = ["-shuffles", 100, "-shuffle", "windows", "-shuffle_seed", 5, "-max_target_seqs", 5, "-alignments", 3]
    flags += ["-query", DEMO / "queries.fasta", "-db", "demo", "-evalue", "1e9"]
    out = tmp_path / "result.json"
    for place in (["--data", server.data], ["--server", server.url]):
        done = here("search", *flags, *place, "-outfmt", "json", "-out", out)
        assert done.returncode == 0, done
        assert f'"digest": "{result["digest"]}"' in out.read_text()
    refused = here("search", *flags, "--data", server.data, "-shuffles", 5)
    assert (refused.returncode, refused.stdout) == (2, "")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"shuffles": 99}, "shuffles"),
        ({"shuffles": 1001}, "shuffles"),
        ({"shuffles": -1}, "shuffles"),
        ({"shuffles": "1e2"}, "shuffles"),
        ({"shuffles": True}, "shuffles"),
        ({"shuffle": "some"}, "shuffle"),
        ({"shuffle_seed": 2**53}, "shuffle_seed"),
        ({"shuffle_seed": -1}, "shuffle_seed"),
    ],
)
def test_what_cannot_be_shuffled_is_named(server: Server, asked: dict[str, Any], field: str) -> None:
    assert problem(server.post("MKVL", **asked), 422, "invalid-parameter")["errors"][0]["pointer"] == f"/{field}"


def test_shuffles_are_charged_and_bounded(server: Server, http: httpx.Client) -> None:
    body = {
        "sequence": "MKVLAAGWDE",
        "database": "demo",
        "title": "not searched",
        "alignments": 50,
        "composition": "none",
    }
    plain, shuffled = (
        http.post("/v1/searches:estimate", json={**body, "shuffles": count}).json() for count in (0, 200)
    )
    # A mean protein of the demo has 386 residues.
    assert shuffled["cells"] - plain["cells"] == 2 * 200 * 50 * 10 * 1_230_410 // 3183
    assert shuffled["quota_cost"] == shuffled["cells"]
    # Whose E-values are adjusted are all aligned, not the first 50 of 100 alone.
    adjusted = http.post("/v1/searches:estimate", json={**body, "composition": "adjusted", "shuffles": 200}).json()
    assert adjusted["cells"] - plain["cells"] == 2 * 200 * 100 * 10 * 1_230_410 // 3183
    # Two million pairs a query.
    many = {**body, "sequence": ">q\nMK\n" * 11, "shuffles": 1000, "alignments": 1000, "max_target_seqs": 1000}
    refused = problem(http.post("/v1/searches", json=many), 413, "limit-exceeded")
    assert (refused["limit"], refused["actual"]) == (20_000_000, 22_000_000)
    assert "max_pairs" in refused["detail"]
