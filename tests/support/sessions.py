"""The page's session: signing in, and the cookie for it."""

from http.cookies import SimpleCookie

import httpx

from tests.support.guarded import Guarded

OURS = {"Sec-Fetch-Site": "same-origin"}


def sign_in(guarded: Guarded, key: str, headers: dict[str, str] | None = None) -> httpx.Response:
    return guarded.anybody().post("/session", json={"key": key}, headers=headers or OURS)


def cookie_of(reply: httpx.Response) -> str:
    assert reply.status_code == 200, reply.text
    return SimpleCookie(reply.headers["Set-Cookie"])["shardwater_session"].value
