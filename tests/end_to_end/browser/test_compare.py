"""Comparisons in a browser: the plot, its list, its views, and a box of it aligned exactly."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from shardwater.sequences.named import reverse_complement
from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit
from tests.support.comparison_page import COLOURS, SHIFTED, altered, cells, opened, plain, plot, rows
from tests.support.planted_genomes import CHR1, QUERY, SCAFFOLD1, SUBJECT
from tests.support.server import Server

LEFT, TOP, RIGHT, BOTTOM = 72, 8, 12, 44
"""Of the canvas around the plot, as plot.tsx has them."""


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def compared(http: httpx.Client) -> dict[str, Any]:
    """The result of the two genomes as JSON."""
    request = {"query": QUERY, "subject": SUBJECT, "title": "Two strains"}
    reply = http.post("/v1/comparisons", json=request, headers={"Prefer": "wait=60"})
    return dict(reply.json())


@pytest.fixture
def page(visit: Visit, compared: dict[str, Any]) -> Page:
    """The comparison's page."""
    return opened(visit, f"/comparisons/{compared['id']}")


def at(page: Page, query: int, subject: int, across: int = 18_000, up: int = 18_000) -> tuple[float, float]:
    """Where a place of the whole plot is on the screen."""
    box = plot(page).bounding_box()
    assert box is not None
    width, height = box["width"] - LEFT - RIGHT, box["height"] - TOP - BOTTOM
    return box["x"] + LEFT + width * query / across, box["y"] + TOP + height * (1 - subject / up)


def shown(url: str) -> tuple[int, int]:
    """The query's part that the view of a link shows, or the whole of it."""
    first, last = re.findall(r"\d+", urlsplit(url).fragment)[:2] or ("1", "18000")
    return int(first), int(last)


def test_the_plot_is_asked_by_pointer_and_shows_what_a_link_says(
    visit: Visit, page: Page, compared: dict[str, Any]
) -> None:
    [turned] = [hsp for hsp in compared["hsps"] if hsp["strand"] == "-"]
    middle = (turned["query_from"] + turned["query_to"]) // 2
    page.mouse.move(*at(page, middle, 12_000 - middle))
    told = f"chr1 {turned['query_from']:,}–{turned['query_to']:,} ↔ scaffold_1"
    expect(page.locator(".readout")).to_contain_text(told)
    expect(page.locator(".readout")).to_contain_text("reverse")
    page.mouse.move(*at(page, 1_000, 16_000))
    expect(page.locator(".readout")).not_to_contain_text("chr1")
    page.mouse.move(*at(page, middle, 12_000 - middle))
    page.mouse.wheel(0, -600)
    expect(page.locator("[role=status]").last).to_contain_text(f"of {len(compared['hsps'])} HSPs in this view")
    page.wait_for_url(re.compile(r"#query=\d+-\d+&subject=\d+-\d+$"))
    view = [int(each) for each in re.findall(r"\d+", urlsplit(page.url).fragment)]
    assert view[0] > 1
    assert view[0] < middle < view[1] < 18_000
    page.get_by_role("search").get_by_label("Strand").select_option("-")
    page.wait_for_url(re.compile(r"&strand=-$"))
    assert [plain(row) for row in rows(page)] == [cells(turned)]
    link, listed = page.url, rows(page)
    page.get_by_role("button", name="Show all").first.click()
    page.wait_for_url(re.compile(r"#strand=-$"))
    other = opened(visit, urlsplit(link).path + "#" + urlsplit(link).fragment)
    expect(other.locator(".hsp-list .hsp-row")).to_have_count(len(listed))
    assert rows(other) == listed
    other.locator(".hsp-show").click()
    expect(other.locator(".hsp-row.marked")).to_have_count(1)
    expect(other.locator(".readout")).to_contain_text(told)
    visit.shoot("compare-view")


