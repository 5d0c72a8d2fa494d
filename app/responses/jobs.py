"""How jobs of any kind are answered: as they stand, in a list, and without a body."""

from collections.abc import Callable, Iterable
from typing import Annotated, TypeVar

from fastapi import Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from app.alignment_schemas import Alignment
from app.comparison_schemas import Comparison
from app.msa_schemas import Msas
from app.responses.search_json import page_headers, retry_after
from app.schemas import Search, Verification
from app.service import Service
from worker.jobs.listing import Page
from worker.jobs.states import ENDED, DamagedJob, SearchExpired, SearchNotFound, SearchState, State
from worker.jobs.store import JobStore

Job = Search | Verification | Alignment | Comparison | Msas
OneState = Annotated[
    State | None, Query(description="Only jobs in this state. A page may be empty and still have a next page.")
]
Shown = TypeVar("Shown", Alignment, Comparison, Msas)


def standing_reply(job: Job, status: int) -> Response:
    """How a job stands, and when to ask again."""
    headers = {"Cache-Control": "no-store"}
    if job.state not in ENDED:
        headers["Retry-After"] = str(retry_after(job.position, job.estimate_s))
    return Response(job.model_dump_json(by_alias=True), status, headers, "application/json")


async def list_reply(
    request: Request, service: Service, store: JobStore, find: Callable[[], Page], show: Callable[[Page], BaseModel]
) -> Response:
    """A page of jobs of a store, as `show` writes it. Accounts take turns: each job takes a millisecond."""

    def reply() -> Response:
        page = find()
        headers = page_headers(request, page.next_token, page.total) | {"Cache-Control": "no-store"}
        return Response(show(page).model_dump_json(by_alias=True), headers=headers, media_type="application/json")

    return await service.tellers.run(store.caller.account, reply)


def readable(found: Iterable[SearchState], show: Callable[[SearchState], Shown]) -> list[Shown]:
    """As they go out, but for what is gone meanwhile or cannot be read: the others are to be seen."""
    items = []
    for state in found:
        try:
            items.append(show(state))
        except (SearchNotFound, SearchExpired, DamagedJob):
            continue
    return items


def bare_if_asked(request: Request, reply: Response) -> Response:
    """To HEAD its headers alone: its length is not known before it is written."""
    if request.method != "HEAD":
        return reply
    return StreamingResponse((), headers=reply.headers, media_type=reply.media_type)
