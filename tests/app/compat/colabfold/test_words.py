"""ColabFold's clients read a word, and end or go on with what the word says."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request, Response

from app.compat.colabfold.words import Worded
from app.main import create_app
from app.middleware.compression import Compressed
from app.middleware.reply_room import ReplyRoom
from app.problems import respond
from app.service import Service
from worker.settings import Settings
from worker.telemetry.counters import Tally

FORM = {"q": ">101\nMKVLAAGWDEHHKLMNPQRSTVWY\n", "mode": "env"}
PLACES = [("POST", "/ticket/msa"), ("POST", "/ticket/pair"), ("GET", "/ticket/x")]


def asked(app: FastAPI, method: str, path: str, headers: dict[str, str]) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            return await http.request(method, path, headers=headers, data=FORM if method == "POST" else None)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("status", "word", "mode", "headers"),
    [
        (401, "ERROR", "keys", {}),
        (401, "ERROR", "keys", {"X-API-Key": "sw_none"}),
        (403, "ERROR", "off", {"Sec-Fetch-Site": "cross-site"}),
        (413, "ERROR", "off", {"Content-Length": "999999999"}),
        (415, "ERROR", "off", {"Content-Encoding": "br", "Content-Length": "9"}),
        (421, "ERROR", "off", {"Host": "evil.example"}),
        (503, "MAINTENANCE", "keys", {"Authorization": f"Bearer sw_aaaaaaaaaaaa_{'A' * 43}"}),
    ],
)
def test_refusals_are_in_words_wherever_they_come_from(
    status: int, word: str, mode: str, headers: dict[str, str]
) -> None:
    settings = Settings(auth=mode, redis_url="redis://127.0.0.1:1/0")
    app = create_app(settings)
    app.state.service = Service(settings, Tally(), ReplyRoom(1))
    for method, path in PLACES:
        reply = asked(app, method, path, headers)
        told = reply.json()
        assert (reply.status_code, told["status"], sorted(told)) == (status, word, ["reason", "status"])
        assert reply.headers["Content-Type"] == "application/json"
        assert reply.headers["X-Request-ID"]


@pytest.mark.parametrize("path", ["/lab/ticket/msa", "/ticket/pair", "/lab/ticket/x"])
def test_words_are_said_below_a_sub_path(path: str) -> None:
    app = create_app(Settings(auth="keys", redis_url="redis://127.0.0.1:1/0", root_path="/lab"))
    assert asked(app, "PUT", path, {}).json()["status"] == "ERROR"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("quota-exceeded", "RATELIMIT"),
        ("queue-full", "RATELIMIT"),
        ("shard-unavailable", "MAINTENANCE"),
        ("service-unavailable", "MAINTENANCE"),
        ("storage-full", "MAINTENANCE"),
        ("invalid-sequence", "ERROR"),
        ("internal-error", "ERROR"),
    ],
)
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_each_problem_has_a_word(name: str, word: str, encoding: str) -> None:
    reason = f"what is wrong: {'more and more ' * 200}"
    app = FastAPI()

    @app.post("/ticket/msa")
    async def refuse(request: Request) -> Response:
        return respond(request, name, reason)

    app.add_middleware(Compressed)
    app.add_middleware(Worded)
    reply = asked(app, "POST", "/ticket/msa", {"Accept-Encoding": encoding})
    assert reply.json() == {"status": word, "reason": reason}
    assert reply.headers["Content-Length"] == str(len(reply.content))


def test_what_is_no_problem_stays_as_it_is() -> None:
    sent: list[Any] = []

    async def answer(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": b'{"status":"COMPLETE"}', "more_body": False})

    async def send(message: Any) -> None:
        sent.append(message)

    app = FastAPI()
    asyncio.run(Worded(answer)({"type": "http", "app": app, "path": "/ticket/msa", "method": "POST"}, None, send))  # type: ignore[arg-type]
    assert json.loads(sent[1]["body"]) == {"status": "COMPLETE"}
