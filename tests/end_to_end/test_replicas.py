"""Workers that come and go by themselves, several to a shard: started by hand, each with a data folder of its own."""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.faults.places import NotHere, clock
from tests.support.demo import DEMO
from tests.support.server import COMMAND, PATIENCE_S, Server, make_database, running, until
from worker.supervision.valkey import EmbeddedValkey

QUERY = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY"


class Machines:
    """Workers of the one shard, each as on a machine of its own."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.started: list[subprocess.Popen[bytes]] = []

    def exactly(self, number: int) -> "list[subprocess.Popen[bytes]]":
        """So many that live; they are listed, and no other is, when it returns."""
        living = [process for process in self.started if process.poll() is None]
        for process in living[number:]:
            process.terminate()
        living = living[:number] + [self._start() for _ in range(number - len(living))]
        until(lambda: set(states(self.server)) == {process.pid for process in living})
        return living

    def with_clocks(self, *offsets_s: int) -> "list[subprocess.Popen[bytes]]":
        """One for each of these, whose clock is so far ahead of ours; they are listed, and no other is."""
        self.exactly(0)
        living = [self._start(clock(self.folder, offset_s)) for offset_s in offsets_s]
        until(lambda: set(states(self.server)) == {process.pid for process in living})
        return living

    def _start(self, environment: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
        data = self.folder / f"machine-{len(self.started)}"
        shutil.copytree(self.server.data, data)
        environment = {
            **os.environ,
            **(environment or {}),
            "SHARDWATER_REDIS_URL": self.server.redis_url or "",
            "SHARDWATER_DATA": str(data),
            "SHARDWATER_THREADS": "1",
        }
        process = subprocess.Popen([*COMMAND, "work", "--database", "demo", "--shard", "0"], env=environment)
        self.started.append(process)
        return process


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A front end and a queue; the workers of its database, in one shard, are started by the tests."""
    folder = tmp_path_factory.mktemp("apart")
    make_database(DEMO / "proteins.fasta.gz", folder / "data", shards=1)
    queue = EmbeddedValkey(folder / "queue")
    with running(Server(folder / "data", redis_url=queue.start(), app_only=True)) as started:
        yield started
    queue.stop()


@pytest.fixture(scope="module")
def machines(apart: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    machines = Machines(apart, tmp_path_factory.mktemp("machines"))
    yield machines
    for process in machines.started:
        process.terminate()
    for process in machines.started:
        process.wait(PATIENCE_S)


def states(server: Server) -> dict[int, str]:
    """The workers listed, by process."""
    with server.http as http:
        return {worker["pid"]: worker["state"] for worker in http.get("/v1/workers").json()["items"]}


def test_one_of_two_workers_goes_and_the_other_goes_on(apart: Server, machines: Machines) -> None:
    first, second = machines.exactly(2)
    answers: list[int] = []
    over = threading.Event()

    def ask() -> None:
        headers = {"Prefer": "wait=60", "Cache-Control": "no-cache"}
        with apart.http as http:
            while not over.is_set():
                asked = http.post("/v1/searches", json={"sequence": QUERY, "database": "demo"}, headers=headers)
                answers.append(asked.status_code)

    stream = threading.Thread(target=ask)
    stream.start()
    try:
        until(lambda: len(answers) > 3)
        first.send_signal(signal.SIGTERM)
        assert first.wait(PATIENCE_S) == 0
        asked = len(answers)
        until(lambda: len(answers) > asked + 3)
        with apart.http as http:
            assert http.get("/readyz").json()["ready"] is True
        assert set(states(apart)) == {second.pid}
    finally:
        over.set()
        stream.join()
    assert set(answers) == {200}


def test_front_end_told_to_stop_answers_who_waits(apart: Server, machines: Machines, queries: str) -> None:
    [worker] = machines.exactly(1)
    answers: list[httpx.Response] = []
    waiting = threading.Thread(target=lambda: answers.append(apart.post(queries * 9, wait=60, title="stopped")))
    waiting.start()
    until(lambda: states(apart) == {worker.pid: "busy"})
    # The supervisor starts another one on the same socket.
    os.kill(apart.pids("app")[0], signal.SIGTERM)
    waiting.join()
    assert answers[0].status_code == 202
    assert answers[0].json()["state"] == "running"
    with apart.http as http:
        assert http.post(f"{answers[0].headers['Location']}:cancel").status_code == 202


def test_worker_told_to_stop_ends_its_search_and_takes_no_other(
    apart: Server, machines: Machines, queries: str
) -> None:
    [alone] = machines.exactly(1)
    search = apart.post(queries * 3, title="under way").json()["id"]
    apart.until_running(search)
    alone.send_signal(signal.SIGTERM)
    until(lambda: states(apart) == {alone.pid: "draining"})
    # However long it takes us to look, its search goes on.
    alone.send_signal(signal.SIGSTOP)
    refused = apart.post(QUERY, title="too late")
    assert (refused.status_code, refused.json()["type"]) == (503, "urn:shardwater:problem:shard-unavailable")
    with apart.http as http:
        assert http.get("/readyz").status_code == 503
    assert apart.state(search)["state"] == "running"
    alone.send_signal(signal.SIGCONT)
    assert alone.wait(PATIENCE_S) == 0
    # The front end merges what the worker left.
    until(lambda: apart.state(search)["state"] != "running")
    assert apart.state(search)["state"] == "succeeded"
    assert states(apart) == {}


def test_search_of_a_killed_worker_goes_to_the_other(apart: Server, machines: Machines, queries: str) -> None:
    workers = {process.pid: process for process in machines.exactly(2)}
    search = apart.post(queries * 2, title="to be killed", max_target_seqs=5).json()["id"]
    busy: list[int] = []

    def found() -> bool:
        busy[:] = [pid for pid, state in states(apart).items() if state == "busy"]
        return len(busy) == 1

    until(found)
    workers[busy[0]].kill()
    assert apart.search(queries * 2, title="to be killed", max_target_seqs=5)["search"] == search


def test_searches_of_killed_workers_end_whatever_their_clocks_showed(
    apart: Server, machines: Machines, queries: str
) -> None:
    try:
        workers = machines.with_clocks(7200, -7200)
    except NotHere as reason:
        pytest.skip(str(reason))
    searches = [apart.post(queries * 2, title=f"at another time {number}").json()["id"] for number in range(2)]
    for search in searches:
        apart.until_running(search)
    for worker in workers:
        worker.kill()
        worker.wait()
    machines.exactly(1)
    for search in searches:
        until(lambda search=search: apart.state(search)["state"] not in ("queued", "running"))  # type: ignore[misc]
        assert apart.state(search)["state"] == "succeeded"
