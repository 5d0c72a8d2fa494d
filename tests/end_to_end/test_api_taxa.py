"""Searches of some taxa over HTTP and from the command line: told, checked, and the same everywhere."""

from pathlib import Path
from typing import Any

import pytest

from shardwater.database.catalog import Catalog
from shardwater.search.among import size_of
from shardwater.search.parameters import Parameters
from tests.support.command_line import here
from tests.support.problems import problem
from tests.support.server import Server

RODENTS, MOUSE, HUMAN = 9989, 10090, 9606
EVALUE = 1e6


@pytest.fixture(scope="module")
def query(queries: str) -> str:
    """A protein of the mouse."""
    return f">{queries.split('>')[2].rstrip()}\n"


@pytest.fixture(scope="module")
def result(server: Server, query: str) -> dict[str, Any]:
    return server.search(query, taxids=[RODENTS], negative_taxids=[10116], evalue=EVALUE)


def test_hits_are_of_the_taxa_and_say_so(server: Server, result: dict[str, Any]) -> None:
    [one] = result["results"]
    assert {(hit["taxid"], hit["organism"]) for hit in one["hits"]} == {(MOUSE, "Mus musculus")}
    assert len(one["hits"]) > 20
    database = Catalog(server.data).current("demo")
    size = size_of(database, Parameters(taxids=(MOUSE,)))
    searched = {"subjects": size.subjects, "residues": size.residues, "by_tree": True}
    assert result["database"]["searched"] == searched
    certificate, fit = result["certificate"], one["statistics"]["fit"]
    assert (certificate["subjects"], certificate["residues"]) == (size.subjects, size.residues)
    assert certificate["cells"] == size.residues * one["query"]["length"]
    assert [shard["subjects"] for shard in certificate["shards"]] != [size.subjects, 0]
    assert fit is None or fit["subjects"] + fit["rejected"] == size.subjects
    assert (result["parameters"]["taxids"], result["parameters"]["negative_taxids"]) == ([RODENTS], [10116])


def test_a_verification_computes_it_again(server: Server, result: dict[str, Any]) -> None:
    with server.http as http:
        for sample in ("", "?sample=5"):
            place = f"/v1/searches/{result['search']}:verify{sample}"
            report = http.post(place, headers={"Prefer": "wait=60"}).json()["report"]
            assert (report["equal"], report["total"], report["changed"]) == (True, 0, "")


def test_command_line_finds_the_same(server: Server, result: dict[str, Any], query: str, tmp_path: Path) -> None:
    sequence, out, listed = tmp_path / "query.fasta", tmp_path / "result.json", tmp_path / "taxids.txt"
    sequence.write_text(query)
    listed.write_text(f"# rodents\n{RODENTS}\n\n")
    flags = ["-query", sequence, "-db", "demo", "-evalue", EVALUE, "-taxidlist", listed, "-negative_taxids", "10116"]
    for place in (["--data", server.data], ["--server", server.url]):
        done = here("search", *flags, *place, "-alignments", 100, "-outfmt", "json", "-out", out)
        assert done.returncode == 0, done
        assert f'"digest": "{result["digest"]}"' in out.read_text()


def test_every_form_of_a_body_names_taxids(server: Server, query: str) -> None:
    fields = {"sequence": query, "database": "demo", "taxids": f"{MOUSE}, {HUMAN}"}
    with server.http as http:
        upload = {name: (None, value) for name, value in fields.items()}
        raw = {"Content-Type": "text/x-fasta"}
        replies = [
            http.post("/v1/searches", data=fields),
            http.post("/v1/searches", files=upload),
            http.post(f"/v1/searches?database=demo&taxids={HUMAN},{MOUSE}", content=query, headers=raw),
            http.post("/v1/searches", json={**fields, "taxids": [HUMAN, MOUSE, HUMAN]}),
        ]
        assert len({reply.json()["id"] for reply in replies}) == 1


def test_estimate_and_charge_are_of_what_is_searched(server: Server, query: str, result: dict[str, Any]) -> None:
    fields = {"sequence": query, "database": "demo", "taxids": [RODENTS], "title": "of rodents"}
    with server.http as http:
        estimate = http.post("/v1/searches:estimate", json=fields).json()
    size = size_of(Catalog(server.data).current("demo"), Parameters(taxids=(RODENTS,)))
    assert estimate["cells"] == estimate["residues"] * size.residues


@pytest.mark.parametrize(
    ("fields", "pointer", "detail"),
    [
        ({"taxids": [5]}, "/taxids", "no sequence of the database belongs to taxid 5"),
        ({"negative_taxids": [MOUSE, 5]}, "/negative_taxids", "no sequence of the database belongs to taxid 5"),
        ({"taxids": [MOUSE], "negative_taxids": [1]}, "/taxids", "no sequence of the database is left by these taxids"),
        ({"taxids": [True]}, "/taxids", "a taxid is a whole number from 1 to 4294967295"),
        ({"taxids": [1.0]}, "/taxids", "a taxid is a whole number from 1 to 4294967295"),
        ({"taxids": ["９606"]}, "/taxids", "a taxid is a whole number from 1 to 4294967295"),
        ({"taxids": "9606;1"}, "/taxids", "a taxid is a whole number from 1 to 4294967295"),
        ({"taxids": [0]}, "/taxids", "a taxid is a whole number from 1 to 4294967295"),
        ({"taxids": [2**32]}, "/taxids", "a taxid is a whole number from 1 to 4294967295"),
        ({"taxids": [[1]]}, "/taxids", "a taxid is a whole number from 1 to 4294967295"),
        ({"taxids": list(range(1, 1002))}, "/taxids", "1,001 taxids are named; at most 1,000 may be"),
    ],
)
def test_taxids_that_will_not_do(server: Server, query: str, fields: dict[str, Any], pointer: str, detail: str) -> None:
    [error] = problem(server.post(query, **fields), 422, "invalid-parameter")["errors"]
    assert error == {"pointer": pointer, "detail": detail}


def test_as_many_taxids_as_may_be_are_read(server: Server, query: str) -> None:
    taxids = [*range(4_000_000_000, 4_000_000_999), MOUSE]
    [error] = problem(server.post(query, taxids=taxids, negative_taxids=taxids), 422, "invalid-parameter")["errors"]
    assert error["detail"].startswith("no sequence of the database belongs to taxid 4000000000")


def test_all_scores_are_not_those_of_taxa(server: Server, query: str) -> None:
    reply = problem(server.post(query, taxids=[MOUSE], scores="all"), 422, "invalid-parameter")
    assert "leave out taxids" in reply["detail"]


def test_a_database_tells_of_its_taxa(server: Server) -> None:
    with server.http as http:
        described = http.get("/v1/databases/demo").json()
    assert (described["taxa"], described["taxonomy"]) == (4, "tree")


def test_tables_have_columns_for_taxa(server: Server, result: dict[str, Any]) -> None:
    with server.http as http:
        params = {"format": "tab", "columns": "staxid,staxids,ssciname,sscinames"}
        lines = http.get(f"/v1/searches/{result['search']}/results", params=params).text.splitlines()
    assert set(lines) == {"10090\t10090\tMus musculus\tMus musculus"}
