"""All that a client does, as steps (see `steps.py`): with retries, back-off, waiting and paging, and without I/O."""

import random
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol, TypeVar

import httpx

from shardwater_client import errors
from shardwater_client.digest import check_result
from shardwater_client.errors import (
    SearchFailedError,
    SearchTimeoutError,
    UnreadableReplyError,
    VerificationTimeoutError,
    error_of,
    retry_after,
)
from shardwater_client.generated import models
from shardwater_client.generated.api.databases import (
    batch_get_sequences,
    get_database,
    get_sequence,
    list_databases,
)
from shardwater_client.generated.api.results import get_results, get_taxa
from shardwater_client.generated.api.searches import (
    cancel_search,
    create_search,
    delete_search,
    estimate_search,
    get_search,
    get_search_request,
    list_searches,
)
from shardwater_client.generated.api.service import get_parameters, get_service_info
from shardwater_client.generated.api.verifications import get_verification, verify_search
from shardwater_client.generated.types import UNSET, Unset
from shardwater_client.result import FinishedVerification, finished
from shardwater_client.steps import (
    USUAL_TIMEOUT_S,
    Call,
    Flow,
    Give,
    Pause,
    Reply,
    Request,
    ask,
    next_piece,
    open_stream,
)
from shardwater_client.wishes import AnyWish

FIRST_PAUSE_S, LONGEST_PAUSE_S, PAUSE_GROWTH = 0.5, 15.0, 1.5
PREFERRED_WAIT_S = 20
"""How long the first reply may wait for the result."""
REPORTED_WAIT_S = 1
"""The same where progress is to be reported meanwhile."""
GRACE_S = 5
"""How long a reply may come after the time is over."""
GOING_ON = ("queued", "running")

Progress = Callable[[models.Search], None]
Clock = Callable[[], float]


class _Model(Protocol):
    @classmethod
    def from_dict(cls, src_dict: Any) -> Any: ...


M = TypeVar("M", bound=_Model)
J = TypeVar("J", models.Search, models.Verification, models.Comparison, models.Msas)


