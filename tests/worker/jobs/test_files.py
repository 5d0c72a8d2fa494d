"""The folders of jobs: what is kept is counted while other jobs come and go."""

import errno
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from shardwater.errors import LimitExceeded
from worker.jobs.files import JobFiles
from worker.jobs.folders import StorageFull
from worker.jobs.room import COUNTED_S, Kept, KeptBytes
from worker.jobs.states import DamagedJob

ROOM = 1000


def keep_first(files: JobFiles, job: str, content: bytes) -> None:
    """Keep the answer of a job's first part."""
    files.folder(job).mkdir(parents=True)
    files.keep_part(job, 0, content)


@pytest.fixture
def files(tmp_path: Path) -> JobFiles:
    kept = JobFiles(tmp_path, ROOM)
    keep_first(kept, "staying", bytes(400))
    kept.keep_round("going", 1, bytes(599))
    # One that has counted nothing yet.
    return JobFiles(tmp_path, ROOM)


def test_everything_kept_counts(files: JobFiles) -> None:
    files.check_room(1)
    with pytest.raises(StorageFull):
        files.check_room(2)
    files.remove("going")
    files.check_room(600)
    with pytest.raises(StorageFull):
        files.check_room(601)


def test_a_job_may_go_while_it_is_counted(files: JobFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    look = os.scandir

    def looking(path: Any) -> Any:
        if str(path).endswith("rounds"):
            monkeypatch.setattr(os, "scandir", look)
            files.remove("going")
        return look(path)

    monkeypatch.setattr(os, "scandir", looking)
    files.check_room(600)
    assert (files.folder("going").exists(), files.rounds("going")) == (False, [])


def test_part_of_a_deleted_job_is_not_kept(files: JobFiles, caplog: pytest.LogCaptureFixture) -> None:
    files.remove("staying")
    with pytest.raises(DamagedJob, match="the files of search staying are gone"):
        files.keep_part("staying", 1, b"late")
    with pytest.raises(DamagedJob), files.writing("staying", "unfinished", "scores"):
        pass
    assert (files.folder("staying").exists(), caplog.messages) == (False, [])


def test_nothing_is_written_into_a_folder_while_it_is_removed(
    files: JobFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = shutil.rmtree

    def emptying(folder: Path, **options: Any) -> None:
        # As a worker that has not heard yet, just before the folder itself goes.
        with pytest.raises(DamagedJob):
            files.keep_part("staying", 1, b"late")
        empty(folder, **options)

    monkeypatch.setattr(shutil, "rmtree", emptying)
    files.remove("staying")
    assert [path.name for path in tmp_path.glob("*/*")] == ["going"]


def test_files_are_looked_at_once_a_minute(files: JobFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, walk, began = [], os.walk, time.monotonic()

    def walking(top: Path) -> Any:
        looked.append(top)
        return walk(top)

    monkeypatch.setattr(os, "walk", walking)
    for _ in range(20):
        files.check_room(1)
    assert len(looked) == 1
    # What this process writes is known at once, what another one writes at the next look.
    files.keep_part("staying", 1, bytes(1))
    with pytest.raises(StorageFull):
        files.check_room()
    files.remove("going")
    keep_first(JobFiles(tmp_path, ROOM), "theirs", bytes(600))
    files.check_room(599)
    monkeypatch.setattr(time, "monotonic", lambda: began + 2 * COUNTED_S)
    with pytest.raises(StorageFull):
        files.check_room()


def test_what_is_accepted_is_reckoned_with_and_what_is_not_is_not(files: JobFiles) -> None:
    files.remove("going")
    files.check_room(600)
    with files.new() as folder:
        (folder.path / "scores").write_bytes(bytes(600))
    files.check_room(600)
    with files.new() as folder:
        (folder.path / "scores").write_bytes(bytes(600))
        folder.give_to("accepted")
        folder.keep()
    with pytest.raises(StorageFull):
        files.check_room()


def test_folders_are_counted_by_one_thread_while_others_go_by_what_is_known(
    files: JobFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.check_room(1)
    walk, began, looked = os.walk, time.monotonic(), []

    def walking(top: Path) -> Any:
        looked.append(top)
        monkeypatch.setattr(time, "monotonic", lambda: began + 4 * COUNTED_S)
        # As another thread would while this one counts.
        files.check_room(1)
        return walk(top)

    monkeypatch.setattr(time, "monotonic", lambda: began + 2 * COUNTED_S)
    monkeypatch.setattr(os, "walk", walking)
    files.check_room(1)
    assert len(looked) == 1


def accept(files: JobFiles, job: str, size: int, account: str) -> None:
    with files.new(account) as folder:
        (folder.path / "copied").write_bytes(bytes(size))
        folder.give_to(job)
        folder.keep()


def test_an_account_keeps_no_more_than_it_leaves_to_others(tmp_path: Path) -> None:
    files = JobFiles(tmp_path, ROOM)
    for number in range(5):
        accept(files, f"anns-{number}", 100, "ann")
    with pytest.raises(StorageFull):
        accept(files, "anns-last", 1, "ann")
    # Others find room, whoever has taken his share, and as front ends that have just started know it, too.
    accept(files, "bobs", 250, "bob")
    with pytest.raises(StorageFull):
        JobFiles(tmp_path, ROOM).check_room(1, "bob")
    JobFiles(tmp_path, ROOM).check_room(125, "cid")
    # What workers keep of a job counts for its account, and nothing does once the job has gone.
    files.keep_part("bobs", 0, bytes(100))
    files.remove("anns-0")
    with pytest.raises(StorageFull):
        files.check_room(1, "bob")
    files.remove("bobs")
    files.check_room(250, "bob")


def test_a_folder_takes_room_when_a_job_gets_it(tmp_path: Path) -> None:
    files = JobFiles(tmp_path, ROOM)
    with files.new("ann") as repeated, files.new("ann") as first, files.new("ann") as second:
        for each in (repeated, first, second):
            (each.path / "copied").write_bytes(bytes(300))
        files.check_room(500, "ann")
        # Another try of the same job takes no more.
        first.give_to("anns")
        first.give_to("anns-again")
        with pytest.raises(StorageFull, match="no space is left"):
            second.give_to("anns-second")
        files.check_room(200, "ann")
    # Redis has accepted none of them.
    files.check_room(500, "ann")
    assert not list(tmp_path.glob("*/*"))


def test_what_is_promised_to_a_job_counts_before_it_is_written(tmp_path: Path) -> None:
    files, job = JobFiles(tmp_path, ROOM), "anns"
    with files.new("ann") as folder:
        (folder.path / "copied").write_bytes(bytes(100))
        with pytest.raises(LimitExceeded, match="job's files is 501, the limit is 500"):
            folder.give_to(job, 401)
    with files.new("ann") as folder:
        (folder.path / "copied").write_bytes(bytes(100))
        folder.give_to(job, 300)
        folder.keep()
    # As others know it, too.
    for each in (files, JobFiles(tmp_path, ROOM)):
        each.check_room(100, "ann")
        with pytest.raises(StorageFull):
            each.check_room(101, "ann")
    files.keep_part(job, 0, bytes(200))
    files.check_room(100, "ann")


def test_a_job_whose_folder_cannot_be_filled_keeps_no_room(tmp_path: Path) -> None:
    files = JobFiles(tmp_path, ROOM)

    def fill(_: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for _ in range(3):
        with pytest.raises(StorageFull), files.new("ann", fill) as folder:
            folder.give_to("anns", 400)
    files.check_room(500, "ann")
    assert not list(tmp_path.glob("*/*"))


def test_a_count_knows_jobs_whose_folders_are_not_there_yet(tmp_path: Path) -> None:
    counted = KeptBytes(tmp_path, ROOM)
    assert counted.take("anns", Kept("ann", 450))
    counted._due = 0
    assert not counted.has_room(51, "ann")
    counted.drop("anns")
    assert counted.has_room(500, "ann")


def test_what_others_have_written_is_not_taken_off_when_it_is_removed(tmp_path: Path) -> None:
    files = JobFiles(tmp_path, ROOM)
    accept(files, "bobs", 100, "bob")
    accept(files, "bobs-other", 300, "bob")
    # As a worker does, in a process of its own.
    JobFiles(tmp_path, ROOM).keep_part("bobs", 0, bytes(900))
    files.remove("bobs")
    files.check_room(200, "bob")
    with pytest.raises(StorageFull):
        files.check_room(201, "bob")


def test_jobs_that_were_accepted_pass_the_bound_so_far_and_no_further(tmp_path: Path) -> None:
    files = JobFiles(tmp_path, ROOM)
    accept(files, "anns", 100, "ann")
    files.keep_part("anns", 0, bytes(1900))
    with pytest.raises(StorageFull, match="no space is left"):
        files.keep_part("anns", 1, bytes(1))
    with pytest.raises(StorageFull, match="no space is left"):
        files.keep_round("anns", 1, bytes(1))
    files.remove("anns")
    files.check_room(500, "ann")


@pytest.mark.parametrize("job", ["", ".", "..", "../victim", "chain-x/../../victim", "/victim", "a\n", "a" * 65, "\0"])
def test_what_is_no_id_leads_nowhere(files: JobFiles, tmp_path: Path, job: str) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    for use in (
        lambda: files.remove(job),
        lambda: files.keep_round(job, 1, b""),
        lambda: files.keep_repeats(job, 1, b""),
        lambda: files.found_size(job, 1),
        lambda: files.folder(job),
    ):
        with pytest.raises(DamagedJob, match="no id"):
            use()
    with files.new() as folder, pytest.raises(DamagedJob, match="no id"):
        folder.give_to(job)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["incoming", "kept", "victim"]
    assert (list(victim.iterdir()), len(list((tmp_path / "kept").iterdir()))) == ([], 2)
