"""The doctor finds what is wrong, says what to do, and tells nobody the password."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from redis import Redis
from typer.testing import CliRunner

from gpu.memory import Memory
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from worker.cli.main import cli
from worker.diagnostics.gpus import Gpu, capabilities, fitting
from worker.diagnostics.machine import Finding, _package, data_folder, machine, programs, sound, writable
from worker.diagnostics.redis_server import queue
from worker.jobs.retention import purge
from worker.settings import Settings


def states(findings: Iterable[Finding]) -> dict[str, str]:
    return {finding.check: finding.state for finding in findings}


def url(redis: Redis) -> str:
    return f"unix://{redis.connection_pool.connection_kwargs['path']}"


def keep(redis: Redis) -> None:
    """Have it keep an append-only file; until the first one is whole it would refuse to stop."""
    redis.config_set("appendonly", "yes")
    assert purge(redis)


def test_what_runs_these_tests_is_sound() -> None:
    assert set(states(programs()).values()) == {"ok"}


def test_package_that_is_too_old_or_missing() -> None:
    old, missing = _package(Requirement("numpy>=99")), _package(Requirement("no-such-package-here"))
    assert old is not None
    assert old.found.endswith(", needed is >=99")
    assert missing == Finding("package no-such-package-here", "fault", "not installed", old.advice)


def test_sound_data_folder(database: Database) -> None:
    findings = list(data_folder(Settings(data=database.path.parents[1]), checksums=True))
    assert sound(findings)
    assert findings[-1].found == "4 sequences (protein), 2 shards, current, checksums right"


def test_changed_byte_is_found_by_its_checksum_and_a_cut_file_without(database: Database) -> None:
    settings = Settings(data=database.path.parents[1])
    file = database.path / "residues.bin"
    letters = file.read_bytes()
    file.write_bytes(bytes([letters[0] ^ 1]) + letters[1:])
    assert sound(data_folder(settings))
    assert not sound(data_folder(settings, checksums=True))
    file.write_bytes(letters[:-1])
    [found] = [finding for finding in data_folder(settings) if finding.state == "fault"]
    assert found.check == f"database small, version {database.manifest.version}"
    assert "bytes, the manifest says" in found.found


def test_folder_that_is_not_there_or_empty(tmp_path: Path) -> None:
    assert states(data_folder(Settings(data=tmp_path / "nowhere"))) == {"data folder": "fault"}
    assert states(data_folder(Settings(data=tmp_path)))["databases"] == "warning"


def test_sound_queue(redis: Redis) -> None:
    keep(redis)
    found = states(queue(Settings(redis_url=url(redis))))
    assert set(found.values()) == {"ok"}
    assert {"queue", "append-only file", "eviction", "latency", "queue's clock", "persistence", "workers"} <= set(found)


@pytest.mark.parametrize(
    ("setting", "value", "check"),
    [
        ("appendonly", "no", "append-only file"),
        ("appendfsync", "no", "append-only file"),
        ("maxmemory-policy", "allkeys-lru", "eviction"),
        ("maxmemory", "900000", "queue's memory"),
    ],
)
def test_queue_that_would_lose_searches(redis: Redis, setting: str, value: str, check: str) -> None:
    keep(redis)
    redis.config_set(setting, value)
    assert states(queue(Settings(redis_url=url(redis))))[check] == "fault"


def test_queue_that_is_away() -> None:
    [found] = queue(Settings(redis_url="redis://:hunter2@127.0.0.1:1/0"))
    assert (found.check, found.state) == ("queue", "fault")


def test_shards_are_weighed_against_each_gpu(database: Database) -> None:
    small, large = Gpu("small", 90, 9_000_000_000), Gpu("large", 75, 80_000_000_000)
    assert states(capabilities([small, large])) == {"GPU 0": "ok", "GPU 1": "fault"}
    # Two shards, a worker each, of which each keeps 2 GiB for everything else.
    each = Memory.of_shard(29, 2).total
    assert 2 << 30 < each < 3 << 30
    assert states(fitting([small], [database])) == {"memory of GPU 0": "ok"}
    assert states(fitting([replace(small, memory=2 * each - 1)], [database])) == {"memory of GPU 0": "warning"}
    assert states(fitting([replace(small, memory=each + 1000), large], [database])) == {
        "memory of GPU 0": "ok",
        "memory of GPU 1": "ok",
    }


def test_memory_of_trembl_is_what_the_manual_says() -> None:
    trembl = Memory.of_shard(86_972_040_633, 248_272_897)
    assert (round(trembl.packed / 1e9, 1), round(trembl.scratch / 1e9, 1)) == (96.2, 14.1)


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert writable("kernel cache", tmp_path / "new" / "kernels", "").state == "ok"
    assert writable("kernel cache", tmp_path / "file" / "kernels", "").state == "fault"
    assert states(machine(Settings(data=tmp_path)))["socket folder"] == "ok"


def doctor(data: Path, *flags: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "worker.cli", "doctor", "--data", str(data), *flags]
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=60
    )


def test_command_says_what_to_do_and_ends_with_its_verdict(database: Database) -> None:
    data = database.path.parents[1]
    well = doctor(data, "--json")
    found: dict[str, Any] = json.loads(well.stdout)
    assert (well.returncode, found["sound"]) == (0, True), well.stdout
    assert {"check": "queue", "state": "ok", "found": "not running: serve starts its own", "advice": ""} in (
        found["findings"]
    )
    Catalog(data).remove("small")
    ill = doctor(data, SHARDWATER_REDIS_URL="redis://:hunter2@127.0.0.1:1/0", COLUMNS="200")
    assert ill.returncode == 1
    assert "build one: shardwater makedb" in ill.stdout
    assert "it does not answer (ConnectionError)" in ill.stdout
    assert "hunter2" not in ill.stdout + ill.stderr


@pytest.mark.parametrize(
    ("name", "value"), [("SHARDWATER_REDIS_URL", "redis://:hunter2@host:port/0"), ("SHARDWATER_PORT", "none")]
)
def test_settings_that_will_not_do_are_a_finding(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    told = CliRunner().invoke(cli, ["doctor", "--json"])
    findings = json.loads(told.stdout)["findings"]
    assert told.exit_code == 1
    assert {finding["check"]: finding["state"] for finding in findings}["settings"] == "fault"
    assert name in findings[-1]["found"]
    assert "hunter2" not in told.output
