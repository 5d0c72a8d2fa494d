"""All scores of a search that has kept them."""

from typing import Annotated

from fastapi import Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BeforeValidator

from app.problems import documented
from app.responses.http_cache import is_known
from app.responses.jobs import bare_if_asked
from app.responses.negotiation import best_of
from app.responses.score_results import CONTENT, FORMATS, Wanted, all_scores
from app.routers import new_router
from app.service import CurrentService
from shardwater.formats.scores import ScoreFormat, Threshold
from worker.jobs.decimals import decimal

router = new_router(tags=["results"])


@router.head("/v1/searches/{search}/scores", include_in_schema=False)
@router.get(
    "/v1/searches/{search}/scores",
    response_class=Response,
    responses={
        200: {
            "description": "A row for each subject, query by query, in the order of the database. `raw`: int32, "
            "little-endian, one for each of them.",
            "content": CONTENT,
        },
        304: {"description": "`If-None-Match` names these scores."},
        **documented(404, 406, 409, 410, 422),
    },
)
async def get_scores(
    request: Request,
    search: str,
    service: CurrentService,
    form: Annotated[
        ScoreFormat | None, Query(alias="format", description="How they are written. Default: as `Accept` says.")
    ] = None,
    query: Annotated[int | None, Query(ge=1, description="Only those of this query, from 1.")] = None,
    min_score: Annotated[
        int, Query(ge=0, le=2**31 - 1, description="Of tab and parquet: only subjects of at least this score.")
    ] = 0,
    max_evalue: Annotated[
        float | None,
        BeforeValidator(decimal),
        Query(
            gt=0,
            allow_inf_nan=False,
            description="Of tab and parquet: only subjects of at most this E-value, by the whole score.",
        ),
    ] = None,
    accept: Annotated[str | None, Header(include_in_schema=False)] = None,
    if_none_match: Annotated[str | None, Header(description="The `ETag` of a reply that is still there.")] = None,
) -> Response:
    """Get the score of every subject, of a search with `scores=all` that has succeeded."""
    wanted = Wanted(form or best_of(accept, FORMATS), query, Threshold(min_score, max_evalue))
    headers = await run_in_threadpool(wanted.headers, service, search)
    if is_known(if_none_match, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return bare_if_asked(request, await all_scores(service, search, wanted))
