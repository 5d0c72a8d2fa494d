"""NCBI's URL API itself: the comments that clients look for, statuses, errors, and what holds in every dialect."""

import asyncio
import io
import json
import re
import threading
import zipfile
from pathlib import Path
from typing import Any

import Bio
import httpx
import pytest
from lxml import etree

from app.compat.ncbi import routes as ncbi
from app.main import create_app
from tests.support.server import Server
from worker.settings import Settings

PATH = "/Blast.cgi"
SCHEMA = Path(Bio.__file__).with_name("Entrez") / "XSDs" / "NCBI_BlastOutput2.xsd"
MADE_UP = "MKWVTFISLLFLFSSAYSRGVFRRDAHK"


def put(http: httpx.Client, query: str, **fields: Any) -> str:
    """The RID of a search."""
    body = {"CMD": "Put", "PROGRAM": "blastp", "DATABASE": "demo", "QUERY": query, **fields}
    return rid_in(http.post(PATH, data=body))


def rid_in(reply: httpx.Response) -> str:
    found = re.search(r"<!--QBlastInfoBegin\n    RID = (\w{11})\n    RTOE = [1-9]\d*\nQBlastInfoEnd\n-->", reply.text)
    assert found, reply.text
    return found[1]


def get(http: httpx.Client, rid: str, **fields: Any) -> httpx.Response:
    return http.get(PATH, params={"CMD": "Get", "RID": rid, **fields})


def status_in(reply: httpx.Response) -> str:
    found = re.search(r"QBlastInfoBegin\n\tStatus=(\w+)\n", reply.text)
    assert found, reply.text
    return found[1]


def ask(server: Server, path: str, root_path: str = "") -> httpx.Response:
    """What a front end in this process answers, over the server's queue and data."""

    async def answered() -> httpx.Response:
        redis = server.redis.connection_pool.connection_kwargs
        app = create_app(Settings(redis_url=f"unix://{redis['path']}", data=server.data, root_path=root_path))
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.get(path)

    return asyncio.run(answered())


@pytest.fixture(scope="module")
def rid(http: httpx.Client, kinase: str) -> str:
    """A search that has ended, of at most five hits."""
    done = put(http, kinase, HITLIST_SIZE="5")
    assert status_in(get(http, done, FORMAT_OBJECT="SearchInfo")) == "READY"
    return done


def test_put_by_get_and_by_every_form_is_the_same_search(http: httpx.Client, kinase: str, rid: str) -> None:
    fields = {"cmd": "put", "PROGRAM": "BLASTP", "DATABASE": "demo", "QUERY": kinase, "HITLIST_SIZE": "5"}
    rest = {name: value for name, value in fields.items() if name != "QUERY"}
    replies = [
        http.get(PATH, params=fields),
        http.post(PATH, params=fields),
        http.post(PATH, data=fields),
        http.post(PATH, data=rest, files={"QUERY": ("q.fasta", kinase)}),
    ]
    assert {rid_in(reply) for reply in replies} == {rid}


def test_search_info_says_whether_there_are_hits(http: httpx.Client, rid: str) -> None:
    reply = get(http, rid, FORMAT_OBJECT="SearchInfo")
    assert "\tStatus=READY\n\tThereAreHits=yes\nQBlastInfoEnd" in reply.text
    none = put(http, "PPPPPPPPPP", EXPECT="1e-50")
    assert "\tThereAreHits=no\n" in get(http, none, FORMAT_OBJECT="SearchInfo").text


def test_searchs_own_id_is_a_rid_too(server: Server, http: httpx.Client, kinase: str, rid: str) -> None:
    search = server.search(kinase, max_target_seqs=5, statistics="table", order="score")["search"]
    ours = get(http, search, FORMAT_TYPE="JSON2_S").json()["BlastOutput2"][0]["report"]["results"]["search"]
    theirs = get(http, rid, FORMAT_TYPE="JSON2_S").json()["BlastOutput2"][0]["report"]["results"]["search"]
    assert ours["hits"] == theirs["hits"] != []


