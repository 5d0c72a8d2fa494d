import io

import pytest

from shardwater.errors import LimitExceeded
from shardwater.formats.msas.reading import Limits, MsaFormatError
from shardwater.formats.msas.stockholm import read_stockholm, write_stockholm
from shardwater.msa.stacking import stacked
from shardwater.sequences.fasta import Record
from tests.support.msas import MSA, aligned, member, of_rows, rows_of


def read(text, limits=None):
    return read_stockholm(io.BytesIO(text), *([limits] if limits else []))


def test_the_query_is_the_first_row_and_names_tell_places():
    lines = b"".join(write_stockholm(MSA)).decode().splitlines()
    assert lines[:3] == ["# STOCKHOLM 1.0", "#=GF ID q1", "#=GF AU Shardwater"]
    assert lines[3].startswith('#=GF CC shardwater {"software":')
    assert lines[4:] == [
        "#=GF SQ 5",
        "",
        "#=GS q1 DE my query",
        "#=GS sp|P1|A_HUMAN/5-14 DE Alpha OS=Homo sapiens OX=9606",
        "#=GS sp|P1|A_HUMAN/5-14 OS Homo sapiens",
        "#=GS P2/11-18 OS Mus musculus",
        "#=GS P3/1-8 DE gamma chain",
        "#=GS P2/70-74 OS Mus musculus",
        "",
        f"{'q1':18} MKT--AY-IAKQR",
        "sp|P1|A_HUMAN/5-14 MKT--AY-IAKQR",
        f"{'P2/11-18':18} -KSWWAY--AR--",
        f"{'P3/1-8':18} MKU--BYCIX---",
        f"{'P2/70-74':18} MKTW-A-------",
        f"{'#=GC RF':18} xxx..xx.xxxxx",
        "//",
    ]


def test_no_name_comes_twice_and_none_is_taken_for_something_else():
    hsp = aligned("MK", "MK")
    headers = ["P1", "P1", "#P1", "//", "a\u00a0b", "P1/1-2.2", "", "q"]
    msa = stacked(Record("q", b"MKT"), [member(each, hsp) for each in headers])
    lines = b"".join(write_stockholm(msa)).decode().splitlines()
    names = [line.split()[0] for line in lines if line and not line.startswith(("#", "//"))]
    assert names == ["q", "P1/1-2", "P1/1-2.2", "_P1/1-2", "_//1-2", "a_b/1-2", "P1/1-2.2/1-2", "row/1-2", "q/1-2"]
    assert len(read("\n".join(lines).encode())) == 8


def test_a_suffix_that_is_taken_is_passed_over():
    names = [
        line.split()[0]
        for line in b"".join(write_stockholm(of_rows("MKT", "MKT"))).decode().splitlines()
        if line[:1] in {"q", "r"}
    ]
    assert names == ["q", "r1"]
    msa = of_rows("MKT", "MKT", "MKT", "MKT").take([0, 0, 0])
    lines = b"".join(write_stockholm(msa)).decode().splitlines()
    assert [line.split()[0] for line in lines if line.startswith("r")] == ["r1", "r1.2", "r1.3"]


def test_long_names_do_not_make_every_line_long():
    msa = stacked(Record("q", b"MKT"), [member("n" * 1000, aligned("MK", "MK"))])
    lines = b"".join(write_stockholm(msa)).splitlines()
    assert b"q".ljust(48) + b" MKT" in lines


def test_blocks_and_other_signs_for_gaps_are_read():
    text = b"""# STOCKHOLM 1.0
#=GF ID fam
#=GS q DE the query
#=GS r/3-5 DE a row
#=GS other
q     MK.
r/3-5 M-w
#=GR r/3-5 SS HHH

q     .T
r/3-5 aT
#=GC RF xx.
//

"""
    found = read(text)
    assert found.query.header == "q the query"
    assert rows_of(found) == [b"M-waT"]
    assert (found.row(0).header, found.row(0).subject_start, found.row(0).subject_end) == ("r a row", 2, 5)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (b"", (1, None), "it does not end with `//`"),
        (b"q MKT\n//\n", (1, None), "it does not begin with `# STOCKHOLM 1.0`"),
        (b"# STOCKHOLM 1.0\nq MKT\n", (2, None), "it does not end with `//`"),
        (b"# STOCKHOLM 1.0\n//\n", (1, None), "there is no row"),
        (b"# STOCKHOLM 1.0\nq MKT\n//\n\nq MKT\n", (5, None), "more than one alignment"),
        (b"# STOCKHOLM 1.0\nq MKT MKT\n//\n", (2, None), "a row has a name and letters"),
        (b"# STOCKHOLM 1.0\nq MKT\nr  MK1\n//\n", (3, 6), "'1' is no letter and no gap"),
        (b"# STOCKHOLM 1.0\nq MKT\nr MK\n//\n", (3, None), "the row has 2 columns, the first one 3"),
        (b"# STOCKHOLM 1.0\n#=GF CC shardwater {\nq MKT\n//\n", (2, None), "it does not say what was searched"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, where, what):
    with pytest.raises(MsaFormatError, match="line") as caught:
        read(text)
    assert (caught.value.line, caught.value.column) == where
    assert what in str(caught.value)


def test_rows_are_limited():
    text = b"# STOCKHOLM 1.0\nq MKT\nr MKT\n//\n"
    assert len(read(text, Limits(rows=2))) == 1
    with pytest.raises(LimitExceeded, match="rows of the MSA is 2, the limit is 1"):
        read(text, Limits(rows=1))
