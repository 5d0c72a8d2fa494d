"""Headers that are not UTF-8 in a build: stored as UTF-8, counted, and never two accessions that become one."""

from pathlib import Path

import pytest

from shardwater.database.build import Recoded, build_database
from shardwater.database.catalog import Catalog
from shardwater.database.runs import Budgets
from shardwater.errors import FastaFormatError
from shardwater.sequences import blocks
from tests.support.databases import build_tiny


@pytest.mark.parametrize("block", [8, 9, 1 << 20])
def test_headers_that_are_not_utf8_are_read_as_windows_1252_and_counted(tmp_path: Path, block: int):
    text = ">p \u00b5\nMK\n".encode() + b";\xe9\n>lat\xe9 x\x80\nMKV\n>lat\xe8 y\nMKVL\n"
    (tmp_path / "x.fa").write_bytes(text)
    built = build_database([tmp_path / "x.fa"], tmp_path, name="db", budgets=Budgets(block=block, header=64, run=300))
    database = Catalog(tmp_path).current("db")
    assert [database.header(subject) for subject in range(3)] == ["p \u00b5", "lat\u00e9 x\u20ac", "lat\u00e8 y"]
    assert [database.find(name) for name in ("lat\u00e9", "lat\u00e8")] == [1, 2]
    assert database.names.tobytes().decode() == "p \u00b5lat\u00e9 x\u20aclat\u00e8 y"
    assert built.recoded == Recoded(2, str(tmp_path / "x.fa"), 2, 4)


def test_accessions_that_are_one_only_as_they_are_stored_are_refused(tmp_path: Path):
    with pytest.raises(FastaFormatError) as caught:
        build_tiny(tmp_path, b">lat\xe9 x\nMK\n", b">b\nMKV\n" + ">lat\u00e9 y\nMKVL\n".encode())
    error = caught.value
    assert (error.file, error.record, error.line) == (str(tmp_path / "1.fa"), 2, 3)
    assert "duplicate accession 'lat\u00e9' (first at" in error.detail


def test_accession_that_an_earlier_version_stored_in_latin_1_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(blocks, "as_utf8", bytes)
    (tmp_path / "x.fa").write_bytes(b">lat\xe9 x\nMK\n>lat\xe8 y\nMKV\n")
    build_database([tmp_path / "x.fa"], tmp_path / "data", name="db")
    database = Catalog(tmp_path / "data").current("db")
    assert database.names.tobytes() == b"lat\xe9 xlat\xe8 y"
    assert [database.find(database.accession(subject)) for subject in range(2)] == [0, 1]
