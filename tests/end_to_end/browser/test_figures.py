"""Pictures that the page offers: SVGs are the interface's to the byte, PNGs show these drawings, twice as large."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from PIL import Image, ImageColor
from playwright.sync_api import Locator, Page, expect

from shardwater.formats.figures.hits import CLASSES
from tests.support.accessibility import faults
from tests.support.browser import Visit
from tests.support.comparison_page import opened
from tests.support.msa_page import made
from tests.support.pictures import boxes, picture, size, texts
from tests.support.planted_genomes import QUERY, SUBJECT
from tests.support.server import Server


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    """The demo's four queries, the best thirty hits of each with alignments."""
    return server.search(
        queries, max_target_seqs=60, alignments=30, evalue=1000, score_distribution=True, title="A paper"
    )


@pytest.fixture
def page(visit: Visit, result: dict[str, Any]) -> Page:
    """The result's page, at its second query."""
    page = visit.open(f"/searches/{result['search']}#2")
    expect(page.locator(".query-head h2")).to_contain_text(result["results"][1]["query"]["id"])
    return page


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


def saved(page: Page, entry: Locator) -> tuple[str, Path]:
    """The name of the file that an entry or a button saves, and where it is."""
    with page.expect_download() as download:
        entry.click()
    return download.value.suggested_filename, Path(download.value.path())


def both(page: Page, http: httpx.Client, within: Locator, label: str, menu: str = "") -> tuple[str, str]:
    """A picture saved as SVG and as PNG, which are what they should be; its name without ending, and the SVG."""
    files = []
    for form, role in (("SVG", "link"), ("PNG", "button")):
        if menu:
            page.get_by_role("button", name=menu, exact=True).click()
        entry = within.get_by_role(role, name=f"{label}, {form}", exact=True)  # type: ignore[arg-type]
        if form == "SVG":
            address = entry.get_attribute("href") or ""
        files.append(saved(page, entry))
    (svg_name, svg), (png_name, png) = files
    text = svg.read_bytes()
    assert text == http.get(address).content
    assert png_name.removesuffix(".png") == svg_name.removesuffix(".svg")
    root = picture(text.decode())
    with Image.open(png) as opened_png:
        shown = opened_png.convert("RGB")
    assert shown.size == tuple(2 * side for side in size(root))
    assert shown.getpixel((0, 0)) == (255, 255, 255)
    # The title's ink, and all that else is drawn.
    colours = shown.getcolors(1 << 24) or []
    assert {color for times, color in colours if times > 20} >= {(255, 255, 255), ImageColor.getrgb("#222222")}
    for color in {each.get("fill") or "" for each in root.iter()} - {"", "none", "#ffffff"}:
        for x, y, width, height in boxes(root, color)[:1]:
            if width >= 2 and height >= 2:
                assert shown.getpixel((int(2 * x + width), int(2 * y + 1))) == ImageColor.getrgb(color), color
    return svg_name.removesuffix(".svg"), text.decode()


def test_pictures_of_a_search_are_the_interfaces(page: Page, http: httpx.Client, result: dict[str, Any]) -> None:
    menu = page.locator(".menu-list")
    one = result["results"][1]
    query = one["query"]["id"].replace("|", "_")
    name, text = both(page, http, menu, "Hits along the query", "Download")
    assert name == f"A_paper.2_{query}.hits"
    assert texts(picture(text))[1].endswith("· 50 of 60 hits")
    assert [each for each in texts(picture(text)) if each in {label for _, label, _ in CLASSES}]
    name, text = both(page, http, menu, "Score distribution", "Download")
    assert name == f"A_paper.2_{query}.scores"
    assert f"hits that are reported: {len(one['hits'])}" in texts(picture(text))
    # What the page shows of it stays there.
    expect(page.locator(".overview .drawing")).to_be_visible()


