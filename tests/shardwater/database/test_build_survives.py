"""build_database when it is killed, interrupted or out of disk, and the memory it takes."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.errors import DatabaseError
from tests.support.databases import TWO, build_tiny


def test_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shardwater.database.storage.DigestedFile._write", fail)
    with pytest.raises(DatabaseError, match="No space left on device"):
        build_tiny(tmp_path, TWO)
    assert not (tmp_path / "data").exists()


def test_interrupt_leaves_nothing(tmp_path: Path):
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_tiny(tmp_path, b">long\n" + b"MKVLA\n" * 500, progress=interrupt)
    assert not (tmp_path / "data").exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from shardwater.database import build
from shardwater.database import runs
from shardwater.database import sorter
point, source, data = sys.argv[1:]
def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)
owners = {"finish": sorter.Sorter, "write_file": sorter, "make_current": build.Catalog}
setattr(owners.get(point, build), point, die)
build.build_database([Path(source)], Path(data), name="db", budgets=runs.Budgets(block=16, run=300, merge=24))
"""


@pytest.mark.parametrize("point", ["write_file", "finish", "write_files", "_install", "make_current"])
def test_killed_build_shows_nothing_and_is_swept_by_the_next(tmp_path: Path, point: str):
    source = tmp_path / "0.fa"
    source.write_bytes(b"".join(b">s%d\nMKV\n" % number for number in range(40)))
    command = [sys.executable, "-c", KILLED, point, str(source), str(tmp_path / "data")]
    killed = subprocess.run(command, cwd=Path(__file__).parents[3], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert list((tmp_path / "data" / "db").glob(".partial-*"))
    assert Catalog(tmp_path / "data").names() == []

    build_tiny(tmp_path, source.read_bytes()).verify()
    assert not list((tmp_path / "data" / "db").glob(".partial-*"))


def test_partial_folder_of_a_living_builder_is_left_alone(tmp_path: Path):
    seen: list[list[str]] = []

    def build_beside(done: int, total: int) -> None:
        if not seen:
            seen.append([])
            (tmp_path / "beside").mkdir()
            (tmp_path / "1.fa").write_bytes(b">other\nMKVLAAA\n")
            build_database([tmp_path / "1.fa"], tmp_path / "data", name="db")

    database = build_tiny(tmp_path, TWO, progress=build_beside)
    assert len(Catalog(tmp_path / "data").versions("db")) == 2
    database.verify()


MEASURED = """
import resource, sys
from pathlib import Path
from shardwater.database.build import build_database
from shardwater.database.runs import Budgets
budgets = Budgets(block=1 << 16, run=1 << 22, merge=1 << 20, subjects=1 << 14)
build_database([Path(sys.argv[1])], Path(sys.argv[2]), name="db", budgets=budgets)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_kib(source: Path, data: Path) -> int:
    command = [sys.executable, "-c", MEASURED, str(source), str(data)]
    return int(subprocess.run(command, cwd=Path(__file__).parents[3], capture_output=True, check=True).stdout)


def test_memory_does_not_grow_with_the_input(tmp_path: Path):
    (tmp_path / "small.fa").write_bytes(TWO)
    with (tmp_path / "short.fa").open("wb") as file:
        file.writelines(b">s%d\nMKVLA\n" % number for number in range(600_000))
    with (tmp_path / "long.fa").open("wb") as file:
        file.writelines([b">a\nMKV\n>long\n", b"ACDEFGHIKLMNPQRS" * (6 << 20), b"\n>b\nMKV\n"])
    least = peak_kib(tmp_path / "small.fa", tmp_path / "data")
    for name in ("short.fa", "long.fa"):
        assert peak_kib(tmp_path / name, tmp_path / "data") < least + 40_000, name
