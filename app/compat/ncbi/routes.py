"""NCBI's URL API at /Blast.cgi: CMD=Put, Get and Delete, as Biopython, BioPerl and many scripts speak it.

A search is known by its RID, or by its own id. Pages carry what those clients look for in comments between
QBlastInfoBegin and QBlastInfoEnd.
"""

import math
from html import escape
from typing import Literal

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from app.compat.faults import Fault, route_class
from app.compat.fields import Fields, read_fields
from app.compat.names import find, forget, keep, rid_of
from app.compat.ncbi.formats import Shown, chosen_format
from app.compat.ncbi.search import NAMES, search_of
from app.problems import InvalidParameterError
from app.responses.result_formats import held_by_parts
from app.responses.written import Begun
from app.routers import new_router
from app.routes.searches import submit
from app.service import CurrentService, Service
from shardwater.formats.chunks import in_chunks
from worker.jobs.states import SearchExpired, SearchNotFound, State

HELD_S = 10
"""How long a Get waits for the search's end: Biopython asks at once, and then 20 s later."""

Status = Literal["WAITING", "READY", "FAILED", "UNKNOWN"]

_STATUS: dict[State, Status] = {
    "queued": "WAITING",
    "running": "WAITING",
    "succeeded": "READY",
    "failed": "FAILED",
    "cancelled": "FAILED",
}
# Readers wait for ever for the end of what is not ready, unless the HTTP status tells them that there is none.
_HTTP: dict[Status, int] = {"WAITING": 200, "READY": 200, "FAILED": 409, "UNKNOWN": 404}
_MESSAGE_IDS = {"invalid-sequence": 24}


def _page(title: str, body: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)}</title></head>\n'
        f"<body>\n{body}</body>\n</html>\n",
        status,
        {"Cache-Control": "no-store"},
    )


def _error_page(request: Request, fault: Fault) -> Response:
    """An error as clients look for it; they read that of a Put only from a page with status 200."""
    number = _MESSAGE_IDS.get(fault.type, 1)
    text = escape(fault.text, quote=False).replace("\n", " ")
    status = 200 if getattr(request.state, "command", "") == "put" else fault.status
    return _page("Error", f'<p class="error">Message ID#{number} Error: {text}</p>\n', status)


router = new_router(include_in_schema=False, route_class=route_class(_error_page, NAMES))


@router.api_route("/Blast.cgi", methods=["GET", "POST"])
async def answer(request: Request, service: CurrentService) -> Response:
    """Do what CMD says."""
    async with service.large_bodies.body_of(request) as body:
        fields = await read_fields(request, body)
        request.state.command = fields.need("CMD").strip().lower()
        if request.state.command == "put":
            return await run_in_threadpool(_put, service, fields)
    match request.state.command:
        case "get":
            search = await run_in_threadpool(_search, service, fields)
            if await run_in_threadpool(service.store.sees, [search]) == [True]:
                await service.endings.wait(search, HELD_S)
            return await service.readers.reply(service.store.caller.account, lambda: _get(service, fields, search))
        case "delete":
            return await run_in_threadpool(_delete, service, fields)
    raise InvalidParameterError("CMD", "Put, Get and Delete are known here")


def _search(service: Service, fields: Fields) -> str:
    """The id of the search that RID names."""
    name = fields.need("RID").strip()
    return next(iter(find(service, name)), name)


def _put(service: Service, fields: Fields) -> Response:
    search = submit(service, search_of(fields), fresh=False).id
    rid = rid_of(search)
    keep(service, rid, [search])
    seconds = max(1, math.ceil(service.store.state(search).estimate_s or 0))
    return _page(
        f"Request {rid}",
        f"<!--QBlastInfoBegin\n    RID = {rid}\n    RTOE = {seconds}\nQBlastInfoEnd\n-->\n"
        f'<p>Request <a href="?CMD=Get&amp;RID={rid}&amp;FORMAT_TYPE=HTML">{rid}</a>, done in about {seconds} s.</p>\n',
    )


def _get(service: Service, fields: Fields, search: str) -> Begun | Response:
    wanted = (fields.get("FORMAT_OBJECT") or "Alignment").strip().lower()
    status = _status(service, search)
    match wanted:
        case "searchinfo":
            return _status_page(service, status, search)
        case "alignment":
            form, shown = chosen_format(fields), Shown.of(fields, rid_of(search))
            if status != "READY":
                return _status_page(service, status, search, _HTTP[status])
            stored = service.store.stored(search)
            headers = {"Content-Disposition": f'attachment; filename="{shown.rid}.zip"'} if form.zipped else {}
            chunks = in_chunks(form.write(stored.report(), shown))
            return Begun(headers, chunks, form.media_type, held_by_parts(stored))
    raise InvalidParameterError("FORMAT_OBJECT", "SearchInfo and Alignment are known here")


def _status(service: Service, search: str) -> Status:
    try:
        return _STATUS[service.store.state(search).state]
    except (SearchNotFound, SearchExpired):
        return "UNKNOWN"


def _status_page(service: Service, status: Status, search: str, http_status: int = 200) -> Response:
    lines = [f"Status={status}"]
    if status == "READY":
        lines.append(f"ThereAreHits={'yes' if _has_hits(service, search) else 'no'}")
    block = "".join(f"\t{line}\n" for line in lines)
    body = f"<!--\nQBlastInfoBegin\n{block}QBlastInfoEnd\n-->\n<p>{', '.join(lines)}</p>\n"
    return _page("Search", body, http_status)


def _has_hits(service: Service, search: str) -> bool:
    return any(one.hits for one in service.store.stored(search).report().results)


def _delete(service: Service, fields: Fields) -> Response:
    search = _search(service, fields)
    service.store.delete(search)
    forget(service, rid_of(search))
    return _page("Deleted", "<p>The search and its result have been removed.</p>\n")
