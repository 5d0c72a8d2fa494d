"""Biopython's two qblast functions, with nothing but the address changed."""

import io
import zipfile
from typing import Any

import pytest
from Bio import Blast, SearchIO
from Bio.Blast import NCBIWWW, NCBIXML

from tests.support.server import Server


@pytest.fixture(autouse=True)
def at_once() -> None:
    """Biopython waits until 20 s after its last question, whichever search that was about."""
    NCBIWWW.qblast.previous = Blast.qblast.previous = 0


@pytest.fixture
def url(server: Server) -> str:
    return f"{server.url}/Blast.cgi"


def found(expected: dict[str, Any]) -> list[tuple[str, float]]:
    return [(hit["accession"], hit["score"]) for hit in expected["results"][0]["hits"]]


def test_old_qblast(url: str, kinase: str, expected: dict[str, Any]) -> None:
    record = NCBIXML.read(NCBIWWW.qblast("blastp", "demo", kinase, url_base=url, hitlist_size=5))
    assert record.database.startswith("demo ")
    assert [(hit.hit_id, hit.hsps[0].score) for hit in record.alignments] == found(expected)


def test_old_qblast_takes_a_bare_sequence(url: str, kinase: str, expected: dict[str, Any]) -> None:
    bare = "".join(kinase.splitlines()[1:])
    record = NCBIXML.read(NCBIWWW.qblast("blastp", "demo", bare, url_base=url, hitlist_size=5))
    assert (record.query, record.query_length) == ("query_1", len(bare))
    assert [(hit.hit_id, hit.hsps[0].score) for hit in record.alignments] == found(expected)


@pytest.mark.parametrize("form", ["Text", "HTML"])
def test_old_qblast_gets_a_report_to_read(url: str, kinase: str, form: str) -> None:
    report = NCBIWWW.qblast("blastp", "demo", kinase, url_base=url, hitlist_size=5, format_type=form).read()
    assert "Sequences producing significant alignments" in report


def test_options_reach_the_search(server: Server, url: str, kinase: str) -> None:
    options = {"matrix_name": "BLOSUM45", "gapcosts": "15 2", "expect": 1e-5, "hitlist_size": 7}
    record = NCBIXML.read(NCBIWWW.qblast("blastp", "demo", kinase, url_base=url, **options))
    fields = {"matrix": "BLOSUM45", "gap_open": 15, "gap_extend": 2, "evalue": 1e-5, "max_target_seqs": 7}
    ours = server.search(kinase, statistics="table", order="score", **fields)
    assert [(hit.hit_id, hit.hsps[0].score) for hit in record.alignments] == found(ours)
    assert (record.matrix, record.gap_penalties) == ("BLOSUM45", (15, 2))


def test_several_queries_are_several_records(url: str, queries: str) -> None:
    records = list(NCBIXML.parse(NCBIWWW.qblast("blastp", "demo", queries, url_base=url, hitlist_size=2)))
    assert [record.query.split()[0] for record in records] == [
        line[1:].split()[0] for line in queries.splitlines() if line.startswith(">")
    ]
    assert all(record.alignments for record in records)


def test_new_qblast(url: str, kinase: str, expected: dict[str, Any]) -> None:
    stream = Blast.qblast("blastp", "demo", kinase, url_base=url, hitlist_size=5)
    assert stream.rtoe >= 1
    record = Blast.read(io.BytesIO(stream.read()))
    assert [(hit.target.id, hit[0].score) for hit in record] == found(expected)


def test_new_qblast_gets_zipped_xml2(url: str, kinase: str, expected: dict[str, Any]) -> None:
    stream = Blast.qblast("blastp", "demo", kinase, url_base=url, hitlist_size=5, format_type="XML2")
    archive = zipfile.ZipFile(io.BytesIO(stream.read()))
    record = Blast.read(io.BytesIO(archive.read(f"{stream.rid}_1.xml")))
    assert [(hit.target.id, hit[0].score) for hit in record] == found(expected)


def test_new_qblast_gets_a_table(url: str, kinase: str, expected: dict[str, Any]) -> None:
    stream = Blast.qblast("blastp", "demo", kinase, url_base=url, hitlist_size=5, format_type="Tabular")
    lines = stream.read().decode().splitlines()
    rows = [line.split("\t") for line in lines if "\t" in line and not line.startswith(("#", "\t"))]
    assert [row[1] for row in rows] == [name for name, _ in found(expected)]
    table = "\n".join("\t".join(row) for row in rows)
    [result] = SearchIO.parse(io.StringIO(table), "blast-tab")
    assert [hit.id for hit in result] == [name for name, _ in found(expected)]


@pytest.mark.parametrize("form", ["Text", "JSON2"])
def test_new_qblast_gets_what_it_insists_on(url: str, kinase: str, form: str) -> None:
    assert Blast.qblast("blastp", "demo", kinase, url_base=url, hitlist_size=5, format_type=form).read()


@pytest.mark.parametrize(
    ("program", "database", "query", "options", "said"),
    [
        ("blastn", "demo", "ACGT", {}, "PROGRAM: only blastp"),
        ("blastp", "nr", "MKV", {}, "DATABASE: no database of this name; there are: demo, tiny"),
        ("blastp", "demo", ">a\nMK@L", {}, "record 1, line 2, column 3: '@' is not an amino acid letter"),
        ("blastp", "demo", "MKV", {"gapcosts": "10 3"}, "GAPCOSTS: no published statistics"),
        ("blastp", "demo", "MKV", {"matrix_name": "<b>"}, "MATRIX: unknown matrix '&lt;b&gt;'"),
        ("blastp", "demo", "MKV", {"hitlist_size": 20000}, "HITLIST_SIZE: "),
        ("blastp", "demo", "M" * 50_001, {}, "max_query_length is 50,001, the limit is 50,000"),
        ("blastp", "demo", "MKV", {"entrez_query": "txid9[ORGN]"}, "ENTREZ_QUERY: no sequence of"),
    ],
)
@pytest.mark.parametrize("qblast", [NCBIWWW.qblast, Blast.qblast])
def test_errors_are_raised_with_their_reason(
    url: str, qblast: Any, program: str, database: str, query: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match="Message ID#") as caught:
        qblast(program, database, query, url_base=url, **options)
    assert said in str(caught.value)
