import csv
import io
from dataclasses import replace

import pytest

from shardwater.hits import Hsp
from shardwater.judging import Evalues
from shardwater.length_regression import Fit
from shardwater.report import (
    COLUMNS,
    STANDARD_COLUMNS,
    UnknownColumn,
    btop,
    fasta_text,
    parse_columns,
    write_csv,
    write_fasta_hits,
    write_pairwise,
    write_tab,
)
from shardwater.results import (
    Certificate,
    DatabaseUsed,
    Hit,
    Query,
    QueryResult,
    SearchResult,
    StatisticsUsed,
)
from shardwater.search import Parameters
from shardwater.software import Software

# 65 columns: E with D near the end is positive; two letters are missing in the query, one in the subject.
LONG = Hsp(
    query_from=5,
    query_to=67,
    hit_from=101,
    hit_to=164,
    identity=61,
    positive=62,
    gaps=3,
    align_len=65,
    cigar="22=2D10=1I26=1X3=",
    qseq="ACDEFGHIKLMNPQRSTVWYAC--FGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYHEAGA",
    midline="ACDEFGHIKLMNPQRSTVWYAC  FGHIKLMNPQ STVWYACDEFGHIKLMNPQRSTVWYH+AGA",
    hseq="ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQ-STVWYACDEFGHIKLMNPQRSTVWYHDAGA",
)
ALIGNED = Hit(1, "sp|P1|A", "Alpha, the first", 300, 310, 123.98, 1.7e-30, 100 * 61 / 65, 62.5, (LONG,))
UNALIGNED = Hit(2, "P2", "beta\tchain\x01sp|P3 gamma", 40, 59, 27.34, 3.21, None, None, ())
QUERY = Query("q1", "my query", 101, {})
STATISTICS = StatisticsUsed("table", 0.267, 0.041, 0.14, 123456)


def result_of(*queries, parameters=Parameters()):  # noqa: B008 frozen
    return SearchResult(
        search="abc",
        database=DatabaseUsed("swiss", "2026_01", "0" * 64),
        software=Software("1.2.3", "unknown"),
        parameters=parameters,
        certificate=Certificate(True, 1234, 456789, 46135689, ()),
        results=queries,
    )


FOUND = QueryResult(QUERY, STATISTICS, (ALIGNED, UNALIGNED))
NOTHING = QueryResult(Query("q2", "", 30, {}), STATISTICS, ())
RESULT = result_of(FOUND, NOTHING)


def one_hit(hit, query=QUERY):
    return result_of(QueryResult(query, STATISTICS, (hit,)))


def text(pieces):
    return "".join(pieces)


def test_standard_table():
    assert text(write_tab(RESULT, STANDARD_COLUMNS)) == (
        "q1\tsp|P1|A\t93.846\t65\t1\t2\t5\t67\t101\t164\t1.70e-30\t123\n"
        "q1\tP2\tN/A\tN/A\tN/A\tN/A\tN/A\tN/A\tN/A\tN/A\t3.2\t27.3\n"
    )


