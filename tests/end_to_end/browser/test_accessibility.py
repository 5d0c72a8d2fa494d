"""The page for everybody, in each of its states: axe-core's rules, both colour schemes, a system's few colours."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit
from tests.support.comparison_page import COLOURS
from tests.support.flows import FLOWS, SIZES, Flow
from tests.support.hit_table import show_scores
from tests.support.msa_page import STRANGER, made
from tests.support.planted_genomes import CHR1, CHR2
from tests.support.server import Server

NOBODY = "A" * 34


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


def look(page: Page) -> None:
    """Nothing is wrong on a desk in light colours, nor on a phone in dark ones."""
    for size, scheme in (("desk", "light"), ("phone", "dark")):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
        assert overflow(page) <= 0
        assert faults(page) == []


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.noun)
def test_forms_with_faults(visit: Visit, flow: Flow) -> None:
    visit.refusals |= {400, 422}
    page = visit.open(f"{flow.form}?matrix=NOPE")
    page.get_by_label(flow.labels[0]).fill(">q\nACGTACGT@ACGT\n")
    for summary in page.locator(".form details:not([open]) > summary").all():
        summary.click()
    page.locator(".form-side input[inputmode]").first.fill("-1")
    expect(page.locator(".query-status .bad").first).to_be_visible()
    expect(page.locator(".fault").first).to_be_visible()
    look(page)


def test_a_search_with_all_of_it_open(visit: Visit, server: Server) -> None:
    queries = FLOWS[0].typed["sequence"]
    found = server.search(queries, max_target_seqs=12, score_distribution=True, iterations=2)
    page = visit.open(f"/searches/{found['search']}#2")
    page.locator(".hit-open").nth(1).click()
    page.locator(".alignment").wait_for()
    page.locator(".certificate summary").click()
    page.get_by_label("Select", exact=False).nth(1).check()
    page.get_by_role("button", name="Download selected").click()
    look(page)


def test_results_of_nothing(visit: Visit, server: Server, http: httpx.Client) -> None:
    hitless = server.search(">peptide\nWWPHWKWHCM", evalue=1e-9, score_distribution=True)["search"]
    genomes = {"query": f">a\n{CHR1}", "subject": f">b\n{CHR2}"}
    unlike = http.post("/v1/comparisons", json=genomes, headers={"Prefer": "wait=60"}).json()["id"]
    alone = made(server, queries=STRANGER, databases=["demo"])
    for path, said in (
        (f"/searches/{hitless}", "No hits. Every sequence was compared"),
        (f"/comparisons/{unlike}", "0 HSPs"),
        (alone, "Nothing was found but the query itself"),
    ):
        page = visit.open(path)
        expect(page.locator("main")).to_contain_text(said)
        look(page)
    page = visit.open(FLOWS[1].made(http))
    page.get_by_label("Score ≥").fill("1000000")
    expect(page.locator("main")).to_contain_text("No pair passes these filters")
    look(page)


def test_pages_without_a_result(visit: Visit, server: Server) -> None:
    visit.refusals.add(404)
    for missing in ("/nowhere", f"/searches/{NOBODY}", f"/alignments/alignment-{NOBODY}"):
        page = visit.open(missing)
        page.locator("h1").wait_for()
        look(page)
    page = visit.open("/?database=nope&sequence=ACGT-ACGTACGTACGTACGTACGT")
    page.get_by_label("Instant hits while typing").check()
    page.get_by_role("button", name="Remove 1 gap character").wait_for()
    look(page)
    page.get_by_role("button", name="Remove 1 gap character").click()
    page.locator(".query .notes").wait_for()
    look(page)
    running = server.post(">slow\n" + "MKVLAAGWDERTYHIPSNQCG" * 2300).json()["id"]
    page = visit.open(f"/searches/{running}")
    page.locator("progress").wait_for()
    look(page)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("was cancelled").wait_for()
    look(page)


@pytest.mark.parametrize("path", ["/docs", "/help"])
def test_pages_in_words(visit: Visit, path: str) -> None:
    look(visit.open(path))


GROUND = "(part) => getComputedStyle(part).backgroundColor"
COLOURS_OF_SHAPES = """(drawing) => new Set([...drawing.querySelectorAll("rect, path")].map((part) => {
    const style = getComputedStyle(part);
    return style.fill + style.stroke;
})).size"""
"""How many colours the parts of a drawing have."""
APART = {
    "search": [
        [".index li a[aria-current]", ".index li a:not([aria-current])"],
        [".tabs button[aria-pressed=true]", ".tabs button[aria-pressed=false]"],
        [".swatch-all", ".swatch-hit", ".swatch-line", ".panel"],
        [".panel", ".span-track i"],
        [".alignment .same", ".alignment .other"],
    ],
    "alignment": [[".alignment .same", ".alignment .other"]],
    "comparison": [[".swatch-forward", ".swatch-reverse", ".panel"], [".strand-forward", ".strand-reverse", ".panel"]],
    "MSA": [
        [".index li a[aria-current]", ".index li a:not([aria-current])"],
        [".tabs button[aria-pressed=true]", ".tabs button[aria-pressed=false]"],
        [".swatch-identity", ".swatch-conserved", ".swatch-depth", ".panel"],
        [".alignment .same", ".alignment .other"],
    ],
}
"""Parts of results whose grounds tell them apart."""
LEGENDS = {"search": (".overview .swatch", 5), "MSA": (".msa-tools .swatch", 9)}
SHAPES = {"search": (".histogram", 2), "MSA": (".conservation .drawing", 3)}
CANVASES = {"comparison": (".dotplot canvas", 3), "MSA": (".msa-scroll canvas", 9)}
CHOSEN = {"search": ".hit-row.selected", "comparison": ".hsp-row.marked"}


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.noun)
def test_few_colours_tell_as_much(begin: Begin, http: httpx.Client, flow: Flow) -> None:
    visit = begin(forced_colors="active", viewport=SIZES["desk"])
    page = visit.open(flow.made(http))
    flow.wait(page)
    flow.row(page).click(position=flow.place)
    page.locator(flow.opened).first.wait_for()
    if flow.jobs == "searches":
        page.get_by_label("Select", exact=False).nth(1).check()
        show_scores(page)

    def ground(part: str) -> str:
        return str(page.locator(part).first.evaluate(GROUND))

    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for parts in APART[flow.noun]:
            assert len(set(map(ground, parts))) == len(parts), parts
        if legend := LEGENDS.get(flow.noun):
            swatches = page.locator(legend[0])
            assert len({each.evaluate(GROUND) for each in swatches.all()}) == swatches.count() == legend[1]
        if shapes := SHAPES.get(flow.noun):
            assert page.locator(shapes[0]).evaluate(COLOURS_OF_SHAPES) >= shapes[1]
        if canvas := CANVASES.get(flow.noun):
            assert len(page.locator(canvas[0]).first.evaluate(COLOURS)) >= canvas[1]
        if chosen := CHOSEN.get(flow.noun):
            expect(page.locator(chosen)).to_have_css("outline-style", "solid")
        page.keyboard.press("Tab")
        expect(page.locator(":focus")).to_have_css("outline-style", "solid")
        assert faults(page) == []
        visit.shoot(f"forced-{flow.noun}-{scheme}")


def test_colours_are_kept_from_page_to_page(visit: Visit) -> None:
    page = visit.open("/")
    background = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Dark colours").click()
    dark = page.evaluate(background)
    assert light != dark
    # Chromium stores a cookie while the script goes on; to read it is to wait until it is stored.
    assert "shardwater_theme=dark" in page.evaluate("document.cookie")
    page = visit.open("/")
    # The server's first bytes have it, before any script runs.
    assert 'data-theme="dark"' in page.request.get(visit.url).text()
    assert page.evaluate(background) == dark
    page.get_by_role("button", name="Light colours").click()
    assert page.evaluate(background) == light
