import io

import pytest

from shardwater.formats.msas.colabfold import read_blocks, write_block, write_paired
from shardwater.formats.msas.reading import MsaFormatError
from shardwater.msa.pairing import pairs_of
from shardwater.msa.stacking import stacked
from shardwater.sequences.fasta import Record
from tests.support.msas import MEMBERS, MSA, ROWS, of_rows, rows_of

SENT = stacked(Record("101", b"MKTAYIAKQR"), MEMBERS)


def test_a_block_has_the_header_as_it_was_sent_ten_fields_and_a_nul_at_its_end():
    text = b"".join(write_block(SENT))
    assert text.startswith(
        b">101\nMKTAYIAKQR\n>sp|P1|A_HUMAN\t24\t1.000\t1.000E-05\t0\t9\t10\t4\t13\t99\nMKTAYIAKQR\n>P2\t8\t"
    )
    assert text.endswith(b"\nMKTwA------\n\0")
    assert text.count(b"\0") == 1
    assert all(line.count(b"\t") == 9 for line in text.splitlines() if line.startswith(b">") and line != b">101")


def test_a_query_without_rows_is_a_block_too():
    assert b"".join(write_block(of_rows("MKT"))) == b">q\nMKT\n\0"


def test_blocks_are_read_back():
    text = b"".join([*write_block(SENT), *write_block(of_rows("ACD")), *write_block(MSA)])
    first, second, third = read_blocks(io.BytesIO(text))
    assert (first.query.header, rows_of(first)) == ("101", list(ROWS))
    assert (second.query.residues, len(second)) == (b"ACD", 0)
    assert third.query.header == "q1 my query"
    assert [row.subject_start for row in first] == [4, 10, 0, 69]


def test_paired_blocks_have_names_alone_and_as_many_rows():
    chains = [
        of_rows("MKT", "MKT", "M-T", taxids=[1, 2]),
        of_rows("AC", "AC", taxids=[2]),
        of_rows("GG", "aG-", "-G", taxids=[2, 1]),
    ]
    pairs = pairs_of([chain.figures["taxid"].tolist() for chain in chains], "greedy")
    assert [b"".join(write_paired(*each)) for each in zip(chains, pairs.T, strict=True)] == [
        b">q\nMKT\n>r2\nM-T\n>r1\nMKT\n",
        b">q\nAC\n>r1\nAC\n>DUMMY\n--\n",
        b">q\nGG\n>r1\naG-\n>r2\n-G\n",
    ]


def test_what_is_wrong_is_told_with_its_line():
    with pytest.raises(MsaFormatError, match="line 5, column 2: '1' is no letter"):
        list(read_blocks(io.BytesIO(b">101\nMKT\n\0>102\nMKT\nK1\n\0".replace(b"MKT\nK1", b"\nK1"))))
