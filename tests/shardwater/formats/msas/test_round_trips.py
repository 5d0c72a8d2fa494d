"""What is written is read back: every format that keeps letters, and other programs' readers where they are here."""

import io

import pytest
from Bio import AlignIO

from shardwater.formats.msas.a3m import read_a3m
from shardwater.formats.msas.aligned_fasta import read_aligned_fasta
from shardwater.formats.msas.json_text import read_json
from shardwater.formats.msas.names import MSA_FORMAT_NAMES, MSA_NAMES
from shardwater.formats.msas.stockholm import read_stockholm
from shardwater.formats.msas.writers import MSA_FORMATS
from shardwater.msa.stacking import stacked
from shardwater.sequences.fasta import Record
from tests.support.msas import MSA, ORGANISMS, PROVENANCE, ROWS, family, of_rows, rows_of, without_provenance

READERS = {"a3m": read_a3m, "stockholm": read_stockholm, "fasta": read_aligned_fasta, "json": read_json}


def written(msa, name):
    return b"".join(MSA_FORMATS[name].write(msa))


def again(msa, name):
    return READERS[name](io.BytesIO(written(msa, name)))


@pytest.mark.parametrize("name", READERS)
def test_letters_names_and_what_was_searched_are_read_back(name):
    found = again(MSA, name)
    assert rows_of(found) == list(ROWS)
    assert (found.query.header, found.query.residues) == ("q1 my query", b"MKTAYIAKQR")
    assert [row.name for row in found] == [row.name for row in MSA]
    assert [row.title for row in found] == [row.title.replace("\t", " " if name != "json" else "\t") for row in MSA]
    assert found.provenance.databases == PROVENANCE.databases
    for row, own in zip(found, MSA, strict=True):
        assert (row.query_start, row.query_end) == (own.query_start, own.query_end)
        assert (row.subject_start, row.subject_end) == (own.subject_start, own.subject_end)
        assert (row.columns, row.gaps, row.gap_opens) == (own.columns, own.gaps, own.gap_opens)


def test_json_has_all_that_is_known():
    found = again(MSA, "json")
    assert list(found) == list(MSA)
    assert (found.organisms, found.provenance) == (ORGANISMS, PROVENANCE)


@pytest.mark.parametrize("name", ["a3m", "fasta"])
def test_headers_have_figures(name):
    found = again(MSA, name)
    assert [row.length for row in found] == [99] * 4
    assert [row.bits for row in found] == [24, 8, None, 3]
    assert [row.evalue for row in found] == [1e-5, 0.25, None, 12.0]


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "msa",
    [of_rows("MKT"), of_rows("MKT", "---"), of_rows("MKT", "M-T", "-aKT"), family(40)],
    ids=["a query alone", "a row of gaps", "two rows", "a family"],
)
def test_msas_about_which_little_is_known_are_read_back(name, msa):
    found = again(msa, name)
    assert rows_of(found) == rows_of(msa)
    assert [row.header for row in found] == [row.header for row in msa]
    assert found.provenance is None
    assert written(again(found, name), name) == written(found, name)


@pytest.mark.parametrize("name", READERS)
def test_strange_headers_stay_on_their_line(name):
    strange = of_rows("MKT", "M-T")
    query = Record("é<\x02> a\x85b\u2028c", b"MKT")
    found = again(without_provenance(stacked(query, ())), name)
    assert found.query.residues == b"MKT"
    assert len(found) == 0
    assert rows_of(again(strange, name)) == [b"M-T"]


def test_every_format_has_a_writer():
    assert set(MSA_FORMATS) == set(MSA_FORMAT_NAMES)
    assert len({each.ending for each in MSA_FORMATS.values()}) == len(MSA_FORMATS)


def test_every_format_may_be_called_by_its_ending():
    endings = {each.ending.removeprefix("."): name for name, each in MSA_FORMATS.items()}
    assert {name: name for name in MSA_FORMATS} | endings == MSA_NAMES


@pytest.mark.parametrize(("name", "theirs"), [("stockholm", "stockholm"), ("fasta", "fasta")])
def test_biopython_reads_it(name, theirs):
    found = AlignIO.read(io.StringIO(written(MSA, name).decode()), theirs)
    assert [str(each.seq).replace("-", "") for each in found] == [
        row.replace(b"-", b"").decode().upper() for row in (MSA.query.residues, *ROWS)
    ]
    if name == "stockholm":
        assert found[1].annotations["start"] == 5
        assert found[1].annotations["organism"] == "Homo sapiens"
        assert found.column_annotations["reference_annotation"] == "xxx..xx.xxxxx"
