"""The interfaces beside openapi.json, and the page: whatever is sent, the service stands and says what is wrong."""

import string
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.cases import cases
from tests.support.server import Server

# ruff: noqa: SIM905  words in a row are easier to read than a list of them

NAMES = """
CMD QUERY DATABASE PROGRAM EXPECT GAPCOSTS MATRIX HITLIST_SIZE RID FORMAT_TYPE FORMAT_OBJECT DESCRIPTIONS ALIGNMENTS
ALIGNMENT_VIEW PERC_IDENT JOB_TITLE FILTER ENTREZ_QUERY email program stype sequence database matrix gapopen gapext exp
expupperlim scores alignments title seqrange q database[] mode tickets[] taxfilter
""".split()
VALUES = """
env nofilter env-notemplates pairgreedy-paircomplete
Put Get Delete blastp demo protein ncbiblast fasta ssearch BLOSUM62 BL50 BLOSUM45 all true false SearchInfo Alignment
HTML Text XML XML2 XML2_S JSON2 JSON2_S Tabular 10 0 -1 1e-3 1e400 nan inf 11+1 (11,1) 99999999999 ١ MKV >q
""".split()

nonsense = st.text(st.characters(codec="utf-8"), max_size=20)
WORKING: dict[str, list[dict[str, str]]] = {
    "/Blast.cgi": [
        {"CMD": "Put", "PROGRAM": "blastp", "DATABASE": "demo", "QUERY": "MKVLAAGW"},
        {"CMD": "Get", "RID": "x", "FORMAT_TYPE": "XML"},
        {"CMD": "Delete", "RID": "x"},
    ],
    "/rest/ncbiblast/run": [{"email": "a@b.c", "stype": "protein", "sequence": "MKVLAAGW", "database": "demo"}],
    "/rest/fasta/run": [{"email": "a@b.c", "stype": "protein", "sequence": "MKVLAAGW", "database": "demo"}],
    "/ticket": [{"q": "MKVLAAGW", "database[]": "demo", "mode": "all"}],
    "/ticket/msa": [{"q": ">101\nMKVLAAGW\n", "mode": "all"}],
    "/ticket/pair": [{"q": ">101\nMKVLAAGW\n>102\nMKVL\n", "mode": "pairgreedy"}],
    "/tickets": [{"tickets[]": "x"}],
    "/": [{"sequence": "MKVLAAGW", "database": "demo"}],
}
"""Requests that work, to be spoilt."""


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    """A path and fields: those of a working request with some left out, changed, given twice or made up."""
    path = draw(st.sampled_from(list(WORKING)))
    fields = list(draw(st.sampled_from(WORKING[path])).items())
    for _ in range(draw(st.integers(0, 4))):
        one = draw(st.tuples(st.sampled_from(NAMES) | nonsense, st.sampled_from(VALUES) | nonsense))
        place = draw(st.integers(0, len(fields)))
        fields[place : place + draw(st.integers(0, 1))] = [one]
    return path, fields


@pytest.fixture(scope="module")
def names(server: Server) -> list[str]:
    """What stands for a finished search in each interface, and what is nearly that."""
    with server.http as http:
        ticket = http.post("/ticket", data={"q": ">a\nMKVLAAGWDEHH\n>b\nMKVL", "database[]": "demo"}).json()["id"]
        page = http.post("/Blast.cgi", data=WORKING["/Blast.cgi"][0] | {"QUERY": "MKVLAAGWDEHH"}).text
        rid = page.partition("RID = ")[2].split()[0]
        job = http.post("/rest/fasta/run", data=WORKING["/rest/fasta/run"][0] | {"sequence": "MKVLAAGWDEHH"}).text
        http.get("/Blast.cgi", params={"CMD": "Get", "RID": rid})
    search = job.partition("-")[2]
    return [ticket, rid, job, search, f"ncbiblast-{search}", rid.lower(), search[:-1], "x"]


