"""Pairs of sequences aligned by the server, as steps: lists sent, the job followed, its pairs as they come."""

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict

import httpx
from attrs import fields

from shardwater_client import errors
from shardwater_client.calls import Calls, Pauses, read
from shardwater_client.errors import UnavailableError, UnreadableReplyError, error_of
from shardwater_client.generated import models
from shardwater_client.generated.api.alignments import (
    cancel_alignment,
    create_alignment,
    delete_alignment,
    estimate_alignment,
    get_alignment,
    get_alignment_results,
)
from shardwater_client.generated.api.uploads import delete_upload
from shardwater_client.generated.types import UNSET
from shardwater_client.steps import Call, FileContent, Flow, Give, Pause, Request, next_piece, open_stream

UPLOAD_TIMEOUT_S = 3600.0
SILENCE_S = 120.0
"""A server that is there sends an empty line after 15 seconds without pairs."""

Sequences = str | PathLike[str] | models.UploadedSequences | models.DatabaseSequences
"""FASTA or FASTQ text; a file, which is uploaded; an upload; or records of a database."""


class AlignmentParameters(TypedDict, total=False):
    """How pairs are aligned; what is left out has the server's default."""

    pairing: models.Pairing
    mode: models.AlignmentMode
    free_ends: Sequence[models.AlignmentEnd]
    alphabet: models.PairAlphabet
    matrix: str
    match: int
    mismatch: int
    table: str
    gap_open: float
    """A gap of n letters costs gap_open + n * gap_extend."""
    gap_extend: float
    report: models.AlignmentReport
    strand: models.AlignmentStrands
    best: int
    """Of local pairs: so many alignments of each at most."""
    query_apart: int
    """Letters of the query between the ends of two of them, at least."""
    subject_apart: int
    title: str


Source = str | models.UploadedSequences | models.DatabaseSequences


def upload(calls: Calls, path: Path) -> Call[str]:
    """Upload a file of FASTA or FASTQ, plain or gzip; its id."""
    reply = yield from _sent(calls, path)
    return read(models.Upload, reply).id


def _sent(calls: Calls, path: Path) -> Call[httpx.Response]:
    sent = {
        "method": "post",
        "url": "/v1/uploads",
        "content": FileContent(path),
        "headers": {"Content-Type": "application/octet-stream", "Content-Length": str(path.stat().st_size)},
    }
    return (yield from calls.send(Request(sent, UPLOAD_TIMEOUT_S)))


def estimate(
    calls: Calls, queries: Sequences, subjects: Sequences, parameters: Mapping[str, Any]
) -> Call[models.AlignmentEstimate]:
    """What a job would take."""

    def arguments(body: models.AlignmentRequest) -> dict[str, Any]:
        return estimate_alignment._get_kwargs(body=body)

    reply = yield from _asked(calls, queries, subjects, parameters, arguments)
    return read(models.AlignmentEstimate, reply)


def submit(
    calls: Calls, queries: Sequences, subjects: Sequences, parameters: Mapping[str, Any], *, fresh: bool
) -> Call[models.Alignment]:
    """Have pairs aligned, and do not wait."""

    def arguments(body: models.AlignmentRequest) -> dict[str, Any]:
        return create_alignment._get_kwargs(
            body=body,
            cache_control="no-cache" if fresh else UNSET,
            # One key for all tries, so that a job whose reply got lost is found and not run twice.
            idempotency_key=f'"{uuid.uuid4()}"',
        )

    reply = yield from _asked(calls, queries, subjects, parameters, arguments)
    return read(models.Alignment, reply)


def align(
    calls: Calls, queries: Sequences, subjects: Sequences, parameters: Mapping[str, Any], *, fresh: bool
) -> Flow[models.AlignedPair]:
    """Have pairs aligned; each as soon as those before it are there."""
    job = yield from submit(calls, queries, subjects, parameters, fresh=fresh)
    try:
        yield from aligned(calls, job.id)
    except errors.ShardwaterError as error:
        error.alignment_id = job.id
        raise