def test_hits_that_are_ticked_or_left_by_a_filter_are_drawn(
    page: Page, http: httpx.Client, result: dict[str, Any]
) -> None:
    hits = result["results"][1]["hits"]
    menu = page.locator(".menu-list")
    least = sorted((hit["identity"] for hit in hits if hit["identity"] is not None), reverse=True)[2]
    page.get_by_label("Identity ≥").fill(str(least))
    left = [hit for hit in hits if hit["identity"] is not None and hit["identity"] >= least]
    expect(page.locator(".toolbar [role=status]")).to_contain_text(f"{len(left)} of 60 hits")
    _, text = both(page, http, menu, "Hits along the query", "Download")
    assert texts(picture(text))[1].endswith(f"· {len(left)} of 60 hits")
    page.get_by_label("Identity ≥").fill("")
    for hit in hits[:2]:
        page.get_by_label(f"Select {hit['accession']}").check()
    name, text = both(page, http, menu, "Hits along the query", "Download selected")
    assert name.endswith(".selected.hits")
    assert texts(picture(text))[1].endswith("· 2 of 60 hits")


def test_a_hits_alignment_is_a_picture(page: Page, http: httpx.Client, result: dict[str, Any]) -> None:
    hit = result["results"][1]["hits"][1]
    page.get_by_role("button", name=hit["accession"]).click()
    name, text = both(page, http, page.locator(".detail-links"), "Alignment")
    assert name.endswith(".hit-2.alignment")
    assert hit["hsps"][0]["qseq"][:60] in texts(picture(text))


def test_pictures_of_an_msa_are_the_interfaces(visit: Visit, server: Server, http: httpx.Client, queries: str) -> None:
    first, second = (f">{each}" for each in queries.split(">")[1:3])
    path = made(server, queries=[{"chains": [first, second]}], databases=["demo"], iterations=1)
    page = visit.open(f"{path}#2")
    page.get_by_role("application").wait_for()
    menu = page.locator(".menu-list")
    name, text = both(page, http, menu, "First rows", "Download")
    assert name.endswith(".rows")
    # The name beside its letters is cut where their room begins.
    assert f"Rows aligned to {second.split()[0][1:]}" in texts(picture(text))
    name, _ = both(page, http, menu, "Coverage and conservation", "Download")
    assert name.endswith(".conservation")


def test_the_dot_plot_is_the_interfaces(visit: Visit, http: httpx.Client) -> None:
    request = {"query": QUERY, "subject": SUBJECT, "title": "Two strains"}
    job = http.post("/v1/comparisons", json=request, headers={"Prefer": "wait=60"}).json()["id"]
    page = opened(visit, f"/comparisons/{job}")
    for form in ("svg", "png"):
        page.get_by_role("button", name="Download", exact=True).click()
        name, file = saved(page, page.get_by_role("link", name=f"Dot plot, {form.upper()}"))
        assert name == f"Two_strains.dotplot.{form}"
        assert file.read_bytes() == http.get(f"/v1/comparisons/{job}/figures/dotplot.{form}").content
    page.get_by_role("button", name="Download", exact=True).click()
    _, file = saved(page, page.get_by_role("button", name="This view, PNG"))
    box = page.locator(".dotplot canvas").first.bounding_box()
    assert box is not None
    with Image.open(file) as view:
        # Twice what is on the screen, with room for title, name of the side and legend, where something is written.
        width, height = view.size
        assert (width, height) == pytest.approx((2 * (20 + box["width"]), 2 * (36 + box["height"] + 48)), abs=1)
        for place in ((0, 0, width, 72), (0, 0, 40, height), (0, height - 64, width, height)):
            darkest, lightest = view.convert("L").crop(place).getextrema()
            assert (darkest < 128, lightest) == (True, 255), place


def test_a_picture_that_cannot_be_had_says_why(visit: Visit, page: Page, result: dict[str, Any]) -> None:
    visit.refusals.add(410)
    gone = {"type": "urn:shardwater:problem:expired", "title": "Expired", "status": 410, "detail": "It is gone."}
    kind = "application/problem+json"
    page.route("**/figures/**", lambda route: route.fulfill(status=410, body=json.dumps(gone), content_type=kind))
    page.get_by_role("button", name="Download", exact=True).click()
    page.get_by_role("button", name="Hits along the query, PNG").click()
    expect(page.locator(".menu-list").get_by_role("alert")).to_contain_text("It is gone.")
    assert urlsplit(page.url).path == f"/searches/{result['search']}"
    assert faults(page) == []
