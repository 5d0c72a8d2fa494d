"""A query's hits as an alignment in its columns, over HTTP and from the command line."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from Bio import AlignIO, SeqIO

from tests.support.command_line import here
from tests.support.server import Server

ASKED = {"max_hsps": 3, "max_target_seqs": 20, "alignments": 15, "evalue": 10.0}
FORMS = [("aligned-fasta", "fasta"), ("stockholm", "stockholm")]


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    return server.search(queries, **ASKED)


def names_of(one: dict[str, Any], ranks: set[int] | None = None) -> list[str]:
    """The names of the rows of a query and its hits, or of some."""
    hits = [hit for hit in one["hits"] if ranks is None or hit["rank"] in ranks]
    places = [(hit["accession"], hsp["hit_from"], hsp["hit_to"]) for hit in hits for hsp in hit["hsps"]]
    return [one["query"]["id"], *(f"{accession}/{first}-{last}" for accession, first, last in places)]


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_rows_are_the_query_whole_and_each_alignment(
    http: httpx.Client, result: dict[str, Any], queries: str, name: str, form: str
) -> None:
    whole = {record.id: str(record.seq) for record in SeqIO.parse(io.StringIO(queries), "fasta")}
    assert any(len(hit["hsps"]) > 1 for one in result["results"] for hit in one["hits"])
    for number, one in enumerate(result["results"], start=1):
        text = http.get(f"/v1/searches/{result['search']}/results", params={"format": name, "query": number}).text
        alignment = AlignIO.read(io.StringIO(text), form)
        assert [row.id for row in alignment] == names_of(one)
        assert str(alignment[0].seq).replace("-", "") == whole[one["query"]["id"]]
        first = one["hits"][0]["hsps"][0]["hseq"]
        assert str(alignment[1].seq).replace("-", "") == first.replace("-", "")


def test_some_hits_alone_are_aligned_with_the_whole_query(http: httpx.Client, result: dict[str, Any]) -> None:
    place, one = f"/v1/searches/{result['search']}/results", result["results"][2]
    asked = {"format": "stockholm", "query": 3, "hits": "2,5-6,18"}
    alignment = AlignIO.read(io.StringIO(http.get(place, params=asked).text), "stockholm")
    assert [row.id for row in alignment] == names_of(one, {2, 5, 6, 18})
    assert len(str(alignment[0].seq).replace("-", "")) == one["query"]["length"]
    assert "X" not in alignment[0].seq


def test_all_queries_are_as_many_alignments(http: httpx.Client, result: dict[str, Any]) -> None:
    text = http.get(f"/v1/searches/{result['search']}/results", headers={"Accept": "text/x-stockholm"}).text
    read = list(AlignIO.parse(io.StringIO(text), "stockholm"))
    assert [[row.id for row in each] for each in read] == [names_of(one) for one in result["results"]]


def test_a_part_that_was_searched_is_aligned_with_the_whole_query(
    server: Server, http: httpx.Client, queries: str
) -> None:
    record = next(SeqIO.parse(io.StringIO(queries), "fasta"))
    found = server.search(f">{record.id}\n{record.seq}", query_loc="20-90", max_target_seqs=5)["search"]
    text = http.get(f"/v1/searches/{found}/results", params={"format": "aligned-fasta"}).text
    alignment = AlignIO.read(io.StringIO(text), "fasta")
    assert str(alignment[0].seq).replace("-", "") == str(record.seq)


def test_the_command_line_writes_the_same(small: Path, query: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    asked = ("search", "-query", query, "-db", "small", "--data", small, "-evalue", "1000")
    assert here(*asked, "-outfmt", "json", "-out", answer).returncode == 0
    for name, form in FORMS:
        done = here(*asked, "-outfmt", name)
        assert done.returncode == 0
        alignment = AlignIO.read(io.StringIO(done.stdout), form)
        assert [row.id.partition("/")[0] for row in alignment] == ["q", "one", "two", "three"]
        assert str(alignment[0].seq).replace("-", "") == "MKVLAAGWDEHHKLMCCCCC"
        # A result has the letters alone that are aligned.
        again = AlignIO.read(io.StringIO(here("format", answer, "-outfmt", name).stdout), form)
        assert str(again[0].seq).replace("-", "") == "MKVLAAGWDEHHKLMXXXXX"
        assert [str(row.seq) for row in again[1:]] == [str(row.seq) for row in alignment[1:]]
    assert here("format", answer, "-outfmt", "a3m", "--hits", "1").stdout.count(">") == 2
