"""What can go wrong, as exceptions: one class for each kind of problem that the service has, and a few of our own.

All are `ShardwaterError`s. Where the server told the reason, `problem` is what it sent (RFC 9457).
"""

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time

import httpx

from shardwater_client.generated.models import Comparison, Msas, Problem, ProblemDetail, Search, Verification
from shardwater_client.generated.types import Unset

TRY_AGAIN = (429, 502, 503, 504)
PREFIX = "urn:shardwater:problem:"


@dataclass(frozen=True, slots=True)
class ErrorDetail:
    """One thing that is wrong: the field of the request, and for a sequence the place, each counted from 1.

    Record 0 is text before the first header.
    """

    detail: str
    field: str | None
    record: int | None
    line: int | None
    column: int | None

    @classmethod
    def of(cls, sent: ProblemDetail) -> "ErrorDetail":
        """As the server told it."""
        field = (sent.pointer or "").lstrip("/") or sent.parameter or None
        return cls(sent.detail, field, _number(sent.record), _number(sent.line), _number(sent.column))


def _number(sent: int | Unset | None) -> int | None:
    return None if isinstance(sent, Unset) else sent


class ShardwaterError(Exception):
    """Anything that this client raises for what a server did, or did not.

    `search_id` is the search that was waited for, where there was one: `client.result(search_id)` goes on.
    `verification_id` is the verification that was, `alignment_id` the job of pairs: `client.aligned(alignment_id)`,
    `comparison_id` the comparison: `client.compared(comparison_id)`, `msa_id` the MSAs: `client.msa_result(msa_id)`.
    """

    search_id: str | None = None
    verification_id: str | None = None
    alignment_id: str | None = None
    comparison_id: str | None = None
    msa_id: str | None = None

    def __init__(self, message: str, problem: Problem | None = None) -> None:
        super().__init__(message, problem)
        self.message, self.problem = message, problem

    def __str__(self) -> str:
        return f"{self.message} (request {self.request_id})" if self.request_id else self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    @property
    def status(self) -> int | None:
        """The HTTP status, where a server answered."""
        return self.problem.status if self.problem else None

    @property
    def type(self) -> str | None:
        """The problem's type, `urn:shardwater:problem:...`."""
        return self.problem.type_ if self.problem else None

    @property
    def request_id(self) -> str | None:
        """What the server's log calls the request."""
        return (self.problem.request_id or None) if self.problem else None

    @property
    def retryable(self) -> bool:
        """Whether the very same request may succeed later."""
        return self.problem.retryable if self.problem else False

    @property
    def errors(self) -> list[ErrorDetail]:
        """What is wrong, one by one, where the server says so."""
        return [ErrorDetail.of(each) for each in (self.problem.errors or [])] if self.problem else []


class InvalidRequestError(ShardwaterError):
    """The request is to blame: a parameter, the body, or a format that there is not; `errors` says where."""


class InvalidSequenceError(InvalidRequestError):
    """The sequence is not protein FASTA; `errors` has record, line and column."""


class AuthenticationError(ShardwaterError):
    """The server wants an API key, or another one."""


class ForbiddenError(ShardwaterError):
    """The API key does not allow this."""


class NotFoundError(ShardwaterError):
    """No such search, database or sequence."""


class ExpiredError(ShardwaterError):
    """The search was there, and its time is over."""


class ConflictError(ShardwaterError):
    """The search is not in a state for this."""


class NotReadyError(ConflictError):
    """The search has not ended."""


class AlreadyFinishedError(ConflictError):
    """The search has ended: there is nothing to cancel."""


class SearchFailedError(ConflictError):
    """The search failed or was cancelled: there is no result. `search` is its last state, where that is known."""

    search: Search | None = None


class VerificationFailedError(ShardwaterError):
    """The verification failed or was cancelled, which says nothing of the result. `verification` is its last state."""

    verification: Verification | None = None


class ComparisonFailedError(ShardwaterError):
    """The comparison failed or was cancelled: there is no list. `comparison` is its last state."""

    comparison: Comparison | None = None


class MsaFailedError(ShardwaterError):
    """The MSAs failed or were cancelled: there are none. `msas` is the last state of their job."""

    msas: Msas | None = None


class LimitError(ShardwaterError):
    """A published limit is passed."""

    @property
    def limit(self) -> int | None:
        """The limit."""
        return _number(self.problem.limit) if self.problem else None

    @property
    def actual(self) -> int | None:
        """What was sent."""
        return _number(self.problem.actual) if self.problem else None


