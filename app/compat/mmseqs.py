"""MMseqs2-App's interface: a ticket stands for the same queries searched in one or several databases.

Our search is exact and has no prefilter; what its clients see is the same, tickets, JSON of alignments, and m8 tables.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, PlainTextResponse

from app.compat.colabfold import downloads
from app.compat.colabfold.tickets import Status, Ticket, status_of
from app.compat.faults import Fault, route_class
from app.compat.fields import Fields, read_fields
from app.compat.names import find, keep
from app.compat.taxa import Taxa, listed_taxa
from app.problems import InvalidParameterError, NotHereError
from app.responses.result_formats import held_by_parts
from app.responses.written import Begun
from app.routers import new_router
from app.routes.databases import describe
from app.routes.searches import submit
from app.service import CurrentService, Service
from shardwater.formats.chunks import in_chunks
from shardwater.formats.columns import COLUMNS, Row, rows_of
from shardwater.formats.table import write_tab
from shardwater.plural import plural
from shardwater.search.hits import Hsp
from shardwater.search.merge import QueryResult
from shardwater.sequences.fasta import Record
from worker.jobs.requests import SearchRequest
from worker.jobs.results.stored import StoredResult
from worker.jobs.states import SearchExpired, SearchNotFound

NAMES = {"sequence": "q", "database": "database[]", "taxids": "taxfilter", "negative_taxids": "taxfilter"}
EVALUE, MOST_HITS = 0.001, 300
"""MMseqs2's defaults, which its App takes."""
M8 = (
    *("qseqid", "sseqid", "pident", "length", "mismatch", "gapopen", "qstart", "qend", "sstart", "send"),
    *("evalue", "bitscore", "qlen", "slen", "qseq", "sseq"),
)
_UNSUPPORTED = {"mode": ("all",), "iterativesearch": ("false",)}


def _error(_: Request, fault: Fault) -> Response:
    """An error as text, with 400 for whatever the client is to blame for."""
    return PlainTextResponse(f"{fault.text}\n", 400 if fault.status < 429 else fault.status)


router = new_router(include_in_schema=False, route_class=route_class(_error, NAMES))


@router.get("/databases")
def list_databases(service: CurrentService) -> Response:
    """The databases that can be searched; `path` is what a ticket names."""
    found = [describe(service, database) for database in service.searchable()]
    shown = [
        {
            "name": database.title or database.name,
            "version": database.version,
            "path": database.name,
            "default": order == 0,
            "order": order,
            "taxonomy": database.taxonomy != "none",
            "full_header": False,
            "index": "",
            "search": "",
            "status": "COMPLETE",
        }
        for order, database in enumerate(found)
        if database.state == "ready"
    ]
    return JSONResponse({"databases": shown})


@router.post("/ticket")
async def create_ticket(request: Request, service: CurrentService) -> Response:
    """Search each of the databases."""
    async with service.large_bodies.body_of(request) as body:
        fields = await read_fields(request, body)
        return await run_in_threadpool(_create, service, fields)


def _create(service: Service, fields: Fields) -> Response:
    fields.refuse(_UNSUPPORTED)
    names = list(dict.fromkeys(name.strip() for name in fields.all("database[]")))
    if not names:
        raise InvalidParameterError("database[]", "it is missing")
    for name in names:
        service.searched(name)
    query, taxa = fields.need("q"), listed_taxa("taxfilter", fields.get("taxfilter"))
    searches = [submit(service, _search(query, name, taxa), fresh=False).id for name in names]
    # As long as theirs, and of the letters that theirs have: their server refuses others.
    digest = hashlib.sha224("".join(searches).encode()).digest()
    ticket = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    keep(service, ticket, searches)
    return JSONResponse(_shown(service, ticket))


def _search(query: str, database: str, taxa: Taxa) -> SearchRequest:
    return SearchRequest.model_validate(
        {
            "sequence": query,
            "database": database,
            "evalue": EVALUE,
            "statistics": "table",
            "order": "score",
            "max_target_seqs": MOST_HITS,
            "alignments": MOST_HITS,
            **taxa,
        }
    )


def _shown(service: Service, ticket: str) -> dict[str, str]:
    return {"id": ticket, "status": _status(service, ticket)}


def _status(service: Service, ticket: str) -> Status:
    if (msas := Ticket.read(ticket)) is not None:
        return status_of(service, msas)
    try:
        states = {service.store.state(search).state for search in find(service, ticket)}
    except (SearchNotFound, SearchExpired):
        return "UNKNOWN"
    if not states:
        return "UNKNOWN"
    if states & {"failed", "cancelled"}:
        return "ERROR"
    if states == {"succeeded"}:
        return "COMPLETE"
    return "PENDING" if states == {"queued"} else "RUNNING"


@router.get("/ticket/type/{ticket}")
def get_type(ticket: str, service: CurrentService) -> Response:
    """The kind of job, of which there is one."""
    _searches(service, ticket)
    return JSONResponse({"type": "search"})


@router.get("/ticket/{ticket}")
def get_ticket(ticket: str, service: CurrentService) -> Response:
    """How a ticket stands."""
    return JSONResponse(_shown(service, ticket), headers={"Cache-Control": "no-store"})


