"""A queue that still reads its file is waited for by whoever starts, and is no reason for an error."""

from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import BusyLoadingError
from typer.testing import CliRunner

from worker.cli.main import cli
from worker.jobs.retention import purge
from worker.supervision import valkey as module
from worker.supervision.redis_loading import await_loaded
from worker.supervision.valkey import EmbeddedValkey

KEYS = 400


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder whose queue takes a second to read its file, some milliseconds a key."""
    valkey = EmbeddedValkey(tmp_path)
    with Redis.from_url(valkey.start()) as redis:
        redis.mset({f"key {number}": "x" * 5000 for number in range(KEYS)})
        # As a snapshot, where its loading can be slowed down.
        assert purge(redis)
    valkey.stop()
    slow = {"key-load-delay": 3000, "loading-process-events-interval-bytes": 1024}
    monkeypatch.setattr(module, "SETTINGS", module.SETTINGS | slow)
    return tmp_path


def test_it_is_waited_for(slow: Path) -> None:
    valkey = EmbeddedValkey(slow)
    with Redis.from_url(valkey.start()) as redis:
        with pytest.raises(BusyLoadingError):
            redis.dbsize()
        await_loaded(redis)
        assert redis.dbsize() == KEYS
    valkey.stop()


def test_one_that_is_not_there_is_not_waited_for() -> None:
    await_loaded(Redis.from_url("unix:///nowhere"))


@pytest.mark.parametrize("command", [["key", "create", "--name", "lab"], ["key", "list"]])
def test_commands_wait_for_it(slow: Path, command: list[str]) -> None:
    done = CliRunner().invoke(cli, [*command, "--data", str(slow)])
    assert (done.exit_code, done.exception) == (0, None)
    assert done.stderr.startswith("Loading the queue from disk ...\n")
