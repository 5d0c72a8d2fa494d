"""Whoever can write to Redis has what is in it: folders of the machine are no part of that."""

import json
from pathlib import Path

import pytest

from tests.support.guarded import QUERY, Guarded
from tests.support.problems import problem
from tests.support.server import PATIENCE_S, until
from worker.jobs.redis_names import ANSWERED, SearchKeys


@pytest.fixture
def victim(guarded: Guarded) -> Path:
    """A folder beside those of jobs."""
    folder = guarded.server.data.parent / "victim"
    folder.mkdir(exist_ok=True)
    (folder / "its own").write_text("")
    return folder


def led(guarded: Guarded, victim: Path, kind: str) -> str:
    """What would lead there, were it part of a path."""
    kept = guarded.server.data / ".work" / "jobs" / "kept"
    # Where the first part is to be a folder, it is one.
    (kept / f"{kind}-of-a-writer").mkdir(parents=True, exist_ok=True)
    return f"{kind}-of-a-writer/" + "../" * (len(kept.relative_to(victim.parent).parts) + 1) + victim.name


def test_ids_that_lead_elsewhere_remove_and_write_nothing(guarded: Guarded, victim: Path) -> None:
    http, way = guarded.client("victor"), led(guarded, victim, "chain")
    asked = {"queries": QUERY, "databases": ["demo"], "iterations": 2, "inclusion_evalue": 10, "evalue": 100}
    place = http.post("/v1/msas", json=asked, headers={"Prefer": f"wait={PATIENCE_S}"}).headers["Location"]
    job = place.rpartition("/")[2]
    with guarded.server.redis as redis:
        [chain] = json.loads(redis.hget(SearchKeys(job).meta, "target"))["jobs"]
        meta = redis.hgetall(SearchKeys(chain).meta)
        for name in (b"outcome", b"finished", b"failure", b"round", b"again"):
            meta.pop(name, None)
        redis.hset(SearchKeys(way).meta, mapping=meta)
        redis.hset(SearchKeys(job).meta, "target", json.dumps({"jobs": [way]}))
        problem(http.delete(place), 500, "internal-error")
        # A front end is to merge it.
        redis.hset(SearchKeys(way).meta, mapping=meta)
        redis.hset(SearchKeys(way).shards, "0", b"")
        redis.rpush(ANSWERED, way)
        until(lambda: redis.llen(ANSWERED) == 0)
        redis.delete(SearchKeys(job).meta, *SearchKeys(way).data)
    assert http.get("/healthz").status_code == 200
    assert [path.name for path in victim.iterdir()] == ["its own"]