def aligned(calls: Calls, alignment_id: str) -> Flow[models.AlignedPair]:
    """The pairs of a job, in their order, while it is at work and after; a connection that breaks is opened again."""
    request = Request(get_alignment_results._get_kwargs(alignment_id, format_="ndjson"), SILENCE_S)
    given, pauses, end = 0, Pauses(), calls.clock() + calls.patience_s
    while True:
        reply = yield from open_stream(request, lines=True)
        if isinstance(reply, httpx.Response) and reply.is_success:
            here = 0
            while isinstance(line := (yield from next_piece()), str):
                # An empty one says that the server is there.
                here += bool(line)
                if line and here > given:
                    given, pauses, end = here, Pauses(), calls.clock() + calls.patience_s
                    yield Give(_pair(line))
            if line is None:
                return
        else:
            error = error_of(reply)
            if not isinstance(error, UnavailableError) or calls.clock() > end:
                raise error
        # Where the job has failed meanwhile, the next reply says why.
        yield Pause(pauses.after(reply))


def status(calls: Calls, alignment_id: str) -> Call[models.Alignment]:
    """How a job stands."""
    reply = yield from calls.send(Request(get_alignment._get_kwargs(alignment_id)))
    return read(models.Alignment, reply)


def cancel(calls: Calls, alignment_id: str) -> Call[models.Alignment]:
    """Stop a job."""
    reply = yield from calls.send(Request(cancel_alignment._get_kwargs(alignment_id)))
    return read(models.Alignment, reply)


def delete(calls: Calls, alignment_id: str) -> Call[None]:
    """Remove a job, its sequences and its result."""
    yield from calls.remove(Request(delete_alignment._get_kwargs(alignment_id)))


def download(calls: Calls, alignment_id: str, form: models.PairFormat, columns: Sequence[str]) -> Call[bytes]:
    """The pairs of a job that has succeeded, in a format."""
    arguments = get_alignment_results._get_kwargs(
        alignment_id, format_=form, columns=",".join(columns) if columns else UNSET
    )
    reply = yield from calls.send(Request(arguments, UPLOAD_TIMEOUT_S))
    return reply.content


def _asked(
    calls: Calls,
    queries: Sequences,
    subjects: Sequences,
    parameters: Mapping[str, Any],
    arguments: Callable[[models.AlignmentRequest], dict[str, Any]],
) -> Call[httpx.Response]:
    """The reply to a request. Files are uploaded for it, and removed then: a job has its own copy.

    Raises TypeError for an unknown parameter.
    """
    known = {field.name for field in fields(models.AlignmentRequest)} - {"queries", "subjects"}
    if unknown := sorted(parameters.keys() - known):
        raise TypeError(f"there is no parameter {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    sources, made = list[Source](), list[str]()
    given = {name: parameters.get(name, UNSET) for name in known}
    try:
        for each in (queries, subjects):
            sources.append((yield from _source(calls, each, made)))
        body = models.AlignmentRequest(queries=sources[0], subjects=sources[1], **given)
        reply = yield from calls.send(Request(arguments(body), UPLOAD_TIMEOUT_S))
    except errors.ShardwaterError:
        yield from _removed(calls, made)
        raise
    yield from _removed(calls, made)
    return reply


def _source(calls: Calls, sequences: Sequences, made: list[str]) -> Call[Source]:
    """made: gets what was not there before."""
    if not isinstance(sequences, PathLike):
        return sequences
    reply = yield from _sent(calls, Path(sequences))
    name = read(models.Upload, reply).id
    if reply.status_code == httpx.codes.CREATED:
        made.append(name)
    return models.UploadedSequences(upload=name)


def _removed(calls: Calls, uploads: Sequence[str]) -> Call[None]:
    """Remove uploads; one that stays is removed at the end of its time."""
    for name in uploads:
        with suppress(errors.ShardwaterError):
            yield from calls.send(Request(delete_upload._get_kwargs(name)))


def _pair(line: str) -> models.AlignedPair:
    try:
        return models.AlignedPair.from_dict(json.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UnreadableReplyError("the server's pairs are none") from None