@pytest.mark.parametrize("statistics", ["fitted", "none"])
def test_xml2_of_a_search_without_published_parameters_is_valid(
    server: Server, http: httpx.Client, kinase: str, statistics: str
) -> None:
    search = server.search(kinase, max_target_seqs=5, statistics=statistics)["search"]
    document = etree.fromstring(get(http, search, FORMAT_TYPE="XML2_S").content)
    schema = etree.XMLSchema(etree.parse(str(SCHEMA)))
    assert schema.validate(document), schema.error_log


@pytest.mark.parametrize(
    ("form", "media_type", "beginning"),
    [
        ("XML", "application/xml", b"<?xml "),
        ("XML2", "application/zip", b"PK\x03\x04"),
        ("XML2_S", "application/xml", b"<?xml "),
        ("JSON2", "application/zip", b"PK\x03\x04"),
        ("JSON2_S", "application/json", b'{"BlastOutput2":['),
        ("Text", "text/plain", b"<p><!--\nQBlastInfoBegin"),
        ("Tabular", "text/plain", b"<p><!--\nQBlastInfoBegin"),
        ("CSV", "text/csv", b"sp|Q9DC28|KC1D_MOUSE,"),
        ("HTML", "text/html", b"<!DOCTYPE html>"),
    ],
)
def test_formats(http: httpx.Client, rid: str, form: str, media_type: str, beginning: bytes) -> None:
    reply = get(http, rid, FORMAT_TYPE=form)
    assert reply.status_code == 200
    assert reply.headers["Content-Type"].partition(";")[0] == media_type
    assert reply.content.startswith(beginning)


def test_zipped_json_is_named_by_the_rid(http: httpx.Client, rid: str) -> None:
    reply = get(http, rid, FORMAT_TYPE="JSON2", ALIGNMENTS="2")
    assert f'filename="{rid}.zip"' in reply.headers["Content-Disposition"]
    archive = zipfile.ZipFile(io.BytesIO(reply.content))
    [named] = json.loads(archive.read(f"{rid}.json"))["BlastJSON"]
    found = json.loads(archive.read(named["File"]))["BlastOutput2"]["report"]["results"]["search"]
    assert len(found["hits"]) == 2


def test_text_has_as_many_descriptions_and_alignments_as_asked_for(http: httpx.Client, rid: str) -> None:
    text = get(http, rid, FORMAT_TYPE="Text", DESCRIPTIONS="4", ALIGNMENTS="2").text
    assert len(re.findall(r"^sp\|\S+ .*\d +$", text, re.MULTILINE)) == 4
    assert len(re.findall(r"^>sp\|", text, re.MULTILINE)) == 2


def test_unknown_rid_is_told_from_a_page_and_by_status(http: httpx.Client) -> None:
    info = get(http, "ABCDEFGH123", FORMAT_OBJECT="SearchInfo")
    assert (info.status_code, status_in(info)) == (200, "UNKNOWN")
    result = get(http, "ABCDEFGH123", FORMAT_TYPE="XML")
    assert (result.status_code, status_in(result)) == (404, "UNKNOWN")


def test_search_that_has_not_ended_is_waiting(
    server: Server, long_search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ncbi, "HELD_S", 0)
    for fields in ("FORMAT_OBJECT=SearchInfo", "FORMAT_TYPE=XML"):
        reply = ask(server, f"{PATH}?CMD=Get&RID={long_search}&{fields}")
        assert (reply.status_code, status_in(reply)) == (200, "WAITING")
        # By this Biopython knows that it has to ask again.
        assert reply.text.startswith("<!DOCTYPE html")


