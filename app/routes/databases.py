"""Databases and their sequences."""

from typing import Annotated, Literal

from fastapi import APIRouter, Header, Query, Response

from app.errors import NotHereError, documented
from app.schemas import DatabaseInfo, DatabaseList, Sequence
from app.service import CurrentService, Service
from shardwater.database import Database
from shardwater.formats.fasta import fasta_text
from worker.states import search_target

router = APIRouter(tags=["databases"])


def describe(service: Service, database: Database) -> DatabaseInfo:
    """A database and whether its shards are served."""
    manifest = database.manifest
    alive = service.client.alive(search_target(manifest))
    state: Literal["ready", "degraded", "loading"] = "ready" if all(alive) else "degraded" if any(alive) else "loading"
    return DatabaseInfo(
        name=manifest.name,
        title=manifest.title,
        version=manifest.version,
        checksum=manifest.checksum,
        sequences=manifest.subjects,
        residues=manifest.residues,
        longest=manifest.longest,
        shards=manifest.shards,
        replaced=manifest.replaced,
        created_at=database.created_at,
        state=state,
    )


@router.get("/v1/databases", responses=documented())
def list_databases(service: CurrentService) -> DatabaseList:
    """List the databases that can be searched."""
    return DatabaseList(items=[describe(service, service.database(name)) for name in service.catalog.names()])


@router.get("/v1/databases/{name}", responses=documented(404, 422))
def get_database(name: str, service: CurrentService) -> DatabaseInfo:
    """See a database's size, version and state."""
    return describe(service, service.database(name))


@router.get(
    "/v1/databases/{name}/sequences/{accession:path}",
    response_model=Sequence,
    responses={
        200: {"description": "The sequence.", "content": {"text/x-fasta": {"schema": {"type": "string"}}}},
        **documented(404, 422),
    },
)
def get_sequence(
    name: str,
    accession: str,
    service: CurrentService,
    form: Annotated[Literal["fasta", "json"] | None, Query(alias="format", description="Instead of Accept.")] = None,
    accept: Annotated[str, Header(include_in_schema=False)] = "*/*",
) -> Response:
    """Get a sequence as it came into the database: original letters and case. P12345 finds `sp|P12345|NAME`, too."""
    database = service.readable(name)
    subject = database.find(accession)
    if subject is None:
        raise NotHereError(f"no sequence {accession!r} in database {name}")
    residues = database.sequence(subject)
    if form == "json" or (form is None and "application/json" in accept):
        names = database.names_of(subject)
        found = Sequence(accession=names[0], title=names[1], length=len(residues), sequence=residues.decode("ascii"))
        return Response(found.model_dump_json(), media_type="application/json", headers={"Vary": "Accept"})
    text = fasta_text(database.header(subject), residues)
    return Response(text, media_type="text/x-fasta", headers={"Vary": "Accept"})
