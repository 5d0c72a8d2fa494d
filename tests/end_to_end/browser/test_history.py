"""One history for all kinds of jobs, in a browser: listed, filtered, renamed, forgotten, deleted."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit
from tests.support.planted_genomes import QUERY, SUBJECT
from tests.support.server import Server

GLOBIN = ">globin\nMGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLGAHAEKVFGMV\n"
FACTOR = "MKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERFSSSDYLEKAELEQKDYQFLYFEGDDLVLMDTKHFEQI"
KEYS = "() => Object.keys(localStorage).filter((name) => name.startsWith('shardwater::')).join()"


def built(visit: Visit, chains: str) -> str:
    """Build MSAs as a person does; their id, once they are there."""
    page = visit.open("/msas")
    page.get_by_label("Protein sequences in FASTA").fill(chains)
    page.get_by_role("button", name="Build", exact=True).click()
    page.get_by_role("application").wait_for()
    return page.url.rpartition("/")[2]


def compared(visit: Visit) -> str:
    """Compare two genomes as a person does; the comparison's id, once its plot is there."""
    page = visit.open("/compare")
    for name, genome in (("Query", QUERY), ("Subject", SUBJECT)):
        page.get_by_label(f"{name}: DNA in FASTA").fill(genome)
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("application").wait_for()
    return page.url.rpartition("/")[2]


def names(page: Page) -> list[str]:
    return page.locator(".recent-title").all_inner_texts()


def status(server: Server, path: str) -> int:
    with server.http as http:
        return http.get(path).status_code


def test_all_kinds_stand_in_one_list(visit: Visit, server: Server) -> None:
    search, msas, comparison = visit.search(GLOBIN), built(visit, f">chain\n{FACTOR}\n"), compared(visit)
    # Below each form stand the latest of all kinds.
    for form in ("/", "/msas", "/compare"):
        page = visit.open(form)
        expect(page.locator(".recent-title")).to_have_text(["chr1 and scaffold_1", "chain", "globin"])
    page.get_by_role("link", name="History", exact=True).last.click()
    page.wait_for_url("**/history")
    lines = page.get_by_role("list", name="Jobs").get_by_role("listitem")
    expect(lines).to_have_count(3)
    for line, kind in zip(
        lines.all(), ("Comparison · ", "MSA · 1 query in demo", "Search · 1 query in demo"), strict=True
    ):
        expect(line).to_contain_text(kind)
        expect(line.locator(".state")).to_have_text("succeeded")
    links = [line.locator("a").get_attribute("href") for line in lines.all()]
    assert links == [f"/comparisons/{comparison}", f"/msas/{msas}", f"/searches/{search}"]
    visit.shoot("history")
    page.get_by_label("Kind", exact=True).select_option("MSAs")
    assert names(page) == ["chain"]
    page.get_by_label("Kind", exact=True).select_option("All kinds")
    page.get_by_label("Words").fill("Scaffold comparison")
    assert names(page) == ["chr1 and scaffold_1"]
    expect(page.locator(".filters [role=status]")).to_have_text("1 of 3 entries")
    page.get_by_label("Words").fill("nothing like it")
    expect(lines).to_have_count(0)
    page.get_by_label("Words").fill("")
    assert faults(page) == []


@pytest.mark.parametrize("kind", ["search", "MSA", "comparison"])
def test_what_is_deleted_is_gone_from_the_server(visit: Visit, server: Server, kind: str) -> None:
    path = {
        "search": lambda: f"searches/{visit.search(GLOBIN)}",
        "MSA": lambda: f"msas/{built(visit, f'>chain{chr(10)}{FACTOR[5:]}')}",
        "comparison": lambda: f"comparisons/{compared(visit)}",
    }[kind]()
    page = visit.page
    # What is asked may be answered by keeping it.
    button = page.get_by_role("button", name="Delete")
    button.click()
    dialog = page.get_by_role("dialog", name=f"Delete this {kind}?")
    expect(dialog.get_by_role("button", name="Keep")).to_be_focused()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()
    assert status(server, f"/v1/{path}") == 200
    button.click()
    dialog.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/history")
    expect(page.locator("main")).to_contain_text("Nothing yet.")
    assert status(server, f"/v1/{path}") in (404, 410)
    visit.refusals.add(404)
    visit.open(f"/{path}")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"No such {kind}")


def test_what_is_deleted_in_the_list_is_gone_and_what_is_forgotten_is_kept(visit: Visit, server: Server) -> None:
    first, second = visit.search(GLOBIN), visit.search(f">factor\n{FACTOR}\n")
    page = visit.open("/history")
    # Only the latest have their sequences there.
    kept = "sequences of searches, alignments and comparisons among the last 50 jobs, up to 40,000 characters of each."
    expect(page.get_by_text(kept)).to_be_visible()
    page.get_by_role("button", name="Forget globin").click()
    expect(page.locator(".recent-title")).to_have_text(["factor"])
    expect(page.get_by_role("heading", name="History")).to_be_focused()
    assert status(server, f"/v1/searches/{first}") == 200
    page.get_by_role("button", name="Delete factor").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".history > [role=status]")).to_have_text("Search factor is deleted.")
    expect(page.get_by_role("heading", name="History")).to_be_focused()
    expect(page.locator("main")).to_contain_text("Nothing yet.")
    assert status(server, f"/v1/searches/{second}") in (404, 410)
    visit.open("/history")
    expect(page.locator("main")).to_contain_text("Nothing yet.")


