"""Database: reading, shards, and what open() and verify() notice."""

import json
from pathlib import Path

import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.manifest import DTYPES
from shardwater.errors import DatabaseError

TEXT = b">gi|1|sp|P02232.2|LGB1 globin  one \nMKVLA\n>b\nMK\n>c caf\xe9 \x01two\nMkV\n>d\nACDUXACDUX\n>e\nMKO\n"


@pytest.fixture
def database(tmp_path: Path) -> Database:
    (tmp_path / "x.fa").write_bytes(TEXT)
    build_database([tmp_path / "x.fa"], tmp_path / "data", name="db", title="Five", version="v1", shards=2)
    return Catalog(tmp_path / "data").current("db")


def test_subject_is_found_by_its_whole_first_word(database: Database):
    assert [database.accession(subject) for subject in range(5)] == ["b", "c", "e", "gi|1|sp|P02232.2|LGB1", "d"]
    assert [database.find(word) for word in ("gi|1|sp|P02232.2|LGB1", "P02232.2", "P02232")] == [3, 3, 3]
    assert [database.find(word) for word in ("LGB1", "", "B", "é", "\udc80")] == [None] * 5


UNIPROT = (
    b">sp|P12345|A_B one\nM\n>tr|A0A024R161|C_D\nMK\n>sp|P12345-2|A_B\nMKV\n>sp|Q00001|E_F\nMKVL\n"
    b">tr|Q00001|E_F\nMKVLA\n>P00002\nMKVLAA\n>sp|P00002|G_H\nMKVLAAG\n"
)


def test_uniprots_subjects_are_found_by_what_stands_between_the_bars(tmp_path: Path):
    (tmp_path / "x.fa").write_bytes(UNIPROT)
    build_database([tmp_path / "x.fa"], tmp_path / "data", name="db")
    database = Catalog(tmp_path / "data").current("db")
    names = [database.accession(subject) for subject in range(7)]
    assert [database.find(name) for name in names] == list(range(7))
    assert [database.find(word) for word in ("P12345", "A0A024R161", "P12345-2", "P00002")] == [0, 1, 2, 5]
    # Two have the third; of a name no part is a key.
    assert [database.find(word) for word in ("Q00001", "A_B", "sp|P12345", "sp", "P1234")] == [None] * 5


def test_subjects_are_found_without_their_version_if_only_one_has_the_accession(tmp_path: Path):
    names = ["NC_002505.1", "NC_002506.1", "NC_002506.2", "NZ_CP012345.10", "JAAABC010000001.1", "AF12345", "gene.1"]
    names += ["gi|15640032|ref|NC_002507.1|", "gi|15640033|ref|NC_002508|", "gi|x|ref|NC_002509.1|"]
    (tmp_path / "x.fa").write_text("".join(f">{name}\n{'M' * number}\n" for number, name in enumerate(names, 1)))
    build_database([tmp_path / "x.fa"], tmp_path / "data", name="db")
    database = Catalog(tmp_path / "data").current("db")
    assert [database.find(name) for name in names] == list(range(10))
    assert [database.find(word) for word in ("NC_002507.1", "NC_002507", "NC_002508")] == [7, 7, 8]
    assert [database.find(word) for word in ("NC_002505", "NZ_CP012345", "JAAABC010000001")] == [0, 3, 4]
    assert [database.find(word) for word in ("NC_002506", "NC_002505.2", "AF12345.1", "gene", "NC_002509.1")] == [
        None
    ] * 5


def test_a_database_whose_index_has_whole_accessions_alone_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "x.fa").write_bytes(UNIPROT)
    monkeypatch.setattr("shardwater.database.accessions.key_of", lambda accession: accession)
    build_database([tmp_path / "x.fa"], tmp_path / "data", name="db")
    database = Catalog(tmp_path / "data").current("db")
    assert [database.find(word) for word in ("sp|P12345|A_B", "P12345", "P00002")] == [0, None, 5]


def test_many_subjects_of_one_key_are_told_apart_without_reading_their_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    alike = b"".join(b">sp|P12345|N%d x\nMK\n" % number for number in range(1000))
    (tmp_path / "x.fa").write_bytes(alike + b"> \t sp|P12345|LAST\nMKV\n>sp|P12345|\xe9\nMKVL\n")
    build_database([tmp_path / "x.fa"], tmp_path / "data", name="db")
    database = Catalog(tmp_path / "data").current("db")
    read: list[int] = []
    headers = Database.headers
    monkeypatch.setattr(Database, "headers", lambda self, each: read.extend(each) or headers(self, each))
    assert [database.find(f"sp|P12345|{name}") for name in ("N7", "N77", "N999", "LAST")] == [7, 77, 999, 1000]
    assert [database.find(word) for word in ("P12345", "sp|P12345|N", "sp|P12345|N1000", "sp|P12345|")] == [None] * 4
    assert len(read) < 10


def test_headers_are_shown_even_when_they_are_no_utf8(database: Database):
    assert database.header(1) == "c caf\u00e9 \x01two"
    assert database.title(1) == "caf\u00e9 \x01two"
    assert database.title(3) == "globin  one"
    assert database.title(0) == ""


def test_numbers_outside_the_database_are_refused(database: Database):
    for subject in (-1, 5):
        for read in (database.header, database.accession, database.title, database.sequence):
            with pytest.raises(IndexError):
                read(subject)


