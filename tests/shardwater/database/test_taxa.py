"""Databases whose subjects have taxids: built, read back, chosen from, damaged."""

from pathlib import Path

import numpy as np
import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.manifest import TAXA_DTYPES
from shardwater.database.taxa import Organism, organism_in
from shardwater.database.taxa_files import TaxonSources
from shardwater.errors import AlignError, DatabaseError
from tests.support.databases import TINY, build_tiny
from tests.support.taxonomies import build_with_taxa, write_taxonomy

RECORDS = (
    ("a OS=Homo sapiens OX=9606", "M"),
    ("b OX=9598", "MK"),
    ("c OX=83333", "MKV"),
    ("d", "MKVL"),
    ("e OX=562", "MKVLA"),
    ("f OX=63221", "MKVLAW"),
    ("g Tax=Nobody knows TaxID=77", "MKVLAWY"),
)


def subjects(database: Database, taxids: list[int], negative: list[int] | None = None) -> list[int]:
    assert database.taxa is not None
    return np.flatnonzero(database.taxa.of(database.taxa.chosen(taxids, negative or []))).tolist()


def test_ancestry_goes_up_to_the_root(tmp_path: Path) -> None:
    taxa = build_with_taxa(tmp_path, RECORDS).taxa
    assert taxa is not None
    found = taxa.ancestry([83333, 63221, 10, 4_000_000_000])
    assert {taxid: (placed.parent, placed.rank) for taxid, placed in found.items()} == {
        83333: (562, "strain"),
        562: (2, "species"),
        2: (1, "superkingdom"),
        1: (None, "no rank"),
        63221: (9606, "merged"),
        9606: (9604, "species"),
        9604: (2759, "family"),
        2759: (1, "superkingdom"),
    }
    assert found[83333].name == "Escherichia coli K-12"


def test_subjects_have_their_taxa_and_names(tmp_path: Path) -> None:
    database = build_with_taxa(tmp_path, RECORDS)
    database.verify()
    titles = [database.title(subject) for subject in range(7)]
    assert database.organisms(range(7), titles) == [
        Organism(9606, "Homo sapiens"),
        Organism(9598, "Pan troglodytes"),
        Organism(83333, "Escherichia coli K-12"),
        None,
        Organism(562, "Escherichia coli"),
        Organism(9606, "Homo sapiens"),
        Organism(77, "Nobody knows"),
    ]
    assert (database.manifest.format, database.manifest.tree, database.taxa.count) == (2, True, 5)


def test_a_taxid_means_all_that_descends_from_it(tmp_path: Path) -> None:
    database = build_with_taxa(tmp_path, RECORDS)
    assert subjects(database, [562]) == [2, 4]
    assert subjects(database, [83333, 9604]) == [0, 1, 2, 5]
    assert subjects(database, [1]) == [0, 1, 2, 4, 5]
    assert subjects(database, [63221]) == [0, 5]
    assert subjects(database, [77]) == [6]
    assert subjects(database, [], [1]) == [3, 6]
    assert subjects(database, [9604], [9606]) == [1]
    assert database.taxa.size(database.taxa.chosen([9604], [])) == (3, 9)


def test_without_a_tree_a_taxid_means_itself(tmp_path: Path) -> None:
    database = build_with_taxa(tmp_path, RECORDS, tree=False)
    assert subjects(database, [562]) == [4]
    assert subjects(database, [9606], []) == [0]
    assert database.organisms([0, 4], [database.title(0), database.title(4)]) == [
        Organism(9606, "Homo sapiens"),
        Organism(562, ""),
    ]
    assert not database.manifest.tree


def test_taxids_that_there_are_not_mean_nothing(tmp_path: Path) -> None:
    database = build_with_taxa(tmp_path, RECORDS)
    assert subjects(database, [5, 4294967295, 0]) == []
    assert subjects(database, [562, 5], [6]) == [2, 4]
    assert database.taxa is not None
    assert database.taxa.among([0, 1, 5, 63221, 9604, 10090]) == {1, 63221, 9604}


def test_small_memory_gives_the_same_files(tmp_path: Path) -> None:
    text = "".join(f">{header}\n{letters}\n" for header, letters in RECORDS).encode()
    sources = TaxonSources(None, write_taxonomy(tmp_path / "taxdump"))
    tiny = build_tiny(tmp_path, text, taxon_sources=sources, budgets=TINY)
    whole = build_with_taxa(tmp_path, RECORDS)
    assert tiny.manifest.checksum == whole.manifest.checksum
    assert [(tiny.path / name).read_bytes() for name in TAXA_DTYPES] == [
        (whole.path / name).read_bytes() for name in TAXA_DTYPES
    ]


