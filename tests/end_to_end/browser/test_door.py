"""The page of a service that asks for keys, in a browser: sign in, search, come by a link, sign out."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from tests.end_to_end.browser.conftest import Begin, Visit
from tests.security.conftest import Guarded, guarded

__all__ = ["guarded"]

SEQUENCE = "MKVLAAGWDEHHKLMNPQRSTVWY"


@pytest.fixture
def door(begin: Begin, guarded: Guarded) -> Visit:
    return begin(guarded.server.url)


def sign_in(visit: Visit, key: str) -> None:
    visit.page.get_by_label("API key").fill(key)
    visit.page.get_by_role("button", name="Sign in").click()


def test_key_lets_in_for_a_search_and_signing_out_ends_it(door: Visit, guarded: Guarded) -> None:
    page = door.open("/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    door.refusals.add(401)
    sign_in(door, "sw_aaaaaaaaaaaa_" + "A" * 43)
    expect(page.get_by_role("alert")).to_contain_text("unknown, revoked or expired")
    door.shoot("door")
    sign_in(door, guarded.key("lab"))
    expect(page.get_by_label("Protein sequences in FASTA")).to_be_visible()
    cookies = page.context.cookies()
    assert [(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies] == [(True, "Strict")]
    assert page.evaluate("document.cookie") == ""
    search = door.search(SEQUENCE)
    door.shoot("door-signed-in")
    assert page.reload() is not None
    page.get_by_role("table", name="Hits").wait_for()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    door.open(f"/searches/{search}")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    # It leads on to where the address leads.
    sign_in(door, guarded.key("lab"))
    page.get_by_role("table", name="Hits").wait_for()


class _Portal(BaseHTTPRequestHandler):
    """Another site: a link to a search, a form that fills in ours, one that would act, and a script that would."""

    target, search = "", ""

    def do_GET(self) -> None:
        body = (
            f'<a href="{self.target}/searches/{self.search}">result</a>'
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


def test_another_site_may_link_and_fill_in_and_nothing_else(door: Visit, guarded: Guarded, portal: str) -> None:
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