@pytest.mark.parametrize(
    ("column", "aligned", "unaligned"),
    [
        ("qseqid", "q1", "q1"),
        ("sseqid", "sp|P1|A", "P2"),
        ("qlen", "101", "101"),
        ("slen", "300", "40"),
        ("evalue", "1.70e-30", "3.2"),
        ("bitscore", "123", "27.3"),
        ("score", "310", "59"),
        ("qcovs", "63", "N/A"),
        ("pident", "93.846", "N/A"),
        ("qtitle", "my query", "my query"),
        ("stitle", "Alpha, the first", "beta chain sp|P3 gamma"),
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
    evalues = Evalues(table=3.21, fitted=0.000123456, zscore=187.64, differ=True)
    result = result_of(QueryResult(QUERY, STATISTICS, (replace(ALIGNED, evalues=evalues), UNALIGNED)))
    columns = ["table_evalue", "fitted_evalue", "zscore"]
    assert text(write_tab(result, columns)) == "3.2\t1.23e-04\t187.6\nN/A\tN/A\tN/A\n"
    unpublished = replace(ALIGNED, evalues=replace(evalues, table=None, differ=None))
    assert text(write_tab(result_of(QueryResult(QUERY, STATISTICS, (unpublished,))), columns)) == (
        "N/A\t1.23e-04\t187.6\n"
    )


def test_pairwise_report_names_the_fit_or_what_stands_in_for_it():
    fit = Fit(rho=4.01234, mu=6.5, variance=22.19, subjects=115_800, rejected=73)
    fitted = text(write_pairwise(result_of(QueryResult(QUERY, StatisticsUsed(
        "fitted", None, None, None, None, fit), (ALIGNED,)))))  # fmt: skip
    assert "Fitted: score = 4.0123 ln(length) + 6.5000, variance 22.1900, 115,800 subjects, 73 rejected\n" in fitted
    assert "Lambda" not in fitted
    instead = replace(STATISTICS, fallback_reason="too few: table is used in its place")
    report = text(write_pairwise(result_of(QueryResult(QUERY, instead, (ALIGNED,)))))
    assert "Lambda" in report
    assert "\nStatistics: too few: table is used in its place\n" in report


def test_there_are_no_other_columns():
    assert len(COLUMNS) == len(set(COLUMNS)) == 29


def test_table_without_statistics_says_so():
    hit = replace(ALIGNED, bits=None, evalue=None)
    assert text(write_tab(one_hit(hit), ["evalue", "bitscore", "score"])) == "N/A\tN/A\t310\n"


@pytest.mark.parametrize(
    ("coverage", "shown"),
    [(0.4, "0"), (0.5, "1"), (12.5, "13"), (62.49, "62"), (99.0, "99"), (99.9, "99"), (100.0, "100")],
)
def test_coverage_is_rounded_half_up_but_never_to_100(coverage, shown):
    assert text(write_tab(one_hit(replace(ALIGNED, query_coverage=coverage)), ["qcovs"])) == f"{shown}\n"


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
    ("asked", "named"), [("staxid", "staxid"), ("std,QSEQID", "QSEQID"), ("6", "6"), ("evalue;x", "evalue;x")]
)
def test_unknown_columns_are_named(asked, named):
    with pytest.raises(
        UnknownColumn, match=rf"^unknown column '{named}'; known are std, qseqid, sseqid, qlen, .*sseq$"
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


PAIRWISE = """\
Shardwater 1.2.3, exact Smith-Waterman search

Database: swiss, version 2026_01
           1,234 sequences; 456,789 total letters


Query= q1 my query

Length=101
                                                                   Score        E
Sequences producing significant alignments:                       (Bits)    Value

sp|P1|A Alpha, the first                                             123    2e-30
P2 beta chain sp|P3 gamma                                           27.3      3.2


> sp|P1|A Alpha, the first
Length=300

 Score = 123 bits (310),  Expect = 2e-30
 Identities = 61/65 (94%), Positives = 62/65 (95%), Gaps = 3/65 (5%)

Query  5     ACDEFGHIKLMNPQRSTVWYAC--FGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWY  62
             ACDEFGHIKLMNPQRSTVWYAC  FGHIKLMNPQ STVWYACDEFGHIKLMNPQRSTVWY
Sbjct  101   ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQ-STVWYACDEFGHIKLMNPQRSTVWY  159

Query  63    HEAGA  67
             H+AGA
Sbjct  160   HDAGA  164

Gapped
Lambda      K        H
   0.267   0.0410    0.140

Effective search space used: 123456


Query= q2

Length=30


***** No hits found *****


Matrix: BLOSUM62
Gap Penalties: Existence: 11, Extension: 1
Cells: 46,135,689, every subject scored
"""


def test_pairwise_report():
    assert text(write_pairwise(RESULT)) == PAIRWISE


def test_pairwise_report_without_statistics():
    hit = replace(ALIGNED, bits=None, evalue=None)
    none = StatisticsUsed("none", None, None, None, None)
    parameters = Parameters(matrix="PAM30", gap_open=3, gap_extend=2, statistics="none")
    report = text(write_pairwise(result_of(QueryResult(QUERY, none, (hit,)), parameters=parameters)))
    assert " Score = N/A bits (310),  Expect = N/A\n" in report
    assert "Lambda" not in report
    assert "\nMatrix: PAM30\nGap Penalties: Existence: 3, Extension: 2\n" in report


def alignment_lines(hsp):
    lines = text(write_pairwise(one_hit(replace(ALIGNED, hsps=(hsp,))))).splitlines()
    return lines[next(n for n, line in enumerate(lines) if line.startswith(" Identities")) :]


def test_alignment_of_60_columns_is_one_line():
    hsp = replace(LONG, align_len=60, **{row: getattr(LONG, row)[:60] for row in ("qseq", "midline", "hseq")})
    assert sum(line.startswith("Query") for line in alignment_lines(hsp)) == 1


def test_coordinates_of_more_than_five_digits_keep_the_rows_in_line():
    hsp = Hsp(1, 2, 99_999, 100_000, 2, 2, 0, 2, "2=", "WC", "WC", "WC")
    assert alignment_lines(hsp)[2:5] == ["Query  1      WC  2", "              WC", "Sbjct  99999  WC  100000"]


def test_line_of_gaps_alone_has_no_coordinates():
    hsp = Hsp(
        *(1, 4, 1, 66, 4, 4, 62, 66, "2=62D2="), "WC" + "-" * 62 + "HE", "WC" + " " * 62 + "HE", "WC" + "A" * 62 + "HE"
    )
    lines = alignment_lines(hsp)
    assert lines[2] == "Query  1     WC" + "-" * 58 + "  2"
    assert lines[4] == "Sbjct  1     WC" + "A" * 58 + "  60"
    assert lines[6] == "Query  3     ----HE  4"
    longer = replace(
        hsp, qseq="WC" + "-" * 122 + "HE", midline="WC" + " " * 122 + "HE", hseq="WC" + "A" * 122 + "HE",
        align_len=126, gaps=122, cigar="2=122D2=", hit_to=126,
    )  # fmt: skip
    lines = alignment_lines(longer)
    assert lines[6] == "Query        " + "-" * 60
    assert lines[8] == "Sbjct  61    " + "A" * 60 + "  120"
    assert lines[10] == "Query  3     ----HE  4"


def test_percentages_round_half_up_and_only_all_is_100():
    lines = alignment_lines(replace(LONG, align_len=200, identity=199, positive=200, gaps=1))
    assert lines[0] == " Identities = 199/200 (99%), Positives = 200/200 (100%), Gaps = 1/200 (1%)"


def test_long_titles_are_cut_in_the_summary_and_whole_above_the_alignment():
    report = text(write_pairwise(one_hit(replace(ALIGNED, title="x" * 80))))
    assert f"\nsp|P1|A {'x' * 54}...    123    2e-30\n" in report
    assert f"\n> sp|P1|A {'x' * 80}\n" in report


def test_fasta_of_a_sequence_has_60_letters_a_line():
    assert fasta_text("s1 a title", b"a" * 61) == f">s1 a title\n{'a' * 60}\na\n"
    assert fasta_text("s1", b"a" * 60) == f">s1\n{'a' * 60}\n"


def test_fasta_of_hits_has_each_subject_once_with_the_letters_it_came_with(build):
    database = build([("s1 first  one", "mkvU*"), ("s2", "MKV"), ("s3 long", "Ac" * 40)])
    hits = [replace(UNALIGNED, accession=accession, title="") for accession in ("s3", "s1", "s3", "s2")]
    result = result_of(QueryResult(QUERY, STATISTICS, tuple(hits[:2])), QueryResult(QUERY, STATISTICS, tuple(hits[2:])))
    assert text(write_fasta_hits(result, database)) == (
        f">s3 long\n{'Ac' * 30}\n{'Ac' * 10}\n>s1 first  one\nmkvU*\n>s2\nMKV\n"
    )
