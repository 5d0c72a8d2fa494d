"""Databases with members behind representatives: built, read, damaged, and searched as without them."""

import gzip
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.joined import Joined
from shardwater.database.manifest import DTYPES, MEMBER_DTYPES, MEMBER_TAXA_DTYPES, TAXA_DTYPES
from shardwater.database.runs import Budgets
from shardwater.database.taxa import Organism
from shardwater.database.taxa_files import TaxonSources
from shardwater.engines.engine import Engine
from shardwater.errors import AlignError, DatabaseError
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record
from tests.support.databases import TINY
from tests.support.taxonomies import write_taxonomy

RECORDS = (
    ("a of all OS=Homo sapiens OX=9606", "MKVLAWUU"),
    ("sp|P12345|B_C OX=63221", "MKVLAWYO"),
    ("c short OX=562", "MK"),
    ("d OX=562", "WWHWWUU"),
    ("e long OX=9598", "MKVLAWYHHHHHHHHHHHHHHHHHHHHHHHHHHH"),
    ("f OX=10090", "MKV"),
    ("g", "WWHWW"),
    ("h OX=562", "WW"),
)
TABLE = "a\ta\na\tP12345\nd\td\nd\tg\nd\th\na\tc\na\te\n"
"""a stands for b, c and e, and d for g and h; f is not in it."""


def build(
    folder: Path,
    table: str | bytes | None = TABLE,
    records: Sequence[tuple[str, str]] = RECORDS,
    budgets: Budgets = Budgets(),  # noqa: B008 frozen
    sources: TaxonSources = TaxonSources(),  # noqa: B008 frozen
) -> Database:
    folder.mkdir(exist_ok=True)
    (folder / "records.fa").write_text("".join(f">{header}\n{letters}\n" for header, letters in records))
    path = None if table is None else folder / "members.tsv"
    if path is not None:
        path.write_bytes(table if isinstance(table, bytes) else (table or "").encode())
    data = folder / "data"
    build_database([folder / "records.fa"], data, name="db", clusters=path, taxon_sources=sources, budgets=budgets)
    return Catalog(data).current("db")


def content(database: Database, names: Sequence[str]) -> dict[str, bytes]:
    return {name: (database.path / name).read_bytes() for name in names}


def test_members_stand_behind_their_representatives_the_shortest_first(tmp_path: Path) -> None:
    database = build(tmp_path)
    database.verify()
    assert [database.accession(subject) for subject in range(len(database))] == ["f", "d", "a"]
    members = database.members_of([2, 0, 1])
    assert members.subjects.tolist() == [2, 2, 2, 1, 1]
    assert members.lengths.tolist() == [2, 8, 34, 2, 5]
    assert members.names_of_all(range(5)) == [
        ("c", "short OX=562"),
        ("sp|P12345|B_C", "OX=63221"),
        ("e", "long OX=9598"),
        ("h", "OX=562"),
        ("g", ""),
    ]
    assert members.sequences([4, 0]) == [b"WWHWW", b"MK"]
    manifest = database.manifest
    assert (manifest.format, manifest.members, manifest.member_residues) == (3, 5, 51)


@pytest.mark.parametrize("subjects", [[-1], [3], [0, 3]])
def test_members_of_subjects_that_there_are_not_are_refused(tmp_path: Path, subjects: list[int]) -> None:
    with pytest.raises(IndexError):
        build(tmp_path).members_of(subjects)


@pytest.mark.parametrize("budgets", [TINY, replace(TINY, subjects=1, merge=1, run=1), Budgets()])
def test_files_of_subjects_are_those_of_a_database_of_the_representatives_alone(
    tmp_path: Path, budgets: Budgets
) -> None:
    sources = TaxonSources(None, write_taxonomy(tmp_path / "taxdump"))
    clustered = build(tmp_path / "clustered", budgets=budgets, sources=sources)
    alone = build(tmp_path / "alone", None, [RECORDS[0], RECORDS[3], RECORDS[5]], sources=sources)
    names = [*DTYPES, *TAXA_DTYPES]
    assert content(clustered, names) == content(alone, names)
    assert clustered.manifest.replaced == alone.manifest.replaced == {"U": 4}
    assert clustered.manifest.checksum != alone.manifest.checksum


