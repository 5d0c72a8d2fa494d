"""E-values for a database of another size: by the server, the command line, and in what is made of their results."""

import json
from pathlib import Path
from typing import Any

import pytest

from shardwater.formats.number_text import evalue_text
from shardwater_client import Client
from tests.support.command_line import here
from tests.support.server import PATIENCE_S, Server

SIZE = 200_000_000
ASKED = [("table", 10.0), ("karlin-altschul", 10.0), ("fitted", 10.0)]
"""Statistics, and the limit to E-values."""
Plain = dict[str, Any]


def evalues(result: Plain) -> dict[tuple[str, str], float]:
    return {(one["query"]["id"], hit["accession"]): hit["evalue"] for one in result["results"] for hit in one["hits"]}


@pytest.mark.parametrize(("statistics", "limit"), ASKED)
def test_the_command_line_gives_what_the_server_gives(
    server: Server, data: Path, queries: str, tmp_path: Path, statistics: str, limit: float
) -> None:
    fields = {"statistics": statistics, "evalue": limit, "max_target_seqs": 30, "alignments": 30}
    found = server.search(queries, dbsize=SIZE, **fields)
    plain = server.search(queries, **{**fields, "evalue": 1e9, "max_target_seqs": 60})
    assert found["parameters"]["dbsize"] == SIZE
    assert "dbsize" not in plain["parameters"]
    assert {**found["certificate"], "shards": []} == {**plain["certificate"], "shards": []}
    (tmp_path / "q.fasta").write_text(queries)
    flags = ["-statistics", statistics, "-evalue", limit, "-max_target_seqs", 30, "-dbsize", SIZE, "-outfmt", "json"]
    for place in (["--server", server.url], ["--data", data]):
        done = here("search", "-query", tmp_path / "q.fasta", "-db", "demo", *place, *flags)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert (told["digest"], told["results"]) == (found["digest"], found["results"])
    if statistics == "table":
        factor, real = SIZE / plain["certificate"]["residues"], evalues(plain)
        shown = evalues(found)
        assert shown and shown == pytest.approx({each: factor * real[each] for each in shown}, rel=1e-9)


def test_a_result_is_verified_and_its_tables_have_the_same_evalues(
    server: Server, data: Path, queries: str, tmp_path: Path
) -> None:
    found = server.search(queries, dbsize=SIZE, scores="all", max_target_seqs=5)
    with server.http as http:
        search, wait = found["search"], {"Prefer": f"wait={PATIENCE_S}"}
        for sample in ({}, {"sample": 50}):
            report = http.post(f"/v1/searches/{search}:verify", params=sample, headers=wait).json()["report"]
            assert (report["equal"], report["differences"]) == (True, [])
        table = http.get(f"/v1/searches/{search}/scores", params={"format": "tab"}).text
    by_fit = {tuple(row[:2]): row[5] for row in (line.split("\t") for line in table.splitlines()[1:])}
    for one in found["results"]:
        for hit in one["hits"]:
            shown = by_fit[one["query"]["id"], hit["accession"]]
            assert shown == evalue_text(hit["evalues"]["fitted"], table=True)
    (tmp_path / "q.fasta").write_text(queries)
    (tmp_path / "found.json").write_text(json.dumps(found))
    flags = ["--query", tmp_path / "q.fasta", "--data", data]
    assert here("verify", tmp_path / "found.json", *flags, "--sample", "50").returncode == 0
    other = {**found, "parameters": {**found["parameters"], "dbsize": 2 * SIZE}}
    (tmp_path / "other.json").write_text(json.dumps(other))
    assert here("verify", tmp_path / "other.json", *flags, "--sample", "50").returncode != 0


# Over 5 s: two services are asked, and one search lists every subject that has a score.
def test_rounds_and_organisms_go_by_it(server: Server, taxa_server: Server, queries: str) -> None:
    first = queries.split(">")[1]
    larger, usual = (
        server.search(f">{first}", iterations=2, inclusion_evalue=1e-3, statistics="table", **size)
        for size in ({"dbsize": 10**15}, {})
    )
    included = [[each["included"] for each in one["results"][0]["rounds"]] for one in (larger, usual)]
    assert included[0][0] < included[1][0]
    fields = {"statistics": "table", "max_target_seqs": 50, "evalue": 1e9}
    chosen = taxa_server.search(queries, taxids=[562], dbsize=SIZE, **fields)
    whole = taxa_server.search(queries, dbsize=SIZE, max_target_seqs=4000, statistics="table", evalue=1e9)
    every = evalues(whole)
    assert evalues(chosen) == {each: every[each] for each in evalues(chosen)} != {}


def test_the_client_sends_it(server: Server, queries: str) -> None:
    with Client(server.url) as client:
        found = client.search(queries, database="demo", dbsize=SIZE, statistics="table")
        assert found.parameters.dbsize == SIZE
        assert "dbsize" not in client.search(queries, database="demo", statistics="table").parameters.to_dict()
