"""Takes a call's steps by hand: replies from a list, pauses that only move a clock on."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import httpx

from shardwater_client.calls import Calls
from shardwater_client.steps import Ask, Call, Flow, Give, Next, Open, Pause, Request

SEARCH = "s" * 24
LOST = httpx.ConnectError("nobody is there")


def reply(status: int, body: Any = None, **headers: str) -> httpx.Response:
    """A reply as it comes from the network."""
    request = httpx.Request("GET", "http://server/v1/x")
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json=body, headers=named, request=request)


def state(name: str, **members: Any) -> dict[str, Any]:
    """A search as the server shows it."""
    return {
        "id": SEARCH, "state": name, "title": "", "database": {"name": "d", "version": "1", "checksum": "c"},
        "created_at": "2026-01-01T00:00:00Z", "finished_at": None, "expires_at": "2026-01-08T00:00:00Z",
        "progress": 0.5, "phase": None, "shards": {"done": 0, "total": 1}, "error": None, "position": 0,
        "estimate_s": None, "reused": False, "links": {"self": "", "results": "", "events": "", "cancel": ""},
        **members,
    }  # fmt: skip


RESULT = {
    "search": SEARCH, "database": {"name": "d", "version": "1", "checksum": "c"},
    "software": {"version": "1", "commit": "c"}, "parameters": {}, "results": [],
    "certificate": {"exact": True, "subjects": 1, "residues": 1, "cells": 1, "shards": []},
}  # fmt: skip


@dataclass
class Driver:
    """The world of one call: what it asked, how long it rested, what it gave."""

    replies: list[Any]
    time: float = 0.0
    asked: list[Request] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    given: list[Any] = field(default_factory=list)

    def calls(self, patience_s: float = 30.0) -> Calls:
        """Calls whose clock is this world's."""
        return Calls(patience_s, lambda: self.time)

    def drive(self, call: "Call[Any] | Flow[Any]") -> Any:
        """Take all steps; what the call returns."""
        answer: Any = None
        while True:
            try:
                step = call.send(answer)
            except StopIteration as end:
                return end.value
            answer = self.take(step)

    def take(self, step: object) -> Any:
        """One step."""
        match step:
            case Ask(request) | Open(request):
                self.asked.append(request)
                return self.replies.pop(0)
            case Next():
                return self.replies.pop(0)
            case Pause(seconds):
                self.pauses.append(seconds)
                self.time += seconds
            case Give(item):
                self.given.append(item)
        return None


def headers(requests: Iterable[Request]) -> list[dict[str, str]]:
    """What was sent in the headers."""
    return [dict(request.arguments.get("headers", {})) for request in requests]
