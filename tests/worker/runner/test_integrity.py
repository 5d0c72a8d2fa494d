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


def test_members_of_clusters_are_read_by_a_worker_before_they_are_used(tmp_path: Path) -> None:
    (tmp_path / "x.fa").write_text(">a\nMKVLA\n>b\nMKV\n")
    (tmp_path / "members.tsv").write_text("a\tb\n")
    build_database([tmp_path / "x.fa"], tmp_path / "data", name="db", clusters=tmp_path / "members.tsv")
    database = Catalog(tmp_path / "data").current("db")
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
