"""The embedded Valkey: one over a folder, whatever became of the one before, and none for ever."""

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from worker.supervision import valkey as module
from worker.supervision import valkey_idle_stop
from worker.supervision.liveness import answers_redis
from worker.supervision.valkey import EmbeddedValkey


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    started = EmbeddedValkey(tmp_path)
    started.start()
    yield started
    started.stop()


def test_stuck_one_is_killed_and_its_data_kept(
    valkey: EmbeddedValkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SILENT_S", 0)
    with Redis.from_url(valkey.url) as redis:
        redis.set("kept", "yes")
    stuck = valkey.pid
    os.kill(stuck, signal.SIGSTOP)
    after = EmbeddedValkey(tmp_path)
    with Redis.from_url(after.start()) as redis:
        assert redis.get("kept") == b"yes"
    assert after.pid != stuck
    assert not valkey.running
    after.stop()


def test_one_whose_socket_is_gone_is_not_joined_by_a_second(
    valkey: EmbeddedValkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As what cleans /tmp leaves it: two servers over one file would destroy it."""
    monkeypatch.setattr(module, "SILENT_S", 0)
    Path(valkey.url.removeprefix("unix://")).unlink()
    after = EmbeddedValkey(tmp_path)
    after.start()
    assert not valkey.running
    assert answers_redis(after.url)
    after.stop()


def test_one_started_with_another_runtime_folder_is_adopted(
    valkey: EmbeddedValkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    other = EmbeddedValkey(tmp_path)
    assert other.url != valkey.url
    assert other.start() == valkey.url
    assert other.pid == valkey.pid
    other.stop()


def test_keeper_stops_one_that_nobody_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey_idle_stop, "LOOKS", 3)
    valkey = EmbeddedValkey(tmp_path)
    with Redis.from_url(valkey.start()) as user:
        user.set("kept", "yes")
        asked = []

        def ask(*question):
            asked.append(question)
            return _ask_and_leave(user, *question)

        monkeypatch.setattr(valkey_idle_stop, "_ask", ask)
        valkey_idle_stop.keep(valkey.url.removeprefix("unix://"), 0.01)
    # The first look found the user, who left then.
    assert len(asked) >= 2 + valkey_idle_stop.LOOKS
    assert not answers_redis(valkey.url)
    valkey.stop()
    with Redis.from_url(valkey.start()) as redis:
        assert redis.get("kept") == b"yes"
    valkey.stop()


_ask = valkey_idle_stop._ask


def _ask_and_leave(user: Redis, server: socket.socket, command: str) -> bytes:
    answer = _ask(server, command)
    if command == "CLIENT LIST":
        user.close()
    return answer
