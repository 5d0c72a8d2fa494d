"""Results, in each of their formats."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse

from app.errors import InvalidParameterError, documented
from app.formats import FORMATS, Asked, FormatName, negotiate
from app.service import CurrentService
from shardwater.formats.chunks import in_chunks
from shardwater.formats.selection import select_hits
from shardwater.results import SearchResult
from worker.stored import StoredResult

router = APIRouter(tags=["results"])


@router.get(
    "/v1/searches/{search}/results",
    response_model=SearchResult,
    responses={
        200: {
            "description": "The result.",
            "content": {form.media_type: {"schema": form.schema} for form in list(FORMATS.values())[1:]},
        },
        **documented(404, 406, 409, 410, 422),
    },
)
def get_results(
    search: str,
    service: CurrentService,
    form: Annotated[FormatName | None, Query(alias="format", description="Instead of Accept.")] = None,
    columns: Annotated[
        str, Query(description="Columns of tab, csv and parquet, by comma: BLAST's names; `std` is the usual twelve.")
    ] = "std",
    query: Annotated[int | None, Query(ge=1, description="Only this query's part, from 1.")] = None,
    hits: Annotated[
        str | None, Query(description="Only the hits of these ranks, as 1,5,9-12; of several queries name one, too.")
    ] = None,
    accept: Annotated[str | None, Header()] = None,
) -> Response:
    """Get the result of a search that has succeeded."""
    name = form or negotiate(accept)
    headers = {"Vary": "Accept"}
    if name != "json":
        headers["Content-Disposition"] = f'attachment; filename="{search}.{FORMATS[name].ending}"'
    stored = service.client.stored(search)
    asked = Asked(stored, _part(stored, query, hits), columns, service.database)
    return StreamingResponse(
        in_chunks(FORMATS[name].write(asked)), media_type=FORMATS[name].media_type, headers=headers
    )


def _part(stored: StoredResult, query: int | None, hits: str | None) -> SearchResult | None:
    """What is asked for of a result; None for all of it."""
    if query is None and hits is None:
        return None
    if query is None and len(stored) > 1:
        raise InvalidParameterError("hits", f"the search has {len(stored)} queries: `query` must name one")
    part = stored.part(query or 1)
    if part is None:
        raise InvalidParameterError("query", f"the search has {len(stored)} queries")
    return part if hits is None else replace(part, results=(select_hits(part.results[0], hits),))
