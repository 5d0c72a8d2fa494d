"""Which GPU a worker gets, and what is left when that fails: the process ends, and the job runs again."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from shardwater.database.database import Database
from tests.support.merging import merge_answered
from worker.cli.console import Exit
from worker.jobs.requests import SearchRequest
from worker.jobs.states import SearchState
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget, queue_name
from worker.kinds.search import plan
from worker.queue.recovery import MOST_ATTEMPTS, recover
from worker.runner.devices import DeviceError, end_if_device_failed, pin, visible_device
from worker.settings import Settings
from worker.supervision import supervisor
from worker.supervision.service_plan import ServicePlan, Site, listen
from worker.supervision.supervisor import Command, Process, Supervisor

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60
SAID = (
    "the worker of {queue} ends: device GPU-b failed: "
    "CUDA: cudaErrorIllegalAddress: an illegal memory access was encountered"
)


@pytest.mark.parametrize(
    ("number", "visible", "device"),
    [(0, None, "0"), (3, None, "3"), (1, "5,2", "2"), (0, " GPU-a , GPU-b", "GPU-a"), (1, "GPU-a,GPU-b", "GPU-b")],
)
def test_device_is_counted_among_the_visible_ones(number: int, visible: str | None, device: str) -> None:
    assert visible_device(number, visible) == device


@pytest.mark.parametrize(("number", "visible"), [(2, "0,1"), (0, "")])
def test_device_that_is_not_visible_is_an_error(number: int, visible: str) -> None:
    with pytest.raises(DeviceError, match=f"no device {number}: CUDA_VISIBLE_DEVICES is '{visible}'"):
        visible_device(number, visible)


def test_pinned_process_sees_one_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,6")
    pin([1])
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "6"


def test_pinned_process_sees_several_in_the_order_that_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,6,7")
    pin([2, 0])
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "7,4"


def worker_commands(store: JobStore, database: Database, devices: int) -> list[Command]:
    settings = Settings(data=database.path.parents[1])
    with listen("127.0.0.1", 0) as listener:
        commands = ServicePlan(Site(settings, listener, devices), store)()
    return [command for command in commands if command.queue is not None]


@pytest.mark.parametrize(("devices", "given"), [(1, ["0", "0"]), (2, ["0", "1"]), (4, ["0", "1"])])
def test_shards_get_the_devices_in_turn(store: JobStore, database: Database, devices: int, given: list[str]) -> None:
    commands = worker_commands(store, database, devices)
    assert [command.argv[-2:] for command in commands] == [("--device", device) for device in given]
    assert all(int(command.environment["SHARDWATER_THREADS"]) <= 2 for command in commands)


def test_without_devices_none_is_named(store: JobStore, database: Database) -> None:
    assert all("--device" not in command.argv for command in worker_commands(store, database, 0))


def test_other_errors_end_no_process() -> None:
    end_if_device_failed(ValueError("a bug"), "small@1-0of1")


@pytest.fixture
def environment(store: JobStore) -> dict[str, str]:
    """What a worker of the test's queue is told, on a machine of three GPUs."""
    path = store.redis.connection_pool.connection_kwargs["path"]
    visible = "GPU-a,GPU-b,GPU-c"
    return {"SHARDWATER_REDIS_URL": f"unix://{path}", "CUDA_VISIBLE_DEVICES": visible, "PYTHONPATH": str(ROOT)}


def command(folder: Path, target: SearchTarget, shard: int, environment: dict[str, str]) -> Command:
    """A worker of a shard; that of shard 0 fails as it searches."""
    where = "search" if shard == 0 else "never"
    argv = ("-m", "tests.support.faulty_worker", str(folder), str(shard), where)
    queue = queue_name(target.used.name, target.used.version, shard, target.parts)
    return Command(f"worker of {queue}", argv, environment | {"SHARDWATER_DATA": str(folder / "data")}, queue)


class NewProcesses:
    """Each begins anew: this one has loaded other modules than a supervisor's fork server."""

    def start(self, argv: Sequence[str], environment: Mapping[str, str], files: Collection[int]) -> Process:
        command = [sys.executable, "-P", *argv]
        return subprocess.Popen(command, env=environment, pass_fds=files, start_new_session=True)

    def reap(self) -> None:
        """It waits for all that it has started."""


def supervised(store: JobStore, search: str, commands: Sequence[Command]) -> SearchState:
    """Run workers under a supervisor, with the front end's watchdog, until the search has ended."""
    deadline = time.monotonic() + PATIENCE_S

    def plan() -> Sequence[Command]:
        recover(store)
        merge_answered(store)
        if store.outcome(search) is not None or time.monotonic() > deadline:
            supervisor.stop()
        return commands

    supervisor = Supervisor(plan, NewProcesses(), store, grace_s=PATIENCE_S)
    with signals_kept():
        supervisor.run()
    return store.state(search)


@contextmanager
def signals_kept() -> Iterator[None]:
    """A supervisor takes the process's signals for itself."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def submit(store: JobStore, target: SearchTarget) -> str:
    request = SearchRequest(sequence=">q\nMKVLAAGW", database="small")
    return store.submit(plan(request, request.records(), target)).id


def test_job_of_a_device_that_failed_runs_again(
    store: JobStore,
    target: SearchTarget,
    tmp_path: Path,
    environment: dict[str, str],
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "faults").write_text("1")
    commands = [command(tmp_path, target, shard, environment) for shard in (0, 1)]
    state = supervised(store, submit(store, target), commands)
    assert (state.state, state.shards.done) == ("succeeded", 2)
    queue = commands[0].queue
    assert [line for line in capfd.readouterr().err.splitlines() if "failed" in line] == [SAID.format(queue=queue)]
    assert f"worker of {queue} ended with status {Exit.DEVICE:d}" in caplog.messages


def test_search_that_breaks_every_device_fails(
    store: JobStore, target: SearchTarget, tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "STEADY_S", -1.0)
    (tmp_path / "faults").write_text(str(MOST_ATTEMPTS))
    commands = [command(tmp_path, target, shard, environment) for shard in (0, 1)]
    state = supervised(store, submit(store, target), commands)
    assert state.state == "failed"
    assert state.error is not None
    assert state.error.detail == "the worker of shard 0 of database small died 6 times while it ran this search"
    assert (tmp_path / "faults").read_text() == "0"


def test_device_that_fails_while_loading_ends_the_worker(
    target: SearchTarget, tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "faults").write_text("1")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tests.support.faulty_worker", str(tmp_path), "0", "load"],
        env={**os.environ, **environment, "SHARDWATER_DATA": str(tmp_path / "data")},
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    queue = queue_name(target.used.name, target.used.version, 0, 2)
    assert (done.returncode, done.stderr) == (70, SAID.format(queue=queue) + "\n")
