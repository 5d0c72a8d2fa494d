"""The lineages that a search's hits are of."""

from contextlib import suppress
from typing import Annotated

from fastapi import Header, Query, Response

from app.problems import NotHereError, documented
from app.responses.http_cache import is_known, result_headers
from app.responses.query_parts import named_part
from app.routers import new_router
from app.schemas import HitTaxon, HitTaxonList
from app.service import CurrentService, Service
from shardwater.database.taxa import Placed
from shardwater.formats.selection import ranks_text
from shardwater.search.lineages import lineages
from shardwater.search.merge import SearchResult

router = new_router(tags=["results"])


@router.head("/v1/searches/{search}/taxa", include_in_schema=False)
@router.get(
    "/v1/searches/{search}/taxa",
    response_model=HitTaxonList,
    responses={
        304: {"description": "`If-None-Match` names this list."},
        **documented(404, 409, 410, 422),
    },
)
async def get_taxa(
    search: str,
    service: CurrentService,
    query: Annotated[int | None, Query(ge=1, description="Of which query, from 1; of several name one.")] = None,
    if_none_match: Annotated[str | None, Header(description="The `ETag` of a reply that is still there.")] = None,
) -> Response:
    """List the taxa of a query's hits as a tree, with how many hits each has."""
    account = service.store.caller.account
    headers, found = await service.writers.run(account, lambda: _found(service, search, query))
    if is_known(if_none_match, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(found.model_dump_json(), media_type="application/json", headers=headers)


def _found(service: Service, search: str, query: int | None) -> tuple[dict[str, str], HitTaxonList]:
    stored = service.store.stored(search)
    part = named_part(stored, query, "query")
    tree = lineages(part.results[0].hits, _placed(service, part))
    taxa = [
        HitTaxon(
            taxid=taxon.taxid,
            name=taxon.name,
            rank=taxon.rank,
            parent=taxon.parent,
            hits=len(taxon.ranks),
            ranks=ranks_text(taxon.ranks),
        )
        for taxon in tree.taxa
    ]
    headers = result_headers(search, f"taxa.{query or 1}", service.store.time_left(search))
    return headers, HitTaxonList(items=taxa, without_taxid=tree.without_taxid)


def _placed(service: Service, part: SearchResult) -> dict[int, Placed]:
    """Where the taxids of hits are in the trees of the databases that were searched, as far as these are still here."""
    taxids = {hit.taxid for hit in part.results[0].hits if hit.taxid is not None}
    placed = dict[int, Placed]()
    for each in part.databases or (part.database,):
        with suppress(NotHereError):
            taxa = service.readable(each.name, each.version).taxa
            if taxa is not None and taxa.has_tree:
                placed = {**taxa.ancestry(taxids), **placed}
    return placed
