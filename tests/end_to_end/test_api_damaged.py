"""Jobs whose fields in Redis cannot be read: a fault of the server's, told of those jobs alone."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.damage import DAMAGES
from tests.support.problems import problem
from tests.support.searches import QUERY
from tests.support.server import PATIENCE_S, Server
from worker.jobs.redis_names import SearchKeys

WAIT = {"Prefer": f"wait={PATIENCE_S}"}


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def sound(server: Server) -> str:
    """A search that has succeeded."""
    found: str = server.search(QUERY, title="sound")["search"]
    return found


@pytest.fixture
def damaged(server: Server) -> Iterator[str]:
    """Another one, to be damaged; nothing is left of it."""
    found: str = server.search(QUERY, title="to be damaged")["search"]
    yield found
    with server.redis as redis:
        redis.delete(*SearchKeys(found).data)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_search_is_told_and_left_out_of_lists(
    server: Server, http: httpx.Client, sound: str, damaged: str, damage: str
) -> None:
    with server.redis as redis:
        DAMAGES[damage](redis, damaged)
    for path in ("", "/events"):
        told = problem(http.get(f"/v1/searches/{damaged}{path}"), 500, "internal-error")
        assert told["detail"] == f"what is kept of search {damaged} cannot be read"
    for asked in ({"page_size": 1000}, {"id": [damaged, sound]}, {"state": "succeeded", "page_size": 1000}):
        reply = http.get("/v1/searches", params=asked)
        assert reply.status_code == 200, reply.text
        ids = [each["id"] for each in reply.json()["items"]]
        assert (sound in ids, damaged in ids) == (True, False)


def test_failure_of_a_type_that_is_not_known_is_told(server: Server, http: httpx.Client, damaged: str) -> None:
    with server.redis as redis:
        redis.hset(SearchKeys(damaged).meta, "outcome", "failed")
        redis.hset(SearchKeys(damaged).meta, "failure", '{"type": "from-another-version", "detail": "its reason"}')
    told = http.get(f"/v1/searches/{damaged}").json()
    assert (told["state"], told["error"]["detail"]) == ("failed", "its reason")
    assert told["error"]["type"] == "urn:shardwater:problem:internal-error"


@pytest.mark.parametrize("request_kept", ["{", '{"sequence": ">q", "database": "demo", "matrix": "none"}'])
def test_damaged_request_is_no_fault_of_the_clients(
    server: Server, http: httpx.Client, damaged: str, request_kept: str
) -> None:
    with server.redis as redis:
        redis.hset(SearchKeys(damaged).meta, "request", request_kept)
    problem(http.get(f"/v1/searches/{damaged}/request"), 500, "internal-error")
    problem(http.post(f"/v1/searches/{damaged}:verify"), 500, "internal-error")
    page = http.get(f"/searches/{damaged}", headers={"Accept": "text/html"})
    assert (page.status_code, f"what is kept of search {damaged} cannot be read" in page.text) == (500, True)


@pytest.mark.parametrize(("name", "value"), [("request", "{"), ("created", "soon"), ("target", "{")])
def test_damaged_verification_is_told(server: Server, http: httpx.Client, sound: str, name: str, value: str) -> None:
    found = http.post(f"/v1/searches/{sound}:verify", params={"sample": 1}, headers=WAIT).json()
    with server.redis as redis:
        redis.hset(SearchKeys(found["id"]).meta, name, value)
    told = problem(http.get(found["links"]["self"]), 500, "internal-error")
    assert told["detail"] == f"what is kept of {found['id']} cannot be read"
    assert http.delete(found["links"]["self"]).status_code == 204


@pytest.mark.parametrize("whole", [b"no gzip", b"\x1f\x8b", b""])
def test_damaged_report_is_told(server: Server, http: httpx.Client, sound: str, whole: bytes) -> None:
    found = http.post(f"/v1/searches/{sound}:verify", params={"sample": 1}, headers=WAIT).json()
    with server.redis as redis:
        redis.set(SearchKeys(found["id"]).whole, whole)
    problem(http.get(found["links"]["self"]), 500, "internal-error")
    assert http.delete(found["links"]["self"]).status_code == 204
    told = problem(http.get(found["links"]["self"]), 404, "not-found")
    assert told["detail"] == f"no {found['id']}"
