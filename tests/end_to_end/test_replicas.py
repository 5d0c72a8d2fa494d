"""Workers that come and go by themselves, several to a shard: started by hand, each with a data folder of its own."""

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.end_to_end.server import COMMAND, PATIENCE_S, Server, make_database, running
from worker.embedded import EmbeddedValkey

DEMO = Path(__file__).parents[2] / "demo"
QUERY = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY"

Start = Callable[[str], "subprocess.Popen[bytes]"]


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A front end and a queue; the workers of its database, in one shard, are started by the tests."""
    folder = tmp_path_factory.mktemp("apart")
    make_database(DEMO / "proteins.fasta.gz", folder / "data", shards=1)
    queue = EmbeddedValkey(folder / "queue")
    with running(Server(folder / "data", redis_url=queue.start(), app_only=True)) as started:
        yield started
    queue.stop()


@pytest.fixture
def work(apart: Server, tmp_path: Path) -> Iterator[Start]:
    """work(host): a worker with its own copy of the data, as on another machine; listed when it returns."""
    started: list[subprocess.Popen[bytes]] = []

    def start(host: str) -> "subprocess.Popen[bytes]":
        shutil.copytree(apart.data, tmp_path / host)
        environment = {
            **os.environ,
            "SHARDWATER_REDIS_URL": apart.redis_url or "",
            "SHARDWATER_DATA": str(tmp_path / host),
            "SHARDWATER_THREADS": "1",
        }
        process = subprocess.Popen([*COMMAND, "work", "--database", "demo", "--shard", "0"], env=environment)
        started.append(process)
        until(lambda: process.pid in states(apart))
        return process

    yield start
    for process in started:
        process.terminate()
    for process in started:
        process.wait(PATIENCE_S)


def states(server: Server) -> dict[int, str]:
    """The workers listed, by process."""
    with server.http as http:
        return {worker["pid"]: worker["state"] for worker in http.get("/v1/workers").json()["items"]}


def until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline


class Stream:
    """Searches one after the other in a thread, each anew; what went wrong is kept."""

    def __init__(self, server: Server) -> None:
        self.server, self.answers = server, list[int]()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._ask)

    def _ask(self) -> None:
        headers = {"Prefer": "wait=60", "Cache-Control": "no-cache"}
        with self.server.http as http:
            while not self.over.is_set():
                answer = http.post("/v1/searches", json={"sequence": QUERY, "database": "demo"}, headers=headers)
                self.answers.append(answer.status_code)

    def __enter__(self) -> "Stream":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()


def test_one_of_two_workers_goes_and_the_other_goes_on(apart: Server, work: Start, queries: str) -> None:
    first, second = work("first"), work("second")
    with Stream(apart) as stream:
        until(lambda: len(stream.answers) > 3)
        first.send_signal(signal.SIGTERM)
        assert first.wait(PATIENCE_S) == 0
        asked = len(stream.answers)
        until(lambda: len(stream.answers) > asked + 3)
        with apart.http as http:
            assert http.get("/readyz").json()["ready"] is True
        assert set(states(apart)) == {second.pid}
    assert set(stream.answers) == {200}


def test_worker_told_to_stop_ends_its_search_and_takes_no_other(apart: Server, work: Start, queries: str) -> None:
    alone = work("alone")
    search = apart.post(queries * 4, title="under way").json()["id"]
    apart.until_running(search)
    alone.send_signal(signal.SIGTERM)
    until(lambda: states(apart) == {alone.pid: "draining"})
    refused = apart.post(QUERY, title="too late")
    assert (refused.status_code, refused.json()["type"]) == (503, "urn:shardwater:problem:shard-unavailable")
    with apart.http as http:
        assert http.get("/readyz").status_code == 503
    assert apart.state(search)["state"] == "running"
    assert alone.wait(PATIENCE_S) == 0
    assert apart.state(search)["state"] == "succeeded"
    assert states(apart) == {}


def test_front_end_told_to_stop_answers_who_waits(apart: Server, work: Start, queries: str) -> None:
    worker = work("busy")
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


def test_search_of_a_killed_worker_goes_to_the_other(apart: Server, work: Start, queries: str) -> None:
    workers = {process.pid: process for process in (work("first"), work("second"))}
    search = apart.post(queries * 4, title="to be killed").json()["id"]
    busy: list[int] = []

    def found() -> bool:
        busy[:] = [pid for pid, state in states(apart).items() if state == "busy"]
        return len(busy) == 1

    until(found)
    workers[busy[0]].kill()
    assert apart.search(queries * 4, title="to be killed")["search"] == search
