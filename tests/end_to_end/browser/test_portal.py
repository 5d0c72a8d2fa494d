"""Portals: the form that README prints, on pages of other sites, and what such pages may not do."""

import gzip
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visit
from tests.support.demo import DEMO
from tests.support.documented import ADDRESS, examples
from tests.support.server import Server

QUERIES = DEMO / "queries.fasta"
FIRST = QUERIES.read_text().partition("\n>")[0]
HOSTS = ("portal.localhost", "127.0.0.1")
"""Another site, and another port of the server's own address, which browsers call the same site."""


@pytest.fixture
def form(server: Server) -> str:
    """README's form for portals, as printed, but for the port."""
    [printed] = examples("README.md", "html")
    assert f'action="{ADDRESS}/v1/searches"' in printed
    return printed.replace(ADDRESS, server.url)


class _Pages(BaseHTTPRequestHandler):
    """Serves one page at every address."""

    page = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>Portal</title>{self.page}".encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def portal() -> Iterator[int]:
    """The port of a portal that shows `_Pages.page`."""
    served = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield served.server_port
    served.shutdown()
    served.server_close()


def is_result(page: Page, server: Server, query: str) -> None:
    """The page shows a search's result, with its best hit."""
    page.get_by_role("table", name="Hits").wait_for()
    assert page.url.startswith(f"{server.url}/searches/")
    expect(page.get_by_role("table", name="Hits")).to_contain_text(query)


def allow(visit: Visit, portal: str) -> None:
    """The portal's own pages are no requests to strangers."""
    visit.outside = [address for address in visit.outside if not address.startswith(portal)]


@pytest.mark.parametrize("host", HOSTS)
def test_form_of_the_readme_leads_to_the_result(
    visit: Visit, server: Server, portal: int, form: str, host: str
) -> None:
    _Pages.page = form
    page, address = visit.page, f"http://{host}:{portal}/"
    page.goto(address)
    page.locator("textarea").fill(FIRST)
    page.get_by_role("button", name="Search").click()
    is_result(page, server, "OBG_NEIG2")
    page.goto(address)
    page.locator("[type=file]").set_input_files(QUERIES)
    page.get_by_role("button", name="Search").click()
    is_result(page, server, "OBG_NEIG2")
    allow(visit, address)


def test_form_in_a_file_leads_to_the_result(visit: Visit, server: Server, form: str, tmp_path: Path) -> None:
    file = tmp_path / "portal.html"
    file.write_text(form)
    visit.page.goto(file.as_uri())
    visit.page.locator("textarea").fill(FIRST)
    visit.page.get_by_role("button", name="Search").click()
    is_result(visit.page, server, "OBG_NEIG2")
    allow(visit, "file:")


@pytest.mark.parametrize(
    ("text", "database", "said"),
    [
        (">q1\nMKV@LL\n", "demo", "'@' is not an amino acid letter"),
        (FIRST, "elsewhere", "elsewhere"),
    ],
)
def test_form_with_a_fault_comes_back_with_what_is_wrong(
    visit: Visit, portal: int, form: str, text: str, database: str, said: str
) -> None:
    _Pages.page = form.replace('value="demo"', f'value="{database}"')
    page, address = visit.page, f"http://portal.localhost:{portal}/"
    page.goto(address)
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(re.compile(re.escape(text.strip())))
    expect(page.get_by_role("main")).to_contain_text(said)
    allow(visit, address)


def test_form_with_a_text_and_a_file_shows_the_text_and_says_so(visit: Visit, portal: int, form: str) -> None:
    _Pages.page = form
    page, address = visit.page, f"http://portal.localhost:{portal}/"
    page.goto(address)
    page.locator("textarea").fill(">mine\nMKVLA")
    page.locator("[type=file]").set_input_files(QUERIES)
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(re.compile("^>mine"))
    expect(page.get_by_role("main")).to_contain_text("The form sent “sequence” twice")
    allow(visit, address)


