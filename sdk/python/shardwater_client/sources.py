"""What a job is made of and what it gives, as steps: text, files and stored records sent, results read line by line."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeVar

import httpx
from attrs import fields

from shardwater_client import errors
from shardwater_client.calls import Calls, Pauses, read
from shardwater_client.errors import UnavailableError, UnreadableReplyError, error_of
from shardwater_client.generated import models
from shardwater_client.generated.api.uploads import delete_upload
from shardwater_client.generated.types import UNSET
from shardwater_client.steps import Call, FileContent, Flow, Give, Pause, Request, next_piece, open_stream
from shardwater_client.texts import checked

UPLOAD_TIMEOUT_S = 3600.0
SILENCE_S = 120.0
"""A server that is there sends an empty line after 15 seconds without others."""

Sequences = str | PathLike[str] | models.UploadedSequences | models.DatabaseSequences
"""FASTA or FASTQ text; a file, which is uploaded; an upload; or records of a database."""
Source = str | models.UploadedSequences | models.DatabaseSequences
Asked = TypeVar("Asked", models.AlignmentRequest, models.ComparisonRequest)


class _Line(Protocol):
    @classmethod
    def from_dict(cls, src_dict: Any) -> Any: ...


L = TypeVar("L", bound=_Line)


def upload(calls: Calls, path: Path) -> Call[str]:
    """Upload a file of FASTA or FASTQ, plain or gzip; its id."""
    reply = yield from _sent(calls, path)
    return read(models.Upload, reply).id


def send_matrix(calls: Calls, path: Path) -> Call[str]:
    """Send a substitution matrix, a file in NCBI's form; its id."""
    headers = {"Content-Type": "application/octet-stream"}
    sent = {"method": "post", "url": "/v1/matrices", "content": path.read_bytes(), "headers": headers}
    reply = yield from calls.send(Request(sent))
    return read(models.OwnMatrix, reply).id


def _sent(calls: Calls, path: Path) -> Call[httpx.Response]:
    sent = {
        "method": "post",
        "url": "/v1/uploads",
        "content": FileContent(path),
        "headers": {"Content-Type": "application/octet-stream", "Content-Length": str(path.stat().st_size)},
    }
    return (yield from calls.send(Request(sent, UPLOAD_TIMEOUT_S)))


def asked(
    calls: Calls,
    model: type[Asked],
    sides: Mapping[str, Sequences],
    parameters: Mapping[str, Any],
    arguments: Callable[[Asked], dict[str, Any]],
) -> Call[httpx.Response]:
    """The reply to a request. Files are uploaded for it, and removed then: a job has its own copy.

    Raises TypeError for an unknown parameter.
    """
    known = {field.name for field in fields(model)} - sides.keys()
    if unknown := sorted(parameters.keys() - known):
        raise TypeError(f"there is no parameter {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    given: dict[str, Any] = {name: parameters.get(name, UNSET) for name in known}
    made = list[str]()
    try:
        for side, each in sides.items():
            given[side] = yield from _source(calls, each, made)
        reply = yield from calls.send(Request(arguments(model(**given)), UPLOAD_TIMEOUT_S))
    except errors.ShardwaterError:
        yield from _removed(calls, made)
        raise
    yield from _removed(calls, made)
    return reply


def _source(calls: Calls, sequences: Sequences, made: list[str]) -> Call[Source]:
    """made: gets what was not there before."""
    if isinstance(sequences, str):
        return checked(sequences)
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


def each_line(calls: Calls, arguments: Mapping[str, Any], model: type[L]) -> Flow[L]:
    """Each line of a reply, read as a model; a connection that breaks is opened again, and goes on where it was."""
    given, pauses, end = 0, Pauses(), calls.clock() + calls.patience_s
    while True:
        reply = yield from open_stream(Request(arguments, SILENCE_S), lines=True)
        if isinstance(reply, httpx.Response) and reply.is_success:
            here = 0
            while isinstance(line := (yield from next_piece()), str):
                # An empty one says that the server is there.
                here += bool(line)
                if line and here > given:
                    given, pauses, end = here, Pauses(), calls.clock() + calls.patience_s
                    yield Give(_read(line, model))
            if line is None:
                return
        else:
            error = error_of(reply)
            if not isinstance(error, UnavailableError) or calls.clock() > end:
                raise error
        # Where the job has failed meanwhile, the next reply says why.
        yield Pause(pauses.after(reply))


def _read(line: str, model: type[L]) -> L:
    try:
        found: L = model.from_dict(json.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UnreadableReplyError("the server's lines are none of its results") from None
    return found
