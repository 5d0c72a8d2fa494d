"""What single faults must not do to a service besides; test_campaign.py has what they may do to searches."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.align import align_named
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import match_table
from shardwater.sequences.named import Letters
from tests.faults.campaign import foreign_keys
from tests.support.demo import DEMO
from tests.support.server import COMMAND, PATIENCE_S, Server, make_database, running, until
from worker.settings import Settings
from worker.supervision.liveness import answers_redis
from worker.supervision.valkey import EmbeddedValkey


@pytest.fixture(scope="module")
def queries() -> str:
    """Four real proteins in FASTA."""
    return (DEMO / "queries.fasta").read_text()


@pytest.fixture(scope="module")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service to be killed in part; its one worker leaves the other processor to others."""
    data = tmp_path_factory.mktemp("fragile")
    make_database(DEMO / "proteins.fasta.gz", data, shards=1)
    with running(Server(data, environment={"SHARDWATER_THREADS": "1", "SHARDWATER_LOG_LEVEL": "info"})) as started:
        yield started


def test_deleted_search_leaves_nothing_in_redis(fragile: Server, queries: str) -> None:
    with fragile.redis as redis:
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
        # A worker tidies its job up just after it has stored the result, and RQ forgets its runs within a minute.
        until(lambda: not foreign_keys(redis))


def test_long_pair_goes_on_where_a_killed_worker_left_it(fragile: Server) -> None:
    rng = np.random.default_rng(90)
    letters = rng.integers(0, 4, 15_000)
    other = np.delete(np.where(rng.random(15_000) < 0.1, rng.integers(0, 4, 15_000), letters), slice(6_000, 6_100))
    query, subject = ("".join("ACGT"[code] for code in codes) for codes in (letters, other))
    asked = {"queries": f">q\n{query}", "subjects": f">s\n{subject}", "alphabet": "dna", "mode": "global"}
    with fragile.http as http:
        job = http.post("/v1/alignments", json=asked).json()["id"]
        unfinished = Settings(data=fragile.data).jobs / "kept" / job / "unfinished"
        until(lambda: any(b"index.npy" in path.read_bytes() for path in unfinished.glob("*/*.npz")))
        os.kill(fragile.pids("worker.cli")[0], signal.SIGKILL)
        until(lambda: http.get(f"/v1/alignments/{job}").json()["state"] == "succeeded")
        result = http.get(f"/v1/alignments/{job}/results").json()
    [row] = [line.split("goes on from row ")[1] for line in fragile.lines if "goes on from row" in line]
    assert int(row) > 0
    scheme = Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL)
    pairs = [(Letters("q", query.encode()), Letters("s", subject.encode()))]
    [expected] = align_named(pairs, scheme, "alignment", "forward", CpuPairs(1))
    told, found = expected.told, result["alignments"][0]
    assert (found["score"], found["cigar"]) == (told.score, told.cigar)
    assert result["certificate"]["cells"] == len(query) * len(subject)
    assert not list(unfinished.glob("*"))


def test_ends_are_heard_again_after_valkey_was_killed(fragile: Server, queries: str) -> None:
    fragile.search(queries)
    os.kill(fragile.pids("valkey")[0], signal.SIGKILL)
    with fragile.http as http:
        until(lambda: http.get("/readyz").status_code == 200)
    started = time.monotonic()
    asked = fragile.post(queries, wait=PATIENCE_S, title="after the fall")
    assert asked.status_code == 200
    # Unheard, it would be found at the end of the wait.
    assert time.monotonic() - started < PATIENCE_S / 2


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
        # What was under way was finished before the workers stopped, not begun again; it is left to be merged.
        state = second.state(search)
        assert state["shards"]["done"] == state["shards"]["total"]
        until(lambda: second.state(search)["state"] == "succeeded")


def test_serve_ends_with_the_reason_of_a_front_end_that_cannot_start(tmp_path: Path) -> None:
    make_database(DEMO / "queries.fasta", tmp_path, shards=1)
    links = tmp_path / "links.yaml"
    links.write_text("- label: no pattern\n")
    ended = subprocess.run(
        [*COMMAND, "serve", "--data", str(tmp_path), "--port", "0"],
        env={**os.environ, "SHARDWATER_LINKS": str(links)},
        capture_output=True,
        check=False,
        text=True,
        timeout=PATIENCE_S,
    )
    assert ended.returncode == 1
    assert ended.stderr.count("shardwater: SHARDWATER_LINKS is ") == 1
    assert ended.stderr.endswith("shardwater: the front end cannot start with these settings\n")
    assert "Ready" not in ended.stderr
    assert not answers_redis(EmbeddedValkey(tmp_path).url)
