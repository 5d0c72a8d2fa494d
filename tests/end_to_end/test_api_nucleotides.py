"""A service over nucleotides alone: they are given out and aligned, and no way leads to a search of them."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from shardwater.database.build import build_database
from tests.support.command_line import here, refused
from tests.support.problems import problem
from tests.support.server import Server, running

LETTERS = "ACGTTGCATTGACCAGTCCATGATTACAGGRYN" * 5
TEXT = f">chr1 the first\n{LETTERS}\n>chr2\n{LETTERS[40:120].lower()}\n"
WAIT = {"Prefer": "wait=60"}
REFUSED = "database chromosomes is of nucleotides: proteins alone are searched"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nucleotides")
    (folder / "x.fa").write_text(TEXT)
    build_database([folder / "x.fa"], folder / "data", name="chromosomes", title="Two", alphabet="dna")
    return folder / "data"


@pytest.fixture(scope="module")
def http(data: Path) -> Iterator[httpx.Client]:
    with running(Server(data)) as server, server.http as client:
        yield client


def test_database_says_its_alphabet_and_is_ready_without_workers(http: httpx.Client) -> None:
    [database] = http.get("/v1/databases").json()["items"]
    assert (database["name"], database["alphabet"], database["state"]) == ("chromosomes", "dna", "ready")
    assert http.get("/readyz").json() == {"ready": True, "shards": []}
    assert [each["database"] for each in http.get("/v1/workers").json()["items"]] == [None]
    figures = http.get("/metrics").text
    assert 'shardwater_database_info{name="chromosomes"' in figures
    assert "shardwater_shard_ready{" not in figures


def test_sequences_are_given_out_with_their_letters(http: httpx.Client) -> None:
    place = "/v1/databases/chromosomes/sequences"
    lines = [LETTERS[at : at + 60] for at in range(0, len(LETTERS), 60)]
    assert http.get(f"{place}/chr1").text == "\n".join([">chr1 the first", *lines, ""])
    one = {"accession": "chr1", "title": "the first", "length": len(LETTERS), "sequence": LETTERS}
    assert http.get(f"{place}/chr1", params={"format": "json"}).json() == one
    both = http.post(f"{place}:batchGet", json={"accessions": ["chr2", "chr1"]}, headers={"Accept": "application/json"})
    assert [each["sequence"] for each in both.json()["items"]] == [LETTERS[40:120].lower(), LETTERS]


def test_sequences_are_listed_in_pages(http: httpx.Client) -> None:
    place = "/v1/databases/chromosomes/sequences"
    first = http.get(f"{place}?page_size=1")
    assert first.json()["items"] == [{"accession": "chr2", "title": "", "length": 80}]
    assert first.headers["X-Total-Results"] == "2"
    rest = http.get(first.headers["Link"].partition(">")[0].removeprefix("<")).json()
    assert rest == {
        "items": [{"accession": "chr1", "title": "the first", "length": len(LETTERS)}],
        "next_page_token": "",
    }
    assert len(http.get(place).json()["items"]) == 2
    problem(http.get(f"{place}?page_token=x"), 422, "invalid-parameter")
    problem(http.get("/v1/databases/none/sequences"), 404, "not-found")


def test_records_are_sources_of_pairs_and_tell_the_alphabet(http: httpx.Client) -> None:
    source = {"database": "chromosomes", "accessions": ["chr2"]}
    body = {"queries": source, "subjects": {"database": "chromosomes", "accessions": ["chr1"]}}
    [pair] = http.post("/v1/alignments", json=body, headers=WAIT).json()["alignments"]
    # Of 80 letters six are codes of IUPAC, which equal nothing.
    assert (pair["score"], pair["query_from"], pair["query_to"]) == (2 * 74 - 6, 1, 80)
    mixed = http.post("/v1/alignments", json={"queries": source, "subjects": ">s\nACGEN\n"})
    error = problem(mixed, 422, "invalid-sequence")["errors"][0]
    assert (error["pointer"], error["detail"]) == ("/subjects", "'E' is no letter of DNA: this looks like a protein")


def test_alphabet_that_is_not_the_databases_is_refused(http: httpx.Client) -> None:
    source = {"database": "chromosomes", "accessions": ["chr2"]}
    reply = http.post("/v1/alignments", json={"queries": source, "subjects": source, "matrix": "BLOSUM62"})
    error = problem(reply, 422, "invalid-parameter")["errors"][0]
    assert (error["pointer"], error["detail"]) == ("/queries", "database chromosomes is of DNA, not of proteins")


@pytest.mark.parametrize("route", ["/v1/searches", "/v1/searches:estimate"])
def test_search_is_refused(http: httpx.Client, route: str) -> None:
    reply = http.post(route, json={"sequence": ">q\nMKVLAAGW\n", "database": "chromosomes"})
    error = problem(reply, 422, "invalid-parameter")["errors"][0]
    assert (error["pointer"], error["detail"]) == ("/database", REFUSED)


def test_older_interfaces_refuse_it_and_do_not_list_it(http: httpx.Client) -> None:
    assert http.get("/databases").json() == {"databases": []}
    ticket = http.post("/ticket", data={"q": ">q\nMKVLAAGW", "database[]": "chromosomes"})
    assert (ticket.status_code, REFUSED in ticket.text) == (400, True)
    ncbi = {"CMD": "Put", "PROGRAM": "blastp", "DATABASE": "chromosomes", "QUERY": "MKVLAAGW"}
    assert REFUSED in http.post("/Blast.cgi", data=ncbi).text
    ebi = "/rest/ncbiblast"
    assert "chromosomes" not in http.get(f"{ebi}/parameterdetails/database").text
    asked = {"email": "a@b.org", "program": "blastp", "stype": "protein", "database": "chromosomes"}
    run = http.post(f"{ebi}/run", data={**asked, "sequence": "MKVLAAGW"})
    assert (run.status_code, REFUSED in run.text) == (400, True)


def test_page_offers_it_to_no_search(http: httpx.Client) -> None:
    page = http.get("/", headers={"Accept": "text/html"}).text
    boot = page.partition('"databases": ')[2] or page.partition('"databases":')[2]
    assert boot.startswith("[]")


def test_command_line_refuses_a_search_and_gives_its_sequences(data: Path, tmp_path: Path) -> None:
    (tmp_path / "q.fa").write_text(">q\nMKVLAAGWDEHHKLMNPQRSTVWY\n")
    place = ("-db", "chromosomes", "--data", data)
    assert refused(here("search", "-query", tmp_path / "q.fa", *place)) == REFUSED
    (tmp_path / "listed").write_text("chr1\n")
    listed = here("search", "-query", tmp_path / "q.fa", *place, "-seqidlist", tmp_path / "listed")
    assert refused(listed) == REFUSED
    assert here("sequence", "chr1", *place).stdout.startswith(">chr1 the first\nACGTTGCATT")
    assert "2 sequences (dna), current" in here("doctor", "--data", data).stdout
    assert here("db", "list", "--data", data, environment={"COLUMNS": "200"}).stdout.splitlines()[1].split()[3] == "dna"
