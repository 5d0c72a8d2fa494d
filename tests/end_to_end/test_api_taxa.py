"""Searches of some taxa over HTTP, from the command line and by the client: told, checked, and the same everywhere."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from shardwater.database.catalog import Catalog
from shardwater.database.joined import Joined
from shardwater.search.among import size_in
from shardwater.search.databases import DatabaseSize
from shardwater.search.parameters import Parameters
from shardwater_client import Client, InvalidRequestError
from tests.support.command_line import here
from tests.support.problems import problem
from tests.support.server import PATIENCE_S, Server
from tests.support.twins import Make

RODENTS, MOUSE, HUMAN = 9989, 10090, 9606
EVALUE = 1e6


def size_of(server: Server, taxid: int) -> DatabaseSize:
    """How much of the demo a search of a taxon is of."""
    return size_in(Joined.of([Catalog(server.data).current("demo")]), Parameters(taxids=(taxid,)))


@pytest.fixture(scope="module")
def query(queries: str) -> str:
    """A protein of the mouse."""
    return f">{queries.split('>')[2].rstrip()}\n"


@pytest.fixture(scope="module")
def result(taxa_server: Server, query: str) -> dict[str, Any]:
    return taxa_server.search(query, taxids=[RODENTS], negative_taxids=[10116], evalue=EVALUE)


def test_hits_are_of_the_taxa_and_say_so(taxa_server: Server, result: dict[str, Any]) -> None:
    [one] = result["results"]
    assert {(hit["taxid"], hit["organism"]) for hit in one["hits"]} == {(MOUSE, "Mus musculus")}
    assert len(one["hits"]) > 20
    size = size_of(taxa_server, MOUSE)
    searched = {"subjects": size.subjects, "residues": size.residues, "by_tree": True}
    assert [each["searched"] for each in result["databases"]] == [searched]
    certificate, fit = result["certificate"], one["statistics"]["fit"]
    assert (certificate["subjects"], certificate["residues"]) == (size.subjects, size.residues)
    assert certificate["cells"] == size.residues * one["query"]["length"]
    assert [shard["subjects"] for shard in certificate["shards"]] != [size.subjects, 0]
    assert fit is None or fit["subjects"] + fit["rejected"] == size.subjects
    assert (result["parameters"]["taxids"], result["parameters"]["negative_taxids"]) == ([RODENTS], [10116])


def test_a_verification_computes_it_again(taxa_server: Server, result: dict[str, Any]) -> None:
    with taxa_server.http as http:
        for sample in ("", "?sample=5"):
            place = f"/v1/searches/{result['search']}:verify{sample}"
            report = http.post(place, headers={"Prefer": "wait=60"}).json()["report"]
            assert (report["equal"], report["total"], report["changed"]) == (True, 0, "")


def test_command_line_finds_the_same(taxa_server: Server, result: dict[str, Any], query: str, tmp_path: Path) -> None:
    sequence, out, listed = tmp_path / "query.fasta", tmp_path / "result.json", tmp_path / "taxids.txt"
    sequence.write_text(query)
    listed.write_text(f"# rodents\n{RODENTS}\n\n")
    flags = ["-query", sequence, "-db", "demo", "-evalue", EVALUE, "-taxidlist", listed, "-negative_taxids", "10116"]
    for place in (["--data", taxa_server.data], ["--server", taxa_server.url]):
        done = here("search", *flags, *place, "-alignments", 100, "-outfmt", "json", "-out", out)
        assert done.returncode == 0, done
        assert f'"digest": "{result["digest"]}"' in out.read_text()


def test_every_form_of_a_body_names_taxids(taxa_server: Server, query: str) -> None:
    fields = {"sequence": query, "database": "demo", "taxids": f"{MOUSE}, {HUMAN}"}
    with taxa_server.http as http:
        upload = {name: (None, value) for name, value in fields.items()}
        raw = {"Content-Type": "text/x-fasta"}
        replies = [
            http.post("/v1/searches", data=fields),
            http.post("/v1/searches", files=upload),
            http.post(f"/v1/searches?database=demo&taxids={HUMAN},{MOUSE}", content=query, headers=raw),
            http.post("/v1/searches", json={**fields, "taxids": [HUMAN, MOUSE, HUMAN]}),
        ]
        assert len({reply.json()["id"] for reply in replies}) == 1


def test_estimate_and_charge_are_of_what_is_searched(taxa_server: Server, query: str, result: dict[str, Any]) -> None:
    fields = {"sequence": query, "database": "demo", "taxids": [RODENTS], "title": "of rodents"}
    with taxa_server.http as http:
        estimate = http.post("/v1/searches:estimate", json=fields).json()
    size = size_of(taxa_server, RODENTS)
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
def test_taxids_that_will_not_do(
    taxa_server: Server, query: str, fields: dict[str, Any], pointer: str, detail: str
) -> None:
    [error] = problem(taxa_server.post(query, **fields), 422, "invalid-parameter")["errors"]
    assert error == {"pointer": pointer, "detail": detail}


def test_as_many_taxids_as_may_be_are_read(taxa_server: Server, query: str) -> None:
    taxids = [*range(4_000_000_000, 4_000_000_999), MOUSE]
    [error] = problem(taxa_server.post(query, taxids=taxids, negative_taxids=taxids), 422, "invalid-parameter")[
        "errors"
    ]
    assert error["detail"].startswith("no sequence of the database belongs to taxid 4000000000")


def test_of_several_queries_one_is_named(taxa_server: Server, queries: str, query: str, make: Make) -> None:
    found = taxa_server.search(queries, evalue=1e9)
    with closing(make(taxa_server.url)) as client:
        trees = [client.taxa(found["search"], query=number) for number in (1, 2)]
        assert [each.without_taxid for each in trees] == [
            sum(hit["taxid"] is None for hit in one["hits"]) for one in found["results"][:2]
        ]
        with pytest.raises(InvalidRequestError, match="query: the search has 4 queries: `query` must name one"):
            client.taxa(found["search"])
        one = client.search(query, database="demo", timeout=PATIENCE_S)
        assert client.taxa(one.id) == client.taxa(one.id, query=1)


def test_hits_are_summed_up_by_lineage(taxa_server: Server, query: str) -> None:
    found = taxa_server.search(query, evalue=1e9, max_target_seqs=3183, alignments=0)
    [one] = found["results"]
    with taxa_server.http as http:
        reply = http.get(f"/v1/searches/{found['search']}/taxa")
        told = reply.json()
        assert http.get(reply.url, headers={"If-None-Match": reply.headers["ETag"]}).status_code == 304
        problem(http.get(f"/v1/searches/{found['search']}/taxa?query=2"), 422, "invalid-parameter")
        taxa = {each["taxid"]: each for each in told["items"]}
        of_rodents = http.get(
            f"/v1/searches/{found['search']}/results", params={"query": 1, "hits": taxa[RODENTS]["ranks"]}
        ).json()["results"][0]["hits"]
    assert told["without_taxid"] == sum(hit["taxid"] is None for hit in one["hits"])
    # Of what does not branch the lowest is told: bacteria are one species here, apes one.
    names = {each["name"]: (each["rank"], each["parent"]) for each in told["items"]}
    assert names == {
        "root": ("no rank", None),
        "Eukaryota": ("superkingdom", 1),
        "Rodentia": ("order", 2759),
        "Mus musculus": ("species", RODENTS),
        "Rattus norvegicus": ("species", RODENTS),
        "Homo sapiens": ("species", 2759),
        "Escherichia coli": ("species", 1),
    }
    assert {hit["taxid"] for hit in of_rodents} == {MOUSE, 10116}
    assert [hit["rank"] for hit in of_rodents] == [hit["rank"] for hit in one["hits"] if hit["taxid"] in (MOUSE, 10116)]
    assert taxa[RODENTS]["hits"] == len(of_rodents) == taxa[MOUSE]["hits"] + taxa[10116]["hits"]


def test_all_scores_are_not_those_of_taxa(taxa_server: Server, query: str) -> None:
    reply = problem(taxa_server.post(query, taxids=[MOUSE], scores="all"), 422, "invalid-parameter")
    assert "leave out taxids" in reply["detail"]


def test_a_database_tells_of_its_taxa(taxa_server: Server) -> None:
    with taxa_server.http as http:
        described = http.get("/v1/databases/demo").json()
    assert (described["taxa"], described["taxonomy"]) == (4, "tree")


def test_tables_have_columns_for_taxa(taxa_server: Server, result: dict[str, Any]) -> None:
    with taxa_server.http as http:
        params = {"format": "tab", "columns": "staxid,staxids,ssciname,sscinames"}
        lines = http.get(f"/v1/searches/{result['search']}/results", params=params).text.splitlines()
    assert set(lines) == {"10090\t10090\tMus musculus\tMus musculus"}


def test_the_python_client_chooses_taxa(taxa_server: Server, queries: str) -> None:
    with closing(Client(taxa_server.url)) as client:
        found = client.search(queries, database="demo", taxids=[RODENTS], negative_taxids=[10116], evalue=1000)
        assert {(hit.taxid, hit.organism) for hit in found.hits(2)} == {(MOUSE, "Mus musculus")}
        assert found.data.databases[0].searched.subjects == found.certificate.subjects < 60
        with pytest.raises(InvalidRequestError, match="taxids: no sequence of the database belongs to taxid 5"):
            client.search(queries, database="demo", taxids=[5])
        [demo] = client.databases()
        assert (demo.taxonomy, demo.taxa) == ("tree", 4)