class Pauses:
    """Ever longer pauses, each a little more or less than the last time; what a reply asks for counts more."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE_S

    def after(self, reply: Reply) -> float:
        """The seconds to wait after a reply."""
        pause, self._next = self._next, min(LONGEST_PAUSE_S, self._next * PAUSE_GROWTH)
        asked = retry_after(reply)
        # No secret hangs on these. What is asked for is the least.
        return pause * random.uniform(0.8, 1.2) if asked is None else asked * random.uniform(1, 1.1)  # noqa: S311


def read(model: type[M], reply: httpx.Response) -> M:
    """A reply as a model; raises UnreadableReplyError."""
    try:
        found: M = model.from_dict(reply.json())
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UnreadableReplyError(f"{reply.request.url.copy_with(userinfo=b'')} answers with something else") from None
    return found


def read_result(reply: httpx.Response) -> models.SearchResult:
    """A reply as a result; raises UnreadableReplyError, and ChangedResultError if it is not as it was made."""
    result = read(models.SearchResult, reply)
    check_result(reply.content)
    return result


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of a client that tries a request again for `patience_s` seconds while the server cannot answer."""

    patience_s: float
    clock: Clock = time.monotonic

    def search(
        self, body: models.SearchRequest, timeout_s: float | None, progress: Progress | None, *, fresh: bool
    ) -> Call[models.SearchResult]:
        """Search, and wait for the result: in the first reply if it comes soon, then by asking."""
        deadline = self.deadline(timeout_s)
        wait_s = REPORTED_WAIT_S if progress else PREFERRED_WAIT_S
        if timeout_s is not None:
            wait_s = int(min(wait_s, timeout_s))
        reply = yield from self._create(body, wait_s, deadline, fresh=fresh)
        if reply.status_code == httpx.codes.OK:
            return read_result(reply)
        search = read(models.Search, reply)
        return (yield from self._follow(search.id, deadline, progress))

    def submit(self, body: models.SearchRequest, *, fresh: bool) -> Call[models.Search]:
        """Search, and do not wait."""
        reply = yield from self._create(body, 0, None, fresh=fresh)
        return read(models.Search, reply)

    def _create(
        self, body: models.SearchRequest, wait_s: int, deadline: float | None, *, fresh: bool
    ) -> Call[httpx.Response]:
        arguments = create_search._get_kwargs(
            body=body,
            prefer=f"wait={wait_s}" if wait_s else UNSET,
            cache_control="no-cache" if fresh else UNSET,
            # One key for all tries, so that a search whose reply got lost is found and not run twice.
            idempotency_key=f'"{uuid.uuid4()}"',
        )
        return (yield from self.send(Request(arguments, USUAL_TIMEOUT_S + wait_s), deadline))

    def result(self, search_id: str, timeout_s: float | None, progress: Progress | None) -> Call[models.SearchResult]:
        """Wait for a search's end and get its result."""
        return (yield from self._follow(search_id, self.deadline(timeout_s), progress))

    def _follow(self, search_id: str, deadline: float | None, progress: Progress | None) -> Call[models.SearchResult]:
        try:
            request = Request(get_search._get_kwargs(search_id))
            late = SearchTimeoutError(search_id)
            search = yield from self.ended(request, models.Search, late, deadline, progress)
            if search.state != "succeeded":
                raise failure_of(search)
            reply = yield from self.send(Request(get_results._get_kwargs(search_id, format_="json")))
        except errors.ShardwaterError as error:
            error.search_id = search_id
            raise
        return read_result(reply)

    def ended(
        self,
        request: Request,
        model: type[J],
        late: errors.ShardwaterError,
        deadline: float | None,
        progress: Callable[[J], None] | None = None,
    ) -> Call[J]:
        """Ask for a job until it has ended; raises `late` when the time is over."""
        pauses = Pauses()
        while True:
            patience_ends = self.clock() + self.patience_s
            try:
                reply = yield from self.send(request, deadline)
            except errors.UnavailableError as error:
                if deadline is not None and deadline < patience_ends:
                    raise late from error
                raise
            job = read(model, reply)
            if progress is not None:
                progress(job)
            if job.state not in GOING_ON:
                return job
            left = float("inf") if deadline is None else deadline - self.clock()
            if left <= 0:
                raise late
            yield Pause(min(left, pauses.after(reply)))

    def verify(self, search_id: str, sample: int | None, timeout_s: float | None) -> Call[FinishedVerification]:
        """Compute a search again, and wait for what differs."""
        deadline = self.deadline(timeout_s)
        wait_s = PREFERRED_WAIT_S if timeout_s is None else int(min(PREFERRED_WAIT_S, timeout_s))
        arguments = verify_search._get_kwargs(
            search_id,
            sample=sample,
            prefer=f"wait={wait_s}" if wait_s else UNSET,
            idempotency_key=f'"{uuid.uuid4()}"',
        )
        reply = yield from self.send(Request(arguments, USUAL_TIMEOUT_S + wait_s), deadline)
        verification = read(models.Verification, reply)
        try:
            if verification.state in GOING_ON:
                request = Request(get_verification._get_kwargs(verification.id))
                late = VerificationTimeoutError(verification.id)
                verification = yield from self.ended(request, models.Verification, late, deadline)
            return finished(verification)
        except errors.ShardwaterError as error:
            error.verification_id = verification.id
            raise

    def status(self, search_id: str) -> Call[models.Search]:
        """How a search stands."""
        reply = yield from self.send(Request(get_search._get_kwargs(search_id)))
        return read(models.Search, reply)

    def request(self, search_id: str) -> Call[models.SearchRequest]:
        """What a search was asked with."""
        reply = yield from self.send(Request(get_search_request._get_kwargs(search_id)))
        return read(models.SearchRequest, reply)

    def cancel(self, search_id: str) -> Call[models.Search]:
        """Stop a search."""
        reply = yield from self.send(Request(cancel_search._get_kwargs(search_id)))
        return read(models.Search, reply)

    def delete(self, search_id: str) -> Call[None]:
        """Remove a search and its result."""
        yield from self.remove(Request(delete_search._get_kwargs(search_id)))

    def remove(self, request: Request) -> Call[None]:
        """Send a request that removes something."""
        tries = 0

        def attempt() -> Call[Reply]:
            nonlocal tries
            tries += 1
            return ask(request)

        try:
            yield from self._insist(attempt, None)
        except errors.NotFoundError:
            # After a reply that got lost this is what was wanted.
            if tries == 1:
                raise

    def estimate(self, body: models.SearchRequest) -> Call[models.SearchEstimate]:
        """What a search would take."""
        reply = yield from self.send(Request(estimate_search._get_kwargs(body=body)))
        return read(models.SearchEstimate, reply)

    def searches(
        self,
        ids: Sequence[str] | None,
        state: models.SearchState | None,
        created_after: datetime | None,
        page_size: int,
    ) -> Flow[models.Search]:
        """Searches, newest first, a page at a time."""
        token: str | Unset = UNSET
        while token != "":
            arguments = list_searches._get_kwargs(
                id=UNSET if ids is None else list(ids),
                state=UNSET if state is None else state,
                created_after=UNSET if created_after is None else created_after,
                page_size=page_size,
                page_token=token,
            )
            reply = yield from self.send(Request(arguments))
            page = read(models.SearchPage, reply)
            for search in page.items:
                yield Give(search)
            token = page.next_page_token

    def hits(self, search_id: str, query: int | None, page_size: int) -> Flow[models.Hit]:
        """A query's hits, a page at a time."""
        token: str | Unset = UNSET
        number = UNSET if query is None else query
        while token != "":
            arguments = get_results._get_kwargs(
                search_id, format_="json", query=number, page_size=page_size, page_token=token
            )
            reply = yield from self.send(Request(arguments))
            page = read(models.SearchResult, reply)
            for hit in page.results[0].hits:
                yield Give(hit)
            token = page.next_page_token or ""

    def taxa(self, search_id: str, query: int | None) -> Call[models.HitTaxonList]:
        """The taxa of a query's hits."""
        reply = yield from self.send(Request(get_taxa._get_kwargs(search_id, query=UNSET if query is None else query)))
        return read(models.HitTaxonList, reply)

    def download(self, search_id: str, wish: AnyWish) -> Call[bytes]:
        """A result, all scores, or a profile, in one of their formats."""
        reply = yield from self.send(wish.request(search_id))
        return reply.content

    def pieces(self, search_id: str, wish: AnyWish) -> Flow[bytes]:
        """The same, piece by piece."""
        yield from self.stream(wish.request(search_id))

    def stream(self, request: Request) -> Flow[bytes]:
        """A reply's body, piece by piece."""
        yield from self._insist(lambda: open_stream(request, lines=False), None)
        while (piece := (yield from next_piece())) is not None:
            if isinstance(piece, httpx.TransportError):
                raise error_of(piece)
            assert isinstance(piece, bytes)
            yield Give(piece)

    def databases(self) -> Call[list[models.DatabaseInfo]]:
        """The databases."""
        reply = yield from self.send(Request(list_databases._get_kwargs()))
        return read(models.DatabaseList, reply).items

    def database(self, name: str) -> Call[models.DatabaseInfo]:
        """One database."""
        reply = yield from self.send(Request(get_database._get_kwargs(name)))
        return read(models.DatabaseInfo, reply)

    def sequence(self, database: str, accession: str) -> Call[models.Sequence]:
        """A sequence of a database."""
        reply = yield from self.send(Request(get_sequence._get_kwargs(database, accession, format_="json")))
        return read(models.Sequence, reply)

    def sequences(self, database: str, accessions: Sequence[str]) -> Call[list[models.Sequence]]:
        """Many sequences of a database."""
        body = models.SequenceBatch(accessions=list(accessions))
        reply = yield from self.send(Request(batch_get_sequences._get_kwargs(database, body=body, format_="json")))
        return read(models.SequenceList, reply).items

    def service_info(self) -> Call[models.ServiceInfo]:
        """The service, its limits and formats."""
        reply = yield from self.send(Request(get_service_info._get_kwargs()))
        return read(models.ServiceInfo, reply)

    def parameters(self) -> Call[models.ParameterList]:
        """What a search can be told."""
        reply = yield from self.send(Request(get_parameters._get_kwargs()))
        return read(models.ParameterList, reply)

    def deadline(self, timeout_s: float | None) -> float | None:
        """When so many seconds are over, by the clock."""
        return None if timeout_s is None else self.clock() + timeout_s

    def send(self, request: Request, deadline: float | None = None) -> Call[httpx.Response]:
        """Send a request, again and again while there is patience; raises ShardwaterError."""

        def attempt() -> Call[Reply]:
            if deadline is None:
                return ask(request)
            left = max(0, deadline - self.clock()) + GRACE_S
            return ask(replace(request, timeout_s=min(request.timeout_s, left)))

        return (yield from self._insist(attempt, deadline))

    def _insist(self, attempt: Callable[[], Call[Reply]], deadline: float | None) -> Call[httpx.Response]:
        """Try until there is a good reply, a bad one, or no patience left; raises ShardwaterError."""
        pauses, end = Pauses(), self.clock() + self.patience_s
        if deadline is not None:
            end = min(end, deadline)
        while True:
            reply = yield from attempt()
            if isinstance(reply, httpx.Response) and reply.is_success:
                return reply
            error = error_of(reply)
            pause = pauses.after(reply)
            # A quota may take an hour: whoever gave a time waits for it that long.
            last = deadline if isinstance(error, errors.QuotaError) and deadline is not None else end
            if not isinstance(error, errors.UnavailableError) or self.clock() + pause > last:
                raise error
            yield Pause(pause)


def failure_of(search: models.Search) -> SearchFailedError:
    """The exception for a search that ended without a result."""
    problem = search.error
    error = SearchFailedError(problem.detail if problem else f"search {search.id} was {search.state}", problem)
    error.search = search
    return error
