from dataclasses import replace
from typing import Any

import pytest

from shardwater.search.parameters import Parameters
from shardwater.search.warnings import NumberedWarning, numbered_warnings, query_warnings
from shardwater.sequences.fasta import Record, read_fasta

PROTEIN = Record("p", b"MKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERFMKVLAAGW")


USUAL = Parameters()


def codes(residues: bytes, parameters: Parameters = USUAL) -> list[str]:
    return [warning.code for warning in query_warnings(Record("q", residues), parameters)]


@pytest.mark.parametrize(
    "residues",
    [b"ACGTACGTACGTACGTACGT", b"acguNNacguacguacguac", b"ACGT" * 9 + b"RYKM", b"N" * 25],
)
def test_dna_and_rna_in_either_case_are_noticed(residues: bytes):
    assert codes(residues) == ["looks-like-dna"]


@pytest.mark.parametrize(
    "residues",
    [
        b"ACGT" * 8 + b"RYKM",  # 88 %
        b"GAGAGS" * 10,  # silk
        b"A" * 6 + b"*" * 30,
        PROTEIN.residues,
    ],
)
def test_proteins_are_not(residues: bytes):
    assert codes(residues) == []


def test_records_of_fewer_than_20_letters_are_not_judged_by_them_but_called_short():
    assert codes(b"ACGTACGTACGTACGTACG") == ["short-query"]
    assert codes(b"W") == ["short-query"]
    assert codes(b"MKISANSIRTGNILVYNNDL") == []


ADVISED = Parameters(matrix="PAM30", gap_open=9, evalue=20_000.0, order="score")


def test_short_queries_need_no_advice_where_it_was_taken():
    assert codes(b"MKISANSI", ADVISED) == []
    assert codes(b"MKISANSI", replace(ADVISED, evalue=1e6)) == []


@pytest.mark.parametrize("other", [{"matrix": "PAM70", "gap_open": 10}, {"evalue": 1000.0}, {"order": "evalue"}])
def test_a_part_of_the_advice_is_not_enough(other: dict[str, Any]):
    assert codes(b"MKISANSI", replace(ADVISED, **other)) == ["short-query"]


def test_letters_of_a_header_that_are_lost_are_told():
    [record] = read_fasta(">caf\ufffd au lait\n".encode() + PROTEIN.residues)
    assert [warning.code for warning in query_warnings(record, USUAL)] == ["header-not-utf8"]
    for text in (b">caf\xe9 au lait\n", ">café au lait\n".encode()):
        [record] = read_fasta(text + PROTEIN.residues)
        assert query_warnings(record, USUAL) == ()


def test_advice_names_what_to_ask_for():
    [warning] = query_warnings(Record("q", b"MKISANSI"), USUAL)
    assert warning.detail == (
        "it is short (8 residues): next to no relative is told from chance, and of a large database not all that is "
        "identical is found. For short queries take matrix=PAM30, evalue=20000 and order=score (on the command line "
        "-task blastp-short), which put what is identical first"
    )


def test_warning_says_how_much_looks_like_dna():
    [warning] = query_warnings(Record("q", b"ACGT" * 9 + b"RYKM"), USUAL)
    assert warning.detail == (
        "90 % of its letters are A, C, G, T, U or N: nucleotide FASTA where a protein is expected? It is searched as a "
        "protein. Translate DNA first. For genomes use Compare; for pairs of DNA use Align"
    )


def test_the_first_twenty_of_many_are_numbered_by_their_records():
    found = numbered_warnings([PROTEIN, *[Record("d", b"ACGT" * 5)] * 30], USUAL)
    assert [each.query for each in found] == list(range(2, 22))
    assert isinstance(found[0], NumberedWarning)
    assert found[0].code == "looks-like-dna"
