"""The folders of jobs: what is kept is counted while other jobs come and go."""

import os
from pathlib import Path
from typing import Any

import pytest

from worker.jobs.files import JobFiles
from worker.jobs.folders import StorageFull

ROOM = 1000


@pytest.fixture
def files(tmp_path: Path) -> JobFiles:
    kept = JobFiles(tmp_path, ROOM)
    kept.keep_part("staying", 0, bytes(400))
    kept.keep_round("going", 1, bytes(599))
    return kept


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
