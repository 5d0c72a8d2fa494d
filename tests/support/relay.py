"""A proxy that shows a server below a sub-path and does harm by order: what networks do to clients, done on purpose."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import httpx

SUB_PATH = "/lab/search"

Fault = Literal["drop", "busy", "lose", "cut", "none"]
"""Break off before the request is passed on, answer 503, break off after it, or in the middle of the reply."""


class Relay(ThreadingHTTPServer):
    """Passes requests on to a server, the next ones with these faults."""

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = target
        self.faults: list[Fault] = []
        self.seen: list[Message] = []
        self.url = f"http://127.0.0.1:{self.server_port}{SUB_PATH}"


class _Handler(BaseHTTPRequestHandler):
    server: Relay

    def _relay(self) -> None:
        self.server.seen.append(self.headers)
        body = self._chunks() if "Transfer-Encoding" in self.headers else self._whole()
        fault = self.server.faults.pop(0) if self.server.faults else "none"
        match fault:
            case "drop":
                return
            case "busy":
                self.send_response(503)
                self.send_header("Retry-After", "0")
                self.end_headers()
                return
        left_out = ("host", "transfer-encoding")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in left_out}
        url = self.server.target + self.path.removeprefix(SUB_PATH)
        with httpx.stream(self.command, url, content=body, headers=headers, timeout=60) as reply:
            if fault != "lose":
                self._answer(reply, cut=fault == "cut")

    def _whole(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _chunks(self) -> bytes:
        found = b""
        while size := int(self.rfile.readline(), 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def _answer(self, reply: httpx.Response, *, cut: bool) -> None:
        self.send_response(reply.status_code)
        for name, value in reply.headers.items():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        if cut:
            # More than there will be.
            self.send_header("Content-Length", "1000000")
        self.end_headers()
        for piece in reply.iter_raw():
            self.wfile.write(piece)
            self.wfile.flush()
            if cut:
                return

    do_GET = do_POST = do_DELETE = _relay  # noqa: N815  http.server's names

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def relaying(target: str) -> Iterator[Relay]:
    """A relay in threads of its own."""
    with Relay(target) as relay:
        thread = threading.Thread(target=relay.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield relay
        finally:
            relay.shutdown()
            thread.join()