def test_form_with_a_gzip_file_says_that_it_is_one(visit: Visit, portal: int, form: str, tmp_path: Path) -> None:
    _Pages.page = form
    page, address = visit.page, f"http://portal.localhost:{portal}/"
    packed = tmp_path / "queries.fasta.gz"
    packed.write_bytes(gzip.compress(QUERIES.read_bytes()))
    page.goto(address)
    page.locator("[type=file]").set_input_files(packed)
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("main")).to_contain_text("this looks like a gzip file: unpack it first")
    allow(visit, address)


def test_form_that_submits_itself_waits_for_a_click(visit: Visit, server: Server, portal: int, form: str) -> None:
    count = searches(server)
    submits = "<script>document.forms[0].submit()</script>"
    _Pages.page = form.replace("></textarea>", f">{FIRST}</textarea>") + submits
    page, address = visit.page, f"http://portal.localhost:{portal}/"
    page.goto(address)
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(re.compile("^>sp"))
    assert searches(server) == count
    page.get_by_role("button", name="Search", exact=True).click()
    is_result(page, server, "OBG_NEIG2")
    allow(visit, address)


READ = """async ([address, options]) => {
    const body = new FormData(document.forms[0]);
    return fetch(address, { method: "POST", body, ...options }).then((reply) => reply.text()).catch(() => "");
}"""
"""What a script reads that posts its page's form."""


@pytest.mark.parametrize("options", [{}, {"mode": "no-cors"}, {"mode": "no-cors", "headers": {"Accept": "text/html"}}])
def test_script_of_another_site_starts_and_reads_nothing(
    visit: Visit, server: Server, portal: int, form: str, options: dict[str, object]
) -> None:
    count = searches(server)
    _Pages.page = form.replace("></textarea>", f">{FIRST}</textarea>")
    address = f"http://portal.localhost:{portal}/"
    visit.page.goto(address)
    with visit.page.expect_request(f"{server.url}/v1/searches"):
        assert visit.page.evaluate(READ, [f"{server.url}/v1/searches", options]) == ""
    assert searches(server) == count
    visit.errors.clear()
    allow(visit, address)


def test_frame_of_another_site_starts_and_shows_nothing(visit: Visit, server: Server, portal: int, form: str) -> None:
    count = searches(server)
    framed = form.replace("<form ", '<form target="frame" ').replace("></textarea>", f">{FIRST}</textarea>")
    _Pages.page = f'{framed}<iframe name="frame"></iframe>'
    page, address = visit.page, f"http://portal.localhost:{portal}/"
    page.goto(address)
    blocked = page.expect_console_message(lambda message: "frame-ancestors" in message.text)
    with blocked, page.expect_response(f"{server.url}/v1/searches") as refused:
        page.get_by_role("button", name="Search").click()
    assert refused.value.status == 403
    assert searches(server) == count
    visit.refusals.add(403)
    visit.errors = [error for error in visit.errors if "frame-ancestors" not in error]
    allow(visit, address)


def test_form_that_opens_a_window_leaves_no_hold_on_it(visit: Visit, server: Server, portal: int, form: str) -> None:
    """The site opened the window and may name it; once it shows the result, it is closed to the site."""
    filled = form.replace("></textarea>", f">{FIRST}</textarea>").replace("<button", '<button formtarget="result"')
    _Pages.page = (
        f"""<button id="open" onclick="window.result = window.open('about:blank', 'result')">Open</button>{filled}"""
    )
    page, address = visit.page, f"http://portal.localhost:{portal}/"
    page.goto(address)
    with page.expect_popup() as opened:
        page.locator("#open").click()
    page.get_by_role("button", name="Search").click()
    is_result(opened.value, server, "OBG_NEIG2")
    assert page.evaluate("window.result.closed")
    allow(visit, address)


def searches(server: Server) -> str:
    """How many searches the server has."""
    with server.http as http:
        return str(http.get("/v1/searches").headers["X-Total-Results"])
