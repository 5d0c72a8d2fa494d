"""Every route under every spelling of its path: what may not be done is not done, however it is written.

The walk asks the app itself, with the paths that uvicorn makes of what a client sends; a few go over a socket.
"""

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

import pytest
from fastapi import FastAPI
from starlette.types import Message

from app.compat.faults import DialectRoute
from app.main import create_app
from app.middleware.reply_room import ReplyRoom
from app.routes.forms import FORMS
from app.service import Service
from tests.support.connections import talk
from tests.support.guarded import Guarded
from tests.support.routes import OPEN, routes
from tests.support.sessions import OURS, cookie_of, sign_in
from tests.support.tiers import mostly_thorough
from worker.settings import Settings
from worker.telemetry.counters import Tally

CONTROLS = ("%0a", "%0d", "%0d%0a", "%00", "%09", "%1f", "%7f", "%c2%85", "%e2%80%a8", "%e2%80%a9")
READ_CONTROLS = tuple(map(unquote, CONTROLS))
ENDINGS = (
    *("", ";", ";x=1", "/", "//", "%2f", "%2F%2f", "/.", "/..", "/%2e", "/%2e%2e/", "%20", "%23", "%3f", "%5c", "."),
    *("%c0%af", "%c0%8a", "%ff", "%25", "%250a", "%c2%a0", "%ef%bc%8f", "..%2f", "?", "?x=%0a", "%2500"),
)
BEGINNINGS = (
    *(
        "/",
        "/.",
        "/%2e",
        "/x/..",
        "/%2e%2e",
        "/%2f",
        "%2f",
        "/healthz/..",
        "/assets/..",
        "/assets/x%2f..",
        "/;",
        "/%5c",
    ),
    *("/lab/search", "/lab/search/lab/search", "/LAB/search", "http://127.0.0.1", "/openapi.json/.."),
)
REWRITTEN: tuple[Callable[[str], str], ...] = (
    str.upper,
    str.title,
    lambda path: path[0] + path[1:].replace("/", "%2f"),
    lambda path: path.replace("/", "%2f"),
    lambda path: path.replace("/", "//"),
    lambda path: path.replace("/", "/./"),
    lambda path: path.replace("/", "\\"),
    lambda path: path[:1] + "".join(f"%{ord(letter):02x}" for letter in path[1:]),
    lambda path: path[:1] + "".join(f"%25{ord(letter):02x}" for letter in path[1:]),
    lambda path: path[:1] + "%0a" + path[1:],
    lambda path: path.replace(".", "%2e").replace(":", "%3a"),
)
SUB_PATH = "/lab/search"
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "DELETE", "PUT", "PATCH", "TRACE", "PROPFIND")
UNSAFE = ("POST", "DELETE")
TURNS = 6
"""Where all paths are tried: a spelling is the middleware's matter, whatever the path."""
ADMIN = {"/metrics", "/v1/workers"}


PREFILLED = {form.path for form in FORMS}
"""What other sites' forms may fill in."""


def concrete(path: str) -> str:
    """A route's path with something in place of each parameter."""
    return re.sub(r"\{\w+(:path)?\}", "x", path)


ALL = sorted({concrete(path) for _, path in routes()} | {"/openapi.json", "/no/such/path"})
_PAGES = {"/openapi.json", "/searches/{search}", "/comparisons/{comparison}", "/msas/{msas}", "/alignments/{alignment}"}
OPEN_SHAPES = [path.split("/") for path in {path for _, path in OPEN} | _PAGES]
DIALECTS = sorted(concrete(route.path) for route in create_app(Settings()).routes if isinstance(route, DialectRoute))


def spellings(path: str) -> Iterator[str]:
    """What a client may write instead."""
    yield from (path + ending for ending in (*ENDINGS, *CONTROLS))
    yield from (beginning + path for beginning in BEGINNINGS)
    yield from (rewritten(path) for rewritten in REWRITTEN)


def is_open(path: str) -> bool:
    """Whether a path is one of those that everybody may ask for, read segment by segment."""
    given = path.split("/")
    return any(
        len(given) == len(shape)
        and all(part == name or (name[:1] == "{" and part) for part, name in zip(given, shape, strict=True))
        for shape in OPEN_SHAPES
    )


def has_control(path: str) -> bool:
    return any(control in path for control in READ_CONTROLS)


