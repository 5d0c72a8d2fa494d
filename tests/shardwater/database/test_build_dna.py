"""build_database with nucleotides: what it takes and refuses, and the memory that a long record needs."""

import json
import random
import tracemalloc
from pathlib import Path

import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.manifest import Manifest
from shardwater.database.runs import Budgets
from shardwater.errors import DatabaseError, FastaFormatError
from shardwater.sequences.alphabets import DNA, PROTEIN
from tests.support.databases import TINY, TWO, build_tiny

CODES = b">codes all of IUPAC's\nACGTURYSWKMBDHVN\nacgturyswkmbdhvn\n>chr1\nAC\n"


def test_letters_of_iupac_are_kept_as_they_were_written(tmp_path: Path):
    database = build_tiny(tmp_path, CODES, alphabet="dna")
    assert [database.sequence(subject) for subject in range(2)] == [b"AC", b"ACGTURYSWKMBDHVNacgturyswkmbdhvn"]
    assert (database.alphabet, database.manifest.alphabet, database.manifest.replaced) == (DNA, "dna", {})
    assert database.find("codes") == 1
    database.verify()


@pytest.mark.parametrize(("first", "then"), [("protein", "dna"), ("dna", "protein")])
def test_database_of_another_alphabet_is_not_replaced(tmp_path: Path, first: str, then: str):
    (tmp_path / "x.fa").write_bytes(b">a\nACGT")
    build_database([tmp_path / "x.fa"], tmp_path, name="db", alphabet=first)
    version = Catalog(tmp_path).current_version("db")
    with pytest.raises(DatabaseError, match=r"'db' in .* contains .*: build .* under another name, or remove it first"):
        build_database([tmp_path / "x.fa"], tmp_path, name="db", alphabet=then)
    assert Catalog(tmp_path).versions("db") == [version]
    build_database([tmp_path / "x.fa"], tmp_path, name="other", alphabet=then)
    Catalog(tmp_path).remove("db")
    assert build_database([tmp_path / "x.fa"], tmp_path, name="db", alphabet=then).manifest.alphabet == then


def test_nucleotides_are_not_said_to_look_like_dna(tmp_path: Path):
    (tmp_path / "x.fa").write_bytes(b">a\n" + b"ACGT" * 20)
    assert build_database([tmp_path / "x.fa"], tmp_path, name="db", alphabet="dna").like_dna == 0
    assert build_database([tmp_path / "x.fa"], tmp_path, name="other").like_dna == 1


@pytest.mark.parametrize(
    ("text", "where", "detail"),
    [
        (b">a\nACGT\n>b\nAC\nACGE\n", (2, 5, 4), "'E' is not a letter of DNA: this looks like a protein"),
        (b">a\nAC*\n", (1, 2, 3), "'*' is not a letter of DNA: this looks like a protein"),
        (b">a\nAC-GT\n", (1, 2, 3), "'-' is not a letter of DNA: leave out an alignment's gaps, or have them left out "
                                    "(--ignore-invalid)"),
        (b">a\nAC\xe9\n", (1, 2, 3), r"'\xe9' is not a letter of DNA: save the text as UTF-8 (or ASCII)"),
        (b"@read\nACGT\n+\nIIII\n", (0, 1, 1), "this looks like FASTQ, reads of DNA: records in FASTA are needed"),
    ],
)  # fmt: skip
def test_fault_says_where_and_what(tmp_path: Path, text: bytes, where: tuple[int, int, int], detail: str):
    with pytest.raises(FastaFormatError) as caught:
        build_tiny(tmp_path, text, alphabet="dna")
    error = caught.value
    assert ((error.record, error.line, error.column), error.detail) == (where, detail)


def test_digits_and_gaps_are_left_out_where_that_is_asked_for(tmp_path: Path):
    database = build_tiny(tmp_path, b">a\n 1 ACGT-N 6\n", alphabet="dna", ignore_invalid=True)
    assert database.sequence(0) == b"ACGTN"


@pytest.mark.parametrize("run", [300, 1 << 20])
@pytest.mark.parametrize("width", [7, 5000])
def test_long_records_are_the_same_whatever_memory_there_is(tmp_path: Path, run: int, width: int):
    draw = random.Random(run + width)
    sizes = {"chr1": 900, "chr2": 3, "chr3": 2000}
    expected = {name: bytes(draw.choices(b"ACGTNacgtn", k=size)) for name, size in sizes.items()}
    text = b"".join(
        b">%s\n%s\n" % (name.encode(), b"\n".join(letters[at : at + width] for at in range(0, len(letters), width)))
        for name, letters in expected.items()
    )
    budgets = Budgets(block=50, header=64, run=run, merge=32, subjects=3)
    database = build_tiny(tmp_path, text, alphabet="dna", budgets=budgets)
    assert {database.accession(subject): database.sequence(subject) for subject in range(3)} == expected
    database.verify()


def test_chromosome_is_not_copied_where_it_would_fit_into_memory(tmp_path: Path):
    size = 1 << 25
    with (tmp_path / "x.fa").open("wb") as file:
        file.writelines([b">chr1\n", *[b"ACGTACGTACGTACG\n" * (1 << 10)] * (size >> 14)])
    tracemalloc.start()
    try:
        build_database([tmp_path / "x.fa"], tmp_path, name="db", alphabet="dna", budgets=Budgets(run=2 * size))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * size


def test_shards_are_refused(tmp_path: Path):
    with pytest.raises(DatabaseError, match="is not searched, and has no shards"):
        build_tiny(tmp_path, CODES, alphabet="dna", shards=2)
    with pytest.raises(DatabaseError, match="database db is of nucleotides: proteins alone are searched"):
        build_tiny(tmp_path, CODES, alphabet="dna").shard(0, 1)


def test_manifest_that_does_not_say_its_alphabet_is_of_proteins(tmp_path: Path):
    database = build_tiny(tmp_path, TWO, budgets=TINY)
    path = database.path / "manifest.json"
    fields = json.loads(path.read_text())
    del fields["alphabet"]
    path.write_text(json.dumps(fields))
    assert Catalog(tmp_path / "data").current("db").alphabet is PROTEIN
    for other in ("rna", None, []):
        path.write_text(json.dumps({**fields, "alphabet": other}))
        with pytest.raises(DatabaseError, match="damaged"):
            Manifest.read(path)


def test_the_same_letters_built_as_dna_have_another_label(tmp_path: Path):
    built = []
    for alphabet in ("protein", "dna"):
        (tmp_path / alphabet).mkdir()
        built.append(build_tiny(tmp_path / alphabet, b">a\nACGT\n", alphabet=alphabet).manifest)
    assert [(each.version == built[0].version, each.alphabet) for each in built] == [(True, "protein"), (True, "dna")]
