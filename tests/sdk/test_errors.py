"""Problem documents as exceptions."""

import pickle
from typing import Any

import httpx
import pytest

import shardwater_client
from app.problem_kinds import KINDS
from shardwater_client import SearchTimeoutError, ShardwaterError, errors
from shardwater_client.errors import error_of

EXPECTED = {
    "malformed-request": errors.InvalidRequestError,
    "unauthenticated": errors.AuthenticationError,
    "forbidden": errors.ForbiddenError,
    "not-found": errors.NotFoundError,
    "method-not-allowed": errors.InvalidRequestError,
    "misdirected-request": errors.InvalidRequestError,
    "not-acceptable": errors.InvalidRequestError,
    "request-timeout": errors.InvalidRequestError,
    "not-ready": errors.NotReadyError,
    "already-finished": errors.AlreadyFinishedError,
    "search-failed": errors.SearchFailedError,
    "expired": errors.ExpiredError,
    "data-lost": errors.ExpiredError,
    "limit-exceeded": errors.LimitError,
    "unsupported-media-type": errors.InvalidRequestError,
    "invalid-sequence": errors.InvalidSequenceError,
    "invalid-parameter": errors.InvalidRequestError,
    "idempotency-key-reused": errors.InvalidRequestError,
    "quota-exceeded": errors.QuotaError,
    "internal-error": errors.ServerError,
    "queue-full": errors.UnavailableError,
    "service-unavailable": errors.UnavailableError,
    "shard-unavailable": errors.UnavailableError,
    "shard-failed": errors.ServerError,
    "search-timeout": errors.UnavailableError,
    "storage-full": errors.ServerError,
}


def error(status: int, **members: Any) -> ShardwaterError:
    body = {"type": "about:blank", "title": "t", "status": status, "detail": "d", "retryable": False, **members}
    return error_of(httpx.Response(status, json=body, request=httpx.Request("GET", "http://server/")))


@pytest.mark.parametrize("name", EXPECTED)
def test_each_problem_of_the_service_has_its_exception(name: str) -> None:
    found = error(KINDS[name].status, type=f"urn:shardwater:problem:{name}")
    assert type(found) is EXPECTED[name]


def test_problem_that_came_later_keeps_to_its_status() -> None:
    assert set(KINDS) == set(EXPECTED)
    statuses = {422: "InvalidRequestError", 401: "AuthenticationError", 403: "ForbiddenError", 409: "ConflictError",
                429: "QuotaError", 507: "ServerError"}  # fmt: skip
    for status, name in statuses.items():
        assert type(error(status, type="urn:shardwater:problem:of-tomorrow")).__name__ == name


def test_what_the_server_told_is_kept() -> None:
    place = {"pointer": "/sequence", "record": 0, "line": 7, "column": 14, "detail": "'@' is no letter"}
    found = error(422, type="urn:shardwater:problem:invalid-sequence", errors=[place], request_id="r1")
    [detail] = found.errors
    assert (detail.field, detail.record, detail.line, detail.column) == ("sequence", 0, 7, 14)
    assert (str(found), found.request_id, found.status) == ("d (request r1)", "r1", 422)
    limit = error(413, limit=0, actual=12)
    assert isinstance(limit, errors.LimitError)
    assert (limit.limit, limit.actual, limit.errors, limit.request_id) == (0, 12, [], None)


@pytest.mark.parametrize("found", [error(422, request_id="r1"), error(503), SearchTimeoutError("s1")])
def test_exceptions_travel_between_processes(found: ShardwaterError) -> None:
    again = pickle.loads(pickle.dumps(found))
    assert (type(again), str(again), again.search_id) == (type(found), str(found), found.search_id)
    assert again.request_id == found.request_id


def test_every_exception_is_public() -> None:
    kinds = {kind.__name__ for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)}
    assert kinds <= set(shardwater_client.__all__)
