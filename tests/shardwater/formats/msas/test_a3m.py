import io

import pytest

from shardwater.errors import LimitExceeded
from shardwater.formats.msas.a3m import read_a3m, write_a3m
from shardwater.formats.msas.reading import Limits, MsaFormatError
from tests.support.msas import MSA, rows_of


def read(text, limits=None):
    return read_a3m(io.BytesIO(text), *([limits] if limits else []))


def test_the_query_comes_first_with_what_was_searched_in_its_header():
    text = b"".join(write_a3m(MSA)).decode()
    first, letters, *_ = text.splitlines()
    assert first.startswith('>q1 my query shardwater={"software":{"version":"1.2.3"')
    assert '"name":"swiss","version":"2026_01","checksum":"000000' in first
    assert letters == "MKTAYIAKQR"
    assert not any(line.startswith("#") for line in text.splitlines())


def test_rows_have_the_ten_fields_and_the_title():
    rows = b"".join(write_a3m(MSA)).decode().splitlines()[2:]
    assert rows[:4] == [
        ">sp|P1|A_HUMAN\t24\t1.000\t1.000E-05\t0\t9\t10\t4\t13\t99\tAlpha OS=Homo sapiens OX=9606",
        "MKTAYIAKQR",
        ">P2\t8\t0.444\t2.500E-01\t1\t7\t10\t10\t17\t99",
        "-KSwwAY-AR--",
    ]
    assert rows[4] == ">P3\tN/A\t0.500\tN/A\t0\t6\t10\t0\t7\t99\tgamma chain"


def test_what_other_programs_write_is_read():
    text = b"#a comment\n>ss_pred x\nHH-\n>q\nMK\nT\n>Consensus\nxxx\n>r1 of theirs\r\n.M-.. .T\n\n>r2\n*aK_\n"
    found = read(text.replace(b">ss_pred x\nHH-\n", b"").replace(b">Consensus\nxxx\n", b">q_Consensus\nxxx\n"))
    assert found.query.residues == b"MKT"
    assert [row.header for row in found] == ["r1 of theirs", "r2"]
    assert rows_of(found) == [b"M-T", b"XaK-"]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (b"", (1, None), "there is no row"),
        (b"\n# nothing\n", (1, None), "there is no row"),
        (b"MKT\n>q\nMKT\n", (1, 1), "text before the first '>'"),
        (b">q\n", (2, None), "the query, has no letters"),
        (b">q\n---\n", (2, None), "the query, has no letters"),
        (b">q\nMK1\n", (2, 3), "'1' is no letter and no gap"),
        (b">q\nMKT\n>r\nM-\n ?T\n", (5, 2), "'?' is no letter and no gap"),
        (b">q\nMKT\n>r\nMKTaa\n>s\nMKaa\n", (6, None), "the row has 2 capitals and gaps, the query 3 letters"),
        (b">q\nMKT\n>r\n\xff\n", (4, 1), "is no letter and no gap"),
        (b">q\nMKT\n>r\n>s\nMKT\n", (4, None), "the row has 0 capitals and gaps"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, where, what):
    with pytest.raises(MsaFormatError, match="line") as caught:
        read(text)
    assert (caught.value.line, caught.value.column) == where
    assert what in str(caught.value)
    assert str(caught.value).startswith(f"line {where[0]}")


def test_limits_are_kept():
    text = b">q\nMKT\n>r\nMKT\n>s\nMKT\n"
    assert len(read(text, Limits(rows=3))) == 2
    with pytest.raises(LimitExceeded, match="rows of the MSA is 3, the limit is 2"):
        read(text, Limits(rows=2))
    with pytest.raises(MsaFormatError, match="line 2: it is longer than 3 bytes"):
        read(text, Limits(line=3))
    with pytest.raises(LimitExceeded, match="bytes of the MSA is 14, the limit is 13"):
        read(text, Limits(size=13))


@pytest.mark.parametrize("mark", ["5", "{", "[" * 100_000, '{"software":1}', '{"databases":[{"certificate":1}]}'])
def test_what_only_looks_like_what_was_searched_is_the_querys_own_header(mark):
    found = read(f">q shardwater={mark}\nMKT\n".encode())
    assert found.provenance is None
    assert found.query.header == f"q shardwater={mark}"


@pytest.mark.parametrize(
    "header",
    [
        "r\t1\t2",
        "r\tN/A\t1.0\t1e-5\t0\t2\t3\t0\t2\t3x",
        "r\t1e\t0.5\t1e-5\t0\t2\t3\t0\t2\t3",
        "r\t1\t1\t1\t0\t2\t3\t0\t2\t9999999999",
    ],
)
def test_a_header_without_the_ten_fields_is_kept_whole(header):
    [row] = read(f">q\nMKT\n>{header}\nMKT\n".encode())
    assert row.header == header
    assert (row.bits, row.evalue, row.subject_end, row.length) == (None, None, 0, 0)
