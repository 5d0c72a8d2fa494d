"""What a client does when all does not go well: tries, pauses, deadlines, keys."""

import time
from email.utils import formatdate
from typing import Any

import httpx
import pytest

from shardwater_client import (
    InvalidRequestError,
    NotFoundError,
    QuotaError,
    SearchFailedError,
    SearchTimeoutError,
    ShardwaterError,
    UnavailableError,
    UnreadableReplyError,
)
from shardwater_client.calls import Pauses
from shardwater_client.parameters import search_request
from tests.support.driving import LOST, RESULT, SEARCH, Driver, headers, reply, state

BODY = search_request("MKVL", "demo", {})


def search(driver: Driver, timeout: float | None = None, **options: Any) -> Any:
    patience = options.pop("patience", 30.0)
    return driver.drive(driver.calls(patience).search(BODY, timeout, options.get("progress"), fresh=False))


def test_result_may_come_with_the_first_reply() -> None:
    driver = Driver([reply(200, RESULT)])
    assert search(driver).search == SEARCH
    [sent] = headers(driver.asked)
    assert sent["prefer"] == "wait=20"
    assert driver.pauses == []


def test_what_is_not_given_is_not_sent() -> None:
    driver = Driver([reply(202, state("queued"))])
    driver.drive(driver.calls().submit(search_request("MKVL", "demo", {"evalue": 1.0}), fresh=True))
    [request] = driver.asked
    assert request.arguments["json"] == {"sequence": "MKVL", "database": "demo", "evalue": 1.0}
    assert headers([request])[0]["cache-control"] == "no-cache"
    assert "prefer" not in headers([request])[0]


@pytest.mark.parametrize("trouble", [LOST, httpx.ReadError("cut"), reply(429), reply(502), reply(503), reply(504)])
def test_request_is_tried_again_with_the_same_key(trouble: Any) -> None:
    driver = Driver([trouble, trouble, reply(200, RESULT)])
    assert search(driver).search == SEARCH
    keys = {sent["idempotency-key"] for sent in headers(driver.asked)}
    assert len(driver.asked) == 3
    assert len(keys) == 1
    assert search(other := Driver([reply(200, RESULT)])).search == SEARCH
    assert headers(other.asked)[0]["idempotency-key"] not in keys


@pytest.mark.parametrize("status", [400, 401, 404, 409, 410, 413, 415, 422, 500])
def test_what_will_not_change_is_raised_at_once(status: int) -> None:
    driver = Driver([reply(status)])
    with pytest.raises(ShardwaterError):
        search(driver)
    assert driver.pauses == []


def test_pauses_grow_by_half_up_to_15_seconds() -> None:
    pauses = Pauses()
    expected = 0.5
    for _ in range(20):
        assert 0.8 * expected <= pauses.after(LOST) <= 1.2 * expected
        expected = min(15, 1.5 * expected)
    assert expected == 15
    assert len({Pauses().after(LOST) for _ in range(20)}) > 10


def test_retry_after_wins() -> None:
    assert 7 <= Pauses().after(reply(503, Retry_After="7")) <= 7.7
    assert Pauses().after(reply(503, Retry_After="0")) == 0
    dated = Pauses().after(reply(503, Retry_After=formatdate(time.time() + 100, usegmt=True)))
    assert 90 < dated < 111
    assert Pauses().after(reply(503, Retry_After="soon")) <= 0.6
    driver = Driver([reply(503, Retry_After="4"), reply(200, RESULT)])
    search(driver)
    assert 4 <= driver.pauses[0] <= 4.4


def test_patience_ends() -> None:
    driver = Driver([LOST] * 99)
    with pytest.raises(UnavailableError, match="nobody is there"):
        search(driver, patience=30)
    assert 10 < driver.time <= 30
    # What is asked for is more than there is: no use to wait at all.
    driver = Driver([reply(429, Retry_After="3600")])
    with pytest.raises(QuotaError) as caught:
        search(driver, patience=30)
    assert (driver.pauses, caught.value.retryable) == ([], True)


def test_search_is_asked_for_until_it_ends() -> None:
    replies = [reply(202, state("queued")), reply(200, state("queued"), Retry_After="1")]
    replies += [reply(200, state("running", progress=0.9)), reply(200, state("succeeded")), reply(200, RESULT)]
    driver, heard = Driver(replies), []
    assert search(driver, progress=heard.append).search == SEARCH
    assert [each.state for each in heard] == ["queued", "running", "succeeded"]
    assert headers(driver.asked)[0]["prefer"] == "wait=1"
    assert 1 <= driver.pauses[0] <= 1.1
    assert 0.6 <= driver.pauses[1] <= 0.9