def test_a_box_is_aligned_exactly(visit: Visit, page: Page, http: httpx.Client, compared: dict[str, Any]) -> None:
    page.keyboard.down("Shift")
    page.mouse.move(*at(page, 5_000, 5_000))
    page.mouse.down()
    page.mouse.move(*at(page, 6_000, 6_000))
    page.mouse.move(*at(page, 7_000, 7_000))
    page.mouse.up()
    page.keyboard.up("Shift")
    form = page.get_by_role("form", name="Box to align")
    expect(form).to_contain_text("million cells, with the score map")
    # What is alike by more than chance is the inversion.
    expect(form.get_by_label("Strand")).to_have_value("-")
    with page.expect_request("**:align") as asked, page.expect_response("**:align") as answered:
        form.get_by_role("button", name="Align exactly").click()
    stretch = asked.value.post_data_json
    assert abs(stretch["query"]["from"] - 5_000) < 50
    assert abs(stretch["subject"]["to"] - 7_000) < 50
    panel = page.locator(".aligned")
    expect(panel.locator(".alignment .block").first).to_be_visible()
    [pair] = http.get(f"/v1/alignments/{answered.value.json()['id']}/results").json()["alignments"]
    expect(panel.locator(".detail-facts")).to_contain_text(f"Score {pair['score']:,}")
    expect(panel.locator(".detail-facts")).to_contain_text("Strand reverse")
    # The letters are those of the genomes at the places that stand beside them, the query's downwards.
    lines = [line.split() for line in panel.locator(".alignment").inner_text().splitlines()]
    for _, begin, letters, end in (line for line in lines if line[:1] == ["Query"]):
        assert reverse_complement(CHR1[int(end) - 1 : int(begin)].encode()).decode() == letters.replace("-", "")
    for _, begin, letters, end in (line for line in lines if line[:1] == ["Sbjct"]):
        assert SCAFFOLD1[int(begin) - 1 : int(end)] == letters.replace("-", "")
    scores = page.get_by_role("img", name="Score map: 48 by 48 pieces")
    expect(scores).to_be_visible()
    # The inversion's pieces are the diagonal: a letter of it scores 2 at most, and others are white.
    caption = panel.locator("figcaption").inner_text()
    assert 60 < int(re.findall(r"Score map: (\d+) is", caption)[0]) <= 2 * 42
    assert len(scores.evaluate(COLOURS)) > 10
    visit.shoot("compare-aligned")
    assert faults(page) == []
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)
    # Other numbers have another strand, until somebody chooses one.
    for name, place in (("from", "8,500"), ("to", "9,500")):
        for field in form.get_by_label(name).all():
            field.fill(place)
    expect(form.get_by_label("Strand")).to_have_value("+")
    form.get_by_label("Strand").select_option("-")
    form.get_by_label("to").first.fill("9600")
    expect(form.get_by_label("Strand")).to_have_value("-")