@pytest.mark.parametrize("run", [1, 900, 3000, 10_000])
def test_small_memory_gives_the_same_members(tmp_path: Path, run: int) -> None:
    records = [(f"s{number}", "MKVLAWYHGG"[: 1 + 7 * number % 10]) for number in range(60)]
    table = "".join(f"s{number % 7}\ts{number}\n" for number in range(60) if number % 5)
    names = [*MEMBER_DTYPES]
    tiny = build(tmp_path / "tiny", table, records, replace(TINY, run=run))
    whole = build(tmp_path / "whole", table, records)
    tiny.verify()
    assert content(tiny, names) == content(whole, names)
    assert tiny.manifest.version == whole.manifest.version
    members = whole.members_of(range(len(whole)))
    found = zip(members.subjects.tolist(), members.names_of_all(range(len(members))), strict=True)
    named = {(whole.accession(subject), name) for subject, (name, _) in found}
    assert named == {(f"s{number % 7}", f"s{number}") for number in range(60) if number % 5 and number != number % 7}


def test_a_search_finds_what_it_finds_among_the_representatives_alone(engine: Engine, tmp_path: Path) -> None:
    queries = [Record("q", b"MKVLAWY"), Record("p", b"WWHWW")]
    found = []
    for each in (build(tmp_path / "1"), build(tmp_path / "2", None, [RECORDS[0], RECORDS[3], RECORDS[5]])):
        engine.load(each.shard(0, 1))
        found.append(find_hits(engine, each.shard(0, 1), queries, Parameters(evalue=1e9)))
    assert found[0] == found[1]
    assert {hit.accession for hit in found[0].queries[0]} == {"a", "d", "f"}


@pytest.mark.parametrize(
    "table",
    [
        TABLE.replace("\n", "\r\n").encode(),
        gzip.compress(TABLE.encode(), mtime=0),
        b"\n" + TABLE.encode() + b"a\tc\n\n",
        b"d\th\na\te\nd\tg\na\tsp|P12345|B_C\na\tc",
    ],
    ids=["carriage returns", "gzip", "empty lines", "another order"],
)
def test_tables_that_say_the_same_make_the_same(tmp_path: Path, table: bytes) -> None:
    assert build(tmp_path / "one", table).manifest.version == build(tmp_path / "other").manifest.version


def test_without_members_the_database_is_as_it_was_before_there_were_any(tmp_path: Path) -> None:
    database = build(tmp_path / "one", "a\ta\nd\td\n")
    plain = build(tmp_path / "other", None)
    assert content(database, ["manifest.json", *DTYPES]) == content(plain, ["manifest.json", *DTYPES])
    assert "member" not in (database.path / "manifest.json").read_text()
    members = database.members_of([0, 1])
    assert (len(members), members.lengths.tolist(), members.names_of_all([]), members.sequences([])) == (0, [], [], [])
    assert members.organisms([], []) == []


@pytest.mark.parametrize(
    ("table", "detail"),
    [
        ("a\tc\na\tnobody\n", "line 2, column 3: no sequence has the accession 'nobody', or several have"),
        ("sp|P12345|B_C\tc\nno\tc\n", "line 2, column 1: no sequence has the accession 'no', or several have"),
        ("a\tc\nd\tg\nd\tc\n", "line 3, column 3: the member 'c' is a member of another cluster"),
        ("a\tc\nd\tg\nd\tc\nf\tg\n", "line 3, column 3: the member 'c' is a member of another cluster"),
        ("a\tc\nc\tg\n", "line 2, column 1: the representative 'c' is a member of another cluster"),
        ("c\tg\na\tc\n", "line 2, column 3: the member 'c' represents a cluster of its own"),
        ("a\tc\nd\n", "line 2, column 2: a representative, a tab and a member are needed"),
        ("a\t\n", "line 1, column 3: a representative, a tab and a member are needed"),
        ("\tc\n", "line 1, column 1: a representative, a tab and a member are needed"),
        ("a\tc\t0.9\n", "line 1, column 4: a representative, a tab and a member are needed"),
        ("a\tc\na\t\x1bg\n", "line 2, column 3: a control character"),
        ("a\tc\na\t" + "g" * 65_536 + "\n", "line 2: more than 65,536 bytes"),
        (
            "a\t" + "g" * 100 + "\n",
            "line 1, column 3: no sequence has the accession '" + "g" * 80 + "', or several have",
        ),
        ("\n", "no cluster in it"),
    ],
)
@pytest.mark.parametrize("block", [1 << 20, 4])
def test_a_table_that_is_none_is_told_by_file_line_and_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, detail: str, block: int
) -> None:
    monkeypatch.setattr("shardwater.database.line_files.BLOCK", block)
    with pytest.raises(AlignError) as told:
        build(tmp_path, table)
    assert str(told.value) == f"{tmp_path / 'members.tsv'}: {detail}"
    assert not (tmp_path / "data").exists()