@router.post("/tickets")
async def get_tickets(request: Request, service: CurrentService) -> Response:
    """How several tickets stand."""
    async with service.large_bodies.body_of(request) as body:
        tickets = (await read_fields(request, body)).all("tickets[]")
    shown = await run_in_threadpool(lambda: [_shown(service, ticket) for ticket in tickets])
    return JSONResponse(shown, headers={"Cache-Control": "no-store"})


def _searches(service: Service, ticket: str) -> list[str]:
    searches = find(service, ticket)
    if not searches:
        raise NotHereError("no such ticket")
    return searches


@router.get("/result/download/{ticket}")
async def download(ticket: str, service: CurrentService) -> Response:
    """All that was found in a tar.gz: a table for each database, or MSAs."""
    if (msas := Ticket.read(ticket)) is not None:
        return await downloads.archive(service, str(msas), lambda: downloads.msa_files(service, msas))
    return await downloads.archive(service, ticket, lambda: _tables(service, ticket))


def _tables(service: Service, ticket: str) -> list[downloads.File]:
    """Of all searches, if they have ended: reports are read again as they are written."""
    searches = _searches(service, ticket)
    names = [service.store.stored(search).report().database.name for search in searches]
    return [(f"alis_{name}.m8", partial(_table, service, search)) for name, search in zip(names, searches, strict=True)]


def _table(service: Service, search: str) -> Iterator[str]:
    return write_tab(service.store.stored(search).report(), M8)


@router.get("/result/queries/{ticket}/{limit}/{page}")
def list_queries(ticket: str, limit: int, page: int, service: CurrentService) -> Response:
    """The names of the queries, a page at a time."""
    if limit < 1 or page < 0:
        raise InvalidParameterError("limit", "pages count from 0, and have at least one query")
    records = service.store.request(_searches(service, ticket)[0])[0].records()
    begin = page * limit
    lookup = [
        {"id": number, "name": record.id, "set": 0}
        for number, record in enumerate(records[begin : begin + limit], start=begin)
    ]
    return JSONResponse({"lookup": lookup, "hasNext": begin + limit < len(records)})


@router.get("/result/{ticket}/query")
def get_query(ticket: str, service: CurrentService) -> Response:
    """The queries as they were sent."""
    return PlainTextResponse(service.store.request(_searches(service, ticket)[0])[0].sequence)


@router.get("/result/{ticket}/{entry}")
async def get_result(ticket: str, entry: int, service: CurrentService, database: str | None = None) -> Response:
    """One query's alignments in each of the databases; queries count from 0. Accounts take turns."""
    account = service.store.caller.account
    return await service.readers.reply(account, lambda: _begun(service, ticket, entry, database))


def _begun(service: Service, ticket: str, entry: int, database: str | None) -> Begun:
    searches = _searches(service, ticket)
    records = service.store.request(searches[0])[0].records()
    if not 0 <= entry < len(records):
        told = (
            f"there is no query {entry}: the ticket has {plural(len(records), 'query', 'queries')}, and counts from 0"
        )
        raise InvalidParameterError("entry", told)
    stored = [service.store.stored(search) for search in searches]
    chosen = [each for each in stored if database in (None, each.report().database.name)]
    if not chosen:
        raise InvalidParameterError("database", "it is not one of the ticket's")
    holds = max(map(held_by_parts, chosen))
    return Begun({}, in_chunks(_results(records[entry], chosen, entry)), "application/json", holds)


def _results(record: Record, stored: Iterable[StoredResult], entry: int) -> Iterator[str]:
    """JSON of a query with its alignments, the results of one database after another."""
    query = {"header": record.header, "sequence": record.residues.decode()}
    yield f'{{"queries":[{_json(query)}],"mode":"all","results":['
    for number, each in enumerate(stored):
        part = each.part(entry + 1)
        if part is not None:
            yield ("," if number else "") + _json(_result(part.database.name, part.results[0]))
    yield "]}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _result(database: str, one: QueryResult) -> dict[str, Any]:
    found = [_alignment(row, row.hsp) for row in rows_of(one) if row.hsp]
    return {"db": database, "alignments": [found] if found else [], "taxonomyreports": []}


def _alignment(row: Row, hsp: Hsp) -> dict[str, Any]:
    """An alignment by their names; the score is in bits, cut to a whole number, as theirs is."""
    return {
        "query": row.query.id,
        "target": row.hit.accession,
        "seqId": round(100 * hsp.identity / hsp.align_len, 3),
        "alnLength": hsp.align_len,
        "missmatches": COLUMNS["mismatch"].value(row),
        "gapsopened": COLUMNS["gapopen"].value(row),
        "qStartPos": hsp.query_from,
        "qEndPos": hsp.query_to,
        "dbStartPos": hsp.hit_from,
        "dbEndPos": hsp.hit_to,
        "eval": hsp.evalue,
        "score": int(hsp.bits or 0.0),
        "qLen": row.query.length,
        "dbLen": row.hit.length,
        "qAln": hsp.qseq,
        "dbAln": hsp.hseq,
    }
