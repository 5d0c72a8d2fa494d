"""EBI's Job Dispatcher below /rest/{tool}: jobs are run, followed and fetched as its clients do it.

A job's id is the tool's name and the search's id. While a search waits for its turn it is RUNNING: to EBI's clients
of before 2024 a QUEUED job has ended.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse

from app.compat.ebi.discovery import (
    ResultType,
    error_document,
    list_parameters,
    list_result_types,
    parameters_of,
    show_details,
)
from app.compat.ebi.results import Job, write_accs, write_ids, write_json, write_tsv, write_xml
from app.compat.ebi.tools import NAMES, Tool, search_of, tool_of
from app.compat.faults import Fault, route_class
from app.compat.fields import read_fields
from app.problems import NotHereError
from app.responses.result_formats import held_by_parts
from app.responses.written import Begun
from app.routers import new_router
from app.routes.searches import submit
from app.service import CurrentService, Service
from shardwater.formats.chunks import in_chunks
from shardwater.formats.pairwise import write_pairwise
from worker.jobs.results.stored import StoredResult
from worker.jobs.states import SearchExpired, SearchNotFound, State

Status = Literal["RUNNING", "FINISHED", "FAILURE", "NOT_FOUND"]

_STATUS: dict[State, Status] = {
    "queued": "RUNNING",
    "running": "RUNNING",
    "succeeded": "FINISHED",
    "failed": "FAILURE",
    "cancelled": "FAILURE",
}


def _error(_: Request, fault: Fault) -> Response:
    """An error with the status that EBI gives: 400 for whatever the client is to blame for."""
    status = 404 if fault.status in (404, 410) else 400 if fault.status in range(400, 429) else fault.status
    return error_document(fault.text, status)


router = new_router(prefix="/rest/{tool_name}", include_in_schema=False, route_class=route_class(_error, NAMES))


@dataclass(frozen=True, slots=True)
class _Form:
    type: ResultType
    write: Callable[[Job], Iterator[str]]


_FORMS = {
    form.type.identifier: form
    for form in (
        _Form(
            ResultType("out", "Tool output", "The report to read.", "txt", "text/plain"),
            lambda job: write_pairwise(job.result),
        ),
        _Form(ResultType("json", "JSON", "All that was found, as JSON.", "json", "application/json"), write_json),
        _Form(ResultType("xml", "XML", "EBIApplicationResult.", "xml", "application/xml"), write_xml),
        _Form(ResultType("tsv", "Table", "The hits as a table.", "tsv", "text/tab-separated-values"), write_tsv),
        _Form(ResultType("ids", "Names", "The names of the hits.", "txt", "text/plain"), write_ids),
        _Form(ResultType("accs", "Accessions", "The accessions of the hits.", "txt", "text/plain"), write_accs),
    )
}
SEQUENCE = ResultType("sequence", "Query", "The query as it was sent.", "txt", "text/plain")


@router.get("/parameters")
def get_parameter_names(request: Request, tool_name: str, service: CurrentService) -> Response:
    """What a job can be told."""
    return list_parameters(request, list(parameters_of(tool_of(tool_name), service)))


@router.get("/parameterdetails/{parameter}")
def get_parameter_details(request: Request, tool_name: str, parameter: str, service: CurrentService) -> Response:
    """What one parameter may be."""
    known = parameters_of(tool_of(tool_name), service)
    if parameter not in known:
        raise NotHereError(f"no such parameter; there are: {', '.join(known)}")
    return show_details(request, known[parameter])


@router.post("/run/")
@router.post("/run")
async def run_job(request: Request, tool_name: str, service: CurrentService) -> Response:
    """Take a job on; the reply is its id alone."""
    tool = tool_of(tool_name)
    async with service.large_bodies.body_of(request) as body:
        fields = await read_fields(request, body)
        submission = await run_in_threadpool(lambda: submit(service, search_of(tool, fields), fresh=False))
    return PlainTextResponse(f"{tool.name}-{submission.id}")


@router.get("/status/{job}")
def get_status(tool_name: str, job: str, service: CurrentService) -> Response:
    """How a job stands, in a word."""
    return PlainTextResponse(_status(service, tool_of(tool_name), job), headers={"Cache-Control": "no-store"})


@router.get("/resulttypes/{job}")
def get_result_types(request: Request, tool_name: str, job: str, service: CurrentService) -> Response:
    """The forms of a finished job's result."""
    _finished(service, tool_of(tool_name), job)
    return list_result_types(request, [*(form.type for form in _FORMS.values()), SEQUENCE])


@router.get("/result/{job}/{kind}")
async def get_result(tool_name: str, job: str, kind: str, service: CurrentService) -> Response:
    """A finished job's result in one of its forms."""
    begin = partial(_begun, service, tool_of(tool_name), job, kind)
    return await service.readers.reply(service.store.caller.account, begin)


def _begun(service: Service, tool: Tool, job: str, kind: str) -> Begun | Response:
    search, stored = _finished(service, tool, job)
    if kind == SEQUENCE.identifier:
        return PlainTextResponse(service.store.request(search)[0].sequence)
    if kind not in _FORMS:
        raise NotHereError(f"no such type of result; there are: {', '.join((*_FORMS, SEQUENCE.identifier))}")
    form = _FORMS[kind]
    part = stored.part(1)
    assert part is not None
    chunks = in_chunks(form.write(Job(tool, service.store.state(search), part)))
    return Begun({}, chunks, form.type.media_type, held_by_parts(stored))


def _search(tool: Tool, job: str) -> str:
    """The id of a job's search; raises NotHereError for another tool's."""
    if not job.startswith(f"{tool.name}-"):
        raise NotHereError("no such job")
    return job.removeprefix(f"{tool.name}-")


def _status(service: Service, tool: Tool, job: str) -> Status:
    try:
        return _STATUS[service.store.state(_search(tool, job)).state]
    except (NotHereError, SearchNotFound, SearchExpired):
        return "NOT_FOUND"


def _finished(service: Service, tool: Tool, job: str) -> tuple[str, StoredResult]:
    """The search of a job, and its result."""
    search = _search(tool, job)
    stored = service.store.stored(search)
    # A search of our own interface may have many queries: it is no job.
    if len(stored) != 1:
        raise NotHereError("no such job")
    return search, stored