def test_get_hears_the_end_and_tells_of_a_search_that_was_cancelled(
    server: Server, http: httpx.Client, long_search: str
) -> None:
    server.until_running(long_search)
    replies: list[httpx.Response] = []

    def wait() -> None:
        with server.http as own:
            replies.append(get(own, long_search, FORMAT_TYPE="XML"))

    waiting = threading.Thread(target=wait)
    waiting.start()
    http.post(f"/v1/searches/{long_search}:cancel")
    waiting.join()
    assert (replies[0].status_code, status_in(replies[0])) == (409, "FAILED")
    info = get(http, long_search, FORMAT_OBJECT="SearchInfo")
    assert (info.status_code, status_in(info)) == (200, "FAILED")


def test_deleted_search_is_gone(http: httpx.Client) -> None:
    rid = put(http, "MKVLAAGIWCHEDELETED")
    assert "removed" in http.get(PATH, params={"CMD": "Delete", "RID": rid}).text
    assert status_in(get(http, rid, FORMAT_OBJECT="SearchInfo")) == "UNKNOWN"
    again = http.get(PATH, params={"CMD": "Delete", "RID": rid})
    assert (again.status_code, "Message ID#" in again.text) == (404, True)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "CMD: it is missing"),
        ({"CMD": "Web"}, "CMD: Put, Get and Delete are known here"),
        ({"CMD": "Get"}, "RID: it is missing"),
        ({"CMD": "Get", "RID": "RID", "FORMAT_TYPE": "ASN.1"}, "FORMAT_TYPE: "),
        ({"CMD": "Get", "RID": "RID", "FORMAT_OBJECT": "PSSM"}, "FORMAT_OBJECT: "),
        ({"CMD": "Get", "RID": "RID", "ALIGNMENTS": "<i>"}, "ALIGNMENTS: a whole number is needed"),
    ],
)
def test_wrong_get_has_a_status_that_stops_clients(
    http: httpx.Client, rid: str, fields: dict[str, str], said: str
) -> None:
    reply = http.get(PATH, params={name: value.replace("RID", rid) for name, value in fields.items()})
    assert reply.status_code == 422
    assert f"Error: {said}" in reply.text
    assert "<i>" not in reply.text


def test_field_with_two_values_is_refused(http: httpx.Client, rid: str) -> None:
    for reply in (
        http.get(f"{PATH}?CMD=Get&RID={rid}&cmd=Delete"),
        http.post(f"{PATH}?CMD=Get", data={"CMD": "Delete", "RID": rid}),
    ):
        assert (reply.status_code, "Error: CMD: this field was sent twice" in reply.text) == (422, True)
    assert http.get(f"{PATH}?CMD=Get&RID={rid}").status_code == 200


def test_form_that_cannot_be_read_is_refused_as_clients_read_it(http: httpx.Client) -> None:
    reply = http.post(PATH, content=b"abc", headers={"Content-Type": "multipart/form-data"})
    assert (reply.status_code, "Error: Missing boundary" in reply.text) == (400, True)


def test_body_past_the_limit_is_413(http: httpx.Client) -> None:
    reply = http.post(PATH, data={"CMD": "Put", "QUERY": "M" * 16_000_001})
    assert reply.status_code == 413


def test_service_below_a_sub_path(server: Server, rid: str) -> None:
    reply = ask(server, f"/lab{PATH}?CMD=Get&RID={rid}&FORMAT_OBJECT=SearchInfo", root_path="/lab")
    assert status_in(reply) == "READY"


def test_nothing_of_a_sequence_is_logged(server: Server, http: httpx.Client) -> None:
    put(http, MADE_UP)
    http.get(PATH, params={"CMD": "Put", "PROGRAM": "blastp", "DATABASE": MADE_UP, "QUERY": f"{MADE_UP}@"})
    http.post("/rest/ncbiblast/run", data={"database": "demo", "sequence": f">x\n{MADE_UP}@"})
    http.post("/ticket", data={"database[]": MADE_UP, "q": MADE_UP})
    assert MADE_UP[:12] not in "".join(server.lines)