def test_residues_that_are_no_letters_are_not_given_out(database: Database):
    residues = bytearray((database.path / "residues.bin").read_bytes())
    residues[1] = 0xD4
    (database.path / "residues.bin").write_bytes(residues)
    damaged = Database.open(database.path)
    with pytest.raises(DatabaseError, match=r"residues\.bin"):
        damaged.sequence(0)
    assert damaged.sequence(4) == b"ACDUXACDUX"


def test_manifest_is_stable_text_with_every_field(database: Database):
    text = (database.path / "manifest.json").read_text()
    fields = json.loads(text)
    assert text == json.dumps(fields, sort_keys=True, indent=2) + "\n"
    words = "alphabet checksum files format longest name replaced residues shards shortest subjects title version"
    assert sorted(fields) == words.split()
    assert fields["replaced"] == {"O": 1, "U": 2}
    assert fields["files"]["residues.bin"]["bytes"] == 23


@pytest.mark.parametrize("size", [1, 3, 4, 10, 100])
def test_parts_of_a_subject_are_its_sequence(database: Database, size: int):
    for subject in range(5):
        parts = list(database.parts(subject, size))
        assert b"".join(parts) == database.sequence(subject)
        assert all(len(part) == size for part in parts[:-1])
    with pytest.raises(IndexError):
        database.parts(5, size)


def test_shards_are_every_nth_subject(database: Database):
    shard = database.shard(1, 2)
    assert (list(shard.subjects), len(shard), shard.residues) == ([1, 3], 2, 8)
    assert shard.lengths.tolist() == [3, 5]
    assert shard.sequence(1) == b"MKVLA"
    assert [bytes(sequence) for sequence in shard.sequences()] == [b"MkV", b"MKVLA"]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7])
def test_shards_together_are_the_database(database: Database, count: int):
    found = {}
    for index in range(count):
        shard = database.shard(index, count)
        found |= dict(zip(shard.subjects, map(bytes, shard.sequences()), strict=True))
    assert found == {subject: database.sequence(subject) for subject in range(5)}


def test_sequences_are_right_over_chunk_borders(database: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shardwater.database.database._CHUNK", 2)
    assert [bytes(sequence) for sequence in database.shard(0, 1).sequences()] == list(map(database.sequence, range(5)))
    assert [bytes(sequence) for sequence in database.shard(0, 2).sequences()] == [b"MK", b"MKO", b"ACDUXACDUX"]


@pytest.mark.parametrize(("index", "count"), [(2, 2), (-1, 2), (0, 0)])
def test_shard_that_is_none_is_refused(database: Database, index: int, count: int):
    with pytest.raises(DatabaseError, match="no shard"):
        database.shard(index, count)


def test_verify_reads_everything(database: Database):
    seen: list[tuple[int, int]] = []
    database.verify(lambda done, total: seen.append((done, total)))
    total = sum((database.path / name).stat().st_size for name in DTYPES)
    assert seen[-1] == (total, total)


@pytest.mark.parametrize("name", list(DTYPES))
def test_verify_names_the_file_with_a_flipped_bit(database: Database, name: str):
    damaged = bytearray((database.path / name).read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (database.path / name).write_bytes(damaged)
    with pytest.raises(DatabaseError, match=f"{name}: its SHA-256"):
        Database.open(database.path).verify()


@pytest.mark.parametrize("name", list(DTYPES))
def test_open_notices_a_file_that_is_cut_or_missing(database: Database, name: str):
    path = database.path / name
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DatabaseError, match=f"{name}: .* bytes, the manifest says"):
        Database.open(database.path)
    path.unlink()
    with pytest.raises(DatabaseError, match=f"{name}: missing"):
        Database.open(database.path)


def rewrite(database: Database, **changes: object) -> Database:
    path = database.path / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return Database.open(database.path)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": 4}, "database format 4; this program reads formats 1 to 3"),
        ({"format": 2}, "damaged"),
        ({"taxa": 2}, "damaged"),
        ({"subjects": 6}, "not as long as 6 subjects need"),
        ({"files": {}}, "other files"),
        ({"surprise": 1}, "not a database manifest"),
        ({"files": 3}, "not a database manifest"),
        ({"title": "\udcff"}, "its values contradict each other or are none"),
    ],
)
def test_open_refuses_a_manifest_that_is_not_ours(database: Database, changes: dict[str, object], reason: str):
    with pytest.raises(DatabaseError, match=reason):
        rewrite(database, **changes)


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "\ufeff{}"])
def test_open_refuses_text_that_is_no_manifest(database: Database, text: str):
    (database.path / "manifest.json").write_text(text)
    with pytest.raises(DatabaseError, match="not a database manifest"):
        Database.open(database.path)


@pytest.mark.parametrize(
    ("changes", "name"),
    [({"longest": 11}, "lengths.bin"), ({"residues": 24}, "offsets.bin"), ({"checksum": "0"}, "manifest.json")],
)
def test_verify_compares_the_counts(database: Database, changes: dict[str, object], name: str):
    with pytest.raises(DatabaseError, match=name):
        rewrite(database, **changes).verify()


def test_folder_without_manifest_is_no_database(tmp_path: Path):
    with pytest.raises(DatabaseError, match="no database here"):
        Database.open(tmp_path)
