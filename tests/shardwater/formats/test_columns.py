import re
from dataclasses import replace
from pathlib import Path

import pytest

from shardwater.errors import UnknownColumn
from shardwater.formats.columns import (
    COLUMNS,
    COMMENTED_COLUMNS,
    STANDARD_COLUMNS,
    btop,
    parse_columns,
    whole,
)
from shardwater.formats.table import write_tab
from shardwater.search.judging import Evalues
from shardwater.search.remains import Masked
from shardwater.statistics.shuffles import Shuffled, Spread
from tests.support.example_results import ALIGNED, LONG, RESULT, TWICE, one_hit, text


@pytest.mark.parametrize(
    ("column", "aligned", "unaligned"),
    [
        ("qseqid", "q1", "q1"),
        ("qacc", "q1", "q1"),
        ("qaccver", "q1", "q1"),
        ("sseqid", "sp|P1|A", "P2"),
        ("sacc", "sp|P1|A", "P2"),
        ("saccver", "sp|P1|A", "P2"),
        ("sallseqid", "sp|P1|A", "P2;sp|P3"),
        ("sallacc", "sp|P1|A", "P2;sp|P3"),
        ("qlen", "101", "101"),
        ("slen", "300", "40"),
        ("evalue", "1.70e-30", "3.2"),
        ("bitscore", "123", "27.3"),
        ("score", "310", "59"),
        ("qcovs", "62", "N/A"),
        ("qcovhsp", "62", "N/A"),
        ("pident", "93.846", "N/A"),
        ("qtitle", "my query", "my query"),
        ("stitle", "Alpha, the first", "beta chain sp|P3 gamma"),
        ("salltitles", "Alpha, the first", "beta chain<>gamma"),
        ("staxid", "9606", "N/A"),
        ("staxids", "9606", "N/A"),
        ("ssciname", "Homo sapiens", "N/A"),
        ("sscinames", "Homo sapiens", "N/A"),
        ("length", "65", "N/A"),
        ("mismatch", "1", "N/A"),
        ("gapopen", "2", "N/A"),
        ("qstart", "5", "N/A"),
        ("qend", "67", "N/A"),
        ("sstart", "101", "N/A"),
        ("send", "164", "N/A"),
        ("nident", "61", "N/A"),
        ("positive", "62", "N/A"),
        ("gaps", "3", "N/A"),
        ("ppos", "95.38", "N/A"),
        ("qframe", "1", "N/A"),
        ("sframe", "1", "N/A"),
        ("frames", "1/1", "N/A"),
        ("btop", "22-D-E10R-26ED3", "N/A"),
        ("cigar", "22=2D10=1I26=1X3=", "N/A"),
        ("qseq", "ACDEFGHIKLMNPQRSTVWYAC--FGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYHEAGA", "N/A"),
        ("sseq", "ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQ-STVWYACDEFGHIKLMNPQRSTVWYHDAGA", "N/A"),
    ],
)
def test_every_column(column, aligned, unaligned):
    assert column in COLUMNS
    assert text(write_tab(RESULT, [column])) == f"{aligned}\n{unaligned}\n"


def test_columns_of_a_fit():
    evalues = Evalues(table=3.21, fitted=0.000123456, zscore=187.64, differ=True, scale=0.75)
    columns = ["table_evalue", "fitted_evalue", "scale", "zscore"]
    assert text(write_tab(one_hit(replace(ALIGNED, evalues=evalues)), columns)) == "3.2\t1.23e-04\t0.7500\t187.6\n"
    assert text(write_tab(one_hit(ALIGNED), columns)) == "N/A\tN/A\tN/A\tN/A\n"
    unpublished = replace(ALIGNED, evalues=replace(evalues, table=None, differ=None, scale=None))
    assert text(write_tab(one_hit(unpublished), columns)) == "N/A\t1.23e-04\tN/A\t187.6\n"


def test_columns_of_shuffles():
    shuffled = Shuffled.of(Spread.around(80, 35.0, 5.0), Spread.around(80, 36.0, 4.0))
    columns = ["shuffled_z", "shuffled_p"]
    assert text(write_tab(one_hit(replace(ALIGNED, shuffled=shuffled)), columns)) == "9.00\t5.45e-06\n"
    alike = Shuffled.of(Spread.around(80, 35.0, 5.0), Spread.around(80, 80.0, 0.0))
    for hit in (ALIGNED, replace(ALIGNED, shuffled=alike)):
        assert text(write_tab(one_hit(hit), columns)) == "N/A\tN/A\n"


