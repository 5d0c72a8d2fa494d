"""A database is sound when a worker takes it, and a byte that is written later is noticed."""

import os
import shutil
from pathlib import Path

import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.verified import is_verified, verify
from shardwater.errors import DatabaseError
from worker.runner.integrity import IntegrityCheck


def write_byte(database: Database, name: str) -> None:
    with (database.path / name).open("r+b") as file:
        byte = file.read(1)
        file.seek(0)
        file.write(bytes([byte[0] ^ 1]))


@pytest.mark.parametrize("name", ["residues.bin", "names.bin", "offsets.bin"])
def test_changed_byte_keeps_a_database_from_being_sealed(database: Database, name: str) -> None:
    IntegrityCheck(database)
    write_byte(database, name)
    with pytest.raises(DatabaseError, match="its SHA-256 is not the manifest's"):
        IntegrityCheck(database)


def test_byte_written_later_breaks_the_seal_even_under_the_old_time(database: Database) -> None:
    integrity = IntegrityCheck(database)
    assert not integrity.broken
    file = database.path / "names.bin"
    before = file.stat()
    write_byte(database, "names.bin")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert integrity.broken


def test_files_that_are_deleted_or_replaced_stay_mapped_as_they_were(database: Database) -> None:
    integrity = IntegrityCheck(database)
    file = database.path / "residues.bin"
    shutil.copy(file, file.with_suffix(".new"))
    file.with_suffix(".new").rename(file)
    assert not integrity.broken
    shutil.rmtree(database.path)
    assert not integrity.broken


@pytest.fixture
def clustered(tmp_path: Path) -> Database:
    (tmp_path / "x.fa").write_text(">a\nMKVLA\n>b\nMKV\n")
    (tmp_path / "members.tsv").write_text("a\tb\n")
    build_database([tmp_path / "x.fa"], tmp_path / "data", name="db", clusters=tmp_path / "members.tsv")
    return Catalog(tmp_path / "data").current("db")


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("name", ["member_residues.bin", "member_lengths.bin"])
def test_members_replaced_before_they_were_read_are_opened_anew(clustered: Database, name: str, recorded: bool) -> None:
    file = clustered.path / name
    sound = file.read_bytes()
    write_byte(clustered, name)
    integrity = IntegrityCheck(clustered)
    file.rename(file.with_suffix(".old"))
    with pytest.raises(DatabaseError, match=rf"{name}: missing"):
        list(integrity.check_members())
    # A removed version ends no worker: none could be started.
    assert not integrity.broken
    file.write_bytes(sound)
    if recorded:
        verify(Database.open(clustered.path))
    with pytest.raises(DatabaseError, match=rf"{name}: replaced"):
        list(integrity.check_members())
    assert integrity.broken
    again = IntegrityCheck(Database.open(clustered.path))
    list(again.check_members())
    assert not again.broken


def test_members_replaced_while_they_are_read_are_not_used(clustered: Database) -> None:
    integrity = IntegrityCheck(clustered)
    reading = integrity.check_members()
    next(reading)
    file = clustered.path / "member_residues.bin"
    shutil.copy(file, file.with_suffix(".new"))
    file.with_suffix(".new").rename(file)
    with pytest.raises(DatabaseError, match="replaced"):
        list(reading)
    assert integrity.broken


def test_members_that_were_read_stay_mapped_as_they_were(clustered: Database) -> None:
    integrity = IntegrityCheck(clustered)
    list(integrity.check_members())
    shutil.rmtree(clustered.path)
    assert not list(integrity.check_members())
    assert not integrity.broken


def test_members_of_clusters_are_read_by_a_worker_before_they_are_used(clustered: Database) -> None:
    database = clustered
    write_byte(database, "member_residues.bin")
    integrity = IntegrityCheck(database)
    assert not is_verified(database)
    with pytest.raises(DatabaseError, match="member_residues"):
        list(integrity.check_members())
    with pytest.raises(DatabaseError, match="member_residues"):
        list(integrity.check_members())
    write_byte(database, "member_residues.bin")
    assert list(integrity.check_members())
    # Once is enough: what is written later breaks the integrity.
    assert not list(integrity.check_members())
    write_byte(database, "member_residues.bin")
    with pytest.raises(DatabaseError, match="member_residues"):
        verify(database)
    write_byte(database, "names.bin")
    with pytest.raises(DatabaseError, match="names"):
        IntegrityCheck(database)
