from dataclasses import replace

from shardwater.formats.pairwise import write_pairwise
from shardwater.search.adjusting import Adjustment
from shardwater.search.hits import Hsp
from shardwater.search.judging import Evalues
from shardwater.search.merge import QueryResult, StatisticsUsed
from shardwater.search.parameters import Parameters
from shardwater.search.rounds import RoundReport
from shardwater.statistics.length_regression import Fit
from tests.support.example_results import (
    ALIGNED,
    LONG,
    NO_STATISTICS,
    QUERY,
    RESULT,
    TWICE,
    UNALIGNED,
    one_hit,
    result_of,
    text,
)

# The places of words and numbers are those of BLAST+ 2.12, two blanks at the end of a row and one after a constant
# included; \x20 keeps them from editors.
PAIRWISE = """\
BLASTP Shardwater-1.2.3 (exact Smith-Waterman search)


Database: swiss, version 2026_01
           1,234 sequences; 456,789 total letters



Query= q1 my query

Length=101
                                                                      Score     E
Sequences producing significant alignments:                          (Bits)  Value

sp|P1|A Alpha, the first                                              123     2e-30\x20
P2 beta chain sp|P3 gamma                                             27.3    3.2  \x20


>sp|P1|A Alpha, the first
Length=300

 Score = 123 bits (310),  Expect = 2e-30
 Identities = 61/65 (94%), Positives = 62/65 (95%), Gaps = 3/65 (5%)

Query  5    ACDEFGHIKLMNPQRSTVWYAC--FGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWY  62
            ACDEFGHIKLMNPQRSTVWYAC  FGHIKLMNPQ STVWYACDEFGHIKLMNPQRSTVWY
Sbjct  101  ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQ-STVWYACDEFGHIKLMNPQRSTVWY  159

Query  63   HEAGA  67
            H+AGA
Sbjct  160  HDAGA  164



Lambda      K        H        a         alpha
   0.318    0.134    0.401    0.792     4.96\x20

Gapped
Lambda      K        H        a         alpha    sigma
   0.267   0.0410    0.140     1.90     42.6     43.6\x20

Effective search space used: 123456


Query= q2

Length=30


***** No hits found *****



Lambda      K        H        a         alpha
   0.318    0.134    0.401    0.792     4.96\x20

Gapped
Lambda      K        H        a         alpha    sigma
   0.267   0.0410    0.140     1.90     42.6     43.6\x20

Effective search space used: 123456


  Database: swiss, version 2026_01
  Number of letters in database: 456,789
  Number of sequences in database:  1,234



Matrix: BLOSUM62
Gap Penalties: Existence: 11, Extension: 1
Cells: 46,135,689, every subject scored
"""


def test_pairwise_report():
    assert text(write_pairwise(RESULT)) == PAIRWISE


def test_pairwise_report_without_statistics():
    hit = replace(ALIGNED, bits=None, evalue=None, hsps=(LONG,))
    parameters = Parameters(matrix="PAM30", gap_open=3, gap_extend=2, statistics="none")
    report = text(write_pairwise(result_of(QueryResult(QUERY, NO_STATISTICS, (hit,)), parameters=parameters)))
    assert " Score = N/A bits (310),  Expect = N/A\n" in report
    assert "Lambda" not in report
    assert "\nMatrix: PAM30\nGap Penalties: Existence: 3, Extension: 2\n" in report


def test_a_hit_is_named_once_before_its_alignments():
    report = text(write_pairwise(one_hit(TWICE)))
    assert report.count(">sp|P1|A Alpha, the first\nLength=300\n\n Score = 123 bits (310),  Expect = 2e-30\n") == 1
    # As BLAST+ has it.
    assert "Sbjct  160  HDAGA  164\n\n\n Score = 13.1 bits (22),  Expect = 0.75\n Identities = 4/4 (100%)" in report
    assert report.count(">") == 1


def alignment_lines(hsp):
    lines = text(write_pairwise(one_hit(replace(ALIGNED, hsps=(hsp,))))).splitlines()
    return lines[next(n for n, line in enumerate(lines) if line.startswith(" Identities")) :]


def test_alignment_of_60_columns_is_one_line():
    hsp = replace(LONG, align_len=60, **{row: getattr(LONG, row)[:60] for row in ("qseq", "midline", "hseq")})
    assert sum(line.startswith("Query") for line in alignment_lines(hsp)) == 1


