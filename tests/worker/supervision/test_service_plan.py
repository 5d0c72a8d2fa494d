"""ServicePlan: which workers a data folder needs."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from tests.support.databases import build_tiny
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE, Target
from worker.settings import Settings, SettingsError
from worker.supervision.service_plan import ServicePlan, Site, run_service

Queues = Callable[..., list[str | None]]


class Empty:
    """A queue that nobody waits in, and no worker serves."""

    def alive(self, target: Target) -> list[bool]:
        return [False] * len(target.queues)

    def live_targets(self) -> set[Target]:
        return set()


@pytest.fixture
def queues(tmp_path: Path) -> Queues:
    """queues(devices=0): the queues of the workers that a service over tmp_path/data runs."""

    def found(devices: int = 0, each: int = 1) -> list[str | None]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            site = Site(Settings(data=tmp_path / "data", workers_per_shard=each), listener, devices)
            _, *workers = ServicePlan(site, cast(JobStore, Empty()))()
        assert len({worker.name for worker in workers}) == len(workers)
        return [worker.queue for worker in workers]

    return found


def test_nucleotides_need_no_workers_of_their_own(tmp_path: Path, queues: Queues):
    build_tiny(tmp_path, b">a\nACGT\n", name="chromosomes", alphabet="dna")
    build_tiny(tmp_path, b">a\nMKVL\n>b\nMK\n", name="proteins", version="v1", shards=2)
    assert queues() == ["proteins@v1-0of2", "proteins@v1-1of2"]


def test_a_shard_has_as_many_workers_as_are_asked_for(tmp_path: Path, queues: Queues):
    build_tiny(tmp_path, b">a\nMKVL\n>b\nMK\n", name="proteins", version="v1", shards=2)
    assert sorted(filter(None, queues(each=2))) == ["proteins@v1-0of2"] * 2 + ["proteins@v1-1of2"] * 2
    with pytest.raises(SettingsError, match="1 to 16 are allowed"):
        Settings.from_env({"SHARDWATER_WORKERS_PER_SHARD": "17"})


def test_where_there_is_nothing_to_search_each_gpu_has_a_worker_without_a_database(tmp_path: Path, queues: Queues):
    build_tiny(tmp_path, b">a\nACGT\n", name="chromosomes", alphabet="dna")
    assert queues() == [DEVICE]
    assert queues(devices=2) == [DEVICE, DEVICE]


def test_folder_without_a_database_has_the_same_workers(queues: Queues):
    assert queues() == [DEVICE]


def test_what_stands_for_a_database_of_colabfold_must_be_there(tmp_path: Path):
    build_tiny(tmp_path, b">a\nACGT\n", name="chromosomes", alphabet="dna")
    build_tiny(tmp_path, b">a\nMKVL\n", name="proteins")
    for name in ("none", "chromosomes"):
        settings = Settings(data=tmp_path / "data", colabfold_uniref="proteins", colabfold_env=name)
        with pytest.raises(SettingsError) as caught:
            run_service(settings, with_workers=False)
        needed = "there is no database of proteins of this name, but proteins"
        assert str(caught.value) == f"SHARDWATER_COLABFOLD_ENV is {name!r}: {needed}"