class UnavailableError(ShardwaterError):
    """The server cannot be reached, or cannot answer now; it has been tried for as long as `patience` says.

    `retry_after` has the seconds after which it may be tried again, where the server says so.
    """

    retry_after: float | None = None

    @property
    def retryable(self) -> bool:
        """Always."""
        return True


class QuotaError(UnavailableError):
    """A quota is used up; with a `timeout` it has been waited for, as far as that lasted."""


class ServerError(ShardwaterError):
    """The server failed; its log has the `request_id`."""


class UnreadableReplyError(ShardwaterError):
    """What answered is not a Shardwater server, or one of another age; is the address right?"""


class ChangedResultError(ShardwaterError):
    """A result that was changed since it was made, or that is not signed as it should be."""


class SearchTimeoutError(ShardwaterError, TimeoutError):
    """The search has not ended in the time that was given; it goes on, and `client.result(search_id)` waits for it."""

    def __init__(self, search_id: str) -> None:
        super().__init__(f"the search has not ended in time, and goes on: client.result({search_id!r}) waits for it")
        self.args = (search_id,)
        self.search_id: str = search_id


class VerificationTimeoutError(ShardwaterError, TimeoutError):
    """The verification has not ended in the time that was given; it goes on."""

    def __init__(self, verification_id: str) -> None:
        super().__init__(f"the verification has not ended in time, and goes on: {verification_id}")
        self.args = (verification_id,)
        self.verification_id: str = verification_id


class ComparisonTimeoutError(ShardwaterError, TimeoutError):
    """The comparison has not ended in the time that was given; it goes on: `client.compared(comparison_id)` waits."""

    def __init__(self, comparison_id: str) -> None:
        words = f"client.compared({comparison_id!r}) waits for it"
        super().__init__(f"the comparison has not ended in time, and goes on: {words}")
        self.args = (comparison_id,)
        self.comparison_id: str = comparison_id


class MsaTimeoutError(ShardwaterError, TimeoutError):
    """The MSAs are not there in the time that was given; `client.msa_result(msa_id)` goes on waiting."""

    def __init__(self, msa_id: str) -> None:
        super().__init__(f"the MSAs are not there in time, and go on: client.msa_result({msa_id!r}) waits for them")
        self.args = (msa_id,)
        self.msa_id: str = msa_id


_BY_TYPE: dict[str, type[ShardwaterError]] = {
    "invalid-sequence": InvalidSequenceError,
    "not-ready": NotReadyError,
    "already-finished": AlreadyFinishedError,
    "search-failed": SearchFailedError,
}
_BY_STATUS: dict[int, type[ShardwaterError]] = {
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: ExpiredError,
    413: LimitError,
    429: QuotaError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def error_of(reply: httpx.Response | httpx.TransportError) -> ShardwaterError:
    """The exception for a reply that is no success, or for none at all."""
    if isinstance(reply, httpx.TransportError):
        return UnavailableError(f"no answer from the server: {reply or type(reply).__name__}")
    if reply.has_redirect_location:
        return UnreadableReplyError(f"the server is elsewhere: {reply.headers['Location']}")
    problem = _problem(reply)
    kind = _BY_TYPE.get(problem.type_.removeprefix(PREFIX)) or _BY_STATUS.get(reply.status_code)
    if kind is None:
        kind = InvalidRequestError if reply.is_client_error else ServerError
    error = kind(problem.detail, problem)
    if isinstance(error, UnavailableError):
        error.retry_after = retry_after(reply)
    return error


def _problem(reply: httpx.Response) -> Problem:
    """What the server sent; a proxy before it may answer with anything."""
    try:
        return Problem.from_dict(reply.json())
    except (ValueError, KeyError, TypeError, AttributeError):
        return Problem(
            type_="about:blank",
            title=reply.reason_phrase,
            status=reply.status_code,
            detail=f"the server answered {reply.status_code} {reply.reason_phrase}",
            retryable=reply.status_code in TRY_AGAIN,
            request_id=reply.headers.get("X-Request-ID"),
        )


def retry_after(reply: httpx.Response | httpx.TransportError) -> float | None:
    """The seconds that a reply asks to wait (RFC 9110: a number or a date); None where it does not."""
    asked = "" if isinstance(reply, httpx.TransportError) else reply.headers.get("Retry-After", "")
    if asked.isdecimal():
        return float(asked)
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time())
    except ValueError:
        return None