def test_alignments_with_gaps_are_plotted_and_parameters_told(visit: Visit, http: httpx.Client) -> None:
    twins = f">#a\n{CHR1[:600]}\n>b\n{CHR1[900:1500]}\n", f">a\n{CHR1[:300]}{CHR1[310:600]}\n>b\n{CHR1[900:1500]}\n"
    request = {"query": twins[0], "subject": twins[1], "gapped": "exact", "min_length": 120}
    compared = http.post("/v1/comparisons", json=request, headers={"Prefer": "wait=60"}).json()
    page = opened(visit, f"/comparisons/{compared['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("#a (2 records) and a (2 records)")
    listed = page.get_by_role("table", name="Alignments")
    expect(listed).to_be_visible()
    assert sorted(plain(row) for row in rows(page)) == sorted(map(cells, compared["hsps"]))
    expect(page.get_by_role("region", name="Parameters of this comparison")).to_contain_text(
        "Length at least120min_length"
    )
    page.get_by_role("button", name="Box by numbers").click()
    page.get_by_role("button", name="Align exactly").click()
    expect(page.locator(".aligned .detail-facts")).to_be_visible()
    page.get_by_role("button", name="HSPs", exact=True).click()
    expect(page.get_by_role("table", name="HSPs")).to_be_visible()
    expect(page.locator(".hsp-list .hsp-row")).to_have_count(3)
    # A box and its alignment are of the genomes, whatever is plotted.
    expect(page.get_by_role("form", name="Box to align")).to_be_visible()
    expect(page.locator(".aligned .detail-facts")).to_be_visible()


def test_a_box_by_numbers_has_the_letters_of_half_the_view(visit: Visit, compared: dict[str, Any]) -> None:
    # Half of 2,002 letters, whose middle is between two of them.
    page = opened(visit, f"/comparisons/{compared['id']}#query=1001-3002&subject=1001-3002")
    page.get_by_role("button", name="Box by numbers").click()
    places = [int(each.input_value().replace(",", "")) for each in page.locator(".stretch input").all()]
    assert [places[1] - places[0] + 1, places[3] - places[2] + 1] == [1001, 1001]


def test_a_long_alignment_of_one_of_two_namesakes_can_be_cancelled(visit: Visit, http: httpx.Client) -> None:
    request = {
        "query": f">a\n{CHR1[:300]}\n>a\n{CHR1[900:1200]}\n",
        "subject": f">c\n{CHR1[900:1200]}\n",
        "gapped": "exact",
    }
    compared = http.post("/v1/comparisons", json=request, headers={"Prefer": "wait=60"}).json()
    # Of which of the two records a block is cannot be told.
    block = {"kind": "collinear", "strand": "+", "score": 1_200, "length": 300, "matches": 300, "identity": 100.0}
    block |= {"query": "a", "query_from": 1, "query_to": 300, "subject": "c", "subject_from": 1, "subject_to": 300}
    synteny = compared["summary"]["synteny"] | {"blocks": [block, block]}
    change = {"summary": compared["summary"] | {"synteny": synteny}}
    visit.page.route(f"**/comparisons/{compared['id']}", lambda route: altered(route, change))
    jobs = {kind: {"id": f"alignment-{kind}", "state": "running", "progress": 0.25} for kind in ("box", "map")}
    visit.page.route("**/box:estimate", lambda route: route.fulfill(json={"cells": 90_000, "seconds": 90}))
    visit.page.route("**:align", lambda route: route.fulfill(json=jobs["box"]))
    visit.page.route("**/score-map", lambda route: route.fulfill(json=jobs["map"]))
    visit.page.route("**:cancel", lambda route: route.fulfill(status=202, json={}))
    # Jobs that the server does not know: no news of them, however long they are followed.
    visit.page.route("**/v1/alignments/*/events", lambda _: None)
    for kind, job in jobs.items():
        visit.page.route(f"**/v1/alignments/alignment-{kind}", partial(Route.fulfill, json=job))
    page = opened(visit, f"/comparisons/{compared['id']}")
    expect(page.get_by_text("Some records share a name")).to_be_visible()
    blocks = page.get_by_role("region", name="Blocks of synteny")
    expect(blocks.get_by_role("row")).to_have_count(3)
    expect(blocks.get_by_role("button")).to_have_count(0)
    page.get_by_role("button", name="Box by numbers").click()
    page.get_by_label("record").first.select_option("a (#2)")
    form = page.get_by_role("form", name="Box to align")
    expect(form).to_contain_text("with the score map about 1 min 30 s")
    with page.expect_request("**:align") as asked:
        form.get_by_role("button", name="Align exactly").click()
    assert [asked.value.post_data_json[side]["record"] for side in ("query", "subject")] == ["#2", "c"]
    expect(page.locator(".aligned")).to_contain_text("Aligning… 25 %")
    expect(page.locator(".aligned")).to_contain_text("Score map… 25 %")
    with page.expect_request("**/v1/alignments/alignment-box:cancel"), page.expect_request("**/alignment-map:cancel"):
        page.locator(".aligned").get_by_role("button", name="Cancel", exact=True).click()
    with page.expect_request("**/v1/alignments/alignment-box:cancel"), page.expect_request("**/alignment-map:cancel"):
        page.get_by_role("button", name="Cancel and close").click()
    expect(page.locator(".aligned")).to_have_count(0)


def test_a_comparison_needs_no_mouse(page: Page, compared: dict[str, Any]) -> None:
    keys = page.keyboard
    plot(page).focus()
    for key in ("+", "+", "ArrowRight", "ArrowUp"):
        keys.press(key)
    page.wait_for_url(re.compile("#query="))
    keys.press("0")
    page.wait_for_url(re.compile(f"/{compared['id']}$"))
    keys.press("b")
    form = page.get_by_role("form", name="Box to align")
    expect(form.get_by_label("record").first).to_be_focused()
    for value in ("200", "900"):
        keys.press("Tab")
        keys.press("Control+A")
        keys.insert_text(value)
    keys.press("Tab")
    expect(form.get_by_label("record").last).to_be_focused()
    for value in ("250", "20000"):
        keys.press("Tab")
        keys.press("Control+A")
        keys.insert_text(value)
    expect(form.get_by_role("alert")).to_have_text("scaffold_1 has places 1 to 12,000.")
    keys.press("Control+A")
    keys.insert_text("1000")
    expect(form.get_by_role("alert")).to_have_count(0)
    keys.press("Enter")
    expect(page.locator(".aligned .detail-facts")).to_contain_text("Query chr1 2")
    plot(page).focus()
    keys.press("Escape")
    expect(form).to_have_count(0)
    for label, typed, kept in (("Length ≥", "1,000", "length=1000"), ("Identity ≥", "95 %", "identity=95")):
        field = page.get_by_role("search").get_by_label(label)
        field.fill(typed)
        page.wait_for_url(re.compile(f"#{kept}$"))
        expect(field).to_have_value(typed)
        field.fill("much")
        expect(page.get_by_role("search").get_by_role("alert")).to_have_text("“much” is no number.")
        field.fill("")
    page.locator(".hsp-show").first.focus()
    keys.press("Enter")
    expect(page.locator(".hsp-row.marked")).to_have_count(1)
    page.get_by_role("button", name="Download").focus()
    keys.press("Enter")
    keys.press("Tab")
    expect(page.locator(".menu-list a").first).to_be_focused()
    keys.press("Escape")
    expect(page.locator(".menu-list")).to_have_count(0)


@pytest.mark.parametrize(
    ("scheme", "viewport"),
    [("light", {"width": 1366, "height": 768}), ("dark", {"width": 390, "height": 844})],
    ids=["light-desk", "dark-phone"],
)
def test_axe_finds_no_fault(begin: Begin, compared: dict[str, Any], scheme: str, viewport: dict[str, int]) -> None:
    visit = begin(color_scheme=scheme, viewport=viewport, has_touch=scheme == "dark")
    page = opened(visit, f"/comparisons/{compared['id']}")
    page.get_by_role("button", name="Box by numbers").click()
    page.locator(".certificate summary").click()
    page.get_by_role("button", name="Download").click()
    assert faults(page) == []
    assert overflow(page) <= 0
    visit.shoot(f"compare-{scheme}-{viewport['width']}")
    page = visit.open("/compare")
    page.get_by_label("Gaps").select_option("exact")
    assert faults(page) == []
    assert overflow(page) <= 0
    visit.shoot(f"compare-form-{scheme}-{viewport['width']}")


def test_two_fingers_zoom_and_one_moves(begin: Begin, compared: dict[str, Any]) -> None:
    visit = begin(viewport={"width": 390, "height": 844}, has_touch=True)
    page = opened(visit, f"/comparisons/{compared['id']}")
    plot(page).evaluate("(box) => box.scrollIntoView({ block: 'center' })")
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *places: int) -> None:
        points = [dict(zip("xy", at(page, place, place), strict=True)) | {"id": n} for n, place in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", 8_000, 10_000)
    for apart in (2_000, 3_000, 4_000):
        send("touchMove", 9_000 - apart, 9_000 + apart)
    send("touchEnd")
    # Each finger moves by itself: when only the last but one has, the view is 5,143 letters wide.
    page.wait_for_url(lambda url: 4_400 < shown(url)[1] - shown(url)[0] < 4_600)
    first, last = shown(page.url)
    assert abs((first + last) // 2 - 9_000) < 600
    send("touchStart", 9_000)
    send("touchMove", 12_000)
    send("touchEnd")
    page.wait_for_function(f"() => Number(/#query=(\\d+)/.exec(location.hash)?.[1]) < {first}")


def test_few_colours_and_paper_show_both_strands(begin: Begin, compared: dict[str, Any]) -> None:
    visit = begin(forced_colors="active", color_scheme="dark")
    page = opened(visit, f"/comparisons/{compared['id']}")
    canvas = page.locator(".dotplot canvas").first
    assert len(canvas.evaluate(COLOURS)) >= 3
    visit.shoot("compare-forced")
    dark = begin(color_scheme="dark")
    page = opened(dark, f"/comparisons/{compared['id']}")
    canvas = page.locator(".dotplot canvas").first
    shown = canvas.evaluate(COLOURS)
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    printed = canvas.evaluate(COLOURS)
    assert 0xFFFFFFFF in printed
    assert 0xFFFFFFFF not in shown
    assert page.locator(".hsp-list .hsp-row").count() == len(compared["hsps"])


MILLION = """() => {
    const bytes = new DataView(new ArrayBuffer(17e6));
    for (let row = 0, state = 1; row < 1e6; row += 1) {
        const next = (below) => {
            state = (Math.imul(1103515245, state) + 12345) >>> 0;
            return (state >>> 8) % below;
        };
        const length = 10 + next(50);
        const places = [next(17000), next(17000), length, length - next(9)];
        places.forEach((each, place) => bytes.setInt32(17 * row + 4 * place, each, true));
        bytes.setUint8(17 * row + 16, row % 2);
    }
    const real = fetch;
    const rows = () => Promise.resolve(new Response(bytes));
    globalThis.fetch = (address, asked) => (address.endsWith("format=rows") ? rows() : real(address, asked));
}"""
"""A million HSPs in place of the server's: made there, for Playwright takes seconds to hand so many bytes over."""


def test_a_million_hsps_are_drawn_and_few_rows(visit: Visit, compared: dict[str, Any]) -> None:
    summary = compared["summary"]
    change = {"summary": summary | {"strands": [each | {"hsps": 500_000} for each in summary["strands"]]}}
    visit.page.route(f"**/comparisons/{compared['id']}", lambda route: altered(route, change))
    visit.page.add_init_script(f"({MILLION})()")
    page = opened(visit, f"/comparisons/{compared['id']}")
    expect(page.get_by_text("1,000,000 HSPs: the first 200,000 are listed")).to_be_visible()
    assert page.locator(".hsp-list .hsp-row").count() < 40
    assert {row[2] for row in rows(page)} == {"59"}
    page.locator(".hsp-scroll").evaluate("(box) => box.scrollTo(0, box.scrollHeight)")
    expect(page.locator(".hsp-row[aria-rowindex='200001']")).to_be_visible()
    page.mouse.move(*at(page, 9_000, 9_000))
    for _ in range(12):
        page.mouse.wheel(0, -400)
    page.wait_for_url(re.compile("#query="))
    expect(page.get_by_text("of 1,000,000 HSPs in this view")).to_be_visible()
    visit.shoot("compare-million")


def test_a_comparison_that_runs_is_waited_for(visit: Visit, compared: dict[str, Any]) -> None:
    waiting = {"state": "running", "phase": "scoring", "progress": 0.25, "summary": None, "estimate_s": 40}
    held: list[Route] = []
    visit.page.route(f"**/comparisons/{compared['id']}", lambda route: altered(route, waiting))
    visit.page.route("**/events", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks what it is given
    # After some seconds without an event the page asks.
    visit.page.route(f"**/v1/comparisons/{compared['id']}", lambda route: route.fulfill(json=waiting))
    page = visit.open(f"/comparisons/{compared['id']}")
    expect(page.get_by_text("Finding shared stretches")).to_be_visible()
    expect(page.locator(".percent")).to_have_text("25.0 %")
    assert faults(page) == []
    held[0].continue_()
    plot(page).wait_for()
    visit.refusals.add(404)
    page = visit.open(f"/comparisons/comparison-{'W' * 34}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No such comparison")
    assert faults(page) == []


@pytest.mark.parametrize("width", [1280, 760])
def test_nothing_moves_when_names_arrive(begin: Begin, http: httpx.Client, width: int) -> None:
    """A comparison without a title is called by its first records, whose names may be long."""
    long = f">{'query_chromosome_of_a_strain_' * 3}1\n"
    request = {"query": QUERY.replace(QUERY.partition("\n")[0] + "\n", long, 1), "subject": SUBJECT}
    job = http.post("/v1/comparisons", json=request, headers={"Prefer": "wait=60"}).json()["id"]
    visit = begin(viewport={"width": width, "height": 800})
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    visit.page.route("**/records", hold)
    with visit.page.expect_request("**/records"):
        page = visit.open(f"/comparisons/{job}")
    page.locator(".plot-room").wait_for()
    waiting[0].continue_()
    plot(page).wait_for()
    expect(page.locator("h1")).to_contain_text("query_chromosome_of_a_strain_")
    assert page.evaluate(SHIFTED) < 0.01