@dataclass(frozen=True)
class Asker:
    """The app under some settings, asked as a client with some headers."""

    app: FastAPI
    headers: dict[str, str]

    async def status(self, method: str, spelling: str) -> tuple[str, int]:
        """The path as uvicorn hands it on, and the answer's status; nothing leads anywhere else, nothing fails."""
        # An absolute target is read for its path.
        path = unquote(spelling.removeprefix("http://127.0.0.1").partition("?")[0])
        scope = {"type": "http", "method": method, "path": path, "query_string": b"", "scheme": "http"}
        headers = {"Host": "127.0.0.1", "Content-Length": "0", **self.headers}
        scope["headers"] = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        scope |= {"server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1), "root_path": ""}
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        status = sent[0]["status"]
        assert status not in range(300, 400), (method, spelling)
        assert b"location" not in dict(sent[0]["headers"]), (method, spelling)
        assert status < 500, (method, spelling)
        if has_control(path):
            assert status == 404, (method, spelling)
        return path, status

    def all(self, paths: list[str], methods: tuple[str, ...], turns: int = 1) -> list[tuple[str, str, int]]:
        """Method, path as it is read, and status, for every spelling of these paths.

        turns: so many paths share the spellings, in turn.
        """

        async def ask() -> list[tuple[str, str, int]]:
            self.app.state.service = service = Service(self.app.state.settings, Tally(), ReplyRoom(1))
            found = []
            for number, path in enumerate(paths):
                for spelling in islice(spellings(path), number % turns, None, turns):
                    for method in methods:
                        found.append((method, *await self.status(method, spelling)))
            await service.close()
            return found

        return asyncio.run(ask())


def asker(guarded: Guarded, headers: dict[str, str], **settings: str) -> Asker:
    chosen = Settings(redis_url=guarded.server.queue_url, data=guarded.server.data, **settings)  # type: ignore[arg-type]
    app = create_app(chosen)
    app.state.settings = chosen
    return Asker(app, headers)


def strange(found: list[tuple[str, str, int]], statuses: set[int]) -> list[tuple[str, str, int]]:
    """Answers with other statuses; the list must not be empty."""
    assert len(found) > 100
    return [each for each in found if each[2] not in statuses]


@pytest.mark.parametrize("root_path", ["", SUB_PATH])
@pytest.mark.parametrize(("mode", "proxies"), [("keys", ""), ("proxy", "127.0.0.1")])
def test_no_spelling_lets_a_stranger_in(guarded: Guarded, mode: str, proxies: str, root_path: str) -> None:
    asking = asker(guarded, {}, auth=mode, trusted_proxies=proxies, root_path=root_path)
    for method, path, status in asking.all(ALL, ("GET", "POST"), TURNS):
        if not is_open(path) and not is_open(path.removeprefix(root_path)):
            assert status == (404 if has_control(path) else 401), (method, path)


def test_no_spelling_makes_more_of_a_key(guarded: Guarded) -> None:
    key = {"Authorization": f"Bearer {guarded.key('paths')}"}
    for root_path in ("", SUB_PATH):
        found = asker(guarded, key, auth="keys", root_path=root_path).all(sorted(ADMIN), METHODS)
        assert strange(found, {403, 404}) == []


@pytest.mark.parametrize("site", mostly_thorough(["cross-site"], ["same-site"]))
def test_no_spelling_acts_for_another_site_by_the_cookie(guarded: Guarded, site: str) -> None:
    cookie = cookie_of(sign_in(guarded, guarded.key("paths")))
    headers = {"Cookie": f"shardwater_session={cookie}", "Sec-Fetch-Site": site}
    asking = asker(guarded, headers, auth="keys")
    assert strange(asking.all(DIALECTS, ("GET",)), {401, 404}) == []
    acted = [each for each in asking.all(ALL, UNSAFE, TURNS) if each[1] not in PREFILLED]
    assert strange(acted, {401, 403, 404, 405}) == []


@pytest.mark.parametrize("site", mostly_thorough(["same-site"], ["cross-site"]))
def test_no_spelling_acts_for_another_site_behind_a_proxy(guarded: Guarded, site: str) -> None:
    headers = {"X-Forwarded-User": "ann", "Sec-Fetch-Site": site}
    asking = asker(guarded, headers, auth="proxy", trusted_proxies="127.0.0.1")
    assert strange(asking.all(DIALECTS, ("GET", "POST")), {403, 404}) == []
    assert strange(asking.all(sorted(ADMIN), METHODS), {403, 404}) == []


def test_no_spelling_fails_or_leads_away_where_everybody_is_let_in(guarded: Guarded) -> None:
    found = asker(guarded, {}, auth="off").all(ALL, ("GET", "PROPFIND"), TURNS)
    assert len(found) > 1000


@pytest.mark.parametrize("path", ["/metrics", "/v1/workers", "/Blast.cgi", "/v1/databases"])
def test_spellings_over_a_socket(guarded: Guarded, path: str) -> None:
    key = f"Authorization: Bearer {guarded.key('paths')}\r\n"
    for spelling in spellings(path):
        head = f"GET {spelling} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        answer = talk(guarded.server.url, f"{head}\r\n".encode())
        assert answer.split(b" ")[1] in (b"400", b"401", b"404"), (spelling, answer)
        if path in ADMIN:
            answer = talk(guarded.server.url, f"{head}{key}\r\n".encode())
            assert answer.split(b" ")[1] in (b"400", b"403", b"404"), (spelling, answer)


@pytest.mark.parametrize("command", ["Put", "Get&RID=x", "Delete&RID=x"])
def test_newline_in_the_path_does_not_hide_a_command_of_another_site(guarded: Guarded, command: str) -> None:
    cookie = cookie_of(sign_in(guarded, guarded.key("paths")))
    for site in ("cross-site", "same-site"):
        for spelling in ("", *CONTROLS):
            head = f"GET /Blast.cgi{spelling}?CMD={command} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
            sent = f"{head}Cookie: shardwater_session={cookie}\r\nSec-Fetch-Site: {site}\r\n\r\n"
            assert talk(guarded.server.url, sent.encode()).startswith((b"HTTP/1.1 401", b"HTTP/1.1 404")), spelling


def test_sub_path_without_its_slash_is_the_page(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, root_path=SUB_PATH, redis_url="redis://127.0.0.1:1/0"))
    app.state.settings = Settings(data=tmp_path, root_path=SUB_PATH, redis_url="redis://127.0.0.1:1/0")

    async def ask() -> tuple[str, int]:
        app.state.service = Service(app.state.settings, Tally(), ReplyRoom(1))
        return await Asker(app, OURS).status("GET", SUB_PATH)

    assert asyncio.run(ask()) == (SUB_PATH, 200)
