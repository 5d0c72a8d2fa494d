"""MMseqs2-App's tickets: several databases in one, polled and fetched."""

import io
import tarfile
from typing import Any

import httpx
import pytest

from tests.support.server import Server

BOTH = ["demo", "tiny"]
OPTIONS: dict[str, Any] = {
    "evalue": 0.001,
    "max_target_seqs": 300,
    "alignments": 300,
    "statistics": "table",
    "order": "score",
}


def until_done(http: httpx.Client, ticket: dict[str, str]) -> str:
    while ticket["status"] in ("PENDING", "RUNNING"):
        ticket = http.get(f"/ticket/{ticket['id']}").json()
    assert ticket["status"] == "COMPLETE"
    return ticket["id"]


@pytest.fixture(scope="module")
def ticket(http: httpx.Client, queries: str) -> str:
    reply = http.post("/ticket", data={"q": queries, "database[]": BOTH, "mode": "all"})
    return until_done(http, reply.json())


@pytest.fixture(scope="module")
def ours(server: Server, queries: str) -> dict[str, Any]:
    """The same by our own interface, by database."""
    return {name: server.search(queries, **OPTIONS, database=name)["results"] for name in BOTH}


def test_databases_are_listed(http: httpx.Client) -> None:
    databases = http.get("/databases").json()["databases"]
    assert [(each["path"], each["default"], each["status"]) for each in databases] == [
        ("demo", True, "COMPLETE"),
        ("tiny", False, "COMPLETE"),
    ]


def test_the_same_question_has_the_same_ticket_in_every_form(http: httpx.Client, queries: str, ticket: str) -> None:
    assert len(ticket) == 38
    form = {"database[]": BOTH, "email": "a@b.org"}
    again = http.post("/ticket", data=form, files={"q": ("q.fasta", queries)})
    assert again.json() == {"id": ticket, "status": "COMPLETE"}
    other = http.post("/ticket", data={"q": queries, "database[]": "tiny"}).json()
    assert until_done(http, other) != ticket


def test_states_of_several_tickets(http: httpx.Client, ticket: str) -> None:
    reply = http.post("/tickets", data={"tickets[]": [ticket, "A" * 38]})
    assert reply.json() == [{"id": ticket, "status": "COMPLETE"}, {"id": "A" * 38, "status": "UNKNOWN"}]
    assert http.get(f"/ticket/type/{ticket}").json() == {"type": "search"}


@pytest.mark.parametrize("entry", range(4))
def test_result_is_what_was_found(http: httpx.Client, ticket: str, ours: dict[str, Any], entry: int) -> None:
    result = http.get(f"/result/{ticket}/{entry}").json()
    assert [each["db"] for each in result["results"]] == BOTH
    for each in result["results"]:
        one = ours[each["db"]][entry]
        assert result["queries"][0]["header"].split()[0] == one["query"]["id"]
        assert len(result["queries"][0]["sequence"]) == one["query"]["length"]
        for theirs, hit in zip(each["alignments"][0], one["hits"], strict=True):
            hsp = hit["hsps"][0]
            assert (theirs["target"], theirs["eval"], theirs["score"]) == (
                hit["accession"], hit["evalue"], int(hit["bits"]),
            )  # fmt: skip
            assert (theirs["qStartPos"], theirs["dbEndPos"]) == (hsp["query_from"], hsp["hit_to"])
            assert (theirs["qAln"], theirs["dbAln"]) == (hsp["qseq"], hsp["hseq"])
            assert theirs["alnLength"] == hsp["align_len"]
            assert theirs["missmatches"] == hsp["align_len"] - hsp["identity"] - hsp["gaps"]


def test_result_of_one_database(http: httpx.Client, ticket: str) -> None:
    result = http.get(f"/result/{ticket}/0", params={"database": "tiny"}).json()
    assert [each["db"] for each in result["results"]] == ["tiny"]


