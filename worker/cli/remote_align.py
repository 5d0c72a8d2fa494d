"""`shardwater align --server`: both lists uploaded, the job followed, its pairs fetched in a format."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import httpx

from shardwater.formats.pairs.names import PairFormat
from worker.cli.console import ShowSearch, search_bar, whole_output
from worker.cli.remote import (
    GOES_ON,
    Remote,
    RemoteError,
    RemoteInterrupted,
    accepted_job,
    address,
    cancel_accepted,
    ended,
    path_of,
    problem_text,
    remote_errors,
    send,
    until_succeeded,
)
from worker.cli.run_align import Choice, Inputs, called, check_output, interruptible, opened, say_alphabet

PIECE = 1 << 18
"""Bytes of a file that are sent at a time."""
LONGEST_S = 3600.0
"""How long a server may take to check an upload."""
SILENCE_S = 120.0
"""A server that is there sends an empty line after 15 seconds without pairs."""
LOOK_S = 1.0
"""How often it is asked how far a job is whose lines come."""
TRIES = 5
"""How often a connection may break without another line."""


@dataclass(frozen=True, slots=True)
class RemoteLists:
    """Two open files by the names that the interface has for them, and what users call these."""

    files: Mapping[str, BufferedReader]
    called: Mapping[str, str]


def run_align_remotely(inputs: Inputs, choice: Choice, out: Path | None, remote: Remote) -> None:
    """What `shardwater align --server` does; ends the command with its exit code where that refuses or fails."""
    choice.checked_columns()
    known = choice.known_alphabet()
    if known is not None:
        choice.scheme(known)
    check_output(out, {"-query": inputs.query, "-subject": inputs.subject})
    with (
        interruptible(),
        remote_errors(),
        opened(inputs.query) as query,
        opened(inputs.subject) as subject,
        search_bar("Aligning") as show,
    ):
        names = {"queries": called(inputs.query), "subjects": called(inputs.subject)}
        lists = RemoteLists({"queries": query, "subjects": subject}, names)
        with whole_output(out) as file:
            pairs = align_remotely(remote, lists, choice.fields(inputs), choice.outfmt, show, guesses=known is None)
            file.writelines(pairs)


def fetch_list_remotely(remote: Remote, job: str, form: str, show: ShowSearch) -> Iterator[bytes]:
    """The list of a job that was submitted before, in a format; one that runs is waited for. Raises RemoteError."""
    with remote.http as http:
        try:
            state = until_succeeded(http, float("inf"), send(http, time.monotonic(), "GET", path_of(job)), show)
            yield from fetched(http, f"{state['links']['results']}?{urlencode({'format': form})}")
        except KeyboardInterrupt:
            raise RemoteInterrupted(f"{job} goes on: {remote.fetching(job)}") from None


def align_remotely(
    remote: Remote,
    lists: RemoteLists,
    fields: Mapping[str, Any],
    form: PairFormat,
    show: ShowSearch,
    *,
    guesses: bool,
) -> Iterator[bytes]:
    """The pairs in a format, as they come.

    fields: of the request, as the interface has them, and `columns`. guesses: whether the server tells the alphabet.

    Ctrl-C cancels the job (RemoteInterrupted), unless others may wait for it too. Raises RemoteError.
    """
    columns = {name: fields[name] for name in ("columns",) if name in fields}
    asked = {name: value for name, value in fields.items() if name not in columns}
    with remote.http as http:
        job = dict[str, Any]()
        try:
            with uploaded(http, lists) as sources:
                reply = submitted(http, "/v1/alignments", lists, {**asked, **sources})
            job = accepted_job(reply)
            if guesses:
                say_alphabet(job["parameters"]["alphabet"])
            if form != "ndjson":
                until_succeeded(http, float("inf"), reply, show)
            path = f"{job['links']['results']}?{urlencode({'format': form, **columns})}"
            yield from _followed(http, path, job, show) if form == "ndjson" else fetched(http, path)
        except KeyboardInterrupt:
            if job and not job["reused"]:
                cancel_accepted(http, job)
            raise RemoteInterrupted("interrupted; the pairs were not aligned") from None


@contextmanager
def uploaded(http: httpx.Client, lists: RemoteLists) -> Iterator[dict[str, Any]]:
    """Both lists as the request has them; what was uploaded for it goes when the job has its own copy."""
    made = []
    try:
        sources = {}
        for name, file in lists.files.items():
            reply = _upload(http, lists.called[name], file)
            upload = reply.json()["id"]
            if reply.status_code == httpx.codes.CREATED:
                made.append(upload)
            sources[name] = {"upload": upload}
        yield sources
    finally:
        for upload in made:
            with suppress(httpx.HTTPError):
                http.delete(f"/v1/uploads/{upload}")


def _upload(http: httpx.Client, called: str, file: BufferedReader) -> httpx.Response:
    pieces = iter(lambda: file.read(PIECE), b"")
    headers = {"Content-Type": "application/octet-stream"}
    try:
        reply = http.post("/v1/uploads", content=pieces, headers=headers, timeout=LONGEST_S)
    except httpx.TransportError as error:
        raise RemoteError(f"cannot reach {address(http)}: {error}") from None
    if not reply.is_success:
        raise RemoteError(_of_file(problem_text(reply), "the upload", called), by_input=reply.is_client_error)
    return reply


def submitted(http: httpx.Client, path: str, lists: RemoteLists, body: Mapping[str, Any]) -> httpx.Response:
    """The reply to a job that was asked for; what is wrong with a list is said of its file. Raises RemoteError."""
    headers = {"Idempotency-Key": f'"{uuid4()}"'}
    try:
        return send(http, time.monotonic(), "POST", path, json=body, headers=headers)
    except RemoteError as error:
        text = str(error)
        for name, called in lists.called.items():
            text = _of_file(text, name, called)
        raise RemoteError(text, by_input=error.by_input) from None


def _of_file(text: str, told: str, called: str) -> str:
    """What the server says of a list, of the file that it was."""
    return f"{called}{text.removeprefix(told)}" if text.startswith(f"{told}: ") else text


def fetched(http: httpx.Client, path: str) -> Iterator[bytes]:
    """What a job has made, in a format; raises _Broken where the connection breaks off, or there are none to come."""
    try:
        with http.stream("GET", path, timeout=SILENCE_S) as reply:
            if not reply.is_success:
                reply.read()
                if reply.status_code == httpx.codes.CONFLICT:
                    # The job has ended otherwise, as one whose lines were on their way may.
                    raise _Broken(problem_text(reply))
                raise RemoteError(problem_text(reply), by_input=reply.is_client_error)
            yield from reply.iter_bytes()
    except httpx.TransportError as error:
        raise _Broken(f"the list ends early: {error}") from None


class _Broken(RemoteError):
    """Pairs that do not come, or no longer; whether they ever will, the job's state says."""


