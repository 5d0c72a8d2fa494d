"""Sequences are given out of files that were compared with their checksums, and of no others."""

import os
from collections.abc import Iterator
from threading import Event

import pytest

from app.background import database_checks
from app.background.database_checks import Soundness
from app.problems import NotCheckedError
from shardwater.database.database import Database, Progress
from shardwater.database.verified import SETTLED_NS
from shardwater.errors import DatabaseError


@pytest.fixture
def sound() -> Iterator[Soundness]:
    found = Soundness()
    yield found
    found.close()


def overwrite(database: Database) -> None:
    file = database.path / "residues.bin"
    content, before = file.read_bytes(), file.stat()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    # Clocks of file systems are coarse: what is written twice within a moment may have one time.
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + SETTLED_NS))


def test_sound_files_are_read_once(sound: Soundness, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    sound.check(database)
    monkeypatch.setattr(Database, "verify", None)
    sound.check(database)


def test_files_that_are_written_to_are_read_again(sound: Soundness, database: Database) -> None:
    sound.check(database)
    overwrite(database)
    for _ in range(2):
        with pytest.raises(DatabaseError, match=r"residues\.bin: its SHA-256 is not the manifest's"):
            sound.check(database)
    overwrite(database)
    sound.check(database)


def test_request_does_not_wait_for_the_end_of_a_long_reading(
    sound: Soundness, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()

    def read(database: Database, progress: Progress | None = None) -> None:
        go_on.wait()

    monkeypatch.setattr(database_checks, "WAIT_S", 0.01)
    monkeypatch.setattr(database_checks, "verify_once", read)
    with pytest.raises(NotCheckedError, match=r"^the files of database small are being compared with their checksums$"):
        sound.check(database)
    go_on.set()
    monkeypatch.setattr(database_checks, "WAIT_S", 60)
    sound.check(database)


def test_end_of_the_front_end_ends_a_reading(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    sound, begun = Soundness(), Event()

    def read(database: Database, progress: Progress) -> None:
        begun.set()
        while True:
            progress(1, 2)

    monkeypatch.setattr(database_checks, "WAIT_S", 0.01)
    monkeypatch.setattr(database_checks, "verify_once", read)
    with pytest.raises(NotCheckedError):
        sound.check(database)
    begun.wait()
    sound.close()
