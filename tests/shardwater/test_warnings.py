import pytest

from shardwater.fasta import Record
from shardwater.warnings import NumberedWarning, numbered_warnings, query_warnings

PROTEIN = Record("p", b"MKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERFMKVLAAGW")


def codes(residues: bytes) -> list[str]:
    return [warning.code for warning in query_warnings(Record("q", residues))]


@pytest.mark.parametrize(
    "residues",
    [b"ACGTACGTACGTACGTACGT", b"acguNNacguacguacguac", b"ACGT" * 9 + b"RYKM", b"N" * 25],
)
def test_dna_and_rna_in_either_case_are_noticed(residues: bytes):
    assert codes(residues) == ["looks-like-dna"]


@pytest.mark.parametrize(
    "residues",
    [
        b"ACGTACGTACGTACGTACG",  # 19 letters
        b"ACGT" * 8 + b"RYKM",  # 88 %
        b"GAGAGS" * 10,  # silk
        b"A" * 6 + b"*" * 30,
        PROTEIN.residues,
    ],
)
def test_short_records_and_proteins_are_not(residues: bytes):
    assert codes(residues) == []


def test_warning_says_how_much_looks_like_dna():
    [warning] = query_warnings(Record("q", b"ACGT" * 9 + b"RYKM"))
    assert warning.detail == (
        "90 % of its letters are A, C, G, T, U or N: nucleotide FASTA where a protein is expected? It is searched as a "
        "protein; translate DNA first"
    )


def test_the_first_twenty_of_many_are_numbered_by_their_records():
    found = numbered_warnings([PROTEIN, *[Record("d", b"ACGT" * 5)] * 30])
    assert [each.query for each in found] == list(range(2, 22))
    assert isinstance(found[0], NumberedWarning)
    assert found[0].code == "looks-like-dna"
