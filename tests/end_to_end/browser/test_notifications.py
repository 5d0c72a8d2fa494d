"""What is told of a job of any kind while it is waited for, and at its end, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import Begin, Visit
from tests.support.long_queries import long_query
from tests.support.server import Server


def cancel(server: Server, search: str) -> None:
    with server.http as http:
        assert http.post(f"/v1/searches/{search}:cancel").status_code == 202


NOTIFICATIONS = """(permission) => {
    window.told = [];
    window.asked = 0;
    window.Notification = class {
        constructor(title, { body }) { window.told.push(`${title}: ${body}`); }
        static async requestPermission() { window.asked += 1; return permission; }
    };
}"""
"""The browser's notifications, kept instead of shown: a browser without windows refuses them all."""


def test_who_asks_for_it_is_notified_of_the_end(begin: Begin, server: Server) -> None:
    visit, refused = begin(), begin()
    visit.page.add_init_script(f"({NOTIFICATIONS})('granted')")
    refused.page.add_init_script(f"({NOTIFICATIONS})('denied')")
    search = str(server.post(long_query("N"), title="the end").json()["id"])
    page, other = visit.open(f"/searches/{search}"), refused.open(f"/searches/{search}")
    button = page.get_by_role("button", name="Notify me at the end")
    expect(button).to_have_attribute("aria-pressed", "false")
    # Nobody is asked who has not asked first.
    assert page.evaluate("window.asked") == 0
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.asked") == 1
    other.get_by_role("button", name="Notify me at the end").click()
    expect(other.locator(".waiting")).to_contain_text("This browser lets no notifications through.")
    cancel(server, search)
    for each in (page, other):
        expect(each.locator("main > [role=status]")).to_have_text("The search has been cancelled.")
    assert page.evaluate("window.told") == ["the end: The search has been cancelled."]
    assert other.evaluate("window.told") == []


def test_who_takes_it_back_is_not_notified(visit: Visit, server: Server) -> None:
    visit.page.add_init_script(f"({NOTIFICATIONS})('granted')")
    search = str(server.post(long_query("O")).json()["id"])
    page = visit.open(f"/searches/{search}")
    button = page.get_by_role("button", name="Notify me at the end")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    cancel(server, search)
    expect(page.locator("main")).to_contain_text("This search was cancelled")
    assert page.evaluate("window.told") == []


@pytest.mark.parametrize(
    ("path", "asked", "noun"),
    [
        ("/msas", {"queries": long_query("P"), "databases": ["demo"]}, "MSA"),
        (
            "/comparisons",
            {"query": ">a\n" + "ACGTTGCAT" * 90_000, "subject": ">b\n" + "ACGTTGGAT" * 90_000},
            "comparison",
        ),
    ],
)
def test_all_kinds_are_waited_for_in_one_way(
    visit: Visit, server: Server, path: str, asked: dict[str, object], noun: str
) -> None:
    with server.http as http:
        job = http.post(f"/v1{path}", json=asked).json()
    told = {**job, "state": "running", "phase": "aligning", "progress": 0.5, "position": None, "estimate_s": 61}
    visit.refusals.add(503)
    visit.page.route("**/events", lambda route: route.fulfill(status=503))
    visit.page.route(f"**/v1{path}/{job['id']}", lambda route: route.fulfill(json=told))
    page = visit.open(f"{path}/{job['id']}")
    expect(page.locator(".progress-line")).to_contain_text(re.compile("Aligning (what was found|with gaps)"))
    expect(page.locator(".facts")).to_contain_text(re.compile(r"Running for.*Left\s*about 1 min 1 s", re.DOTALL))
    expect(page.get_by_role("button", name="Notify me at the end")).to_be_visible()
    told |= {"progress": 0.25}
    # What is done stays done.
    expect(page).to_have_title(f"50 % - {noun[:1].upper()}{noun[1:]} - Shardwater")
    told |= {"state": "failed", "error": {**FAILED, "detail": "no memory left"}, "finished_at": job["created_at"]}
    expect(page.get_by_role("alert")).to_contain_text("no memory left")
    expect(page.locator("main > [role=status]")).to_have_text(f"The {noun} has failed.")
    expect(page).to_have_title(f"Failed - {noun[:1].upper()}{noun[1:]} - Shardwater")
    with server.http as http:
        assert http.delete(f"/v1{path}/{job['id']}").status_code == 204


FAILED = {"type": "urn:shardwater:problem:shard-failed", "title": "Failed", "status": 500, "retryable": False}
