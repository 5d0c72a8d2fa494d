"""Who takes turns with estimates of MSAs, which take the interpreter as long as what tells how jobs stand."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi import Request, Response
from starlette.types import Message

from app.requests.large_bodies import LARGE, LargeBodies
from app.routes import msas
from tests.support.recorded_turns import RecordedTurns


@pytest.mark.parametrize(("letters", "told"), [(8, ["ann"]), (LARGE, [])])
def test_estimates_of_an_account_take_turns(monkeypatch: pytest.MonkeyPatch, letters: int, told: list[str]) -> None:
    """Those of large bodies have a turn already, in which nothing may wait."""
    body, answer, tellers = json.dumps({"queries": "M" * letters, "databases": ["demo"]}), Response(), RecordedTurns()

    async def receive() -> Message:
        return {"type": "http.request", "body": body.encode(), "more_body": False}

    scope = {"type": "http", "query_string": b"", "headers": [(b"content-type", b"application/json")]}
    caller = SimpleNamespace(caller=SimpleNamespace(account="ann"))
    scope["caller"] = caller.caller
    service = SimpleNamespace(large_bodies=LargeBodies(1 << 20), tellers=tellers, msas=caller)
    monkeypatch.setattr(msas, "_estimate", lambda *_: answer)
    assert asyncio.run(msas.estimate_msas(Request(scope, receive), cast(Any, service))) is answer
    assert tellers.accounts == told
