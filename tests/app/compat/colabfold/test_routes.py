"""A POST is held from when it came, however long its body takes: its client does not wait for the sum of both."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.requests import Request

from app.compat.colabfold import routes
from app.compat.colabfold.tickets import Ticket
from app.service import Service
from worker.jobs.states import Submission

BODY_S = 0.05


async def at_once(account: str, work: Callable[[], object]) -> object:
    assert account == "lab"
    return work()


TURNS = {
    "tellers": SimpleNamespace(run=at_once),
    "msas": SimpleNamespace(caller=SimpleNamespace(account="lab")),
}
"""What submits in turn with other accounts."""


def test_what_is_held_is_counted_from_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = []

    @asynccontextmanager
    async def body_of(_: Request) -> AsyncIterator[bytes]:
        done = asyncio.Event()
        asyncio.get_running_loop().call_later(BODY_S, done.set)
        await done.wait()
        yield b"q=MKV&mode=all"

    async def wait(msas: str, seconds: float) -> None:
        waited.append((msas, seconds))

    def submit(_: Service, fields: Any) -> tuple[Ticket, Submission]:
        assert (fields.need("q"), fields.need("mode")) == ("MKV", "all")
        return Ticket("msa-x", templates=True), Submission("msa-x", reused=False)

    monkeypatch.setattr(routes, "_submit", submit)
    monkeypatch.setattr(routes, "status_of", lambda *_: "RUNNING")
    service = SimpleNamespace(
        **TURNS, large_bodies=SimpleNamespace(body_of=body_of), endings=SimpleNamespace(wait=wait), settings=None
    )
    app = SimpleNamespace(state=SimpleNamespace(service=SimpleNamespace(settings=SimpleNamespace(limits=None))))
    request = Request({"type": "http", "headers": [(b"content-type", b"application/json")], "app": app})
    reply = asyncio.run(routes._answer(request, cast(Service, service), pairs=False))
    assert bytes(reply.body) == b'{"id":"msa-x.t","status":"RUNNING"}'
    [(msas, seconds)] = waited
    assert msas == "msa-x"
    assert 0 <= seconds <= routes.HELD_S - BODY_S


def test_pairs_of_a_database_without_taxids_say_why_there_are_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    @asynccontextmanager
    async def body_of(_: Request) -> AsyncIterator[bytes]:
        yield b"q=MKV&mode=pairgreedy"

    async def wait(*_: object) -> None:
        pass

    monkeypatch.setattr(routes, "_submit_pairs", lambda *_: (Ticket("msa-x"), Submission("msa-x", reused=False)))
    monkeypatch.setattr(routes, "status_of", lambda *_: "COMPLETE")
    app = SimpleNamespace(state=SimpleNamespace(service=SimpleNamespace(settings=SimpleNamespace(limits=None))))
    request = Request({"type": "http", "headers": [(b"content-type", b"application/json")], "app": app})

    def told(has_taxids: bool) -> dict[str, str]:
        service = SimpleNamespace(
            **TURNS,
            large_bodies=SimpleNamespace(body_of=body_of),
            endings=SimpleNamespace(wait=wait),
            settings=SimpleNamespace(colabfold_uniref="plain"),
            database=lambda _: SimpleNamespace(manifest=SimpleNamespace(has_taxids=has_taxids)),
        )
        reply = asyncio.run(routes._answer(request, cast(Service, service), pairs=True))
        return cast(dict[str, str], json.loads(bytes(reply.body)))

    assert told(has_taxids=True) == {"id": "msa-x.", "status": "COMPLETE"}
    assert not caplog.records
    reason = told(has_taxids=False)["reason"]
    assert reason.startswith("database plain has no taxids, so none of its rows are paired")
    assert [record.getMessage() for record in caplog.records] == [f"MSAs are asked for in pairs: {reason}"]
