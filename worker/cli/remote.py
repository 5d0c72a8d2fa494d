"""A search through a server's HTTP interface: submit, wait politely, fetch."""

import random
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

import httpx

from shardwater.errors import AlignError
from shardwater.scoring.matrix_text import write_matrix
from shardwater.search.digests import WrongDigest
from shardwater.search.merge import SearchResult
from worker.cli.console import Exit, ShowSearch, stop
from worker.jobs.ids import ALIGNMENT, COMPARISON, MSA, SEARCH, VERIFICATION, kind_named
from worker.jobs.kept_searches import OwnMatrixSearch
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import NoResult, read_result

FIRST_PAUSE_S, LONGEST_PAUSE_S, PAUSE_GROWTH = 0.5, 15.0, 1.5
PREFERRED_WAIT_S = 10
WATCHED_WAIT_S = 1
"""Where somebody looks at a bar, which has nothing to show before there is an answer."""
TRY_AGAIN = (429, 502, 503, 504)
GOES_ON = ("queued", "running")
COLLECTIONS = {
    SEARCH: "searches",
    VERIFICATION: "verifications",
    ALIGNMENT: "alignments",
    COMPARISON: "comparisons",
    MSA: "msas",
}
"""Paths of kinds of jobs."""
NO_ANSWER = "the server's answer is not a Shardwater result"


class RemoteError(AlignError):
    """A server that cannot be reached or that refuses; by_input when the request is to blame."""

    def __init__(self, message: str, *, by_input: bool = False) -> None:
        super().__init__(message)
        self.by_input = by_input


class RemoteBusy(RemoteError):
    """A server that cannot take a request now, or that is away."""


class RemoteAway(RemoteBusy):
    """A server that cannot be reached."""


class RemoteFailed(RemoteError):
    """A job that has failed."""


class RemoteInterrupted(AlignError):
    """Ctrl-C; the message says what becomes of the search."""


class RemoteTimeoutError(AlignError):
    """The search did not end in time; its message names the URL at which it goes on."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A server's address, and the API key for it, if it wants one."""

    server: str
    key: str = field(default="", repr=False)

    @property
    def http(self) -> httpx.Client:
        """A connection, whose requests carry the key."""
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return httpx.Client(base_url=self.server.rstrip("/"), timeout=PREFERRED_WAIT_S + 30, headers=headers)

    def fetching(self, search: str) -> str:
        """The command that gets a search's result."""
        return f"shardwater fetch {search} --server {self.server}"


@contextmanager
def remote_errors() -> Iterator[None]:
    """End the command, with a message and its exit code, for what a server refuses or does not do."""
    try:
        yield
    except RemoteInterrupted as error:
        stop(str(error), Exit.INTERRUPTED)
    except RemoteTimeoutError as error:
        stop(str(error), Exit.TIMEOUT)
    except RemoteError as error:
        stop(str(error), Exit.INPUT if error.by_input else Exit.SERVER)


def search_remotely(remote: Remote, request: SearchRequest, timeout_s: float, show: ShowSearch) -> SearchResult:
    """Submit a search and wait for its result, showing how far it is. Raises RemoteError or RemoteTimeoutError.

    Ctrl-C cancels it (RemoteInterrupted), unless it is an earlier one that others may wait for.
    """
    deadline = time.monotonic() + timeout_s
    body = request.model_dump_json(exclude_unset=True, exclude={"matrix_scores"})
    wait = min(WATCHED_WAIT_S if sys.stderr.isatty() else PREFERRED_WAIT_S, timeout_s)
    # The key makes one search of both requests, whatever has become of it in between.
    headers = {"Content-Type": "application/json", "Idempotency-Key": f'"{uuid4()}"'}
    accepted: dict[str, Any] = {}
    with remote.http as http:
        try:
            if isinstance(request, OwnMatrixSearch):
                text = write_matrix(request.matrix_scores)
                send(http, deadline, "POST", "/v1/matrices", content=text, headers={"Content-Type": "text/plain"})
            # Whose search it is, and its id, are known at once: Ctrl-C may come long before there is a result.
            response = send(http, deadline, "POST", "/v1/searches", content=body, headers=headers)
            accepted = accepted_job(response)
            if accepted["state"] in GOES_ON:
                waiting = headers | {"Prefer": f"wait={int(wait)}"}
                response = send(http, deadline, "POST", "/v1/searches", content=body, headers=waiting)
            if response.status_code != httpx.codes.OK:
                response = _wait(http, deadline, response, show)
        except KeyboardInterrupt:
            raise RemoteInterrupted(_given_up(remote, http, accepted)) from None
        return _result(response)


