"""Lists of jobs and whole results are read by threads that accounts share: some take a second of a processor."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi import Request, Response

from app.compat import mmseqs
from app.routes import alignments, comparisons, msas, page, searches
from tests.support.recorded_turns import RecordedTurns
from worker.jobs.listing import Page

LISTS = {
    "searches": (searches, searches.list_all_searches),
    "alignments": (alignments, alignments.list_alignments),
    "comparisons": (comparisons, comparisons.list_comparisons),
    "msas": (msas, msas.list_msas),
}


@pytest.mark.parametrize(("module", "route"), LISTS.values(), ids=LISTS)
def test_lists_of_an_account_take_turns(
    monkeypatch: pytest.MonkeyPatch, module: Any, route: Callable[..., Any]
) -> None:
    tellers, caller = RecordedTurns(), SimpleNamespace(caller=SimpleNamespace(account="ann"))
    monkeypatch.setattr(module, "list_searches", lambda *_: Page([], "next", 7))
    service = SimpleNamespace(tellers=tellers, store=caller, alignments=caller, comparisons=caller, msas=caller)
    scope = {"type": "http", "path": "/v1/x", "query_string": b"", "headers": [(b"host", b"here")], "scheme": "http"}
    extra = {"ids": None, "created_after": None} if module is searches else {}
    reply = asyncio.run(route(request=Request(scope), service=cast(Any, service), page_size=10, **extra))
    assert tellers.accounts == ["ann"]
    assert reply.body == b'{"items":[],"next_page_token":"next"}'
    assert reply.headers["X-Total-Results"] == "7" and "page_token=next" in reply.headers["Link"]


class Threads(RecordedTurns):
    """Notes for whom it would run something, and does not."""

    async def run(self, account: str, work: Callable[[], object]) -> Response:
        self.accounts.append(account)
        return Response()

    reply = run


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda service: page.get_queries("search", service), id="the index of a result's queries"),
        pytest.param(lambda service: mmseqs.get_result("ticket", 0, service), id="alignments for MMseqs2-App"),
    ],
)
def test_whoever_reads_a_whole_result_takes_turns(ask: Callable[[Any], Any]) -> None:
    readers = Threads()
    asyncio.run(ask(SimpleNamespace(readers=readers, store=SimpleNamespace(caller=SimpleNamespace(account="ann")))))
    assert readers.accounts == ["ann"]
