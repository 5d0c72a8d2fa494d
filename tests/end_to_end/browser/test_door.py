"""The page of a service that asks for keys, in a browser: sign in, search, come by a link, sign out."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import faults, faults_in_both, overflow
from tests.support.browser import Begin, Visit, send_on
from tests.support.guarded import Guarded, guarding, small_data

SEQUENCE = "MKVLAAGWDEHHKLMNPQRSTVWY"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A service that asks for keys."""
    yield from guarding(small_data(tmp_path_factory.mktemp("guarded")))


@pytest.fixture
def door(begin: Begin, guarded: Guarded) -> Visit:
    return begin(guarded.server.url)


def sign_in(visit: Visit, key: str) -> None:
    visit.page.get_by_label("API key").fill(key)
    visit.page.get_by_role("button", name="Sign in").click()


def test_an_address_that_leads_nowhere_asks_for_the_key_and_says_so(door: Visit, guarded: Guarded) -> None:
    door.refusals.add(404)
    page = door.open("/no/such/page")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(door, guarded.key("lab"))
    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address")


def test_key_lets_in_for_a_search_and_signing_out_ends_it(door: Visit, guarded: Guarded) -> None:
    page = door.open("/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    door.refusals.add(401)
    sign_in(door, "sw_aaaaaaaaaaaa_" + "A" * 43)
    expect(page.get_by_role("alert")).to_contain_text("This key does not let you in")
    expect(page.get_by_role("alert")).to_contain_text("unknown, revoked or expired")
    assert faults_in_both(page) == []
    door.shoot("door")
    sign_in(door, guarded.key("lab"))
    expect(page.get_by_label("Protein sequences in FASTA")).to_be_visible()
    cookies = page.context.cookies()
    assert [(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies] == [(True, "Strict")]
    assert page.evaluate("document.cookie") == ""
    expect(page.locator("#nav")).to_contain_text("Signed in as lab")
    search = door.search(SEQUENCE)
    expect(page.locator(".result-head")).to_contain_text("opens for lab alone")
    expect(page.locator(".repeat")).to_contain_text("It takes your API key from the variable SHARDWATER_API_KEY")
    expect(page.locator(".query-head .notes")).to_contain_text("table is used in its place.")
    door.shoot("door-signed-in")
    page.set_viewport_size({"width": 375, "height": 720})
    assert overflow(page) <= 0
    assert faults_in_both(page) == []
    door.shoot("door-signed-in-375")
    assert page.reload() is not None
    page.get_by_role("table", name="Hits").wait_for()
    # Another tab has a storage of its own.
    other = Visit.begin(page.context, door.url).open("/")
    other.get_by_label("Protein sequences in FASTA").fill(SEQUENCE)
    assert other.evaluate("Object.keys(sessionStorage).sort()") == ["shardwater::draft", "shardwater::owner"]
    page.get_by_role("button", name="Sign out").click()
    for tab in (page, other):
        expect(tab.get_by_role("heading", name="Sign in")).to_be_visible()
        assert tab.evaluate("localStorage.length + sessionStorage.length") == 0
    other.close()
    assert page.context.cookies() == []
    door.open(f"/searches/{search}")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    # It leads on to where the address leads.
    sign_in(door, guarded.key("lab"))
    page.get_by_role("table", name="Hits").wait_for()


@pytest.mark.parametrize("language", ["curl", "Python"])
def test_the_search_without_the_page_takes_the_key_from_the_environment(
    door: Visit, guarded: Guarded, tmp_path: Path, language: str
) -> None:
    key = guarded.key("scripts")
    page = door.open("/")
    sign_in(door, key)
    expect(page.get_by_label("Protein sequences in FASTA")).to_be_visible()
    door.search(SEQUENCE)
    page.get_by_role("group", name="Language").get_by_role("button", name=language).click()
    program = page.locator(".code").inner_text()
    assert key not in page.content()
    (tmp_path / "queries.fasta").write_text(SEQUENCE)
    command = ["bash", "-euc", program] if language == "curl" else [sys.executable, "-c", program]
    environment = {**os.environ, "SHARDWATER_API_KEY": key}
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True, env=environment)
    answer = (tmp_path / "result.json").read_text() if language == "curl" else done.stdout
    assert "one" in answer


def test_a_session_that_has_ended_is_begun_again_in_place(door: Visit, guarded: Guarded) -> None:
    page = door.open("/")
    key = guarded.key("long")
    sign_in(door, key)
    area = page.get_by_label("Protein sequences in FASTA")
    expect(area).to_be_visible()
    page.context.clear_cookies()
    door.refusals.add(401)
    area.fill(SEQUENCE)
    expect(page.get_by_role("alert")).to_contain_text("Your session has ended")
    page.get_by_role("alert").get_by_role("button", name="Sign in").click()
    assert faults(page) == []
    page.get_by_role("dialog").get_by_label("API key").fill(key)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(area).to_have_value(SEQUENCE)
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("table", name="Hits").wait_for()


def end_session(visit: Visit) -> None:
    """As when its time is over, or its key is revoked."""
    visit.page.context.clear_cookies()


def test_another_owner_finds_nothing_of_who_was_here_before(door: Visit, guarded: Guarded) -> None:
    page, first, second = door.open("/"), guarded.key("first"), guarded.key("second")
    area, history = page.get_by_label("Protein sequences in FASTA"), page.locator(".recent-title")
    # What a page asks for while its session ends.
    door.refusals.add(401)
    sign_in(door, first)
    expect(area).to_be_visible()
    door.search(f">secret\n{SEQUENCE}")
    door.open("/")
    area.fill(f">draft\n{SEQUENCE}")
    end_session(door)
    # Who comes back has lost nothing.
    door.open("/history")
    sign_in(door, first)
    expect(history).to_have_text("secret")
    door.open("/")
    expect(area).to_have_value(f">draft\n{SEQUENCE}")
    left = Visit.begin(page.context, door.url).open("/")
    left.get_by_label("Protein sequences in FASTA").fill(">other tab")
    end_session(door)
    for path, shown in (("/history", page.get_by_text("Nothing yet.")), ("/", area)):
        door.open(path)
        if path == "/history":
            sign_in(door, second)
        expect(shown).to_be_visible()
        expect(history).to_have_count(0)
    expect(area).to_have_value("")
    assert "secret" not in page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    # The tab that showed the first one's things shows the second one's.
    expect(left.locator("#nav")).to_contain_text("Signed in as second")
    expect(left.get_by_label("Protein sequences in FASTA")).to_have_value("")
    left.close()


def test_another_owner_who_signs_in_over_the_page_begins_anew(door: Visit, guarded: Guarded) -> None:
    page = door.open("/")
    sign_in(door, guarded.key("away"))
    area = page.get_by_label("Protein sequences in FASTA")
    expect(area).to_be_visible()
    end_session(door)
    door.refusals.add(401)
    area.fill(SEQUENCE)
    page.get_by_role("alert").get_by_role("button", name="Sign in").click()
    page.get_by_role("dialog").get_by_label("API key").fill(guarded.key("next"))
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(page.locator("#nav")).to_contain_text("Signed in as next")
    expect(area).to_have_value("")


def test_the_next_user_whom_a_proxy_names_begins_anew(visit: Visit) -> None:
    users = ["one", "one", "two"]
    visit.page.route(f"{visit.url}/", lambda route: send_on(route, lambda view: view.update(user=users.pop(0))))
    area = visit.open("/").get_by_label("Protein sequences in FASTA")
    area.fill(SEQUENCE)
    visit.open("/")
    expect(area).to_have_value(SEQUENCE)
    visit.open("/")
    expect(area).to_have_value("")


TWO = f">first\n{SEQUENCE}\n>second\n{SEQUENCE[::-1]}\n"


@pytest.mark.parametrize(
    ("path", "asked", "place", "there"),
    [
        ("/searches", {"sequence": TWO, "database": "demo"}, "#2", "query 2 of 2"),
        ("/msas", {"queries": TWO, "databases": ["demo"], "iterations": 1}, "#2", "second"),
        ("/alignments", {"queries": TWO, "subjects": TWO}, "#2", "Pair 2"),
    ],
)
def test_signing_in_leads_to_the_place_in_the_address(
    door: Visit, guarded: Guarded, path: str, asked: dict[str, object], place: str, there: str
) -> None:
    reply = guarded.client("placed").post(f"/v1{path}", json=asked, headers={"Prefer": "wait=60"})
    made = guarded.client("placed").get(f"/v1{path}").json()["items"][0]["id"]
    assert reply.status_code == 200
    door.refusals.add(401)
    page = door.open(f"{path}/{made}{place}")
    sign_in(door, guarded.key("placed"))
    expect(page.locator(".query-head h2, .detail-facts")).to_contain_text(there)
    assert page.url.endswith(place)


def test_a_download_asks_for_the_key_where_the_session_has_ended(door: Visit, guarded: Guarded) -> None:
    page = door.open("/")
    key = guarded.key("saving")
    sign_in(door, key)
    expect(page.get_by_label("Protein sequences in FASTA")).to_be_visible()
    door.search(SEQUENCE)
    page.context.clear_cookies()
    page.get_by_role("button", name="Download", exact=True).click()
    page.get_by_role("link", name="BLAST XML").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your session has ended")
    assert faults(page) == []
    dialog.get_by_label("API key").fill(key)
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Sign in").click()
    assert saved.value.suggested_filename.endswith(".xml")


class _Portal(BaseHTTPRequestHandler):
    """Another site: a link to a search, a form that fills in ours, one that would act, and a script that would."""

    target, search = "", ""

    def do_GET(self) -> None:
        body = (
            f'<a href="{self.target}/searches/{self.search}#1">result</a>'
            f'<form action="{self.target}/" method="post"><input name="sequence" value="{SEQUENCE}">'
            "<button>Fill in</button></form>"
            f'<form action="{self.target}/v1/searches/{self.search}:cancel" method="post">'
            "<button>Act</button></form>"
        )
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>Portal</title>{body}".encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def portal(guarded: Guarded) -> Iterator[str]:
    """Another site's address: another port of this host would be the same site to cookies."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Portal)
    _Portal.target = guarded.server.url
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_another_site_may_link_and_fill_in_and_nothing_else(portal: str, door: Visit, guarded: Guarded) -> None:
    page = door.open("/")
    sign_in(door, guarded.key("linked"))
    # Who leaves before the answer has come is not signed in.
    expect(page.get_by_label("Protein sequences in FASTA")).to_be_visible()
    _Portal.search = door.search(SEQUENCE)
    door.refusals.add(401)
    page.goto(portal)
    page.get_by_role("link", name="result").click()
    page.get_by_role("table", name="Hits").wait_for()
    page.goto(portal)
    page.get_by_role("button", name="Fill in").click()
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(SEQUENCE)
    expect(page.get_by_role("button", name="Search", exact=True)).to_be_enabled()
    page.goto(portal)
    with page.expect_response(lambda reply: reply.url.endswith(":cancel")) as acted:
        page.get_by_role("button", name="Act").click()
    assert acted.value.status in (401, 403)
    door.outside = [address for address in door.outside if not address.startswith(portal)]


@pytest.mark.parametrize("width", [320, 390, 1000])
def test_who_is_signed_in_is_seen_at_any_width(begin: Begin, guarded: Guarded, width: int) -> None:
    door = begin(guarded.server.url, viewport={"width": width, "height": 800})
    page = door.open("/history")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(door, guarded.key("a-laboratory-with-a-name-that-is-long"))
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    expect(page.get_by_text("Signed in as")).to_be_in_viewport()
    # The name itself, as far as there is room for it.
    shown = "(name) => name.parentElement.getBoundingClientRect().right - name.getBoundingClientRect().left"
    assert page.locator(".signed-in strong").evaluate(shown) > 80
    assert overflow(page) <= 0
    assert faults(page) == []
    door.shoot(f"signed-in-{width}")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
