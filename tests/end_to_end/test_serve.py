"""`shardwater serve` as a process among others: a second one, a service manager, a stop that takes long."""

import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.support.demo import DEMO
from tests.support.metrics import value
from tests.support.server import COMMAND, PATIENCE_S, Server, make_database, running, until
from worker.cli.main import cli
from worker.supervision.valkey import EmbeddedValkey

SHORT = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY"
LONG = "".join(f">q{number}\n{'MKVLAAGWDEHHKLMNPQRSTVWY' * 60}\n" for number in range(20))
AGE = "shardwater_supervisor_heartbeat_age_seconds"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo in one shard."""
    folder = tmp_path_factory.mktemp("served")
    make_database(DEMO / "proteins.fasta.gz", folder, shards=1)
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Server]:
    with running(Server(folder)) as started:
        yield started


def serve(folder: Path, *flags: str) -> "subprocess.CompletedProcess[str]":
    """Another `serve`, which is to end by itself."""
    command = [*COMMAND, "serve", "--data", str(folder), *flags]
    return subprocess.run(command, capture_output=True, check=False, text=True, timeout=PATIENCE_S)


def age(server: Server) -> float:
    with server.http as http:
        return value(http.get("/metrics").text, AGE)


def test_second_on_a_folder_is_refused_with_the_name_of_the_first(served: Server, folder: Path) -> None:
    assert served.process is not None
    [valkey] = served.pids("valkey")
    other = folder.parent / "the same"
    other.symlink_to(folder)
    for name in (folder, other):
        ended = serve(name, "--port", "0")
        assert (ended.returncode, ended.stderr) == (
            1,
            f"shardwater: process {served.process.pid} serves {name} already at {served.url}: stop it first\n",
        )
    assert served.pids("valkey") == [valkey]
    assert served.search(SHORT, title="beside a second")["results"]


def test_keys_are_made_beside_it(served: Server, folder: Path) -> None:
    [valkey] = served.pids("valkey")
    for command in (["create", "--name", "lab"], ["list"]):
        assert CliRunner().invoke(cli, ["key", *command, "--data", str(folder)]).exit_code == 0
    assert served.pids("valkey") == [valkey]
    assert served.search(SHORT, title="beside a key")["results"]


def test_second_on_a_port_is_refused(served: Server, tmp_path: Path) -> None:
    make_database(DEMO / "queries.fasta", tmp_path, shards=1)
    port = served.url.rpartition(":")[2]
    ended = serve(tmp_path, "--port", port)
    assert (ended.returncode, ended.stderr) == (
        1,
        f"shardwater: cannot listen on 127.0.0.1:{port}: Address already in use\n",
    )
    # It has left no queue, and is in nobody's way.
    assert not EmbeddedValkey(tmp_path).running


def test_age_of_the_supervisors_sign_shows_that_it_is_stopped(served: Server) -> None:
    assert served.process is not None
    until(lambda: 0 <= age(served) < 2)
    served.process.send_signal(signal.SIGSTOP)
    until(lambda: age(served) > 3)
    assert served.search(SHORT, title="without a supervisor")["results"]
    served.process.send_signal(signal.SIGCONT)
    until(lambda: age(served) < 2)


def test_service_manager_is_told(tmp_path: Path) -> None:
    make_database(DEMO / "queries.fasta", tmp_path, shards=1)
    told: list[bytes] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE_S)

        def hear_until(word: bytes) -> None:
            while word not in told:
                told.append(manager.recv(100))

        with running(Server(tmp_path, environment={"NOTIFY_SOCKET": str(tmp_path / "notify")})) as server:
            hear_until(b"READY=1")
            told.clear()
            hear_until(b"WATCHDOG=1")
            assert server.stop() == 0
        hear_until(b"STOPPING=1")


def test_stop_says_what_it_waits_for_and_a_second_one_does_not_wait(served: Server, folder: Path) -> None:
    """The last of this file: it ends the service."""
    assert served.process is not None
    search = served.post(LONG, title="long").json()["id"]
    served.until_running(search)
    told = len(served.lines)
    served.process.send_signal(signal.SIGINT)
    until(lambda: len(served.lines) > told)
    said = served.lines[told]
    assert said.startswith(f"Stopping: waiting for at most 60 s until the workers have done {search} (")
    assert said.endswith("%). Ctrl-C or SIGTERM again stops at once: what is not done is done at the next start.\n")
    assert served.process.poll() is None
    served.process.send_signal(signal.SIGINT)
    assert served.wait() == 0
    assert served.lines[-1].endswith("is killed\n")
    with running(Server(folder)) as again:
        assert again.state(search)["state"] in ("queued", "running", "succeeded")
        with again.http as http:
            http.post(f"/v1/searches/{search}:cancel")
        lines = len(again.lines)
        assert again.stop(signal.SIGTERM) == 0
        assert again.lines[lines] == "Stopping.\n"
    assert not any("nothing is changed" in line or "queue" in line for line in (*served.lines, *again.lines))


def test_folder_without_a_database_is_served(tmp_path: Path) -> None:
    with running(Server(tmp_path)) as server, server.http as http:
        assert f"no database in {tmp_path}: pairs are aligned and genomes compared" in "".join(server.lines)
        assert http.get("/readyz").json() == {"ready": True, "shards": []}
        assert http.get("/v1/databases").json() == {"items": []}
        places = ("/v1/service-info", "/", "/compare", "/align", "/metrics")
        assert [http.get(place).status_code for place in places] == 5 * [200]
        refused = http.post("/v1/searches", json={"sequence": SHORT, "database": "demo"})
        assert (refused.status_code, "there are: none" in refused.text) == (422, True)
        genomes = {"query": f">a\n{'ACGTTGCA' * 20}", "subject": f">b\n{'ACGTTGCA' * 20}"}
        assert http.post("/v1/comparisons", json=genomes, headers={"Prefer": "wait=60"}).status_code == 200