def fetch_remotely(remote: Remote, search: str, timeout_s: float, show: ShowSearch) -> SearchResult:
    """Wait for the result of a search that was submitted before. Raises what search_remotely does."""
    deadline = time.monotonic() + timeout_s
    with remote.http as http:
        try:
            response = send(http, deadline, "GET", f"/v1/searches/{quote(search, safe='')}")
            return _result(_wait(http, deadline, response, show))
        except KeyboardInterrupt:
            raise RemoteInterrupted(f"search {search} goes on: {remote.fetching(search)}") from None


def verify_remotely(
    remote: Remote, search: str, sample: int | None, timeout_s: float, show: ShowSearch
) -> dict[str, Any]:
    """Have a search verified; its report, as the interface describes it. Raises what search_remotely does."""
    deadline = time.monotonic() + timeout_s
    path = f"/v1/searches/{quote(search, safe='')}:verify{'' if sample is None else f'?sample={sample}'}"
    accepted: dict[str, Any] = {}
    with remote.http as http:
        try:
            response = send(http, deadline, "POST", path, headers={"Idempotency-Key": f'"{uuid4()}"'})
            accepted = accepted_job(response)
            report: dict[str, Any] = until_succeeded(http, deadline, response, show)["report"]
        except KeyboardInterrupt:
            if accepted:
                cancel_accepted(http, accepted)
            raise RemoteInterrupted("interrupted; the result was not verified") from None
    return report


def path_of(job: str) -> str:
    """Where a search or an alignment of pairs is, by its id."""
    return f"/v1/{COLLECTIONS[kind_named(job)]}/{quote(job, safe='')}"


def cancel_remotely(remote: Remote, job: str) -> None:
    """End a job. Raises RemoteError."""
    with remote.http as http:
        send(http, time.monotonic(), "POST", f"{path_of(job)}:cancel")


def delete_remotely(remote: Remote, job: str) -> None:
    """Remove a job. Raises RemoteError."""
    with remote.http as http:
        send(http, time.monotonic(), "DELETE", path_of(job))


def list_remotely(remote: Remote, kind: str, state: str | None, most: int) -> list[dict[str, Any]]:
    """The newest jobs of a kind, as the interface describes them. Raises RemoteError."""
    asked, found = {"page_size": str(most), **({"state": state} if state else {})}, list[dict[str, Any]]()
    with remote.http as http:
        while True:
            reply = send(http, time.monotonic(), "GET", f"/v1/{COLLECTIONS[kind]}?{urlencode(asked)}").json()
            found += reply["items"]
            # A page may have fewer, or none, of a state that is rare.
            if len(found) >= most or not reply["next_page_token"]:
                return found[:most]
            asked["page_token"] = reply["next_page_token"]


def sequence_remotely(remote: Remote, database: str, accession: str) -> str:
    """A sequence of a database as FASTA. Raises RemoteError."""
    path = f"/v1/databases/{quote(database, safe='')}/sequences/{quote(accession, safe='')}?format=fasta"
    with remote.http as http:
        return send(http, time.monotonic(), "GET", path).text


def _result(response: httpx.Response) -> SearchResult:
    try:
        # A server of an earlier version gives no digest.
        result, _ = read_result(response.content)
    except NoResult:
        raise RemoteError(NO_ANSWER) from None
    except WrongDigest as error:
        raise RemoteError(f"the server's answer is damaged: {error}") from None
    return result


def accepted_job(response: httpx.Response) -> dict[str, Any]:
    """The job that a server has accepted."""
    if response.status_code != httpx.codes.ACCEPTED:
        raise RemoteError(NO_ANSWER)
    search: dict[str, Any] = response.json()
    return search


def _given_up(remote: Remote, http: httpx.Client, accepted: Mapping[str, Any]) -> str:
    """Cancel a search that nobody else can wait for yet; what to say of it."""
    if not accepted:
        return f"interrupted; the search may go on at the server: shardwater list --server {remote.server}"
    search = accepted["id"]
    if accepted["reused"]:
        return f"search {search} goes on, others may wait for it too: {remote.fetching(search)}"
    if not cancel_accepted(http, accepted):
        return f"interrupted; search {search} may go on at the server: {remote.fetching(search)}"
    return f"search {search} cancelled"


