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

PAIR = CodedPair(np.arange(4, dtype=np.uint8), np.zeros(9, np.uint8))
SCHEME = Scheme(match_table(2, -3), 3, 2)
ROWS = {"index": np.arange(3), "h": np.full((3, 900), -7, np.int16)}


def kept(
    folder: Path, pair: CodedPair = PAIR, scheme: Scheme = SCHEME, report: Report = "alignment"
) -> dict[str, object]:
    arrays = CheckpointFiles(folder, 0).of(pair, scheme, report).arrays
    return {name: each.tolist() for name, each in arrays.items()}


def test_kept_for_the_same_pair_alone(tmp_path: Path) -> None:
    checkpoint = CheckpointFiles(tmp_path, 0).of(PAIR, SCHEME, "alignment")
    assert checkpoint.arrays == {}
    checkpoint.save({"end": np.array([7, 8, 9])})
    checkpoint.save(ROWS)
    folder = tmp_path
    assert kept(folder) == {"end": [7, 8, 9], **{name: each.tolist() for name, each in ROWS.items()}}
    assert kept(folder, CodedPair(PAIR.subject, PAIR.query)) == {}
    # The same letters one after the other, cut elsewhere.
    assert kept(folder, CodedPair(PAIR.query[:3], np.append(PAIR.query[3:], PAIR.subject))) == {}
    assert kept(folder, scheme=Scheme(match_table(2, -3), 3, 2, Mode.GLOBAL)) == {}
    assert kept(folder, report="ends") == {}
    CheckpointFiles(folder, 0).discard()
    assert (kept(folder), list(tmp_path.rglob("*.npz"))) == ({}, [])


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
def test_damaged_files_are_as_none(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    CheckpointFiles(tmp_path, 0).of(PAIR, SCHEME, "alignment").save(ROWS)
    [path] = tmp_path.rglob("*.npz")
    path.write_bytes(damage(path.read_bytes()))
    assert kept(tmp_path) == {}


def test_no_room_costs_time_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    checkpoint = CheckpointFiles(tmp_path / "file", 0).of(PAIR, SCHEME, "alignment")
    checkpoint.save({"end": np.array([1])})
    assert checkpoint.arrays["end"].tolist() == [1]
    monkeypatch.setattr(checkpoint_files, "MOST_BYTES", 100)
    CheckpointFiles(tmp_path, 0).of(PAIR, SCHEME, "alignment").save(ROWS)
    assert list(tmp_path.rglob("*.npz")) == []


def test_folder_of_a_deleted_job_is_not_made_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    job = tmp_path / "job"
    job.mkdir()
    checkpoint = CheckpointFiles(job, 0).of(PAIR, SCHEME, "alignment")
    checkpoint.save(ROWS)
    shutil.rmtree(job)
    checkpoint.save(ROWS)
    assert (list(tmp_path.iterdir()), caplog.messages) == ([], [])


def test_due_after_some_seconds_and_a_share_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(checkpoint_files.time, "monotonic", lambda: now[0])
    checkpoint = CheckpointFiles(tmp_path, 0).of(PAIR, SCHEME, "alignment")
    assert not checkpoint.due
    now[0] += checkpoint_files.EVERY_S
    assert checkpoint.due
    write = checkpoint_files.write_file

    def slow(path: Path, content: bytes) -> None:
        now[0] += 2
        write(path, content)

    monkeypatch.setattr(checkpoint_files, "write_file", slow)
    checkpoint.save(ROWS)
    now[0] += 2 * checkpoint_files.SHARE - 1
    assert not checkpoint.due
    now[0] += 1
    assert checkpoint.due
