"""Catalog: names, versions, the current one, and what it refuses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog, check_label
from shardwater.errors import DatabaseError


def add(data: Path, name: str, version: str, residues: str = "MKV") -> None:
    source = data.parent / "x.fa"
    source.write_text(f">a\n{residues}\n")
    build_database([source], data, name=name, version=version)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    add(tmp_path / "data", "sprot", "v1", "MK")
    add(tmp_path / "data", "sprot", "v2", "MKV")
    add(tmp_path / "data", "pdb", "2024_01")
    return Catalog(tmp_path / "data")


def test_names_versions_and_the_current_one(catalog: Catalog):
    assert catalog.names() == ["pdb", "sprot"]
    assert catalog.versions("sprot") == ["v1", "v2"]
    assert catalog.current_version("sprot") == "v2"
    assert catalog.current("sprot").sequence(0) == b"MKV"
    assert catalog.open("sprot").manifest.version == "v2"
    assert catalog.open("sprot", "v1").sequence(0) == b"MK"


def test_building_an_old_version_again_makes_it_current(catalog: Catalog):
    add(catalog.data, "sprot", "v1", "MK")
    assert catalog.current_version("sprot") == "v1"


def test_current_can_be_switched(catalog: Catalog):
    catalog.make_current("sprot", "v1")
    assert catalog.current_version("sprot") == "v1"
    with pytest.raises(DatabaseError, match="no version 'v3' of database 'sprot'; there are: v1, v2"):
        catalog.make_current("sprot", "v3")


def test_hidden_half_built_and_stray_things_are_ignored(catalog: Catalog):
    (catalog.data / ".trash" / "v1").mkdir(parents=True)
    (catalog.data / "sprot" / ".partial-1").mkdir()
    (catalog.data / "sprot" / "v3").mkdir()
    (catalog.data / "half" / "v1").mkdir(parents=True)
    (catalog.data / "README").write_text("hello")
    (catalog.data / "bad name").mkdir()
    assert catalog.names() == ["pdb", "sprot"]
    assert catalog.versions("sprot") == ["v1", "v2"]


def test_current_that_names_a_version_that_is_gone_is_no_database(catalog: Catalog):
    (catalog.data / "pdb" / "current").write_text("2023_01\n")
    assert catalog.names() == ["sprot"]
    with pytest.raises(DatabaseError, match="no database 'pdb'"):
        catalog.current("pdb")


def test_unknown_things_are_named_with_what_there_is(catalog: Catalog):
    with pytest.raises(DatabaseError, match=r"no database 'nr' in .*; there are: pdb, sprot"):
        catalog.open("nr")
    with pytest.raises(DatabaseError, match="no version 'v9' of database 'sprot'; there are: v1, v2"):
        catalog.open("sprot", "v9")
    with pytest.raises(DatabaseError, match="no database 'nr'"):
        catalog.remove("nr")
    with pytest.raises(DatabaseError, match="there are: none"):
        Catalog(catalog.data / "nowhere").open("nr")


def test_data_folder_that_is_not_there_is_empty(tmp_path: Path):
    assert Catalog(tmp_path / "none").names() == []


def test_what_goes_while_it_is_looked_through_is_empty(catalog: Catalog, monkeypatch: pytest.MonkeyPatch):
    look, away = Path.iterdir, catalog.data.with_name("away")

    def looking(folder: Path) -> Iterator[Path]:
        folder.rename(away)
        return look(folder)

    monkeypatch.setattr(Path, "iterdir", looking)
    assert catalog.versions("sprot") == []
    away.rename(catalog.data / "sprot")
    assert catalog.names() == []


def test_old_version_is_removed(catalog: Catalog):
    catalog.remove("sprot", "v1")
    assert catalog.versions("sprot") == ["v2"]
    assert sorted(path.name for path in (catalog.data / "sprot").iterdir()) == ["current", "v2"]


def test_current_version_is_not_removed_while_there_are_others(catalog: Catalog):
    with pytest.raises(DatabaseError, match="'v2' is the current one of 'sprot'; make another current first"):
        catalog.remove("sprot", "v2")
    assert catalog.versions("sprot") == ["v1", "v2"]


def test_last_version_and_whole_database_are_removed(catalog: Catalog):
    catalog.remove("pdb", "2024_01")
    catalog.remove("sprot")
    assert catalog.names() == []
    assert list(catalog.data.iterdir()) == []


def test_open_database_stays_readable_when_it_is_removed(catalog: Catalog):
    database = catalog.open("pdb")
    catalog.remove("pdb")
    assert database.sequence(0) == b"MKV"


@pytest.mark.parametrize("label", ["a", "UniProt_2024.01-x", "9" * 64])
def test_good_labels(label: str):
    assert check_label("name", label) == label


@pytest.mark.parametrize("label", ["", ".a", "-a", "a b", "a/b", "..", "é", "a\n", "a" * 65, "a@b"])
def test_bad_labels(catalog: Catalog, label: str):
    for call in (catalog.open, catalog.versions, catalog.remove, lambda bad: check_label("version", bad)):
        with pytest.raises(DatabaseError, match="is not allowed"):
            call(label)
    with pytest.raises(DatabaseError, match="is not allowed"):
        catalog.open("sprot", label or ".")