def test_query_without_hits_has_no_alignments(http: httpx.Client) -> None:
    found = until_done(http, http.post("/ticket", data={"q": "PPPPPPPP", "database[]": "tiny"}).json())
    [result] = http.get(f"/result/{found}/0").json()["results"]
    assert result == {"db": "tiny", "alignments": [], "taxonomyreports": []}


def test_download_has_a_table_for_each_database(http: httpx.Client, ticket: str, ours: dict[str, Any]) -> None:
    reply = http.get(f"/result/download/{ticket}")
    assert f'filename="mmseqs_results_{ticket}.tar.gz"' in reply.headers["Content-Disposition"]
    with tarfile.open(fileobj=io.BytesIO(reply.content), mode="r:gz") as archive:
        assert archive.getnames() == ["alis_demo.m8", "alis_tiny.m8"]
        for name in BOTH:
            file = archive.extractfile(f"alis_{name}.m8")
            assert file is not None
            rows = [line.split("\t") for line in file.read().decode().splitlines()]
            assert {len(row) for row in rows} == {16}
            assert [(row[0], row[1], row[14]) for row in rows] == [
                (one["query"]["id"], hit["accession"], hit["hsps"][0]["qseq"])
                for one in ours[name]
                for hit in one["hits"]
            ]


def test_queries_are_listed_by_pages(http: httpx.Client, ticket: str, queries: str) -> None:
    first, second = (http.get(f"/result/queries/{ticket}/3/{page}").json() for page in (0, 1))
    assert [each["id"] for page in (first, second) for each in page["lookup"]] == [0, 1, 2, 3]
    assert (first["hasNext"], second["hasNext"]) == (True, False)
    assert http.get(f"/result/{ticket}/query").text == queries


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"q": "MKV"}, "database[]: it is missing"),
        ({"database[]": "tiny"}, "q: it is missing"),
        ({"q": "MKV", "database[]": ["tiny", "nr"]}, "no database of this name; there are: demo, tiny"),
        ({"q": "MK?", "database[]": "tiny"}, "record 1, line 1, column 3: '?' is not an amino acid letter"),
        ({"q": "MKV", "database[]": "tiny", "mode": "summary"}, "mode: "),
        (
            {"q": "MKV", "database[]": "tiny", "taxfilter": "9606"},
            "taxfilter: no sequence of database tiny has a taxid",
        ),
        ({"q": "MKV", "database[]": "tiny", "taxfilter": "x"}, "taxfilter: taxids are needed, as 9606,10090"),
    ],
)
def test_errors_are_text_with_400(http: httpx.Client, fields: dict[str, Any], said: str) -> None:
    reply = http.post("/ticket", data=fields)
    assert (reply.status_code, reply.headers["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert reply.text.startswith(said)


@pytest.mark.parametrize(
    "path", ["{}/4", "{}/-1", "{}/first", "{}/0?database=nr", "x/0", "download/x", "queries/{}/0/0"]
)
def test_what_is_not_there_is_400(http: httpx.Client, ticket: str, path: str) -> None:
    assert http.get(f"/result/{path.format(ticket)}").status_code == 400


def test_ticket_of_a_search_that_was_cancelled_is_an_error(server: Server, http: httpx.Client) -> None:
    q = "".join(f">long{number}\n{'MKVLAAGWY' * 4000}\n" for number in range(4))
    ticket = http.post("/ticket", data={"q": q, "database[]": BOTH}).json()
    assert ticket["status"] in ("PENDING", "RUNNING")
    running = server.post(q, **OPTIONS, database="demo").json()["id"]
    assert http.post(f"/v1/searches/{running}:cancel").status_code == 202
    assert http.get(f"/ticket/{ticket['id']}").json()["status"] == "ERROR"
    http.delete(f"/v1/searches/{running}")
    assert http.get(f"/ticket/{ticket['id']}").json()["status"] == "UNKNOWN"
    other = server.post(q, **OPTIONS, database="tiny").json()["id"]
    http.delete(f"/v1/searches/{other}")
