import io

import pytest

from shardwater.formats.msas.m8 import TableRow, read_m8, write_m8
from shardwater.formats.msas.reading import MsaFormatError
from tests.support.msas import MSA

LINE = b"q\ts\t50.000\t10\t4\t1\t1\t10\t1\t9\t0.001\t20.5\n"


def test_rows_are_those_of_blasts_table():
    assert b"".join(write_m8(MSA)).decode().splitlines() == [
        "q1\tsp|P1|A_HUMAN\t100.000\t10\t0\t0\t1\t10\t5\t14\t1.00e-05\t23.5",
        "q1\tP2\t44.444\t9\t2\t2\t2\t8\t11\t18\t0.25\t 7.5",
        "q1\tP3\t50.000\t8\t3\t1\t1\t7\t1\t8\tN/A\tN/A",
        "q1\tP2\t80.000\t5\t0\t1\t1\t4\t70\t74\t12\t 3.0",
    ]


def test_they_are_read_back():
    first, *_, last = read_m8(io.BytesIO(b"".join(write_m8(MSA))))
    assert first == TableRow("q1", "sp|P1|A_HUMAN", 100.0, 1e-5, 23.5, 10, 0, 0, 1, 10, 5, 14)
    assert (last.evalue, last.bits, last.gap_opens) == (12.0, 3.0, 1)
    assert [each.bits for each in read_m8(io.BytesIO(b"".join(write_m8(MSA))))][2] is None


def test_further_columns_are_left_out():
    [row] = read_m8(io.BytesIO(LINE[:-1] + b"\t9=1X\tmore\n"))
    assert (row.subject, row.bits) == ("s", 20.5)


@pytest.mark.parametrize(
    "line",
    [b"\n", b"# BLASTP\n", LINE.replace(b"\t", b" "), LINE.replace(b"50.000", b"x"), LINE.replace(b"\t10", b"\t-1")],
)
def test_other_lines_are_refused(line):
    with pytest.raises(MsaFormatError, match="line 2: it does not have the twelve columns"):
        list(read_m8(io.BytesIO(LINE + line)))


def test_a_figure_that_is_no_number_is_refused():
    with pytest.raises(MsaFormatError, match="line 1: a figure is no number"):
        list(read_m8(io.BytesIO(LINE.replace(b"0.001", b"1e-e"))))
