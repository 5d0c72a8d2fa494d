"""Results, in each of their formats."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import TypeAdapter

from app.errors import InvalidParameterError, NotAcceptableError, documented
from app.pages import LARGEST_PAGE, PAGE_SIZE, hit_page, one_query
from app.replies import page_headers
from app.service import CurrentService, Service
from shardwater.report import parse_columns, write_csv, write_fasta_hits, write_pairwise, write_tab
from shardwater.results import SearchResult

router = APIRouter(tags=["results"])

FormatName = Literal["json", "ndjson", "tab", "csv", "pairwise", "fasta"]
_RESULT = TypeAdapter(SearchResult)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A result and how it is wanted."""

    service: Service
    result: SearchResult
    columns: tuple[str, ...]


def _lines(asked: _Asked) -> Iterator[str]:
    for one in asked.result.results:
        yield _RESULT.dump_json(replace(asked.result, results=(one,))).decode() + "\n"


def _fasta(asked: _Asked) -> Iterator[str]:
    used = asked.result.database
    return write_fasta_hits(asked.result, asked.service.database(used.name, used.version))


@dataclass(frozen=True, slots=True)
class Format:
    """A format's media type, file ending and writer."""

    media_type: str
    ending: str
    write: Callable[[_Asked], Iterator[str]]


FORMATS: dict[FormatName, Format] = {
    "json": Format("application/json", "json", lambda asked: iter((_RESULT.dump_json(asked.result).decode(),))),
    "ndjson": Format("application/x-ndjson", "ndjson", _lines),
    "tab": Format("text/tab-separated-values", "tsv", lambda asked: write_tab(asked.result, asked.columns)),
    "csv": Format("text/csv; header=present", "csv", lambda asked: write_csv(asked.result, asked.columns)),
    "pairwise": Format("text/plain", "txt", lambda asked: write_pairwise(asked.result)),
    "fasta": Format("text/x-fasta", "fasta", _fasta),
}
_MEDIA_TYPES: dict[str, FormatName] = {form.media_type.partition(";")[0]: name for name, form in FORMATS.items()}


def negotiate(accept: str | None) -> FormatName:
    """The best format of an Accept header (RFC 9110); JSON where anything will do. Raises NotAcceptableError."""
    best: tuple[float, FormatName] | None = None
    for part in (accept or "*/*").split(","):
        media_range, _, parameters = part.partition(";")
        quality = re.search(r"(?:^|;)\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*(?:;|$)", parameters)
        weight = float(quality[1]) if quality else 1.0
        name = _match(media_range.strip().lower())
        if name is not None and weight > 0 and (best is None or weight > best[0]):
            best = (weight, name)
    if best is None:
        raise NotAcceptableError(f"a result can be had as {', '.join(_MEDIA_TYPES)}")
    return best[1]


def _match(media_range: str) -> FormatName | None:
    if media_range == "*/*":
        return "json"
    if media_range.endswith("/*"):
        return next((name for kind, name in _MEDIA_TYPES.items() if kind.startswith(media_range[:-1])), None)
    return _MEDIA_TYPES.get(media_range)


@router.get(
    "/v1/searches/{search}/results",
    response_model=SearchResult,
    responses={
        200: {
            "description": "The result.",
            "content": {form.media_type: {"schema": {"type": "string"}} for form in list(FORMATS.values())[1:]},
        },
        **documented(404, 406, 409, 410, 422),
    },
)
def get_results(
    request: Request,
    search: str,
    service: CurrentService,
    form: Annotated[FormatName | None, Query(alias="format", description="Instead of Accept.")] = None,
    columns: Annotated[
        str, Query(description="Columns of tab and csv, by comma: BLAST's names; `std` is the twelve usual ones.")
    ] = "std",
    query: Annotated[int | None, Query(ge=1, description="Only this query's part, from 1.")] = None,
    page_size: Annotated[
        int | None, Query(ge=1, le=LARGEST_PAGE, description="Of json: so many of one query's hits at a time.")
    ] = None,
    page_token: Annotated[str, Query(description="`next_page_token` of the page before.")] = "",
    accept: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> Response:
    """Get the result of a search that has succeeded."""
    name = form or negotiate(accept)
    headers = {"Vary": "Accept"}
    if name != "json":
        headers["Content-Disposition"] = f'attachment; filename="{search}.{FORMATS[name].ending}"'
    if page_size is not None or page_token:
        if name != "json":
            raise InvalidParameterError("page_size", "pages are of json")
        page = hit_page(search, service.client.result_json(search), query, page_size or PAGE_SIZE, page_token)
        headers |= page_headers(request, page.next_token, page.total)
        return Response(page.body, media_type="application/json", headers=headers)
    if name == "json":
        whole = service.client.result_json(search)
        body = whole if query is None else one_query(whole, query)
        return Response(body, media_type="application/json", headers=headers)
    result = _part(service.client.result(search), query)
    pieces = FORMATS[name].write(_Asked(service, result, parse_columns(columns)))
    return StreamingResponse(pieces, media_type=FORMATS[name].media_type, headers=headers)


def _part(result: SearchResult, query: int | None) -> SearchResult:
    if query is None:
        return result
    if query > len(result.results):
        raise InvalidParameterError("query", f"the search has {len(result.results)} queries")
    return replace(result, results=(result.results[query - 1],))
