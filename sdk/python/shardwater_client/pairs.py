"""Pairs of sequences aligned by the server, as steps: lists sent, the job followed, its pairs as they come."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from shardwater_client import errors
from shardwater_client.calls import Calls, read
from shardwater_client.generated import models
from shardwater_client.generated.api.alignments import (
    cancel_alignment,
    create_alignment,
    delete_alignment,
    estimate_alignment,
    get_alignment,
    get_alignment_results,
)
from shardwater_client.generated.types import UNSET
from shardwater_client.sources import UPLOAD_TIMEOUT_S, Sequences, asked, each_line
from shardwater_client.steps import Call, Flow, Request


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


def estimate(
    calls: Calls, queries: Sequences, subjects: Sequences, parameters: Mapping[str, Any]
) -> Call[models.AlignmentEstimate]:
    """What a job would take."""

    def arguments(body: models.AlignmentRequest) -> dict[str, Any]:
        return estimate_alignment._get_kwargs(body=body)

    sides = {"queries": queries, "subjects": subjects}
    reply = yield from asked(calls, models.AlignmentRequest, sides, parameters, arguments)
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

    sides = {"queries": queries, "subjects": subjects}
    reply = yield from asked(calls, models.AlignmentRequest, sides, parameters, arguments)
    return read(models.Alignment, reply)


def align(
    calls: Calls, queries: Sequences, subjects: Sequences, parameters: Mapping[str, Any], *, fresh: bool
) -> Flow[models.AlignedPair]:
    """Have pairs aligned; each as soon as those before it are there."""
    job = yield from submit(calls, queries, subjects, parameters, fresh=fresh)
    yield from of_job(calls, job)


def of_job(calls: Calls, job: models.Alignment) -> Flow[models.AlignedPair]:
    """The pairs of a job that was submitted just now; errors have its id."""
    try:
        yield from aligned(calls, job.id)
    except errors.ShardwaterError as error:
        error.alignment_id = job.id
        raise


def aligned(calls: Calls, alignment_id: str) -> Flow[models.AlignedPair]:
    """The pairs of a job, in their order, while it is at work and after; a connection that breaks is opened again."""
    yield from each_line(calls, get_alignment_results._get_kwargs(alignment_id, format_="ndjson"), models.AlignedPair)


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
