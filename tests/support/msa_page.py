"""An MSA's page, as browser tests open it."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.support.server import Server

STRANGER = ">alone\n" + "MKVLAAGWDERTYHIPSNQCG" * 5
"""A protein that the demo's database has no relative of."""


def made(server: Server, **asked: Any) -> str:
    """The address of the MSAs that are asked for, once they are there."""
    named = {"title": f"{asked}"[:200], **asked}
    with server.http as http:
        reply = http.post("/v1/msas", json=named, headers={"Prefer": "wait=60"})
        assert reply.status_code == 200, reply.text
        return f"/msas/{http.get('/v1/msas').json()['items'][0]['id']}"


def pressed(page: Page, name: str) -> None:
    """The button of these rows is the one that is pressed."""
    expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
