"""The manual's pictures, taken from a real service: `python -m tests.end_to_end.browser.screenshots`."""

import tempfile
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from tests.support.browser import Visit, launched
from tests.support.demo import DEMO
from tests.support.planted_genomes import QUERY, SUBJECT
from tests.support.server import Server, make_database, running

IMAGES = Path(__file__).parents[3] / "docs" / "images"
VIEWPORT = {"width": 1200, "height": 800}


def take(browser: Browser, server: Server) -> None:
    """The form with a query, a result, an alignment in dark colours, a comparison, pairs, and an MSA."""
    queries = (DEMO / "queries.fasta").read_text()
    visit = Visit.begin(browser.new_context(viewport=VIEWPORT), server.url)  # type: ignore[arg-type]
    page = visit.open("/")
    page.get_by_label("Protein sequences in FASTA").fill(queries)
    page.get_by_text("about").first.wait_for()
    page.screenshot(path=IMAGES / "form.png")
    visit.search(queries)
    page.locator(".index li").first.wait_for()
    page.locator(".overview .drawing").wait_for()
    page.screenshot(path=IMAGES / "result.png")
    page.get_by_role("button", name="Dark colours").click()
    page.get_by_label("Next query").click()
    page.locator(".hit-open").nth(1).click()
    page.locator(".alignment").wait_for()
    page.locator(".hits").evaluate("(panel) => panel.scrollIntoView()")
    page.mouse.move(5, 5)
    page.screenshot(path=IMAGES / "alignment.png")
    page.get_by_role("button", name="Light colours").click()
    compare(visit, server)
    align(visit, server, queries)
    msa(visit, server, queries)
    if visit.faults or visit.outside:
        raise SystemExit(f"the pictures show faults: {visit.faults + visit.outside}")


def compare(visit: Visit, server: Server) -> None:
    """Two genomes, with what is told of one HSP."""
    genomes = {"query": QUERY, "subject": SUBJECT, "title": "Two strains"}
    with server.http as http:
        compared = http.post("/v1/comparisons", json=genomes, headers={"Prefer": "wait=60"}).json()["id"]
    page = visit.open(f"/comparisons/{compared}")
    page.locator(".hsp-row").nth(1).wait_for()
    page.get_by_role("application").hover(position={"x": 262, "y": 279})
    page.screenshot(path=IMAGES / "comparison.png")


def align(visit: Visit, server: Server, queries: str) -> None:
    """The demo's queries, each beside one of its relatives."""
    relatives = ["sp|B9K736|OBG_THENN", "sp|O22042|M3K3_ARATH", "sp|Q9X284|EFP_THEMA", "sp|P10105|LAB_DROME"]
    subjects = {"database": "demo", "accessions": relatives}
    asked = {"queries": queries, "subjects": subjects, "title": "Four proteins and their relatives"}
    with server.http as http:
        aligned = http.post("/v1/alignments", json=asked, headers={"Prefer": "wait=60"}).json()["id"]
    page = visit.open(f"/alignments/{aligned}")
    page.locator(".hit-open").nth(2).click()
    page.locator(".alignment").wait_for()
    page.mouse.move(5, 5)
    page.screenshot(path=IMAGES / "pairs.png")


def msa(visit: Visit, server: Server, queries: str) -> None:
    """The second of the demo's proteins, whose family is large, smaller than at first."""
    asked = {"queries": queries, "databases": ["demo"], "title": "Four families"}
    with server.http as http:
        assert http.post("/v1/msas", json=asked, headers={"Prefer": "wait=60"}).status_code == 200
        [made] = [each["id"] for each in http.get("/v1/msas", params={"page_size": 1}).json()["items"]]
    page = visit.open(f"/msas/{made}#2")
    page.get_by_role("application").wait_for()
    page.get_by_role("button", name="Smaller").click()
    page.locator(".msa-rows").evaluate("(panel) => panel.scrollIntoView()")
    page.screenshot(path=IMAGES / "msa.png")


def main() -> None:
    """Build the demo's database, serve it, take the pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        make_database(DEMO / "proteins.fasta.gz", Path(folder))
        with running(Server(Path(folder))) as server, contextmanager(launched)() as browser:
            take(browser, server)


if __name__ == "__main__":
    main()
