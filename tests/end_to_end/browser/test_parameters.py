"""Parameters of all four forms: presets, sentences that everybody reaches, and what the server has against them."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from lxml import html
from playwright.sync_api import Page, expect

from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit
from tests.support.server import Server

FORMS = {"search": "/", "align": "/align", "compare": "/compare", "msa": "/msas"}
KINDS = {"search": "parameters", "align": "alignments", "compare": "comparisons", "msa": "msas"}
DESCRIBED = """(fields) => Object.fromEntries(fields.map((field) => [
    field.name || "free_ends",
    field.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id).textContent).join(" "),
]))"""
"""What is read out with each field, shown or not."""
FIELDS = ".settings .field :is(select, input:not([type]), textarea)[name], .settings .ends"


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


def all_fields(page: Page, kind: str) -> None:
    """Have a form show every field that it has, but for those that never stand together."""
    if kind == "search":
        page.get_by_text("More parameters").click()
        page.get_by_label("Gap open, extend").select_option("other")
    elif kind == "align":
        page.get_by_label("Alignments of a pair").fill("2")
    elif kind == "compare":
        page.get_by_label("Gaps").select_option("exact")


@pytest.mark.parametrize("kind", FORMS)
def test_each_field_is_explained_by_mouse_touch_and_keyboard(begin: Begin, http: httpx.Client, kind: str) -> None:
    visit = begin(viewport={"width": 390, "height": 844}, has_touch=True)
    page = visit.open(FORMS[kind])
    all_fields(page, kind)
    known = {each["name"]: each for each in http.get("/v1/parameters").json()[KINDS[kind]]}
    told = page.locator(FIELDS).evaluate_all(DESCRIBED)
    told.pop("costs", None)
    if kind == "align":
        page.get_by_role("button", name="Reads in a reference").tap()
        told |= page.locator(FIELDS).evaluate_all(DESCRIBED)
        assert {"free_ends", "strand", "mismatch", "table", "matrix", "query_apart"} <= set(told)
    # The form names nothing that the server has not, and says what the server says.
    assert told == {name: known[name]["summary"] for name in told}
    assert len(told) >= len(known) / 2
    sentence = page.locator(".explained").filter(has=page.locator("a")).first
    expect(sentence).to_be_hidden()
    switch = page.get_by_role("switch", name="Explain")
    switch.tap()
    expect(sentence).to_be_visible()
    switch.focus()
    page.keyboard.press("Space")
    expect(sentence).to_be_hidden()
    page.keyboard.press("Space")
    expect(sentence).to_be_visible()
    assert faults(page) == []
    assert overflow(page) <= 0
    links = [str(link) for link in page.locator(".explained a").evaluate_all("(all) => all.map((a) => a.href)")]
    help_page = html.fromstring(http.get("/help").text)
    places = {f"{visit.url}/help#{place}" for place in help_page.xpath("//tr/@id")}
    assert set(links) <= places
    # Every other form has the same switch, as it was left.
    page = visit.open(FORMS["msa" if kind == "search" else "search"])
    expect(page.get_by_role("switch", name="Explain")).to_be_checked()


@pytest.mark.parametrize(
    ("kind", "preset", "field", "value"),
    [
        ("align", "Amplicons", "mode", "global"),
        ("compare", "Distant", "word", "16"),
        ("msa", "Everything", "filter", "none"),
    ],
)
def test_a_preset_sets_what_it_is_for_and_nothing_else(
    visit: Visit, kind: str, preset: str, field: str, value: str
) -> None:
    page = visit.open(FORMS[kind])
    presets = page.get_by_role("group", name="Presets")
    expect(presets.get_by_role("button", pressed=True)).to_have_text("Standard")
    page.get_by_label("Name of this").fill("kept")
    presets.get_by_role("button", name=preset).click()
    expect(page.locator(f"[name={field}]")).to_have_value(value)
    expect(presets.get_by_role("button", pressed=True)).to_have_text(preset)
    expect(page.get_by_label("Name of this")).to_have_value("kept")
    presets.get_by_role("button", name="Standard").click()
    expect(page.locator(f"[name={field}]")).not_to_have_value(value)


def refuse(page: Page, pointer: str) -> None:
    """Have the server find something wrong with a field that the page knows nothing of."""
    errors = [{"pointer": pointer, "detail": "it is odd"}]
    problem = {"type": "about:blank", "title": "No", "status": 422, "detail": "it is odd", "errors": errors}
    body = json.dumps(problem | {"retryable": False})
    page.route(
        "**/v1/msas:estimate",
        lambda route: route.fulfill(status=422, content_type="application/problem+json", body=body),
    )


def test_an_msa_is_estimated_and_what_is_against_it_stands_beside_its_field(
    visit: Visit, server: Server, http: httpx.Client
) -> None:
    visit.refusals |= {413, 422}
    page = visit.open("/msas")
    editor = page.get_by_label("Protein sequences in FASTA")
    build = page.get_by_role("button", name="Build", exact=True)
    estimate = page.locator(".estimate")
    sequence = ">a\nMKVLAAGWKKLLFFSSMKVLAAGWKKLLFFSS\n"
    with page.expect_request("**/v1/msas:estimate") as asked:
        editor.fill(sequence)
    assert asked.value.post_data_json == {"queries": sequence, "databases": ["demo"]}
    told: dict[str, Any] = http.post("/v1/msas:estimate", json=asked.value.post_data_json).json()
    million = told["cells"] / 1e6
    expect(estimate).to_contain_text(f"1 chain, {million:.3g} million cells in 3 rounds")
    expect(build).to_be_enabled()
    refuse(page, "/evalue")
    page.get_by_label("E-value of a row").fill("0.5")
    expect(page.locator("#fault-evalue")).to_have_text("it is odd")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(build).to_be_disabled()
    expect(estimate).to_have_text("E-value of a row: it is odd")
    # What has no field stands above the button.
    page.unroute("**/v1/msas:estimate")
    refuse(page, "/databases/0")
    page.get_by_label("E-value of a row").fill("0.25")
    expect(page.get_by_role("alert")).to_contain_text("it is odd")
    page.unroute("**/v1/msas:estimate")
    page.get_by_label("E-value of a row").fill("")
    page.get_by_label("Rounds at most").fill("1")
    expect(page.get_by_role("alert")).to_have_count(0)
    editor.press("Control+Enter")
    page.get_by_role("application").or_(page.get_by_text("Nothing is aligned")).first.wait_for()
    page = visit.open("/msas")
    expect(page.locator(".estimate")).to_contain_text("built before: no wait")


DROP = """(place) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([">a\\nACGTACGTACGT\\n"], "dropped.fasta"));
    const drop = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: dropped });
    document.querySelector(place).dispatchEvent(drop);
    return drop.defaultPrevented;
}"""


@pytest.mark.parametrize("kind", ["align", "compare", "msa"])
def test_a_file_that_is_dropped_beside_the_inputs_is_taken(visit: Visit, kind: str) -> None:
    page = visit.open(FORMS[kind])
    assert page.evaluate(DROP, ".form-side")
    if kind == "msa":
        expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(">a\nACGTACGTACGT\n")
        return
    expect(page.locator(".file-card strong")).to_have_text(["dropped.fasta"])
    # The next one goes where there is room.
    assert page.evaluate(DROP, ".send")
    expect(page.locator(".genome").nth(1).locator(".file-card strong")).to_have_text("dropped.fasta")
