"""Results, in each of their formats."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from app.middleware.compression import packed_json, takes_gzip
from app.problems import InvalidParameterError, documented
from app.responses.file_names import file_name
from app.responses.hit_pages import LARGEST_PAGE, PAGE_SIZE, Turned, hit_page, hits_of
from app.responses.http_cache import is_known, result_headers
from app.responses.query_parts import named, part_of
from app.responses.result_formats import CONTENT, FORMATS, Output, attachment, begun, negotiate, queries_of
from app.responses.search_json import page_headers
from app.responses.warning_header import warning_header
from app.responses.written import Begun
from app.routers import new_router
from app.service import CurrentService, Service
from shardwater.formats.table import DELIMITERS, Style
from shardwater.formats.writers import NUMBERS, TEXT_TABLES, FormatName
from shardwater.search.merge import SearchResult
from worker.jobs.results.stored import StoredResult

router = new_router(tags=["results"])


@router.head("/v1/searches/{search}/results", include_in_schema=False)
@router.get(
    "/v1/searches/{search}/results",
    response_model=SearchResult,
    responses={
        200: {
            "description": "The result.",
            "content": CONTENT,
        },
        304: {"description": "`If-None-Match` names this result."},
        **documented(404, 406, 409, 410, 422),
    },
)
async def get_results(
    request: Request,
    search: str,
    service: CurrentService,
    form: Annotated[
        FormatName | None, Query(alias="format", description="Instead of Accept: a name, or BLAST's number.")
    ] = None,
    columns: Annotated[
        str, Query(description="Columns of tables and parquet, by comma: BLAST's names; `std` is the usual twelve.")
    ] = "std",
    delim: Annotated[
        str,
        Query(max_length=1, description="Of tab, csv, 7 and 10: what stands between cells, instead of tab or comma."),
    ] = "",
    spreadsheet: Annotated[
        bool, Query(description="Of tab, csv, 7 and 10: put `'` before text that spreadsheets take for a formula.")
    ] = False,
    query: Annotated[int | None, Query(ge=1, description="Only this query's part, from 1.")] = None,
    hits: Annotated[
        str | None, Query(description="Only the hits of these ranks, as 1,5,9-12; of several queries name one, too.")
    ] = None,
    page_size: Annotated[
        int | None, Query(ge=1, le=LARGEST_PAGE, description="Of json: so many of one query's hits at a time.")
    ] = None,
    page_token: Annotated[str, Query(description="`next_page_token` of the page before.")] = "",
    accept: Annotated[str | None, Header(include_in_schema=False)] = None,
    if_none_match: Annotated[str | None, Header(description="The `ETag` of a reply that is still there.")] = None,
) -> Response:
    """Get the result of a search that has succeeded."""
    name = NUMBERS.get(form, form) if form else negotiate(accept)
    wanted = _Wanted(name, form is not None, columns, _style(name, delim, spreadsheet), query, hits)
    turned = Turned(page_size or PAGE_SIZE, page_token) if page_size is not None or page_token else None
    if turned and (name != "json" or hits is not None):
        raise InvalidParameterError("page_size", "pages are of json, and of all hits")

    def begin() -> Begun | Response:
        headers = result_headers(search, name, service.store.time_left(search))
        if is_known(if_none_match, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        if turned is None:
            return _begun(request, service, search, wanted, headers)
        page = hit_page(search, service.store.stored(search), query, turned)
        headers |= page_headers(request, page.next_token, page.total)
        return Response(page.body, media_type="application/json", headers=headers)

    return await service.readers.reply(service.store.caller.account, begin)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How a result is to be written: in which format, whether that was named, and what of it."""

    name: FormatName
    named: bool
    columns: str
    style: Style
    query: int | None
    hits: str | None


def _begun(
    request: Request, service: Service, search: str, wanted: _Wanted, headers: dict[str, str]
) -> Begun | Response:
    stored, name = service.store.stored(search), wanted.name
    part = _part(stored, wanted.query, wanted.hits)
    if wanted.named or name != "json":
        which = f"{wanted.query or 1}_{part.results[0].query.id}" if part else ""
        named = file_name(service.store.state(search).title, search, which, selected=wanted.hits is not None)
        headers |= attachment(name, named)
    if name not in ("json", "ndjson"):
        headers |= warning_header(stored, part, wanted.query)
    if request.method == "HEAD":
        # Its length is not known before it is written.
        return StreamingResponse((), media_type=FORMATS[name].media_type, headers=headers)
    if name == "json" and part is None and takes_gzip(request.headers.get("accept-encoding", "")):
        return packed_json(stored, headers)
    queries = partial(queries_of, service.store, search, wanted.query)
    return begun(name, Output(stored, part, service.readable, queries, wanted.columns, wanted.style), headers)


def _style(name: FormatName, delim: str, spreadsheet: bool) -> Style:
    """How cells are written; raises InvalidParameterError."""
    if delim and delim not in DELIMITERS:
        raise InvalidParameterError("delim", f"one of {' '.join(DELIMITERS[2:])}, a tab or a blank is needed")
    if (delim or spreadsheet) and name not in TEXT_TABLES:
        raise InvalidParameterError(
            "delim" if delim else "spreadsheet", f"only {', '.join(TEXT_TABLES)} have cells of text"
        )
    return Style(delim, spreadsheet)


def _part(stored: StoredResult, query: int | None, hits: str | None) -> SearchResult | None:
    """What is asked for of a result; None for all of it."""
    if query is None and hits is None:
        return None
    number = named(stored, query, "hits")
    return part_of(stored, number) if hits is None else hits_of(stored, number, hits)