def test_a_delete_that_fails_is_said_and_leaves_the_entry(visit: Visit) -> None:
    visit.search(GLOBIN)
    visit.refusals.add(503)
    page = visit.open("/history")
    page.route("**/v1/searches/*", lambda route: route.fulfill(status=503))
    page.get_by_role("button", name="Delete globin").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("503")
    page.get_by_role("button", name="Keep").click()
    assert names(page) == ["globin"]


def test_a_new_name_is_kept_in_this_browser(visit: Visit, server: Server) -> None:
    search = visit.search(GLOBIN)
    page = visit.open("/history")
    page.get_by_role("button", name="Rename globin").click()
    field = page.get_by_label("New name", exact=True)
    expect(field).to_be_focused()
    field.press("Escape")
    expect(page.get_by_role("button", name="Rename globin")).to_be_focused()
    page.keyboard.press("Enter")
    assert faults(page) == []
    field.fill("  Myoglobin of a rockcod ")
    field.press("Enter")
    expect(page.locator(".recent-title")).to_have_text("Myoglobin of a rockcod")
    expect(page.get_by_role("button", name="Rename Myoglobin of a rockcod")).to_be_focused()
    page.get_by_role("link", name="Myoglobin of a rockcod").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Myoglobin of a rockcod")
    visit.open("/")
    expect(page.locator(".recent-title")).to_have_text("Myoglobin of a rockcod")
    expect(page.locator(".recent")).to_contain_text("the sequences of searches, alignments and comparisons among")
    assert server.state(search)["title"] == ""


def older(**changed: Any) -> dict[str, Any]:
    """What a version before kept of a job."""
    kept = {"id": "x" * 34, "title": "", "created_at": "2026-01-02T03:04:05Z", "expires_at": "2026-01-09T03:04:05Z"}
    return kept | changed


def test_what_older_versions_have_kept_is_read(visit: Visit) -> None:
    search = {"database": "demo", "version": "0123456789ab", "queries": 2, "request": {"sequence": GLOBIN}}
    lists = {
        "searches": [older(id="a", title="an old search", created_at="2026-01-03T03:04:05Z", **search)],
        "comparisons": [older(id="comparison-b", title="an old comparison", created_at="2026-01-04T03:04:05Z")],
        "msas": [older(id="msa-c", title="old MSAs")],
    }
    page = visit.open("/openapi.json")
    keep = "([name, kept]) => localStorage.setItem(`shardwater::${name}`, kept)"
    for name, kept in lists.items():
        page.evaluate(keep, [name, json.dumps(kept)])
    visit.open("/history")
    assert names(page) == ["an old comparison", "an old search", "old MSAs"]
    expect(page.locator(".recent-list")).to_contain_text("Search · 2 queries in demo · 3 Jan 2026")
    # Their time is over, as that alone tells.
    expect(page.locator(".state")).to_have_text(["expired"] * 3)
    page.reload()
    assert names(page) == ["an old comparison", "an old search", "old MSAs"]
    # One list has taken the place of three, and what another program left there does no harm.
    assert page.evaluate(KEYS) == "shardwater::history"
    entry = older(about="", kind="searches")
    wrong = [{**entry, "kind": kind} for kind in ("constructor", "__proto__")] + [{**entry, "title": {"a": 1}}]
    for strange in ('{"not": "a list"}', '[null, {"kind": "of tomorrow"}, 5]', "no JSON", json.dumps(wrong)):
        page.evaluate(keep, ["history", strange])
        page.reload()
        expect(page.locator("main")).to_contain_text("Nothing yet.")
    visit.open("/")
    expect(page.get_by_label("Protein sequences in FASTA")).to_be_visible()


def test_what_is_opened_of_instant_hits_in_another_tab_is_remembered(visit: Visit) -> None:
    visit.refusals.add(409)
    page = visit.open("/")
    page.route("**/v1/searches:estimate", lambda route: route.fulfill(json=route.fetch().json() | QUICK))
    page.get_by_label("Instant hits while typing").check()
    page.get_by_label("Protein sequences in FASTA").fill(f">instant\n{FACTOR}")
    link = page.get_by_role("link", name="Open this result")
    with page.context.expect_page() as opened:
        link.click(button="middle")
    there = opened.value
    there.get_by_role("table", name="Hits").wait_for()
    # What is made of it there is found again as well.
    there.get_by_role("button", name="Build an MSA").click()
    there.get_by_role("application").wait_for()
    there.close()
    visit.open("/history")
    expect(page.locator(".recent-title")).to_have_text(["instant", "instant"])
    expect(page.locator(".recent-list")).to_contain_text(
        re.compile(r"MSA · 1 query in demo.*Search · 1 query in demo", re.S)
    )


QUICK = {"seconds": 0.01, "queue_seconds": 0.0}


def test_another_tab_shows_what_is_made_in_this_one(visit: Visit) -> None:
    other = Visit.begin(visit.page.context, visit.url)
    other.open("/history")
    expect(other.page.locator("main")).to_contain_text("Nothing yet.")
    visit.search(GLOBIN)
    expect(other.page.locator(".recent-title")).to_have_text("globin")
    assert other.faults == []


def test_the_history_fits_a_phone(begin: Begin) -> None:
    visit = begin(viewport={"width": 360, "height": 740}, color_scheme="dark")
    visit.search(f">{'long_name_of_a_protein_' * 5}\n{FACTOR}\n")
    page = visit.open("/history")
    expect(page.locator(".state")).to_have_text("succeeded")
    assert overflow(page) <= 0
    assert faults(page) == []
    page.get_by_role("button", name=re.compile("^Rename")).click()
    assert overflow(page) <= 0
    page.get_by_role("button", name=re.compile("^Delete")).click()
    assert overflow(page) <= 0
    assert faults(page) == []
    visit.shoot("history-phone")
