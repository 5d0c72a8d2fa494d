"""A search's result verified by the server that has made it."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.problems import problem
from tests.support.searches import LONG, NOBODY
from tests.support.server import PATIENCE_S, Server

WAIT = {"Prefer": f"wait={PATIENCE_S}"}


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def searched(server: Server, queries: str) -> str:
    """A search of four proteins that has succeeded."""
    found: str = server.search(queries, title="to verify")["search"]
    return found


@pytest.mark.parametrize("sample", [None, 0, 20])
def test_a_result_is_verified(http: httpx.Client, searched: str, sample: int | None) -> None:
    asked = {} if sample is None else {"sample": sample}
    reply = http.post(f"/v1/searches/{searched}:verify", params=asked, headers=WAIT)
    found = reply.json()
    assert (reply.status_code, reply.headers["Preference-Applied"]) == (200, f"wait={PATIENCE_S}")
    assert (found["search"], found["sample"], found["state"], found["progress"]) == (searched, sample, "succeeded", 1.0)
    report = found["report"]
    assert (report["equal"], report["total"], report["differences"], report["changed"]) == (True, 0, [], "")
    result = http.get(f"/v1/searches/{searched}/results").json()
    assert report["stored_digest"] == result["digest"]
    if sample is None:
        assert (report["cells"], report["subjects"]) == (
            result["certificate"]["cells"],
            result["certificate"]["subjects"],
        )
    assert reply.headers["Location"] == found["links"]["self"]
    assert http.get(found["links"]["self"]).json() == found


def test_a_verification_is_run_anew_each_time_but_once_for_a_key(http: httpx.Client, searched: str) -> None:
    path, key = f"/v1/searches/{searched}:verify", {"Idempotency-Key": '"verify once"'}
    first = http.post(path, headers=WAIT | key).json()["id"]
    assert http.post(path, headers=WAIT | key).json()["id"] == first
    assert http.post(path, headers=WAIT).json()["id"] != first
    problem(http.post(path, params={"sample": 1}, headers=key), 422, "idempotency-key-reused")


def test_a_verification_is_no_search_and_a_search_none(http: httpx.Client, searched: str) -> None:
    verification = http.post(f"/v1/searches/{searched}:verify", headers=WAIT).json()["id"]
    for path in ("", "/results", "/request", "/events", "/results?format=tab"):
        problem(http.get(f"/v1/searches/{verification}{path}"), 404, "not-found")
    problem(http.post(f"/v1/searches/{verification}:verify"), 404, "not-found")
    problem(http.get(f"/v1/verifications/{searched}"), 404, "not-found")
    problem(http.delete(f"/v1/verifications/{searched}"), 404, "not-found")
    assert verification not in [each["id"] for each in http.get("/v1/searches?page_size=1000").json()["items"]]
    assert http.get("/v1/searches", params={"id": verification}).json()["items"] == []


def test_what_has_not_succeeded_is_not_verified(server: Server, http: httpx.Client) -> None:
    running = server.post(LONG, title="not to be verified").json()["id"]
    problem(http.post(f"/v1/searches/{running}:verify"), 409, "not-ready")
    http.post(f"/v1/searches/{running}:cancel")
    problem(http.post(f"/v1/searches/{running}:verify"), 409, "search-failed")
    problem(http.post(f"/v1/searches/{NOBODY}:verify"), 404, "not-found")


@pytest.mark.parametrize("sample", ["-1", "10001", "1.5", "all", ""])
def test_a_sample_is_a_number_of_subjects(http: httpx.Client, searched: str, sample: str) -> None:
    problem(http.post(f"/v1/searches/{searched}:verify", params={"sample": sample}), 422, "invalid-parameter")


def test_a_verification_is_cancelled_and_removed(server: Server, http: httpx.Client, searched: str) -> None:
    # It waits behind this one.
    busy = [server.post(LONG, title=f"busy {number}").json()["id"] for number in range(2)]
    reply = http.post(f"/v1/searches/{searched}:verify", params={"sample": 500})
    found = reply.json()
    assert (reply.status_code, found["report"]) == (202, None)
    assert http.post(found["links"]["cancel"]).json()["state"] in ("cancelled", "succeeded")
    assert http.delete(found["links"]["self"]).status_code == 204
    problem(http.get(found["links"]["self"]), 404, "not-found")
    for search in busy:
        http.delete(f"/v1/searches/{search}")


def test_queries_and_words_that_are_not_known_are_refused(http: httpx.Client, searched: str) -> None:
    problem(http.post(f"/v1/searches/{searched}:verify", params={"samples": 1}), 422, "invalid-parameter")
