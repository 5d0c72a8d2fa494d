"""Profiles that searches were made with."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated

from fastapi import Header, Query, Request, Response

from app.problems import InvalidParameterError, NotHereError, documented
from app.responses.file_names import file_name
from app.responses.http_cache import is_known, result_headers
from app.responses.jobs import bare_if_asked
from app.responses.query_parts import part_of
from app.responses.result_formats import TEXT
from app.responses.written import Begun
from app.routers import new_router
from app.service import CurrentService, Service
from shardwater.errors import AlignError, EngineError, ScoringError
from shardwater.formats.chunks import in_chunks
from shardwater.formats.pssms.saved import SavedPssm
from shardwater.formats.pssms.writing import PSSM_WRITERS, PssmFormat
from shardwater.formats.selection import select_hits
from shardwater.profiles.iterated import Turn
from shardwater.search.merge import Hit, QueryResult
from worker.jobs.round_files import RoundFiles
from worker.jobs.states import DamagedJob

router = new_router(tags=["results"])

MOST_CHOSEN = 500
"""Hits that a profile is made of for whoever names them: it takes a second or two with long ones."""
_ENDINGS = {"asn1": "asn", "ascii": "pssm", "json": "pssm.json"}
_MEDIA_TYPES = {"asn1": "text/plain", "ascii": "text/plain", "json": "application/json"}


@router.head("/v1/searches/{search}/pssm", include_in_schema=False)
@router.get(
    "/v1/searches/{search}/pssm",
    response_class=Response,
    responses={
        200: {
            "description": "The profile, with its query.",
            "content": {media_type: {"schema": TEXT} for media_type in sorted(set(_MEDIA_TYPES.values()))},
        },
        304: {"description": "`If-None-Match` names this profile."},
        **documented(404, 409, 410, 422),
    },
)
async def get_pssm(
    request: Request,
    search: str,
    service: CurrentService,
    query: Annotated[int, Query(ge=1, description="Of which query, from 1.")] = 1,
    form: Annotated[
        PssmFormat,
        Query(
            alias="format",
            description="`asn1`: as PSI-BLAST's -out_pssm, which its -in_pssm reads; `ascii`: as its -out_ascii_pssm; "
            "`json`. All of them do for `pssm` of another search.",
        ),
    ] = "asn1",
    hits: Annotated[
        str | None,
        Query(
            description="Not the last round's: one of the query and the hits of these ranks, as 1,5,9-12, at most "
            f"{MOST_CHOSEN}, whatever their E-values. Each of them needs an alignment in the result."
        ),
    ] = None,
    if_none_match: Annotated[str | None, Header(description="The `ETag` of a reply that is still there.")] = None,
) -> Response:
    """Get the profile that the last round of a search was made with, or one of hits that are named."""
    account = service.store.caller.account
    begin = partial(_begun, service, search, query, form, hits, if_none_match)
    return bare_if_asked(request, await service.writers.reply(account, begin))


def _begun(
    service: Service, search: str, query: int, form: PssmFormat, hits: str | None, known: str | None
) -> Begun | Response:
    stored = service.store.stored(search)
    [found] = part_of(stored, query).results
    if hits is None and found.query.profile is None:
        raise NotHereError(
            f"query {query} was searched for as it is: a profile comes with a second round, with pssm, or of hits"
        )
    named = file_name(service.store.state(search).title, search, str(query), selected=hits is not None)
    headers = result_headers(search, f"pssm.{form}.{query}", service.store.time_left(search)) | {
        "Content-Disposition": f'attachment; filename="{named}.{_ENDINGS[form]}"'
    }
    if is_known(known, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    if hits is None:
        saved = _saved(service, search, query, found.query.profile)
    else:
        saved = _of_hits(service, search, query, _chosen(found, hits))
    return Begun(headers, in_chunks(PSSM_WRITERS[form](saved)), _MEDIA_TYPES[form])


def _saved(service: Service, search: str, query: int, digest: str | None) -> SavedPssm:
    """What a search has kept of a profile; raises DamagedJob where it is not the one that it searched with."""
    asked, _ = service.store.request(search)
    with suppress(EngineError):
        saved = RoundFiles(service.files, search, asked.records()).last().turns[query - 1].saved(asked.scoring)
        if saved is not None and saved.query.pssm is not None and saved.query.pssm.digest == digest:
            return saved
    raise DamagedJob(f"what search {search} has kept of its profiles is not what it was")


def _chosen(found: QueryResult, ranks: str) -> tuple[Hit, ...]:
    chosen = select_hits(found, ranks).hits
    if len(chosen) > MOST_CHOSEN:
        raise InvalidParameterError("hits", f"a profile is made of {MOST_CHOSEN} hits at most, not of {len(chosen):,}")
    return chosen


def _of_hits(service: Service, search: str, query: int, hits: Sequence[Hit]) -> SavedPssm:
    """A profile of the query and these hits."""
    asked, _ = service.store.request(search)
    try:
        saved = Turn(asked.records()[query - 1]).profiled(hits, asked.scoring).saved(asked.scoring)
    except (AlignError, ScoringError) as error:
        raise InvalidParameterError("hits", str(error)) from None
    assert saved is not None
    return saved
