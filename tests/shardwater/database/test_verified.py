"""A database is read through once, and again as soon as one of its files is another."""

import os
import shutil

import pytest

from shardwater.database import verified
from shardwater.database.database import Database
from shardwater.database.verified import RECORD, is_verified, verify, verify_once
from shardwater.errors import DatabaseError

THREE = [("a", "MKVLAAGW"), ("b", "DEHHKLMNPQRSTVWY"), ("c", "WWWW")]


@pytest.fixture
def database(build, monkeypatch):
    """Three proteins, whose files count as settled though they are new."""
    monkeypatch.setattr(verified, "SETTLED_NS", -(10**12))
    return build(THREE)


def overwrite(database, name="residues.bin"):
    """Another byte in a file, under the old time of writing."""
    file = database.path / name
    before = file.stat()
    content = file.read_bytes()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def count_readings(monkeypatch):
    """How often databases are read through from now on."""
    readings, read = [], Database.verify

    def counted(database, progress=None):
        readings.append(database.path)
        read(database, progress)

    monkeypatch.setattr(Database, "verify", counted)
    return readings


def test_second_look_reads_nothing(database, monkeypatch):
    assert not is_verified(database)
    readings = count_readings(monkeypatch)
    verify_once(database)
    assert is_verified(database)
    verify_once(database)
    assert len(readings) == 1
    verify(database)
    assert len(readings) == 2


@pytest.mark.parametrize("name", ["residues.bin", "lengths.bin", "names.bin", "accession_hashes.bin"])
def test_byte_that_is_written_later_is_found_even_under_the_old_time(database, name):
    verify_once(database)
    overwrite(database, name)
    assert not is_verified(database)
    with pytest.raises(DatabaseError, match=rf"{name}: its SHA-256 is not the manifest's"):
        verify_once(database)
    # What was recorded before is not worth anything now either.
    assert not is_verified(database)


def test_progress_counts_the_bytes_that_are_read(database):
    seen = []
    verify_once(database, lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 0


def test_files_that_have_just_changed_are_not_recorded(database, monkeypatch):
    monkeypatch.setattr(verified, "SETTLED_NS", 10**12)
    verify_once(database)
    assert not (database.path / RECORD).exists()


def test_file_that_is_written_while_it_is_read_is_not_recorded_as_it_is_then(database, monkeypatch):
    read = Database.verify

    def slow(database, progress=None):
        read(database, progress)
        overwrite(database)

    monkeypatch.setattr(Database, "verify", slow)
    verify_once(database)
    assert not is_verified(database)


def test_folder_that_cannot_be_written_is_read_each_time(database, monkeypatch):
    def refuse(path, text):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(verified, "replace_text", refuse)
    readings = count_readings(monkeypatch)
    verify_once(database)
    verify_once(database)
    assert len(readings) == 2


def test_copy_is_read_anew(database):
    verify_once(database)
    copy = database.path.with_name("copy")
    shutil.copytree(database.path, copy)
    assert (copy / RECORD).exists()
    assert not is_verified(Database.open(copy))


@pytest.mark.parametrize("text", ["", "{}", "[" * 10_000, '{"checksum": null, "files": []}', "\xff", "1" * 10_000])
def test_record_that_is_damaged_counts_as_none(database, text):
    verify_once(database)
    (database.path / RECORD).write_bytes(text.encode("latin-1"))
    assert not is_verified(database)
    verify_once(database)
    assert is_verified(database)


def test_manifest_with_another_checksum_is_refused(database):
    verify_once(database)
    manifest = database.path / "manifest.json"
    manifest.write_text(manifest.read_text().replace(database.manifest.checksum, "0" * 64))
    with pytest.raises(DatabaseError, match="the checksum is not that of the files"):
        verify_once(Database.open(database.path))


@pytest.mark.parametrize("damage", [lambda content: b"W" + content[1:], lambda content: content[:-1]])
def test_content_that_was_damaged_is_put_in_its_place_again(build, damage):
    first = build(THREE)
    file = first.path / "residues.bin"
    before = file.read_bytes()
    file.write_bytes(damage(before))
    again = build(THREE)
    assert (again.path, file.read_bytes()) == (first.path, before)
    again.verify()
    assert [path.name for path in first.path.parent.iterdir() if path.name.startswith(".")] == []
