"""What fuzzing has found, each in plain words: requests that once failed the service, or held it up."""

import base64
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.requests.forms import SLICE
from tests.support.problems import problem
from tests.support.server import Server
from worker.jobs.listing import Listing
from worker.jobs.page_tokens import write_token

SEARCHES = "/v1/searches"
MANY = 15_900_000
"""Bytes: nearly as many as a body may have."""
SLOW_S = 20
"""Each of these took 3 to 13 s of the event loop or of a core, and now takes tenths of one."""


@pytest.fixture(scope="module")
def search(server: Server) -> str:
    """The address of a search that has succeeded."""
    answer = server.post(">q\nMKVLAAGWDEHHKLMNPQRSTVWY", wait=60)
    assert answer.status_code == 200
    return answer.headers["Location"]


def post(http: httpx.Client, body: bytes, media_type: str) -> httpx.Response:
    beside = {"database": "demo"} if media_type == "text/plain" else {}
    return http.post(SEARCHES, params=beside, content=body, headers={"Content-Type": media_type})


@pytest.mark.parametrize("number", [2, 2**63 - 1, 2**63, 10**30])
@pytest.mark.parametrize("more", [{}, {"page_size": 1}])
def test_number_of_a_query_that_there_is_not_however_large(
    http: httpx.Client, search: str, number: int, more: dict[str, int]
) -> None:
    problem(http.get(f"{search}/results", params={"query": number, **more}), 422, "invalid-parameter")


