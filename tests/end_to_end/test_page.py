"""The page as the server sends it: by itself, below any sub-path, shut to strangers' scripts, and JSON for programs."""

import asyncio
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from lxml import html

from app.requests.forms import MAX_PREFILLED
from app.requests.large_bodies import LARGE
from app.routes.forms import FORMS
from shardwater.database.catalog import Catalog
from tests.support.server import PATIENCE_S, Server

TINY = ">q\nMKVLAAGW"
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
UNKNOWN = "/searches/AAAAAAAAAAAAAAAAAAAAAAAA"
UNKNOWN_MSAS = f"/msas/msa-{'W' * 34}"
UNKNOWN_ALIGNMENT = f"/alignments/alignment-{'W' * 34}"
UNKNOWN_COMPARISON = f"/comparisons/comparison-{'W' * 34}"


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


class Shell(HTMLParser):
    """What a browser makes of the page: its addresses, its scripts, and the data in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.inline: list[str] = []
        self.data = ""
        self._inside: dict[str, str | None] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.addresses += [value for name, value in attrs if name in ("href", "src") and value]
        self.inline += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        if tag == "script":
            self.scripts.append(given)
            self._inside = given
        elif tag == "style":
            self.inline.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            return
        if self._inside.get("type") == "application/json":
            self.data += data
        elif data.strip():
            self.inline.append("script")

    @property
    def boot(self) -> dict[str, Any]:
        return dict(json.loads(self.data))


def test_the_page_needs_no_other_host_and_no_inline_script(http: httpx.Client, data: Path) -> None:
    page = http.get("/", headers=HTML)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    shell = Shell(page.text)
    assert shell.inline == []
    local = [address for address in shell.addresses if not address.startswith("#")]
    assert {address: http.get(address).status_code for address in local} == dict.fromkeys(local, 200)
    assert [address for address in local if not re.match(r"/(?!/)", address)] == []
    [database] = shell.boot["databases"]
    assert database["version"] == Catalog(data).current("demo").manifest.version


@pytest.mark.parametrize(
    "path",
    ["/", UNKNOWN, "/compare", UNKNOWN_COMPARISON, "/msas", UNKNOWN_MSAS, "/align", UNKNOWN_ALIGNMENT, "/history"],
)
def test_policy_lets_nothing_in(http: httpx.Client, path: str) -> None:
    policy = http.get(path, headers=HTML).headers["Content-Security-Policy"]
    rules = {name: values for name, *values in (rule.split() for rule in policy.split("; "))}
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == ["'none'"]
    for name in ("script-src", "style-src", "img-src", "connect-src", "form-action"):
        assert rules[name] == ["'self'"]
    assert rules["require-trusted-types-for"] == ["'script'"]
    assert "unsafe" not in policy


def test_files_of_the_page_are_kept_under_their_version_alone(http: httpx.Client) -> None:
    shell = Shell(http.get("/", headers=HTML).text)
    [script] = [str(each["src"]) for each in shell.scripts if "src" in each]
    lasting = http.get(script)
    assert "immutable" in lasting.headers["Cache-Control"]
    assert lasting.headers["Content-Type"].startswith("text/javascript")
    assert lasting.headers["Content-Encoding"] == "gzip"
    stale = http.get(script.partition("?")[0] + "?v=old")
    assert stale.headers["Cache-Control"] == "no-cache"
    plain = http.get(script, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.text == lasting.text
    assert http.get("/assets/page.py").status_code == 404
    assert http.get("/assets/..%2Fmain.py").status_code == 404


def test_programs_get_the_state_from_a_searchs_address(server: Server, http: httpx.Client) -> None:
    search = server.search(TINY)["search"]
    state = http.get(f"/searches/{search}", headers={"Accept": "application/json"})
    assert state.json() == http.get(f"/v1/searches/{search}").json()
    assert "Accept" in state.headers["Vary"].split(", ")
    page = http.get(f"/searches/{search}", headers=HTML)
    assert Shell(page.text).boot["search"] == state.json()
    assert http.get(UNKNOWN, headers={"Accept": "application/json"}).json()["type"].endswith(":not-found")


def test_a_comparison_has_a_page_a_state_and_records(http: httpx.Client) -> None:
    genomes = {"query": ">a one\nACGTTGCA\n>b\nACG\n", "subject": ">c\nACGTT\n", "title": "</script>"}
    compared = http.post("/v1/comparisons", json=genomes, headers={"Prefer": "wait=60"}).json()["id"]
    address = f"/comparisons/{compared}"
    state = http.get(address, headers={"Accept": "application/json"})
    assert state.json() == http.get(f"/v1{address}").json()
    assert "Accept" in state.headers["Vary"].split(", ")
    shell = Shell(http.get(address, headers=HTML).text)
    assert shell.boot["comparison"] == state.json()
    [script] = [each["src"] for each in shell.scripts if "src" in each]
    assert str(script).startswith("/assets/compare.js?v=")
    gone = http.get(UNKNOWN_COMPARISON, headers=HTML)
    assert (gone.status_code, Shell(gone.text).boot["problem"]["status"]) == (404, 404)


def test_msas_have_a_page_and_a_state(http: httpx.Client) -> None:
    asked = {"queries": TINY, "databases": ["demo"], "title": "</script>"}
    assert http.post("/v1/msas", json=asked, headers={"Prefer": "wait=60"}).status_code == 200
    [made] = [each["id"] for each in http.get("/v1/msas", params={"page_size": 1}).json()["items"]]
    state = http.get(f"/msas/{made}", headers={"Accept": "application/json"})
    assert state.json() == http.get(f"/v1/msas/{made}").json()
    assert "Accept" in state.headers["Vary"].split(", ")
    for address in ("/msas", f"/msas/{made}"):
        shell = Shell(http.get(address, headers=HTML).text)
        assert shell.boot.get("msas") == (state.json() if made in address else None)
        [script] = [each["src"] for each in shell.scripts if "src" in each]
        assert str(script).startswith("/assets/msa.js?v=")
    gone = http.get(UNKNOWN_MSAS, headers=HTML)
    assert (gone.status_code, Shell(gone.text).boot["problem"]["status"]) == (404, 404)


@pytest.mark.parametrize("place", ["/", "/align", "/compare", "/msas", "/history", "/nowhere", UNKNOWN_MSAS])
def test_every_page_leads_to_help_without_its_script(http: httpx.Client, place: str) -> None:
    page = html.fromstring(http.get(place, headers=HTML).text)
    assert [link.text for link in page.xpath("//footer//a[@href='/help']")] == ["Help"]
    assert page.xpath("//noscript//a[@href='/help']")


def test_pairs_have_a_page_a_state_and_what_the_form_may_hold(http: httpx.Client) -> None:
    asked = {"queries": TINY, "subjects": TINY, "title": "</script>"}
    made = http.post("/v1/alignments", json=asked, headers={"Prefer": "wait=60"}).json()
    address = f"/alignments/{made['id']}"
    state = http.get(address, headers={"Accept": "application/json"})
    assert state.json() == http.get(f"/v1{address}").json()
    assert "Accept" in state.headers["Vary"].split(", ")
    for place, known in (("/align", None), (address, state.json())):
        shell = Shell(http.get(place, headers=HTML).text)
        assert shell.boot.get("alignment") == known
        # Of its kind alone, without what is for programs.
        listed = http.get("/v1/parameters").json()["alignments"]
        assert shell.boot["parameters"]["parameters"] == [
            {name: value for name, value in each.items() if name != "description"} for each in listed
        ]
        [script] = [each["src"] for each in shell.scripts if "src" in each]
        assert str(script).startswith("/assets/align.js?v=")
    gone = http.get(UNKNOWN_ALIGNMENT, headers=HTML)
    assert (gone.status_code, Shell(gone.text).boot["problem"]["status"]) == (404, 404)


STRETCH = "ACGTTGCAGGATCCATTGACCAGTACCGATAC"
BOX = {
    side: {"record": name, "from": first, "to": first + 31}
    for side, name, first in [("query", "a", 1), ("subject", "c", 3)]
}


def of_stretches(http: httpx.Client) -> str:
    """The comparison that has the box."""
    genomes = {"query": f">a\n{STRETCH}\n", "subject": f">c\nTT{STRETCH}\n"}
    return str(http.post("/v1/comparisons", json=genomes, headers={"Prefer": "wait=60"}).json()["id"])


def test_a_box_has_an_estimate_and_a_score_map(http: httpx.Client) -> None:
    compared, box = of_stretches(http), BOX
    estimate = http.post(f"/comparisons/{compared}/box:estimate", json=box).json()
    assert estimate["cells"] == 32 * 32
    assert estimate["seconds"] > 0
    job = http.post(f"/comparisons/{compared}/score-map", json=box)
    assert job.status_code == 202
    scores = {}
    for line in http.get(f"/v1/alignments/{job.json()['id']}/results", params={"format": "ndjson"}).text.splitlines():
        pair = json.loads(line)
        scores[pair["query"], pair["subject"]] = pair["score"]
    # Two pieces of each side: those of one place are alike, 2 a letter.
    assert sorted(scores) == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")]
    assert scores["1", "1"] == scores["2", "2"] == 32
    assert max(scores["1", "2"], scores["2", "1"]) < 32
    refused = http.post(f"/comparisons/{compared}/score-map", json=box | {"strand": "x"})
    assert refused.status_code == 422


def test_whoever_draws_one_box_after_another_is_told_of_each(server: Server, http: httpx.Client) -> None:
    compared = of_stretches(http)

    async def ask() -> list[int]:
        # What a page no longer wants is answered all the same, and beside it what it asks for next.
        async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_S, verify=False) as client:
            estimates = [client.post(f"/comparisons/{compared}/box:estimate", json=BOX) for _ in range(10)]
            jobs = [
                client.post(place, json=BOX)
                for place in (f"/v1/comparisons/{compared}:align", f"/comparisons/{compared}/score-map")
            ]
            return [reply.status_code for reply in await asyncio.gather(*estimates, *jobs)]

    assert asyncio.run(ask()) == [200] * 10 + [202] * 2


def test_a_search_that_is_not_there_has_its_status_and_a_page(http: httpx.Client) -> None:
    page = http.get(UNKNOWN, headers=HTML)
    assert page.status_code == 404
    assert Shell(page.text).boot["problem"]["type"] == "urn:shardwater:problem:not-found"


@pytest.mark.parametrize("path", ["/nowhere", "/searches/", f"{UNKNOWN}/more", "/v1/nowhere"])
def test_a_browser_gets_a_page_where_nothing_is_and_a_program_a_problem(http: httpx.Client, path: str) -> None:
    page = http.get(path, headers=HTML)
    assert (page.status_code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert Shell(page.text).boot["view"] == "missing"
    assert "Content-Security-Policy" in page.headers
    problem = http.get(path)
    assert (problem.status_code, problem.headers["Content-Type"]) == (404, "application/problem+json")
    assert http.delete("/", headers=HTML).headers["Content-Type"] == "application/problem+json"


def test_text_cannot_leave_the_pages_data(server: Server, http: httpx.Client) -> None:
    hostile = "</script><script>alert(1)</script><!--"
    search = server.search(TINY, title=hostile)["search"]
    shell = Shell(http.get(f"/searches/{search}", headers=HTML).text)
    assert shell.boot["search"]["title"] == hostile
    assert len(shell.scripts) == 2
    posted = Shell(http.post("/", data={"sequence": hostile, "matrix": "PAM30"}).text)
    assert posted.boot["prefill"] == {"sequence": hostile, "matrix": "PAM30"}
    assert len(posted.scripts) == 2


def test_a_form_that_sends_a_field_twice_shows_the_first_and_says_so(http: httpx.Client) -> None:
    text, file = ">a\nMKV", {"sequence": ("a.fasta", ">b\nMKL")}
    for data in ({"sequence": text, "matrix": ["PAM30", "PAM30"]}, {"sequence": ["", text], "matrix": "PAM30"}):
        shown = http.post("/v1/searches", data=data, files=file, headers=HTML, follow_redirects=True)
        boot = Shell(shown.text).boot
        assert (boot["prefill"], boot["twice"]) == ({"sequence": text, "matrix": "PAM30"}, ["sequence"])
    files = [("sequence", (f"{name}.fasta", f">{name}\nMKV")) for name in "abc"]
    shown = http.post("/v1/searches", data={"matrix": "PAM30"}, files=files, headers=HTML, follow_redirects=True)
    boot = Shell(shown.text).boot
    assert (boot["prefill"], boot["twice"]) == ({"sequence": text, "matrix": "PAM30"}, ["sequence"])
    refused = http.post("/v1/searches", files=files)
    assert refused.json()["errors"][0]["detail"] == "this field was sent twice: send it once"
    refused = http.post("/v1/searches", data={"sequence": text}, files=file)
    [error] = refused.json()["errors"]
    assert (refused.status_code, error["detail"]) == (422, "this field was sent twice: send it once")


def test_what_fills_in_the_form_has_a_bound(http: httpx.Client) -> None:
    """Anybody may send it, and it comes back longer."""
    fits = "<" * (MAX_PREFILLED - 1_000)
    reply = http.post("/", files={"sequence": (None, fits)}, headers={"Accept-Encoding": "identity"})
    assert Shell(reply.text).boot["prefill"]["sequence"] == fits
    assert len(reply.content) < 6 * MAX_PREFILLED + 100_000
    for path, *_ in FORMS:
        assert http.post(path, data={"queries": "M" * (MAX_PREFILLED - 100)}).status_code == 200
        refused = http.post(path, data={"queries": "M" * MAX_PREFILLED})
        assert (refused.status_code, refused.json()["limit"]) == (413, MAX_PREFILLED)


@pytest.mark.parametrize(("path", "fields"), [("/align", ("queries", "subjects")), ("/compare", ("query", "subject"))])
def test_a_form_of_two_lists_takes_two_files(http: httpx.Client, path: str, fields: tuple[str, str]) -> None:
    reply = http.post(path, files={name: (f"{name}.fasta", f">{name}\nACGT") for name in fields})
    assert (reply.status_code, Shell(reply.text).boot["prefill"]) == (200, {name: f">{name}\nACGT" for name in fields})


@pytest.mark.parametrize("text", [">é\nACGT\n" * 9_000, f"@é\n{'A' * LARGE}\n+\n{'I' * LARGE}\n"])
def test_what_fills_in_a_form_is_judged_by_the_form_alone(http: httpx.Client, text: str) -> None:
    for files in (None, {"subjects": ("subjects.fasta", "")}):
        reply = http.post("/align", data={"queries": text}, files=files)
        assert (reply.status_code, Shell(reply.text).boot["prefill"]) == (200, {"queries": text})
    assert http.post("/align", files={"queries": ("queries.fasta", text)}).status_code == 200
    assert http.post("/v1/searches", data={"sequence": text, "database": "demo"}).status_code in (413, 422)


@pytest.mark.parametrize("path", [form.path for form in FORMS])
def test_a_form_takes_no_other_body(http: httpx.Client, path: str) -> None:
    for media_type in ("application/json", "text/plain"):
        reply = http.post(path, content=b'{"queries": "MKV"}', headers={"Content-Type": media_type})
        assert (reply.status_code, reply.json()["type"]) == (415, "urn:shardwater:problem:unsupported-media-type")


def test_colours_come_from_a_known_cookie_alone(http: httpx.Client) -> None:
    dark = http.get("/", headers={**HTML, "Cookie": "shardwater_theme=dark"}).text
    assert '<html lang="en" data-theme="dark">' in dark
    odd = http.get("/", headers={**HTML, "Cookie": 'shardwater_theme="><script>'}).text
    assert '<html lang="en">' in odd


def test_index_of_queries_agrees_with_the_result(server: Server, http: httpx.Client, queries: str) -> None:
    result = server.search(queries, max_target_seqs=7)
    entries = http.get(f"/searches/{result['search']}/queries").json()
    for entry, one in zip(entries, result["results"], strict=True):
        best = one["hits"][0]
        assert entry == {
            **{name: one["query"][name] for name in ("id", "title", "length")},
            "hits": len(one["hits"]),
            **{name: best[name] for name in ("score", "bits", "evalue")},
        }


def test_a_request_that_is_given_back_makes_the_same_search(server: Server, http: httpx.Client, queries: str) -> None:
    body = {"sequence": queries, "database": "demo", "max_target_seqs": 3, "title": "Again"}
    search = http.post("/v1/searches", json=body, headers={"Prefer": "wait=60"}).json()["search"]
    request = http.get(f"/v1/searches/{search}/request").json()
    assert request == body
    again = http.post("/v1/searches", json=request).json()
    assert (again["id"], again["reused"]) == (search, True)


@pytest.mark.parametrize("path", ["/", UNKNOWN, "/healthz", "/readyz"])
def test_head_says_what_get_would(http: httpx.Client, path: str) -> None:
    head, get = http.head(path, headers=HTML), http.get(path, headers=HTML)
    assert head.status_code == get.status_code
    assert (head.content, head.headers["content-type"]) == (b"", get.headers["content-type"])