def test_column_of_a_mask():
    masked = replace(ALIGNED, masked=Masked(score=31, query_letters=4, subject_letters=0))
    assert text(write_tab(one_hit(masked), ["masked_score"])) == "31\n"
    assert text(write_tab(one_hit(ALIGNED), ["masked_score"])) == "N/A\n"


def test_there_are_no_other_columns():
    assert len(COLUMNS) == len(set(COLUMNS)) == 49


@pytest.mark.parametrize(
    ("coverage", "shown"),
    [(0.4, "0"), (0.5, "1"), (12.5, "13"), (62.49, "62"), (99.0, "99"), (99.9, "99"), (100.0, "100")],
)
def test_coverage_is_rounded_half_up_but_never_to_100(coverage, shown):
    assert whole(coverage) == shown


def test_rows_of_several_alignments_are_of_one_hit():
    columns = ["sseqid", "qstart", "score", "bitscore", "evalue", "pident", "qcovhsp", "qcovs"]
    # Of 101 letters 63, 4, and both together without the two that are in both: 65.
    assert text(write_tab(one_hit(TWICE), columns)) == (
        "sp|P1|A\t5\t310\t123\t1.70e-30\t93.846\t62\t64\nsp|P1|A\t3\t22\t13.1\t0.75\t100.000\t4\t64\n"
    )


@pytest.mark.parametrize(
    ("asked", "columns"),
    [
        ("", STANDARD_COLUMNS),
        ("  ", STANDARD_COLUMNS),
        ("std", STANDARD_COLUMNS),
        ("qseqid", ("qseqid",)),
        ("sseqid,evalue", ("sseqid", "evalue")),
        ("sseqid, evalue  score", ("sseqid", "evalue", "score")),
        ("std,btop", (*STANDARD_COLUMNS, "btop")),
        ("score std", ("score", *STANDARD_COLUMNS)),
        ("score,score", ("score", "score")),
    ],
)
def test_columns_that_are_asked_for(asked, columns):
    assert parse_columns(asked) == columns


def test_standard_columns_are_blasts_twelve():
    twelve = "qseqid sseqid pident length mismatch gapopen qstart qend sstart send evalue bitscore"
    assert tuple(twelve.split()) == STANDARD_COLUMNS


@pytest.mark.parametrize(
    ("asked", "named"), [("sskingdom", "sskingdom"), ("std,QSEQID", "QSEQID"), ("6", "6"), ("evalue;x", "evalue;x")]
)
def test_unknown_columns_are_named(asked, named):
    with pytest.raises(
        UnknownColumn, match=rf"^unknown column '{named}'; known are std, qseqid, qacc, .*qcovs, qcovhsp$"
    ):
        parse_columns(asked)


@pytest.mark.parametrize(
    ("query", "subject", "operations"),
    [
        ("WWW", "WWW", "3"),
        ("WAW", "WCW", "1AC1"),
        ("wAw", "WaW", "3"),
        ("AC", "CA", "ACCA"),
        ("W--W", "WAcW", "1-A-C1"),
        ("WacW", "W--W", "1A-C-1"),
        ("UX*", "XX*", "UX2"),
    ],
)
def test_btop(query, subject, operations):
    hsp = replace(LONG, qseq=query, hseq=subject)
    assert btop(hsp) == operations


def test_manual_has_every_column_with_its_type():
    manual = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    types = {str: "string", int: "int64", float: "double"}
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ((?:string|int64|double)(?:, \w+)*) \|", manual, re.M)
    documented = {name: kinds for names, kinds in rows for name in re.findall(r"\w+", names)}
    assert set(documented) == set(COLUMNS)
    for name, column in COLUMNS.items():
        assert types[column.kind] in documented[name].split(", ")


def test_std_of_a_commented_table_is_what_blast_takes_it_for():
    assert parse_columns("std qlen", COMMENTED_COLUMNS)[:3] == ("qaccver", "saccver", "pident")
    lines = text(write_tab(RESULT, COMMENTED_COLUMNS, comments=True)).splitlines()
    assert lines[3].startswith("# Fields: query acc.ver, subject acc.ver, % identity, alignment length, ")