def _followed(http: httpx.Client, path: str, job: Mapping[str, Any], show: ShowSearch) -> Iterator[bytes]:
    """The lines of a job at work, a connection that breaks opened again where the job goes on or has succeeded."""
    given, tries, looked = 0, TRIES, time.monotonic()
    while True:
        try:
            for piece in _whole_lines(fetched(http, path), given):
                if piece:
                    given, tries = given + piece.count(b"\n"), TRIES
                    yield piece
                if time.monotonic() - looked > LOOK_S:
                    looked = time.monotonic()
                    _show(http, job, show)
            return
        except _Broken:
            tries -= 1
            state = send(http, float("inf"), "GET", job["links"]["self"]).json()
            if state["state"] not in (*GOES_ON, "succeeded"):
                raise RemoteError(ended(state)) from None
            if not tries:
                raise


def _show(http: httpx.Client, job: Mapping[str, Any], show: ShowSearch) -> None:
    """How far a job is, where the server says so: its lines matter more."""
    with suppress(RemoteError):
        state = send(http, time.monotonic(), "GET", job["links"]["self"]).json()
        show(state["progress"], state["phase"] or "", state["estimate_s"])


def _whole_lines(pieces: Iterator[bytes], passed: int) -> Iterator[bytes]:
    """What comes after so many lines, cut after line ends, without empty lines: these say that the server is there."""
    held = b""
    for piece in pieces:
        lines, newline, held = (held + piece).rpartition(b"\n")
        wanted = [line for line in lines.split(b"\n") if line] if newline else []
        skipped = min(passed, len(wanted))
        passed -= skipped
        # Nothing, too, is a sign of life.
        yield b"".join(line + b"\n" for line in wanted[skipped:])
