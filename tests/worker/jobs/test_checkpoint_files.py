"""What is kept of long pairs, in files: read by whoever aligns the same pair, and by nobody else."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.coded import CodedPair, Report
from shardwater.scoring.table import match_table
from worker.jobs import checkpoint_files
from worker.jobs.checkpoint_files import CheckpointFiles
from worker.jobs.files import JobFiles

PAIR = CodedPair(np.arange(4, dtype=np.uint8), np.zeros(9, np.uint8))
SCHEME = Scheme(match_table(2, -3), 3, 2)
ROWS = {"index": np.arange(3), "h": np.full((3, 900), -7, np.int16)}


@pytest.fixture
def files(tmp_path: Path) -> JobFiles:
    files = JobFiles(tmp_path, 1 << 20)
    files.folder("job").mkdir(parents=True)
    return files


def kept(
    files: JobFiles, pair: CodedPair = PAIR, scheme: Scheme = SCHEME, report: Report = "alignment"
) -> dict[str, object]:
    arrays = CheckpointFiles(files, "job", 0).of(pair, scheme, report).arrays
    return {name: each.tolist() for name, each in arrays.items()}


def test_kept_for_the_same_pair_alone(files: JobFiles, tmp_path: Path) -> None:
    checkpoint = CheckpointFiles(files, "job", 0).of(PAIR, SCHEME, "alignment")
    assert checkpoint.arrays == {}
    checkpoint.save({"end": np.array([7, 8, 9])})
    checkpoint.save(ROWS)
    assert kept(files) == {"end": [7, 8, 9], **{name: each.tolist() for name, each in ROWS.items()}}
    assert kept(files, CodedPair(PAIR.subject, PAIR.query)) == {}
    # The same letters one after the other, cut elsewhere.
    assert kept(files, CodedPair(PAIR.query[:3], np.append(PAIR.query[3:], PAIR.subject))) == {}
    assert kept(files, scheme=Scheme(match_table(2, -3), 3, 2, Mode.GLOBAL)) == {}
    assert kept(files, report="ends") == {}
    CheckpointFiles(files, "job", 0).discard()
    assert (kept(files), list(tmp_path.rglob("*.npz"))) == ({}, [])


def _shorter(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _changed(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def _no_zip(content: bytes) -> bytes:
    return content[content.index(b"\x93NUMPY") :][:200]


def _encrypted(content: bytes) -> bytes:
    flags = content.index(b"PK\1\2") + 8
    return content[:flags] + bytes([content[flags] ^ 1]) + content[flags + 1 :]


@pytest.mark.parametrize("damage", [_shorter, _changed, _no_zip, _encrypted, lambda _: b""])
def test_damaged_files_are_as_none(files: JobFiles, tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    CheckpointFiles(files, "job", 0).of(PAIR, SCHEME, "alignment").save(ROWS)
    [path] = tmp_path.rglob("*.npz")
    path.write_bytes(damage(path.read_bytes()))
    assert kept(files) == {}


def test_no_room_costs_time_alone(files: JobFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_the_way = files.folder("job") / "unfinished"
    in_the_way.write_bytes(b"")
    checkpoint = CheckpointFiles(files, "job", 0).of(PAIR, SCHEME, "alignment")
    checkpoint.save({"end": np.array([1])})
    assert checkpoint.arrays["end"].tolist() == [1]
    in_the_way.unlink()
    monkeypatch.setattr(checkpoint_files, "MOST_BYTES", 100)
    CheckpointFiles(files, "job", 0).of(PAIR, SCHEME, "alignment").save(ROWS)
    assert list(tmp_path.rglob("*.npz")) == []


def test_checkpoints_are_held_to_the_bound_of_all_files(
    files: JobFiles, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    small = JobFiles(tmp_path, 3000)
    checkpoint = CheckpointFiles(small, "job", 0).of(PAIR, SCHEME, "alignment")
    checkpoint.save(ROWS)
    # The same file again takes no more room than before.
    checkpoint.save(ROWS)
    assert len(list(tmp_path.rglob("*.npz"))) == 1
    CheckpointFiles(small, "job", 1).of(PAIR, SCHEME, "alignment").save(ROWS)
    [path] = tmp_path.rglob("*.npz")
    assert "no space is left" in caplog.text
    assert path.parent.name == "0"
    # What is discarded leaves its room to others.
    CheckpointFiles(small, "job", 0).discard()
    CheckpointFiles(small, "job", 1).of(PAIR, SCHEME, "alignment").save(ROWS)
    assert [each.parent.name for each in tmp_path.rglob("*.npz")] == ["1"]


def test_folder_of_a_deleted_job_is_not_made_again(
    files: JobFiles, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    checkpoint = CheckpointFiles(files, "job", 0).of(PAIR, SCHEME, "alignment")
    checkpoint.save(ROWS)
    shutil.rmtree(files.folder("job"))
    checkpoint.save(ROWS)
    assert (list((tmp_path / "kept").iterdir()), caplog.messages) == ([], [])


def test_due_after_some_seconds_and_a_share_of_the_time(files: JobFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(checkpoint_files.time, "monotonic", lambda: now[0])
    checkpoint = CheckpointFiles(files, "job", 0).of(PAIR, SCHEME, "alignment")
    assert not checkpoint.due
    now[0] += checkpoint_files.EVERY_S
    assert checkpoint.due
    keep = JobFiles.keep

    def slow(files: JobFiles, job: str, content: bytes, *path: str) -> None:
        now[0] += 2
        keep(files, job, content, *path)

    monkeypatch.setattr(JobFiles, "keep", slow)
    checkpoint.save(ROWS)
    now[0] += 2 * checkpoint_files.SHARE - 1
    assert not checkpoint.due
    now[0] += 1
    assert checkpoint.due