def token(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


TOKENS = ["é", "=", token("[" * 30_000), token("[1e999,0,0]"), token(f"[1{'0' * 400},0,0]"), token("[NaN,0,0]"), "W10"]


@pytest.mark.parametrize("text", TOKENS, ids=range(len(TOKENS)))
def test_page_token_that_is_none(http: httpx.Client, search: str, text: str) -> None:
    for path in (SEARCHES, f"{search}/results"):
        problem(http.get(path, params={"page_token": text}), 422, "invalid-parameter")


@pytest.mark.parametrize("place", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("ids", [None, ("a", "b")])
def test_page_token_with_our_digest_and_a_place_that_is_no_number(
    http: httpx.Client, place: float, ids: tuple[str, ...] | None
) -> None:
    params: dict[str, Any] = {"page_token": write_token(Listing(ids=ids), place, "x"), "id": ids or ()}
    problem(http.get(SEARCHES, params=params), 422, "invalid-parameter")


@pytest.mark.parametrize("place", [-5.0, -1e300])
def test_page_token_before_the_first_id_begins_there(http: httpx.Client, search: str, place: float) -> None:
    ids = (search.rpartition("/")[2], "x")
    listed = http.get(SEARCHES, params={"page_token": write_token(Listing(ids=ids), place, "x"), "id": ids})
    assert [item["id"] for item in listed.json()["items"]] == [ids[0]]


@pytest.mark.parametrize("moment", ["0.5", "1e3", "-1", "1700000000"])
def test_time_of_creation_is_a_date_and_no_number(http: httpx.Client, moment: str) -> None:
    problem(http.get(SEARCHES, params={"created_after": moment}), 422, "invalid-parameter")


@pytest.mark.parametrize("fields", [{"alignments": False}, {"evalue": True}, {"score_distribution": 1}, {"title": 0}])
def test_truth_is_no_number_and_a_number_no_truth(http: httpx.Client, fields: dict[str, Any]) -> None:
    answer = http.post(SEARCHES, json={"sequence": "MKV", "database": "demo", **fields})
    [error] = problem(answer, 422, "invalid-parameter")["errors"]
    assert [error["pointer"]] == [f"/{name}" for name in fields]


def test_wide_table_is_refused_before_it_is_written(http: httpx.Client, search: str) -> None:
    def table(columns: int) -> httpx.Response:
        return http.get(f"{search}/results", params={"format": "tab", "columns": ",".join(["qseq"] * columns)})

    assert table(100).status_code == 200
    problem(table(101), 422, "invalid-parameter")


@pytest.mark.parametrize("charset", ["undefined", "punycode", "unicode_escape", "utf-16", "latin-1", "no-such-set"])
@pytest.mark.parametrize("path", [SEARCHES, "/ticket", "/Blast.cgi", "/rest/ncbiblast/run", "/"])
def test_form_in_another_character_set(http: httpx.Client, charset: str, path: str) -> None:
    fields = {"sequence": b"MKV\xff\\ud800", "CMD": b"Get", "RID": b"\\ud800"}
    parts = "".join(f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n%s\r\n' for name in fields)
    body = (parts.encode() + b"--b--\r\n") % tuple(fields.values())
    media_type = f"multipart/form-data; boundary=b; charset={charset}"
    assert http.post(path, content=body, headers={"Content-Type": media_type}).status_code == 400


HEAVY: dict[str, Callable[[], tuple[bytes, str, int]]] = {
    "only headers": lambda: (b">\n" * (MANY // 2), "text/plain", 413),
    "a million records": lambda: (b">\nM\n" * (MANY // 4), "text/plain", 413),
    "empty lines": lambda: (b"\n" * MANY, "text/plain", 422),
    "old Macintosh line ends": lambda: (b"\r" * MANY, "text/plain", 422),
    "a residue a line and a wrong one at the end": lambda: (b"M\n" * (MANY // 2) + b"@", "text/plain", 422),
    "one long header": lambda: (b">" + b"x" * MANY + b"\nM", "text/plain", 422),
    "ampersands": lambda: (b"&" * MANY, "application/x-www-form-urlencoded", 400),
    "escapes": lambda: (b"sequence=" + b"%41" * (MANY // 3), "application/x-www-form-urlencoded", 422),
    "a million fields": lambda: (
        b"{" + b",".join(b'"%x":1' % n for n in range(1_000_000)) + b"}",
        "application/json",
        400,
    ),
    "millions of lists": lambda: (b'{"sequence":[' + b"[]," * (MANY // 3 - 9) + b"[]]}", "application/json", 400),
    "deep lists": lambda: (b"[" * MANY, "application/json", 400),
    "a number without end": lambda: (b'{"evalue":' + b"1" * MANY + b"}", "application/json", 400),
    "a string without end": lambda: (b'"' + b'\\"' * (MANY // 2), "application/json", 400),
}
"""Each is made where it is sent: together they have 200 MB."""


@pytest.mark.parametrize("name", HEAVY)
def test_heavy_body_is_refused_at_little_cost(server: Server, http: httpx.Client, name: str) -> None:
    body, media_type, status = HEAVY[name]()
    [front_end] = server.pids("app")
    Path(f"/proc/{front_end}/clear_refs").write_text("5")
    before, started = peak_kilobytes(front_end), time.monotonic()
    assert post(http, body, media_type).status_code == status
    assert time.monotonic() - started < SLOW_S
    assert peak_kilobytes(front_end) - before < 25 * MANY / 1000


def peak_kilobytes(process: int) -> int:
    """The most memory that a process has had since it was last asked to forget that."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


@pytest.mark.parametrize("blanks", range(SLICE - 12, SLICE - 8))
def test_escapes_are_read_wherever_a_slice_of_a_form_ends(http: httpx.Client, blanks: int) -> None:
    body = b"database=demo&sequence=" + b"+" * blanks + b"%4D%4B%56" + b"+" * SLICE + b"%4c%41"
    media_type = {"Content-Type": "application/x-www-form-urlencoded"}
    assert http.post(f"{SEARCHES}:estimate", content=body, headers=media_type).json()["residues"] == 5


def test_json_with_blanks_and_long_strings_is_no_heavy_body(http: httpx.Client) -> None:
    fields = {"sequence": "M" * 40_000, "database": "demo", "title": '"quoted" \\ {[:,]}' + "," * 100}
    body = json.dumps(fields).encode().ljust(1_000_000)
    media_type = {"Content-Type": "application/json"}
    assert http.post(f"{SEARCHES}:estimate", content=body, headers=media_type).json()["residues"] == 40_000