def test_time_that_is_over_leaves_the_id() -> None:
    driver = Driver([reply(202, state("queued")), *[reply(200, state("running"), Retry_After="1")] * 99])
    with pytest.raises(TimeoutError) as caught:
        search(driver, timeout=10)
    assert isinstance(caught.value, SearchTimeoutError)
    assert caught.value.search_id == SEARCH
    assert driver.time == pytest.approx(10)
    assert headers(driver.asked)[0]["prefer"] == "wait=10"


def test_server_that_goes_away_in_the_middle_leaves_the_id() -> None:
    driver = Driver([reply(202, state("queued")), *[LOST] * 99])
    with pytest.raises(UnavailableError) as caught:
        search(driver, patience=5)
    assert caught.value.search_id == SEARCH
    driver = Driver([reply(202, state("queued")), *[LOST] * 99])
    with pytest.raises(SearchTimeoutError, match=SEARCH):
        search(driver, timeout=5)
    assert driver.time <= 5


def test_no_reply_takes_much_longer_than_the_time_that_there_is() -> None:
    driver = Driver([reply(202, state("queued")), reply(200, state("succeeded")), reply(200, RESULT)])
    search(driver, timeout=3)
    assert [request.timeout_s for request in driver.asked] == [8, 8, 30]


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        (state("cancelled"), "was cancelled"),
        (
            state("failed", error={"type": "urn:shardwater:problem:search-timeout", "title": "t", "status": 504,
                                   "detail": "took too long", "retryable": True}),
            "took too long",
        ),
    ],
)  # fmt: skip
def test_search_without_a_result_is_an_error(ended: dict[str, Any], words: str) -> None:
    driver = Driver([reply(202, state("queued")), reply(200, ended)])
    with pytest.raises(SearchFailedError, match=words) as caught:
        search(driver)
    assert (caught.value.search_id, caught.value.retryable) == (SEARCH, ended["state"] == "failed")
    assert caught.value.search is not None
    assert caught.value.search.state == ended["state"]


def test_delete_whose_reply_was_lost_is_done() -> None:
    driver = Driver([httpx.ReadTimeout("no reply"), reply(404)])
    driver.drive(driver.calls().delete(SEARCH))
    with pytest.raises(NotFoundError):
        driver = Driver([reply(404)])
        driver.drive(driver.calls().delete(SEARCH))


@pytest.mark.parametrize("answer", [httpx.Response(200, text="<html>"), reply(200, []), reply(200, {"x": 1})])
def test_server_that_is_another_is_noticed(answer: httpx.Response) -> None:
    answer.request = httpx.Request("GET", "http://user:password@server/v1/x")
    driver = Driver([answer])
    with pytest.raises(UnreadableReplyError, match="http://server/v1/x") as caught:
        driver.drive(driver.calls().databases())
    assert "password" not in str(caught.value)


def test_value_that_this_client_does_not_know_yet_is_passed_on() -> None:
    driver = Driver([reply(200, RESULT | {"parameters": {"statistics": "of tomorrow"}, "more": 1})])
    result = search(driver)
    assert result.parameters.statistics == "of tomorrow"
    assert result["more"] == 1


def test_redirect_is_not_followed_with_the_key() -> None:
    driver = Driver([reply(301, Location="https://server/v1/searches")])
    with pytest.raises(UnreadableReplyError, match="https://server/v1/searches"):
        search(driver)


def test_parameter_that_there_is_not_is_named() -> None:
    with pytest.raises(TypeError, match=r"no parameter max_hits; it has .*max_target_seqs"):
        search_request("MKVL", "demo", {"max_hits": 3})


def test_pages_are_turned_by_token() -> None:
    first = {"items": [state("queued")] * 2, "next_page_token": "t1"}
    last = {"items": [state("running")], "next_page_token": ""}
    driver = Driver([reply(200, first), LOST, reply(200, last)])
    driver.drive(driver.calls().searches(None, "queued", None, 2))
    assert [search.state for search in driver.given] == ["queued", "queued", "running"]
    asked = [request.arguments["params"] for request in driver.asked]
    following = {"state": "queued", "page_size": 2, "page_token": "t1"}
    assert asked == [{"state": "queued", "page_size": 2}, following, following]


def test_proxys_own_error_page_is_an_error_like_others() -> None:
    page = httpx.Response(400, text="<html>Bad</html>", request=httpx.Request("GET", "http://server/"))
    with pytest.raises(InvalidRequestError, match="the server answered 400 Bad Request") as caught:
        search(Driver([page]))
    assert (caught.value.status, caught.value.type, caught.value.errors) == (400, "about:blank", [])