PATHS = """
/ticket/{} /ticket/type/{} /result/{}/query /result/{}/{} /result/download/{} /result/queries/{}/{}/{} /databases
/rest/ncbiblast/status/{} /rest/fasta/status/{} /rest/fasta/resulttypes/{} /rest/fasta/result/{}/{} /rest/{}/parameters
/rest/fasta/parameterdetails/{} /searches/{} /searches/{}?x={} /Blast.cgi?CMD=Get&RID={}&FORMAT_TYPE={}
/Blast.cgi?CMD=Get&RID={}&FORMAT_OBJECT=SearchInfo /Blast.cgi?CMD=Get&RID={}&FORMAT_TYPE=XML2&ALIGNMENTS={}
/{} /?edit={} /?database={}&accession={}
""".split()
ACCEPT = st.fixed_dictionaries({}, optional={"Accept": st.sampled_from(["*/*", "application/json", "text/html"])})
METHODS = st.sampled_from(["GET", "GET", "HEAD"])

PIECES = st.sampled_from([
    *(b"--b", b"--b--", b"\r\n", b"\r", b"\n", b":", b"=", b"&", b"%", b"%4", b"%00", b'"', b"{", b"[", b"\\", b"\xff"),
    *(b"\0", b"MKV", b"sequence", b"database=demo", b'Content-Disposition: form-data; name="sequence"'),
    *(b'Content-Disposition: form-data; name="x"; filename="y"', b"Content-Type: text/plain"),
])  # fmt: skip
MEDIA_TYPES = st.sampled_from([
    *("multipart/form-data; boundary=b", "multipart/form-data", "multipart/form-data; boundary=", "", "text/plain"),
    *('multipart/form-data; boundary="b"; charset=utf-7', "application/x-www-form-urlencoded", "application/json"),
    *("text/x-fasta", "APPLICATION/JSON;;"),
])  # fmt: skip


def check(response: httpx.Response) -> None:
    """No reply may be a failure of the server; one that refuses says why."""
    assert response.status_code < 500, (response.request.url, response.text)
    assert response.headers["X-Request-ID"]
    if response.status_code >= 400 and response.request.method != "HEAD":
        assert response.content


def send(http: httpx.Client, path: str, fields: list[tuple[str, str]], way: str) -> httpx.Response:
    if way == "query":
        return http.get(path, params=fields)
    if way == "urlencoded":
        body = httpx.QueryParams(fields)
        return http.post(path, content=str(body), headers={"Content-Type": "application/x-www-form-urlencoded"})
    return http.post(path, files=[(name, (None, value)) for name, value in fields] or [("x", (None, ""))])


@given(request=spoilt(), way=st.sampled_from(["query", "urlencoded", "multipart"]))
@cases(70)
def test_spoilt_fields_are_refused_or_done(http: httpx.Client, request: Any, way: str) -> None:
    path, fields = request
    check(send(http, path, fields, way))


@given(data=st.data())
@cases(70)
def test_any_address_is_answered(http: httpx.Client, names: list[str], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(PATHS))
    words = st.sampled_from([*names, *VALUES]) | st.integers().map(str) | nonsense
    parts = [str(httpx.QueryParams({"": data.draw(words)}))[1:].replace("+", "%20") for _ in range(path.count("{}"))]
    check(http.request(data.draw(METHODS), path.format(*parts), headers=data.draw(ACCEPT)))


@given(
    path=st.sampled_from(["/v1/searches", *WORKING]),
    body=st.lists(PIECES | st.binary(max_size=5), max_size=30).map(b"".join),
    media_type=MEDIA_TYPES | st.text(string.printable.strip(), max_size=30),
)
@cases(80)
def test_any_body_is_read_or_refused(http: httpx.Client, path: str, body: bytes, media_type: str) -> None:
    check(http.post(path, content=body, headers={"Content-Type": media_type}))
