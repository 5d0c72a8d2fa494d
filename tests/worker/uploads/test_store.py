"""Uploads that are kept: each owner's own, equal ones once, for their time, within bounds, whatever crashes leave."""

import os
import threading
import time
from pathlib import Path

import pytest
from redis import Redis

from shardwater.errors import LimitExceeded
from tests.support.server import until
from worker.access.callers import Caller
from worker.jobs.clock import server_time
from worker.jobs.folders import StorageFull
from worker.settings import Settings
from worker.uploads.incoming import Sent
from worker.uploads.limits import UploadNotFound
from worker.uploads.store import LEFT_S, Kept, Uploads

FASTA = b">a\nMKVLAAG\n"
ANN, BOB, BOSS = (
    Caller("ann", frozenset({"search"}), "owner ann"),
    Caller("bob", frozenset({"search"}), "owner bob"),
    Caller("boss", frozenset({"admin"}), "owner boss"),
)


def made(redis: Redis, folder: Path, **settings: int) -> Uploads:
    return Uploads(Settings(work=str(folder / "work"), **settings), redis)  # type: ignore[arg-type]


def keep_new(uploads: Uploads, body: bytes = FASTA) -> Kept:
    incoming = uploads.begin(Sent())
    try:
        incoming.take(body)
        return uploads.keep_new(incoming.finish())
    finally:
        incoming.discard()


def files(folder: Path) -> list[str]:
    return sorted(path.suffix for path in (folder / "work").rglob("*") if path.is_file() and path.name != "lock")


@pytest.fixture
def uploads(redis: Redis, tmp_path: Path) -> Uploads:
    return made(redis, tmp_path, retention_s=1000)


def test_upload_is_kept_with_what_is_known_of_it(uploads: Uploads, redis: Redis, tmp_path: Path) -> None:
    ann = uploads.of(ANN)
    kept = keep_new(ann)
    assert kept.reused is False
    assert (kept.upload.kind, kept.upload.records, kept.upload.letters, kept.upload.bytes) == ("protein", 1, 7, 11)
    assert kept.upload.expires == kept.upload.created + 1000
    assert abs(server_time(redis) - kept.upload.created) < 60
    assert ann.get(kept.upload.id) == kept.upload
    assert ann.text(kept.upload.id).read_bytes() == FASTA
    assert files(tmp_path) == [".json", ".seq"]
    # Nobody else on the machine reads it.
    assert (tmp_path / "work" / "uploads").stat().st_mode & 0o077 == 0


def test_all_stand_when_redis_has_lost_its_data(uploads: Uploads, redis: Redis) -> None:
    kept = keep_new(uploads.of(ANN)).upload
    redis.flushall()
    assert uploads.of(ANN).get(kept.id) == kept
    assert uploads.of(ANN).all() == [kept]


def test_equal_upload_of_an_owner_is_the_same_and_kept_anew(uploads: Uploads, tmp_path: Path) -> None:
    first = keep_new(uploads.of(ANN))
    again = keep_new(uploads.of(ANN))
    assert (again.reused, again.upload.id) == (True, first.upload.id)
    assert again.upload.expires > first.upload.expires
    assert files(tmp_path) == [".json", ".seq"]
    other = keep_new(uploads.of(BOB))
    assert (other.reused, other.upload.id != first.upload.id) == (False, True)


