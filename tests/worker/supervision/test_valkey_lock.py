"""One `serve` has the queue of a data folder; a command that starts the queue for a moment lets it be."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from worker.supervision import valkey_lock as module
from worker.supervision.liveness import answers_redis
from worker.supervision.valkey import FOLDER, EmbeddedError, EmbeddedValkey
from worker.supervision.valkey_lock import QueueTakenError, own_queue, tenure

HOLD = """
import signal, sys
from pathlib import Path
from worker.supervision.valkey_lock import tenure
with tenure(Path(sys.argv[1])) as taken:
    taken.tell(sys.argv[2])
    print(flush=True)
    signal.pause()
"""


def other(data: Path, url: str) -> "subprocess.Popen[bytes]":
    """Another process that has the queue."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(data), url], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_second_is_refused_with_the_name_of_the_first(tmp_path: Path) -> None:
    with other(tmp_path, "http://127.0.0.1:8000") as first:
        with pytest.raises(QueueTakenError) as refused, tenure(tmp_path):
            pass
        assert str(refused.value) == (
            f"process {first.pid} serves {tmp_path} already at http://127.0.0.1:8000: stop it first"
        )
        first.kill()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_its_process(tmp_path: Path, number: signal.Signals) -> None:
    with other(tmp_path, "http://127.0.0.1:8000") as first:
        first.send_signal(number)
        first.wait()
    for _ in range(2):
        with tenure(tmp_path):
            assert (tmp_path / FOLDER / "serve.lock").read_text() == f"{os.getpid()} "


def test_it_holds_for_one_that_is_stopped(tmp_path: Path) -> None:
    with other(tmp_path, "http://127.0.0.1:8000") as first:
        first.send_signal(signal.SIGSTOP)
        with pytest.raises(QueueTakenError), tenure(tmp_path):
            pass
        first.kill()


def test_a_command_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with other(tmp_path, "") as first:
        # It ends as soon as it has been found there once.
        monkeypatch.setattr(module.time, "sleep", lambda pause: end(first))
        with tenure(tmp_path):
            assert first.returncode == -signal.SIGKILL


def end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()


def test_one_that_does_not_say_where_it_serves_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 0.1)
    with other(tmp_path, "") as first:
        with (
            pytest.raises(QueueTakenError, match=f"process {first.pid} serves {tmp_path} already: stop it first"),
            tenure(tmp_path),
        ):
            pass
        first.kill()


def test_command_starts_the_queue_and_stops_it(tmp_path: Path) -> None:
    with own_queue(tmp_path) as redis:
        redis.set("kept", "yes")
    assert not answers_redis(EmbeddedValkey(tmp_path).url)
    with own_queue(tmp_path) as redis:
        assert redis.get("kept") == b"yes"


def test_command_leaves_the_queue_to_who_serves_it(tmp_path: Path) -> None:
    served = EmbeddedValkey(tmp_path)
    served.start()
    with other(tmp_path, "http://127.0.0.1:8000") as first:
        with own_queue(tmp_path):
            pass
        assert served.running
        first.kill()
    # One that a killed `serve` has left, for whoever is still at work.
    with own_queue(tmp_path):
        pass
    assert served.running
    served.stop()


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with (
        pytest.raises(EmbeddedError, match=f"{tmp_path}/.valkey: Permission denied; the queue is kept there, unless"),
        tenure(tmp_path),
    ):
        pass


def test_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("")
    with (
        pytest.raises(EmbeddedError, match=f"{tmp_path}/.valkey: File exists; the queue is kept there, unless"),
        tenure(tmp_path),
    ):
        pass