def test_without_taxids_the_database_is_as_it_was_before_there_were_any(tmp_path: Path) -> None:
    database = build_with_taxa(tmp_path, [("a", "MK"), ("b OX=0", "M")], tree=False)
    assert (database.manifest.format, database.taxa) == (1, None)
    text = (database.path / "manifest.json").read_text()
    assert "tax" not in text.replace('"name": "taxa"', "")
    assert not [name for name in TAXA_DTYPES if (database.path / name).exists()]
    with pytest.raises(DatabaseError, match="no sequence has a taxid to look up"):
        build_with_taxa(tmp_path, [("a", "MK")])


def test_the_same_sequences_with_other_taxa_are_another_version(tmp_path: Path) -> None:
    plain = build_with_taxa(tmp_path, RECORDS, tree=False)
    with_tree = build_with_taxa(tmp_path, RECORDS)
    assert plain.manifest.version != with_tree.manifest.version


def mapped(folder: Path, text: str, *sources: str) -> Database:
    (folder / "map.tsv").write_text(text)
    (folder / "records.fa").write_text("".join(f">{header}\nMK\n" for header in sources))
    build_database(
        [folder / "records.fa"], folder / "data", name="mapped", taxon_sources=TaxonSources(folder / "map.tsv")
    )
    return Catalog(folder / "data").current("mapped")


def test_a_map_names_taxids_by_accession_over_those_of_headers(tmp_path: Path) -> None:
    headers = ("sp|P12345|A_B OX=1", "NC_002505.1 x", "plain OX=4", "other", "P99999 y", "tr|P99999|Z z")
    text = "P12345\t11\n\nNC_002505 12\r\nnobody\t7\nother\t13\nother\t13\nP99999\t14\nplain\t0\n"
    database = mapped(tmp_path, text, *headers)
    taxids = database.taxa.rows["taxid"][database.taxa.of_subjects]
    assert taxids.tolist() == [11, 12, 4, 13, 14, 0]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("a\t1\nb\n", "map.tsv: line 2: an accession, a tab and a taxid are needed"),
        ("accession\taccession.version\ttaxid\tgi\n", "map.tsv: line 1: an accession, a tab and a taxid are needed"),
        ("a\t4294967296\n", "map.tsv: line 1: an accession, a tab and a taxid are needed"),
        ("a\t-1\n", "map.tsv: line 1: an accession, a tab and a taxid are needed"),
        ("a\t1\nb\t1\na\t2\n", "map.tsv: line (1|3): another taxid for 'a' than"),
        ("c\t1\n", "map.tsv: no accession in it is one of the sequences'"),
    ],
)
def test_a_map_that_is_none_is_told_by_file_and_line(tmp_path: Path, text: str, detail: str) -> None:
    with pytest.raises(AlignError, match=detail):
        mapped(tmp_path, text, "a", "b")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", TAXA_DTYPES)
def test_damaged_files_of_taxa_are_noticed(tmp_path: Path, name: str) -> None:
    database = build_with_taxa(tmp_path, RECORDS)
    content = bytearray((database.path / name).read_bytes())
    content[-4:] = b"\xff" * 4
    (database.path / name).write_bytes(content)
    damaged = Database.open(database.path)
    with pytest.raises(DatabaseError, match="SHA-256"):
        damaged.verify()
    if name != "taxon_labels.bin":
        with pytest.raises(DatabaseError, match=name):
            damaged.shard(0, 1)
    (database.path / name).write_bytes(content[:-1])
    with pytest.raises(DatabaseError, match=name):
        Database.open(database.path)


@pytest.mark.parametrize(
    ("title", "organism"),
    [
        ("Aspartate OS=Homo sapiens OX=9606 GN=G", "Homo sapiens"),
        ("pept n=1 Tax=Some fish TaxID=1 RepID=A", "Some fish"),
        ("Apobec OS=Homo sapiens GN=APOBEC1 PE=1 SV=3", "Homo sapiens"),
        ("OS=Mus musculus PE=1 SV=3", "Mus musculus"),
        ("pept Tax=Some (strain K=1) fish RepID=A", "Some (strain K=1) fish"),
        ("OS of a kind", ""),
        ("x OS=Homo", "Homo"),
        ("", ""),
    ],
)
def test_titles_may_name_organisms(title: str, organism: str) -> None:
    assert organism_in(title) == organism
