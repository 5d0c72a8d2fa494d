import csv
import io
from dataclasses import replace

import pytest

from shardwater.formats.columns import STANDARD_COLUMNS
from shardwater.formats.table import Style, write_csv, write_tab
from shardwater.search.merge import QueryResult
from shardwater.search.rounds import RoundReport
from tests.support.example_results import (
    ALIGNED,
    LONG,
    NOTHING,
    QUERY,
    RESULT,
    STATISTICS,
    TWICE,
    UNALIGNED,
    one_hit,
    result_of,
    text,
)


def test_standard_table():
    assert text(write_tab(RESULT, STANDARD_COLUMNS)) == (
        "q1\tsp|P1|A\t93.846\t65\t1\t2\t5\t67\t101\t164\t1.70e-30\t123\n"
        "q1\tP2\tN/A\tN/A\tN/A\tN/A\tN/A\tN/A\tN/A\tN/A\t3.2\t27.3\n"
    )


def test_table_without_statistics_says_so():
    hit = replace(ALIGNED, bits=None, evalue=None, hsps=(LONG,))
    assert text(write_tab(one_hit(hit), ["evalue", "bitscore", "score"])) == "N/A\tN/A\t310\n"


def test_comment_counts_alignments_as_blasts_does():
    assert "# 2 hits found\n" in text(write_tab(one_hit(TWICE), ("score",), comments=True))


def test_comment_lines():
    assert text(write_tab(RESULT, ("qseqid", "sseqid", "evalue"), comments=True)) == (
        "# Shardwater 1.2.3\n"
        "# Query: q1 my query\n"
        "# Database: swiss 2026_01\n"
        "# Fields: query id, subject id, evalue\n"
        "# 2 hits found\n"
        "q1\tsp|P1|A\t1.70e-30\n"
        "q1\tP2\t3.2\n"
        "# Shardwater 1.2.3\n"
        "# Query: q2\n"
        "# Database: swiss 2026_01\n"
        "# 0 hits found\n"
        "# Shardwater processed 2 queries\n"
    )


def test_comment_lines_say_the_round():
    rounds = (RoundReport(1, 1, 0, ("P1",), ()), RoundReport(2, 1, 1, (), ()))
    result = result_of(QueryResult(QUERY, STATISTICS, (ALIGNED,), rounds=rounds))
    lines = text(write_tab(result, ("evalue",), comments=True)).splitlines()
    assert lines[1:3] == ["# Iteration: 2", "# Query: q1 my query"]


def test_comment_lines_name_blasts_twelve_fields():
    lines = text(write_tab(RESULT, STANDARD_COLUMNS, comments=True)).splitlines()
    assert lines[3] == (
        "# Fields: query id, subject id, % identity, alignment length, mismatches, gap opens, q. start, q. end, "
        "s. start, s. end, evalue, bit score"
    )


def test_a_title_breaks_no_line_of_the_table():
    query = replace(QUERY, title="one\x01two\tthree")
    table = text(write_tab(one_hit(UNALIGNED, query), ("qseqid", "qtitle", "stitle"), comments=True))
    assert table.splitlines()[1] == "# Query: q1 one two three"
    assert table.splitlines()[5] == "q1\tone two three\tbeta chain sp|P3 gamma"


def test_csv_has_a_header_and_quotes_what_holds_commas_and_quotes():
    quoted = replace(UNALIGNED, title='the "second", as it were')
    result = result_of(QueryResult(QUERY, STATISTICS, (ALIGNED, quoted)))
    written = text(write_csv(result, ("sseqid", "stitle", "pident")))
    assert written == (
        "sseqid,stitle,pident\r\n"
        'sp|P1|A,"Alpha, the first",93.846\r\n'
        'P2,"the ""second"", as it were",N/A\r\n'
    )  # fmt: skip
    rows = list(csv.reader(io.StringIO(written)))
    assert rows[2] == ["P2", 'the "second", as it were', "N/A"]


def test_csv_of_no_hits_is_the_header_alone():
    assert text(write_csv(result_of(NOTHING), ("qseqid", "evalue"))) == "qseqid,evalue\r\n"


def test_another_delimiter_quotes_what_holds_it():
    quoted = replace(UNALIGNED, title="this; that")
    columns, style = ("sseqid", "stitle", "score"), Style(delimiter=";")
    assert text(write_tab(one_hit(quoted), columns, style)) == 'P2;"this; that";59\n'
    assert text(write_csv(one_hit(quoted), columns, style, header=False)) == 'P2;"this; that";59\n'


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", " =", "＝"])
def test_text_for_spreadsheets_is_no_formula(begin):
    hostile = replace(UNALIGNED, accession=f"{begin}1", title=f"{begin}HYPERLINK()")
    columns, style = ("sseqid", "stitle", "score"), Style(for_spreadsheets=True)
    assert text(write_tab(one_hit(hostile), columns, style)) == f"'{begin}1\t'{begin}HYPERLINK()\t59\n"
    assert text(write_tab(one_hit(hostile), columns)) == f"{begin}1\t{begin}HYPERLINK()\t59\n"


def test_numbers_for_spreadsheets_stay_numbers():
    negative = replace(UNALIGNED, bits=-3.25)
    assert text(write_csv(one_hit(negative), ("bitscore", "sseqid"), Style(for_spreadsheets=True))).splitlines() == [
        "bitscore,sseqid",
        "-3.2,P2",
    ]
