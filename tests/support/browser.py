"""Chromium, and a tab of it that is watched for errors and for requests to anybody else."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

SCREENSHOTS = Path(__file__).parents[1] / "end_to_end" / "browser" / "screenshots"
PATIENCE_MS = 90_000


FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def launched() -> Iterator[Browser]:
    """Chromium, where there is one: best without its own windows, each of which takes longer to make than a page."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.skip("no Chromium: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


REPORTED = """addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    console.error(`against the policy: ${effectiveDirective} ${blockedURI}`);
});"""
"""What the policy forbids is an error also where the browser says nothing of it."""


@dataclass
class Visit:
    """A tab, and what went wrong in it: errors on its console, requests to hosts other than the server's."""

    page: Page
    url: str
    errors: list[str] = field(default_factory=list)
    refusals: set[int] = field(default_factory=set)
    """Statuses that the visit is meant to meet; Chromium reports each on its console."""
    outside: list[str] = field(default_factory=list)

    @classmethod
    def begin(cls, context: BrowserContext, url: str) -> "Visit":
        """A new tab of a context, on a server."""
        page = context.new_page()
        visit = cls(page, url)
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda message: visit.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: visit.errors.append(str(error)))
        page.add_init_script(REPORTED)
        page.on("request", lambda request: visit.see(request.url))
        return visit

    def see(self, address: str) -> None:
        """Note a request to anybody else; what the page makes itself has no host."""
        if urlsplit(address).scheme not in ("blob", "data") and not address.startswith(self.url):
            self.outside.append(address)

    @property
    def faults(self) -> list[str]:
        """The errors, but for refusals that the visit is meant to meet."""
        met = tuple(f"status of {status} " for status in self.refusals)
        return [error for error in self.errors if not any(status in error for status in met)]

    def open(self, path: str) -> Page:
        """Go to a path of the server."""
        self.page.goto(self.url + path)
        return self.page

    def search(self, sequence: str) -> str:
        """Search as a person does; the search's id, once its hits are there."""
        page = self.open("/")
        page.get_by_label("Protein sequences in FASTA").fill(sequence)
        page.get_by_role("button", name="Search", exact=True).click()
        page.get_by_role("table", name="Hits").wait_for()
        return urlsplit(page.url).path.rpartition("/")[2]

    def shoot(self, name: str) -> None:
        """Keep a picture for the eye."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")


def send_form(page: Page, address: str, fields: dict[str, str]) -> None:
    """Send a form of another site's page to an address."""
    # The policy of a page of ours forbids to write it there.
    page.goto("about:blank")
    areas = "".join(f'<textarea name="{name}"></textarea>' for name in fields)
    page.set_content(f'<form method="post" action="{address}">{areas}<button>Go</button></form>')
    for name, text in fields.items():
        page.locator(f"[name={name}]").fill(text)
    page.get_by_role("button", name="Go").click()


def send_on(route: Route, change: Callable[[dict[str, Any]], None]) -> None:
    """Send a page on with what its script begins with changed."""
    reply = route.fetch()
    start, boot, rest = re.split(r'(?<=id="boot">)(.*?)(?=</script>)', reply.text(), maxsplit=1, flags=re.DOTALL)
    view = json.loads(boot)
    change(view)
    route.fulfill(response=reply, body=start + json.dumps(view).replace("<", "\\u003c") + rest)


PRINTED_ROWS = """() => {
    dispatchEvent(new Event("beforeprint"));
    return document.querySelectorAll(".hit").length;
}"""
"""What the browser takes for paper: it looks as soon as the page has heard of it."""
Begin = Callable[..., Visit]
