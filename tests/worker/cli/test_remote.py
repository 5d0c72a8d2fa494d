"""What the command line asks a server for, told by a server that never finishes."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest

from worker.cli.remote import Remote, RemoteTimeoutError, list_remotely, search_remotely
from worker.jobs.requests import SearchRequest

STATE = {
    "id": "one", "state": "running", "progress": 0.5, "phase": "scoring", "estimate_s": 1000, "reused": False,
    "links": {"self": "/v1/searches/one", "cancel": "/v1/searches/one:cancel"},
}  # fmt: skip


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str | None]]]:
    """A server's address, and what each request to it prefers."""
    preferred: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            preferred.append(self.headers["Prefer"])
            body = json.dumps(STATE).encode()
            self.send_response(202)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Location", STATE["links"]["self"])  # type: ignore[index]
            self.send_header("Retry-After", "60")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the library's name
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", preferred
        server.shutdown()


@pytest.mark.parametrize(("timeout", "wait"), [(1, "wait=1"), (3600, "wait=10")])
def test_no_answer_is_waited_for_longer_than_the_timeout(
    asked: tuple[str, list[str | None]], timeout: float, wait: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, preferred = asked
    request = SearchRequest(sequence=">q\nMKVLAAGW", database="demo")
    # What it would rest for is longer than the time that is left: nothing is waited for here.
    clock = SimpleNamespace(monotonic=iter([0.0, *[timeout] * 9]).__next__)
    monkeypatch.setattr("worker.cli.remote.time", clock)
    with pytest.raises(RemoteTimeoutError, match=f"{address}/v1/searches/one"):
        search_remotely(Remote(address), request, timeout, lambda *_: None)
    assert preferred == [None, wait]


def test_a_list_goes_on_while_pages_have_few_of_its_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"": ([], "a"), "a": ([{"id": "1"}], "b"), "b": ([{"id": "2"}, {"id": "3"}], "c")}
    asked: list[dict[str, list[str]]] = []

    def send(http: object, deadline: float, method: str, path: str) -> SimpleNamespace:
        asked.append(parse_qs(urlsplit(path).query))
        items, following = pages[asked[-1].get("page_token", [""])[0]]
        return SimpleNamespace(json=lambda: {"items": items, "next_page_token": following})

    monkeypatch.setattr("worker.cli.remote.send", send)
    found = list_remotely(Remote("http://127.0.0.1:1"), "search", "failed", 2)
    assert [each["id"] for each in found] == ["1", "2"]
    assert [each["state"] for each in asked] == 3 * [["failed"]]
