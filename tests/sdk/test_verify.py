"""How a client has a search verified when all does not go well: tries, ends without a report, deadlines."""

import pickle
from typing import Any

import httpx
import pytest

from shardwater_client import NotFoundError, UnavailableError, VerificationFailedError, VerificationTimeoutError
from tests.support.driving import LOST, SEARCH, Driver, headers, reply

VERIFICATION = "verification-v"
DIFFERENCE = {
    "query": 1, "query_id": "q", "rank": 2, "accession": "a", "member": "evalue", "stored": "1.0", "computed": None,
}  # fmt: skip
REPORT = {
    "equal": False, "cells": 1, "subjects": 1, "stored_digest": None, "changed": "", "total": 1,
    "differences": [DIFFERENCE], "software": "1",
}  # fmt: skip


def state(name: str, **members: Any) -> dict[str, Any]:
    """A verification as the server shows it."""
    return {
        "id": VERIFICATION, "search": SEARCH, "sample": None, "state": name,
        "database": {"name": "d", "version": "1", "checksum": "c"}, "created_at": "2026-01-01T00:00:00Z",
        "finished_at": None, "expires_at": "2026-01-08T00:00:00Z", "progress": 0.5, "error": None, "position": 0,
        "estimate_s": None, "report": REPORT if name == "succeeded" else None,
        "links": {"self": "", "cancel": "", "search": ""}, **members,
    }  # fmt: skip


def verify(driver: Driver, sample: int | None = None, timeout: float | None = None, patience: float = 30.0) -> Any:
    return driver.drive(driver.calls(patience).verify(SEARCH, sample, timeout))


def test_report_may_come_with_the_first_reply() -> None:
    driver = Driver([reply(200, state("succeeded", more=1))])
    found = verify(driver, sample=7)
    assert (found.id, found.search, found.report.equal, found.report.total) == (VERIFICATION, SEARCH, False, 1)
    assert [each.to_dict() for each in found.report.differences] == [DIFFERENCE]
    assert found["more"] == 1
    [asked] = driver.asked
    assert asked.arguments["url"] == f"/v1/searches/{SEARCH}:verify"
    assert asked.arguments["params"] == {"sample": 7}
    assert headers([asked])[0]["prefer"] == "wait=20"


def test_verification_is_tried_again_with_the_same_key_and_asked_for_until_it_ends() -> None:
    replies = [LOST, reply(503), reply(202, state("queued")), reply(200, state("running"), Retry_After="1")]
    driver = Driver([*replies, LOST, reply(200, state("succeeded"))])
    assert verify(driver).report.total == 1
    sent = [request.arguments for request in driver.asked]
    assert len({one["headers"]["idempotency-key"] for one in sent[:3]}) == 1
    assert [one["params"] for one in sent[:3]] == [{}] * 3
    assert {one["url"] for one in sent[3:]} == {f"/v1/verifications/{VERIFICATION}"}
    assert 1 <= driver.pauses[2] <= 1.1
    other = Driver([reply(200, state("succeeded"))])
    verify(other)
    assert headers(other.asked)[0]["idempotency-key"] != sent[0]["headers"]["idempotency-key"]


PROBLEM = {
    "type": "urn:shardwater:problem:search-timeout", "title": "t", "status": 504, "detail": "took too long",
    "retryable": True,
}  # fmt: skip


@pytest.mark.parametrize("first", [[], [reply(202, state("queued"))]])
@pytest.mark.parametrize(
    ("ended", "words"),
    [(state("cancelled"), f"^{VERIFICATION} was cancelled$"), (state("failed", error=PROBLEM), "took too long")],
)
def test_verification_without_a_report_is_an_error(first: list[Any], ended: dict[str, Any], words: str) -> None:
    with pytest.raises(VerificationFailedError, match=words) as caught:
        verify(Driver([*first, reply(200, ended)]))
    assert (caught.value.verification_id, caught.value.search_id) == (VERIFICATION, None)
    assert caught.value.retryable == (ended["state"] == "failed")
    assert caught.value.verification is not None
    assert caught.value.verification.state == ended["state"]


def test_time_that_is_over_leaves_the_id() -> None:
    driver = Driver([reply(202, state("queued")), *[reply(200, state("running"), Retry_After="1")] * 99])
    with pytest.raises(TimeoutError, match=VERIFICATION) as caught:
        verify(driver, timeout=10)
    assert driver.time == pytest.approx(10)
    assert headers(driver.asked)[0]["prefer"] == "wait=10"
    assert [request.timeout_s for request in driver.asked[:2]] == [15, 15]
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, VerificationTimeoutError)
    assert (again.verification_id, str(again)) == (VERIFICATION, str(caught.value))
    assert str(again) == f"the verification has not ended in time, and goes on: {VERIFICATION}"


def test_server_that_goes_away_in_the_middle_leaves_the_id() -> None:
    with pytest.raises(UnavailableError) as caught:
        verify(Driver([reply(202, state("queued")), *[LOST] * 99]), patience=5)
    assert caught.value.verification_id == VERIFICATION
    with pytest.raises(VerificationTimeoutError, match=VERIFICATION):
        verify(Driver([reply(202, state("queued")), *[LOST] * 99]), timeout=5)


def test_search_that_there_is_not_is_told_at_once() -> None:
    driver = Driver([httpx.ReadTimeout("no reply"), reply(404)])
    with pytest.raises(NotFoundError) as caught:
        verify(driver)
    assert caught.value.verification_id is None