def test_clusters_of_nucleotides_and_files_that_are_not_there_are_refused_before_any_reading(tmp_path: Path) -> None:
    (tmp_path / "x.fa").write_text(">a\nno protein: 1\n")
    with pytest.raises(DatabaseError, match="clusters are of proteins"):
        build_database([tmp_path / "x.fa"], tmp_path, name="db", alphabet="dna", clusters=tmp_path / "x.fa")
    with pytest.raises(DatabaseError, match=r"members\.tsv: no such file"):
        build_database([tmp_path / "x.fa"], tmp_path, name="db", clusters=tmp_path / "members.tsv")


def test_an_accession_that_a_member_repeats_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AlignError, match=r"duplicate accession 'c' \(first at .* line 5\)"):
        build(tmp_path, records=[*RECORDS, ("c", "MKVL")])


def test_members_have_their_organisms(tmp_path: Path) -> None:
    (tmp_path / "map.tsv").write_text("g\t10116\nd\t83333\n")
    database = build(tmp_path, sources=TaxonSources(tmp_path / "map.tsv", write_taxonomy(tmp_path / "taxdump")))
    database.verify()
    members = database.members_of([2, 1])
    titles = [title for _, title in members.names_of_all(range(5))]
    assert members.organisms(range(5), titles) == [
        Organism(562, "Escherichia coli"),
        Organism(9606, "Homo sapiens"),
        Organism(9598, "Pan troglodytes"),
        Organism(562, "Escherichia coli"),
        Organism(10116, "Rattus norvegicus"),
    ]
    assert members.organisms([4], [titles[4]]) == [Organism(10116, "Rattus norvegicus")]
    # What descends from what is that of subjects: a search for taxa is of these.
    assert database.taxa is not None
    assert database.taxa.among([10116, 9598, 83333]) == {83333}


@pytest.mark.parametrize("name", [*MEMBER_DTYPES, *MEMBER_TAXA_DTYPES])
def test_damaged_files_of_members_are_noticed_but_by_searches(tmp_path: Path, name: str) -> None:
    database = build(tmp_path)
    letters = bytearray((database.path / name).read_bytes())
    letters[-1] = 0xFF
    (database.path / name).write_bytes(letters)
    damaged = Database.open(database.path)
    with pytest.raises(DatabaseError, match=f"{name}: its SHA-256"):
        damaged.verify()
    damaged.verify_subjects()
    assert len(damaged.shard(0, 1)) == 3
    if name not in ("member_names.bin", "member_residues.bin", *MEMBER_TAXA_DTYPES):
        with pytest.raises(DatabaseError, match=r"member_\w+\.bin"):
            members = damaged.members_of([0, 1, 2])
            places = range(len(members))
            members.sequences(places)
            members.names_of_all(places)
    if name not in ("member_names.bin", "member_residues.bin", "member_taxon_labels.bin"):
        assert damaged.members is not None
        with pytest.raises(DatabaseError, match=r"member_\w+\.bin"):
            damaged.members.check()
    (database.path / name).write_bytes(letters[:-1])
    with pytest.raises(DatabaseError, match=name):
        Database.open(database.path)


def test_letters_of_a_member_that_are_none_are_not_given_out(tmp_path: Path) -> None:
    database = build(tmp_path)
    (database.path / "member_residues.bin").write_bytes(b"\xd4" * 51)
    with pytest.raises(DatabaseError, match=r"member_residues\.bin"):
        Database.open(database.path).members_of([2]).sequences([0])


def test_members_of_several_databases_follow_each_other(tmp_path: Path) -> None:
    one, other = build(tmp_path / "one"), build(tmp_path / "other", "c\th\n")
    joined = Joined.of([one, build(tmp_path / "none", None), other])
    found = joined.members_of([11, 2, 12, 5])
    assert [members.subjects.tolist() for members in found] == [[2, 2, 2], [11]]
    assert [members.names_of_all([0]) for members in found] == [[("c", "short OX=562")], [("h", "OX=562")]]
    with pytest.raises(IndexError):
        joined.members_of([99])


def test_a_manifest_whose_members_contradict_each_other_is_refused(tmp_path: Path) -> None:
    database = build(tmp_path)
    manifest = database.manifest
    for changes in ({"members": 0}, {"members": 52}, {"members": 4}, {"member_taxa": 0}, {"member_residues": -1}):
        (database.path / "manifest.json").write_text(replace(manifest, **changes).to_json())
        with pytest.raises(DatabaseError):
            Database.open(database.path)
    assert np.array_equal(database.lengths, [3, 7, 8])
