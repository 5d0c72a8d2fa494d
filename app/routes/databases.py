"""Databases and their sequences."""

import json
from collections.abc import Iterator
from typing import Annotated, Literal

from fastapi import Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from app.problems import NotHereError, SequencesNotHereError, UnsupportedMediaTypeError, documented
from app.requests.bodies import JSON
from app.requests.forms import media_type_of
from app.requests.large_bodies import small_body
from app.responses.search_json import page_headers
from app.routers import new_router
from app.schemas import DatabaseInfo, DatabaseList, Sequence, SequenceBatch, SequenceList, SequenceName, SequencePage
from app.service import CurrentService, Service
from shardwater.database.database import Database
from shardwater.database.lookup import find_many
from shardwater.formats.chunks import in_chunks
from shardwater.formats.fasta import PART, fasta_parts
from shardwater.sequences.alphabets import PROTEIN
from worker.jobs.page_tokens import read_number, write_token
from worker.jobs.targets import search_target

router = new_router(tags=["databases"])

LARGEST_BATCH = 1 << 20
"""Bytes of a question for many sequences."""

_VARY = {"Vary": "Accept"}
_Form = Annotated[Literal["fasta", "json"] | None, Query(alias="format", description="Instead of Accept.")]
_Accept = Annotated[str, Header(include_in_schema=False)]


def describe(service: Service, database: Database) -> DatabaseInfo:
    """A database and whether its shards are served."""
    manifest = database.manifest
    return DatabaseInfo(
        name=manifest.name,
        title=manifest.title,
        version=manifest.version,
        checksum=manifest.checksum,
        alphabet=manifest.alphabet,
        sequences=manifest.subjects,
        residues=manifest.residues,
        longest=manifest.longest,
        shards=manifest.shards,
        replaced=manifest.replaced,
        taxa=0 if database.taxa is None else database.taxa.count,
        taxonomy="none" if database.taxa is None else "tree" if database.taxa.has_tree else "taxids",
        members=manifest.members,
        member_residues=manifest.member_residues,
        created_at=database.created_at,
        state=_state(service, database),
    )


def _state(service: Service, database: Database) -> Literal["ready", "degraded", "loading"]:
    if database.alphabet is not PROTEIN:
        return "ready"
    alive = service.store.alive(search_target(database.manifest))
    return "ready" if all(alive) else "degraded" if any(alive) else "loading"


@router.get("/v1/databases", responses=documented())
def list_databases(service: CurrentService) -> DatabaseList:
    """List the databases: those of proteins can be searched, sequences of all can be aligned."""
    return DatabaseList(items=[describe(service, database) for database in service.databases()])


@router.get("/v1/databases/{name}", responses=documented(404, 422))
def get_database(name: str, service: CurrentService) -> DatabaseInfo:
    """See a database's size, version and state."""
    return describe(service, service.database(name))


@router.get("/v1/databases/{name}/sequences", response_model=SequencePage, responses=documented(404, 422))
def list_sequences(
    request: Request,
    name: str,
    service: CurrentService,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 100,
    page_token: str = "",
) -> Response:
    """List a database's sequences by accession, title and length, the shortest first."""
    database = service.readable(name)
    listed = ("sequences", name, database.manifest.checksum)
    first = read_number(listed, page_token, len(database))
    after = first + page_size
    token = write_token(listed, after) if after < len(database) else ""
    pieces = _page(database, range(first, min(after, len(database))), token)
    headers = page_headers(request, token, len(database))
    return StreamingResponse(in_chunks(pieces), media_type="application/json", headers=headers)


def _page(database: Database, subjects: range, token: str) -> Iterator[str]:
    """A SequencePage as JSON, header after header, since each may be long."""
    yield '{"items":['
    for subject in subjects:
        accession, title = database.names_of(subject)
        found = SequenceName(accession=accession, title=title, length=int(database.lengths[subject]))
        yield f"{',' if subject > subjects.start else ''}{found.model_dump_json()}"
    yield f'],"next_page_token":"{token}"}}'


@router.get(
    "/v1/databases/{name}/sequences/{accession:path}",
    response_model=Sequence,
    responses={
        200: {"description": "The sequence.", "content": {"text/x-fasta": {"schema": {"type": "string"}}}},
        **documented(404, 422),
    },
)
def get_sequence(
    name: str, accession: str, service: CurrentService, form: _Form = None, accept: _Accept = "*/*"
) -> Response:
    """Get a sequence, with its letters as they were; by P12345 `sp|P12345|NAME` too, by NC_002505 NC_002505.1."""
    database = service.readable(name)
    subject = database.find(accession)
    if subject is None:
        raise NotHereError(f"no sequence {accession!r} in database {name}")
    as_json = _as_json(form, accept)
    pieces = _json(database, subject) if as_json else _fasta(database, subject)
    media_type = "application/json" if as_json else "text/x-fasta"
    return StreamingResponse(in_chunks(pieces), media_type=media_type, headers=_VARY)


@router.post(
    "/v1/databases/{name}/sequences:batchGet",
    response_model=SequenceList,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": {"$ref": "#/components/schemas/SequenceBatch"}}},
        }
    },
    responses={
        200: {"description": "The sequences.", "content": {"text/x-fasta": {"schema": {"type": "string"}}}},
        **documented(400, 404, 413, 415, 422),
    },
)
async def batch_get_sequences(
    request: Request, name: str, service: CurrentService, form: _Form = None, accept: _Accept = "*/*"
) -> Response:
    """Get many sequences at once, in the order in which they are asked for: all of them, or none."""
    if media_type_of(request) != JSON:
        raise UnsupportedMediaTypeError(f"accessions are posted as {JSON}")
    batch = SequenceBatch.model_validate_json(await small_body(request, LARGEST_BATCH))
    database = await run_in_threadpool(service.readable, name)
    subjects = await run_in_threadpool(_found, database, batch.accessions)
    if _as_json(form, accept):
        listed = in_chunks(_listed(database, subjects))
        return StreamingResponse(listed, media_type="application/json", headers=_VARY)
    pieces = (piece for subject in subjects for piece in _fasta(database, subject))
    return StreamingResponse(in_chunks(pieces), media_type="text/x-fasta", headers=_VARY)


def _found(database: Database, accessions: list[str]) -> list[int]:
    """The subjects of these accessions; raises SequencesNotHereError where one has none."""
    subjects = find_many(database, accessions)
    missing = [place for place, subject in enumerate(subjects) if subject is None]
    if missing:
        detail = f"{len(missing)} of {len(accessions)} accessions are not in database {database.manifest.name}"
        raise SequencesNotHereError(detail, missing)
    return [subject for subject in subjects if subject is not None]


def _listed(database: Database, subjects: list[int]) -> Iterator[str]:
    """A SequenceList as JSON."""
    for number, subject in enumerate(subjects):
        yield "," if number else '{"items":['
        yield from _json(database, subject)
    yield "]}"


def _as_json(form: str | None, accept: str) -> bool:
    return form == "json" or (form is None and JSON in accept)


def _json(database: Database, subject: int) -> Iterator[str]:
    """A Sequence as JSON, part after part, since a chromosome may be one: its letters come last."""
    (accession, title), parts = database.names_of(subject), database.parts(subject, PART)
    found = Sequence(accession=accession, title=title, length=int(database.lengths[subject]), sequence="")
    yield found.model_dump_json().removesuffix('"}')
    yield from (json.dumps(part.decode("ascii"))[1:-1] for part in parts)
    yield '"}'


def _fasta(database: Database, subject: int) -> Iterator[str]:
    return fasta_parts(database.header(subject), database.parts(subject, PART))