def test_coordinates_of_more_than_five_digits_keep_the_rows_in_line():
    hsp = Hsp(1, 2, 99_999, 100_000, 2, 2, 0, 2, "2=", "WC", "WC", "WC")
    assert alignment_lines(hsp)[2:5] == ["Query  1       WC  2", "               WC", "Sbjct  99999   WC  100000"]


def test_line_of_gaps_alone_has_no_coordinates():
    hsp = Hsp(
        *(1, 4, 1, 66, 4, 4, 62, 66, "2=62D2="), "WC" + "-" * 62 + "HE", "WC" + " " * 62 + "HE", "WC" + "A" * 62 + "HE"
    )
    lines = alignment_lines(hsp)
    assert lines[2] == "Query  1   WC" + "-" * 58 + "  2"
    assert lines[4] == "Sbjct  1   WC" + "A" * 58 + "  60"
    assert lines[6] == "Query  3   ----HE  4"
    longer = replace(
        hsp, qseq="WC" + "-" * 122 + "HE", midline="WC" + " " * 122 + "HE", hseq="WC" + "A" * 122 + "HE",
        align_len=126, gaps=122, cigar="2=122D2=", hit_to=126,
    )  # fmt: skip
    lines = alignment_lines(longer)
    assert lines[6] == "Query       " + "-" * 60 + "  "
    assert lines[8] == "Sbjct  61   " + "A" * 60 + "  120"
    assert lines[10] == "Query  3    ----HE  4"


def test_percentages_round_half_up_and_only_all_is_100():
    lines = alignment_lines(replace(LONG, align_len=200, identity=199, positive=200, gaps=1))
    assert lines[0] == " Identities = 199/200 (99%), Positives = 200/200 (100%), Gaps = 1/200 (1%)"


def test_long_titles_are_cut_in_the_summary_and_whole_above_the_alignment():
    report = text(write_pairwise(one_hit(replace(ALIGNED, title="x" * 80))))
    assert f"\nsp|P1|A {'x' * 57}...  123     2e-30 \n" in report
    assert f"\n>sp|P1|A {'x' * 80}\n" in report


def test_titles_of_merged_records_stay_on_one_line():
    report = text(write_pairwise(one_hit(replace(UNALIGNED, hsps=(LONG,)))))
    assert "\n>P2 beta chain sp|P3 gamma\nLength=40\n" in report


def test_hit_without_an_alignment_is_in_the_summary_alone():
    report = text(write_pairwise(one_hit(UNALIGNED)))
    assert report.count("beta chain") == 1
    assert ">" not in report


def test_report_names_the_fit_or_what_stands_in_for_it():
    fit = Fit(rho=4.01234, mu=6.5, variance=22.19, subjects=115_800, rejected=73)
    statistics = StatisticsUsed("fitted", None, None, None, None, fit)
    fitted = text(write_pairwise(result_of(QueryResult(QUERY, statistics, (ALIGNED,)))))
    assert "Fitted: score = 4.0123 ln(length) + 6.5000, variance 22.1900, 115,800 subjects, 73 rejected\n" in fitted
    assert "Lambda" not in fitted
    adjusted = replace(statistics, composition=Adjustment("aligned-regions-and-repeats", 1234, 1e-9))
    hit = replace(ALIGNED, evalues=Evalues(None, 2e-30, 99.0, None, 0.8))
    report = text(write_pairwise(result_of(QueryResult(QUERY, adjusted, (hit,)))))
    assert ", Method: adjusted to composition, before 2e-30\n" in report
    assert "\nAdjusted to composition; left out by that: 1,234 subjects\n" in report
    assert "Method" not in fitted
    instead = replace(RESULT.results[0].statistics, fallback_reason="too few: table is used in its place")
    report = text(write_pairwise(result_of(QueryResult(QUERY, instead, (ALIGNED,)))))
    assert "Lambda" in report
    assert "\nStatistics: too few: table is used in its place\n" in report


def test_round_stands_before_the_query():
    [one, _] = RESULT.results
    report = text(write_pairwise(result_of(replace(one, rounds=(RoundReport(1, 0, 0, (), ()),)))))
    assert report.replace("\n\nResults from round 1\n", "") == text(write_pairwise(result_of(one)))
