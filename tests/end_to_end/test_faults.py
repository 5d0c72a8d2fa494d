"""What is accepted is answered, whatever is killed; nothing is left behind."""

import os
import signal
import time
from pathlib import Path

import pytest
from redis import Redis

from tests.end_to_end.server import PATIENCE_S, Server, make_database, running
from worker.process import ALIVE_S

DEMO = Path(__file__).parents[2] / "demo"
RECOVERY_S = 30
"""From the new worker's readiness to the end of a search whose worker was killed."""


@pytest.fixture(scope="module")
def long_query(queries: str) -> str:
    """Enough for some seconds of two cores."""
    return queries * 4


@pytest.fixture(scope="module")
def expected(server: Server, long_query: str) -> object:
    """What the long query finds when nobody is killed."""
    return server.search(long_query, max_target_seqs=5)["results"]


def test_killed_worker_is_replaced_and_its_job_done(fragile: Server, long_query: str, expected: object) -> None:
    search = fragile.post(long_query, max_target_seqs=5).json()["id"]
    fragile.until_running(search)
    killed = fragile.pids("worker.cli")[0]
    os.kill(killed, signal.SIGKILL)
    started = time.monotonic()
    assert fragile.search(long_query, max_target_seqs=5)["results"] == expected
    assert time.monotonic() - started < RECOVERY_S
    assert fragile.state(search)["state"] == "succeeded"
    assert killed not in fragile.pids("worker.cli")
    assert len(fragile.pids("worker.cli")) == 2


def test_all_workers_killed_twice(fragile: Server, long_query: str, expected: object) -> None:
    search = fragile.post(long_query, max_target_seqs=5).json()["id"]
    for _ in range(2):
        fragile.until_running(search)
        workers = fragile.pids("worker.cli")
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        until_replaced(fragile, workers)
    assert fragile.search(long_query, max_target_seqs=5)["search"] == search
    assert fragile.search(long_query, max_target_seqs=5)["results"] == expected


def until_replaced(server: Server, killed: list[int]) -> None:
    while True:
        workers = server.pids("worker.cli")
        if len(workers) == len(killed) and not set(workers) & set(killed):
            return


def test_worker_stopped_for_good_is_seen_by_its_heartbeat(fragile: Server, queries: str) -> None:
    """A frozen worker is no longer counted on; killed at last, it gives its job up."""
    search = fragile.post(queries * 3).json()["id"]
    fragile.until_running(search)
    frozen = fragile.pids("worker.cli")[0]
    os.kill(frozen, signal.SIGSTOP)
    try:
        redis = fragile.redis
        with redis:
            names = {key.decode().partition("alive:")[2] for key in redis.scan_iter("shardwater:alive:*")}
            assert len(names) == 2
            started = time.monotonic()
            while len(list(redis.scan_iter("shardwater:alive:*"))) == 2:
                assert time.monotonic() - started < 2 * ALIVE_S
    finally:
        os.kill(frozen, signal.SIGKILL)
    assert fragile.search(queries * 3)["search"] == search


def test_killed_front_end_comes_back_and_remembers(fragile: Server, queries: str) -> None:
    before = fragile.search(queries)
    os.kill(fragile.pids("app")[0], signal.SIGKILL)
    with fragile.http as http:
        # The supervisor holds the socket: the request waits for the next front end.
        after = http.get(f"/v1/searches/{before['search']}/results").json()
    assert after == before


def test_ends_are_heard_again_after_valkey_was_killed(fragile: Server, queries: str) -> None:
    fragile.search(queries)
    os.kill(fragile.pids("valkey")[0], signal.SIGKILL)
    with fragile.http as http:
        while http.get("/readyz").status_code != 200:
            pass
    started = time.monotonic()
    asked = fragile.post(queries, wait=PATIENCE_S, title="after the fall")
    assert asked.status_code == 200
    # Unheard, it would be found at the end of the wait.
    assert time.monotonic() - started < PATIENCE_S / 2


def test_killed_supervisor_leaves_nothing_that_hinders_the_next(tmp_path: Path, queries: str) -> None:
    make_database(DEMO / "proteins.fasta.gz", tmp_path)
    with running(Server(tmp_path)) as first:
        result = first.search(queries)
        accepted = first.post(queries * 4).json()["id"]
        workers = first.pids("worker.cli")
        assert first.stop(signal.SIGKILL) == -signal.SIGKILL
    with running(Server(tmp_path)) as second:
        with second.http as http:
            assert http.get(f"/v1/searches/{result['search']}/results").json() == result
        assert second.search(queries * 4)["search"] == accepted
        assert not set(workers) & set(second.pids("worker.cli"))


def test_sigterm_drains(tmp_path: Path, queries: str) -> None:
    make_database(DEMO / "proteins.fasta.gz", tmp_path)
    with running(Server(tmp_path)) as first:
        search = first.post(queries * 3).json()["id"]
        first.until_running(search)
        children = [*first.pids("worker.cli"), *first.pids("app"), *first.pids("valkey")]
        assert len(children) == 4
        assert first.stop(signal.SIGTERM) == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in children)
    with running(Server(tmp_path)) as second:
        # The job under way was finished before its worker stopped, not begun again.
        assert second.state(search)["state"] == "succeeded"


def test_deleted_search_leaves_nothing_in_redis(fragile: Server, queries: str) -> None:
    with fragile.redis as redis:
        before = set(kept(redis))
        finished = fragile.search(queries)["search"]
        running_one = fragile.post(queries * 4).json()["id"]
        fragile.until_running(running_one)
        with fragile.http as http:
            http.get(f"/v1/searches/{finished}/results")
            for search in (finished, running_one):
                assert http.delete(f"/v1/searches/{search}").status_code == 204
                assert http.get(f"/v1/searches/{search}").status_code == 404
        # The workers have stopped on the deleted search when the next one is answered.
        with fragile.http as http:
            last = fragile.search(">next\nMKVLAAGWMKVLAAGW")["search"]
            assert http.delete(f"/v1/searches/{last}").status_code == 204
        # A worker tidies its job up just after it has stored the result.
        deadline = time.monotonic() + ALIVE_S
        while (left := set(kept(redis)) - before) and time.monotonic() < deadline:
            pass
        assert left == set()


def kept(redis: Redis) -> list[bytes]:
    """All keys but those of the service itself and its workers, and what RQ remembers of a job for some seconds."""
    rq = (b"rq:worker", b"rq:queues", b"rq:clean", b"rq:executions")
    passing = (*rq, b"shardwater:rate", b"shardwater:worker", b"shardwater:counts", b"shardwater:mark")
    return [key for key in redis.scan_iter() if not key.startswith(passing)]