def cancel_accepted(http: httpx.Client, accepted: Mapping[str, Any]) -> bool:
    """End an accepted job; whether that was done."""
    try:
        http.post(accepted["links"]["cancel"]).raise_for_status()
    except httpx.HTTPError:
        return False
    return True


def _wait(http: httpx.Client, deadline: float, response: httpx.Response, show: ShowSearch) -> httpx.Response:
    """Follow an accepted search to its result."""
    return send(http, deadline, "GET", until_succeeded(http, deadline, response, show)["links"]["results"])


def until_succeeded(http: httpx.Client, deadline: float, response: httpx.Response, show: ShowSearch) -> dict[str, Any]:
    """Follow an accepted job to its end; what the server says of it then. Raises RemoteError or RemoteTimeoutError."""
    pause = FIRST_PAUSE_S
    state: dict[str, Any] = response.json()
    while state["state"] in GOES_ON:
        # A server of an earlier version names no phase.
        show(state["progress"], state.get("phase", ""), state["estimate_s"])
        pause = _rest(pause, response, deadline)
        response = send(http, deadline, "GET", state["links"]["self"])
        state = response.json()
    if state["state"] != "succeeded":
        raise (RemoteFailed if state["state"] == "failed" else RemoteError)(ended(state))
    return state


def ended(state: Mapping[str, Any]) -> str:
    """Why a job has no result."""
    kind = kind_named(state["id"])
    if state["state"] == "cancelled":
        return f"the {kind} was cancelled"
    return f"the {kind} failed: {(state['error'] or {}).get('detail', 'no reason given')}"


def address(http: httpx.Client) -> str:
    """Of its server, without a user and a password that may stand there."""
    return str(http.base_url.copy_with(userinfo=b""))


def send(
    http: httpx.Client,
    deadline: float,
    method: str,
    path: str,
    *,
    known: bool = False,
    **sent: Any,
) -> httpx.Response:
    """One request, tried again while the server is busy or away; a repeated search is found, not run twice.

    known: whether the server has answered before. sent: what httpx is to send with it. Raises RemoteError, RemoteBusy
    where there is no time to try again, or RemoteTimeoutError.
    """
    pause = FIRST_PAUSE_S
    while True:
        try:
            response = http.request(method, path, **sent)
        except httpx.TransportError as error:
            # A server that was never there is told at once; one that went away may come back.
            if (method == "POST" and not known) or time.monotonic() + pause > deadline:
                raise RemoteAway(f"cannot reach {address(http)}: {error}") from None
            pause = _rest(pause, None, deadline)
            continue
        if response.is_success:
            return response
        if response.status_code not in TRY_AGAIN or time.monotonic() + pause > deadline:
            refusal = RemoteBusy if response.status_code in TRY_AGAIN else RemoteError
            raise refusal(problem_text(response), by_input=response.is_client_error)
        pause = _rest(pause, response, deadline)


def _rest(pause: float, response: httpx.Response | None, deadline: float) -> float:
    """Sleep for the pause, or for what the server asks; returns the next pause."""
    asked = response.headers.get("Retry-After", "") if response is not None else ""
    seconds = float(asked) if asked.isdigit() else pause * random.uniform(0.8, 1.2)  # noqa: S311  no secret
    if time.monotonic() + seconds > deadline:
        place = response.headers.get("Location") or response.url.path if response is not None else ""
        later = f"; it may be had later at {response.url.join(place)}" if response is not None else ""
        raise RemoteTimeoutError(f"no result in time{later}")
    time.sleep(seconds)
    return min(LONGEST_PAUSE_S, pause * PAUSE_GROWTH)


def problem_text(response: httpx.Response) -> str:
    """What a problem document says, with the place of the first error in the sequence."""
    try:
        problem = response.json()
        first: dict[str, object] = next(iter(problem.get("errors") or []), {})
        place = ", ".join(f"{name} {first[name]}" for name in ("record", "line", "column") if first.get(name))
        return f"{problem['detail']}{f' ({place})' if place and place not in problem['detail'] else ''}"
    except (ValueError, KeyError, AttributeError):
        return f"{response.request.method} {response.url}: status {response.status_code}"