def test_equal_uploads_at_once_are_one(uploads: Uploads, tmp_path: Path) -> None:
    kept: list[Kept] = []
    threads = [threading.Thread(target=lambda: kept.append(keep_new(uploads.of(ANN)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each.upload.id for each in kept}) == 1
    assert sorted(each.reused for each in kept) == [False] + 7 * [True]
    assert files(tmp_path) == [".json", ".seq"]


def test_each_owner_sees_his_own_and_admins_all(uploads: Uploads) -> None:
    mine, theirs = keep_new(uploads.of(ANN)).upload, keep_new(uploads.of(BOB)).upload
    assert uploads.of(ANN).all() == [mine]
    for act in (uploads.of(ANN).get, uploads.of(ANN).text, uploads.of(ANN).delete):
        with pytest.raises(UploadNotFound):
            act(theirs.id)
    assert uploads.of(BOSS).all() == [theirs, mine]
    assert uploads.of(BOSS).get(mine.id) == mine
    uploads.of(BOSS).delete(mine.id)
    assert uploads.of(ANN).all() == []


@pytest.mark.parametrize("name", ["", "upload-", "../../lock", "upload-/../x", "upload-" + "W" * 34, "W" * 34])
def test_name_that_never_was_leads_nowhere(uploads: Uploads, name: str) -> None:
    keep_new(uploads)
    with pytest.raises(UploadNotFound):
        uploads.get(name)


def test_deleted_upload_leaves_nothing(uploads: Uploads, tmp_path: Path) -> None:
    kept = keep_new(uploads).upload
    uploads.delete(kept.id)
    assert files(tmp_path) == []
    with pytest.raises(UploadNotFound):
        uploads.delete(kept.id)


def test_upload_is_gone_when_its_time_is_over_unless_it_is_kept(redis: Redis, tmp_path: Path) -> None:
    brief = made(redis, tmp_path, retention_s=1)
    gone, stays = keep_new(brief).upload, keep_new(brief, b">b\nMK\n").upload
    longer = brief.keep(stays.id, 500)
    assert longer.expires > stays.expires
    # What is asked for last does not shorten it.
    assert brief.keep(stays.id, 5) == longer
    until(lambda: server_time(redis) >= gone.expires)
    with pytest.raises(UploadNotFound):
        brief.get(gone.id)
    assert brief.all() == [longer]
    brief.sweep()
    assert files(tmp_path) == [".json", ".seq"]
    assert brief.text(stays.id).read_bytes() == b">b\nMK\n"


def test_what_a_crash_left_is_removed_by_its_age_whatever_redis_clock_says(
    redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = made(redis, tmp_path, retention_s=4 * LEFT_S)
    kept = keep_new(uploads).upload
    folder = uploads.text(kept.id).parent
    incoming = tmp_path / "work" / "uploads" / "incoming"
    old = time.time() - LEFT_S - 60
    ahead = int(time.time() + 2 * LEFT_S)
    monkeypatch.setattr(redis, "time", lambda: (ahead, 0))
    for path in (incoming / "old", folder / "old.seq", folder / "old.json", incoming / "new", folder / "new.seq"):
        path.write_text("half of it")
        if path.stem == "old":
            os.utime(path, (old, old))
    os.utime(uploads.text(kept.id), (old, old))
    uploads.sweep()
    left = {path.name for path in (tmp_path / "work").rglob("*") if path.is_file()}
    assert left == {"lock", "new", "new.seq", f"{kept.id}.seq", f"{kept.id}.json"}


def test_upload_whose_files_are_not_whole_is_none(uploads: Uploads) -> None:
    without_text, damaged, fine = (keep_new(uploads, b">a\n" + letter + b"\n").upload for letter in (b"M", b"K", b"V"))
    text = uploads.text(without_text.id)
    text.unlink()
    text.with_name(f"{damaged.id}.json").write_bytes(b"\0\0")
    assert uploads.all() == [fine]
    for each in (without_text, damaged):
        with pytest.raises(UploadNotFound):
            uploads.get(each.id)


@pytest.mark.parametrize(
    ("settings", "name", "actual"),
    [
        ({"max_owner_uploads": 1}, "max_owner_uploads", 2),
        ({"max_owner_upload_bytes": 16}, "max_owner_upload_bytes", 17),
    ],
)
def test_owner_has_bounds_of_his_own(
    redis: Redis, tmp_path: Path, settings: dict[str, int], name: str, actual: int
) -> None:
    uploads = made(redis, tmp_path, **settings)
    keep_new(uploads.of(ANN))
    with pytest.raises(LimitExceeded) as caught:
        keep_new(uploads.of(ANN), b">b\nMK\n")
    assert (caught.value.name, caught.value.actual) == (name, actual)
    assert keep_new(uploads.of(ANN)).reused is True
    assert keep_new(uploads.of(BOB), b">b\nMK\n").reused is False
    assert files(tmp_path) == 2 * [".json"] + 2 * [".seq"]


def test_all_together_have_a_bound(redis: Redis, tmp_path: Path) -> None:
    uploads = made(redis, tmp_path, max_kept_upload_bytes=16)
    keep_new(uploads.of(BOB), b">b\nMK\n")
    with pytest.raises(StorageFull):
        keep_new(uploads.of(ANN))
    assert files(tmp_path) == [".json", ".seq"]


def test_an_owner_has_no_more_than_he_leaves_to_others(redis: Redis, tmp_path: Path) -> None:
    uploads = made(redis, tmp_path, max_kept_upload_bytes=24)
    keep_new(uploads.of(ANN), b">a\nMK\n")
    keep_new(uploads.of(ANN), b">b\nMK\n")
    with pytest.raises(StorageFull):
        keep_new(uploads.of(ANN), b">c\nM\n")
    assert keep_new(uploads.of(BOB), b">c\nMK\n").reused is False


def test_default_folder_stands_beside_the_embedded_servers(tmp_path: Path) -> None:
    assert Settings(data=tmp_path).uploads == tmp_path / ".work" / "uploads"
    assert Settings(data=tmp_path, work="/srv/work").uploads == Path("/srv/work/uploads")


def test_sweep_of_no_folder_makes_none(uploads: Uploads, tmp_path: Path) -> None:
    uploads.sweep()
    assert not (tmp_path / "work").exists()
