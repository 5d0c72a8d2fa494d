"""ColabFold's client, step by step as it is published: it reads a word, and ends with what the word says."""

import asyncio

import httpx
import pytest

from app.main import create_app
from app.service import Service
from worker.settings import Settings
from worker.telemetry.counters import Tally

FORM = {"q": ">101\nMKVLAAGWDEHHKLMNPQRSTVWY\n", "mode": "env"}
ASKED = [("POST", "/ticket/msa"), ("POST", "/ticket/pair"), ("GET", "/ticket/x")]


@pytest.mark.parametrize("path", ["/ticket/msa", "/ticket/pair"])
def test_alignments_are_refused_in_its_own_word(http: httpx.Client, path: str) -> None:
    reply = http.post(path, data=FORM)
    assert (reply.status_code, reply.json()) == (501, {"status": "ERROR"})
    assert reply.headers["Content-Type"] == "application/json"
    assert http.get("/ticket/unknown").json() == {"id": "unknown", "status": "UNKNOWN"}
    assert http.put(path, data=FORM).json() == {"status": "ERROR"}
    assert http.get("/ticket/no/such").json()["status"] == 404


@pytest.mark.parametrize(
    ("status", "mode", "headers"),
    [
        (401, "keys", {}),
        (403, "off", {"Sec-Fetch-Site": "cross-site"}),
        (413, "off", {"Content-Length": "999999999"}),
        (415, "off", {"Content-Encoding": "br", "Content-Length": "9"}),
        (421, "off", {"Host": "evil.example"}),
        (503, "keys", {"Authorization": f"Bearer sw_aaaaaaaaaaaa_{'A' * 43}"}),
    ],
)
def test_refusals_are_in_its_own_word_wherever_they_come_from(status: int, mode: str, headers: dict[str, str]) -> None:
    settings = Settings(auth=mode, redis_url="redis://127.0.0.1:1/0")
    app = create_app(settings)
    app.state.service = Service(settings, Tally())

    async def ask(method: str, path: str) -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            return await http.request(method, path, headers=headers, data=FORM if method == "POST" else None)

    for method, path in ASKED:
        reply = asyncio.run(ask(method, path))
        assert (reply.status_code, reply.json()) == (status, {"status": "ERROR"})
        assert reply.headers["X-Request-ID"]
