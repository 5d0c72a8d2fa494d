"""JSON, lines of JSON, tables and FASTA of pairs, and what each format asks for."""

import json
from dataclasses import asdict, replace
from itertools import islice

import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.errors import UnknownColumn
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.pairs.names import PairFormat
from shardwater.formats.pairs.writers import WRITERS, UnfitFormat, columns_for
from shardwater.pairs.align import align_named
from shardwater.pairs.coded import Report
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import match_table
from shardwater.sequences.named import Letters
from tests.support.found_pairs import DNA_SCHEME, found, text_of, text_with

PAIRS = [("ACGTTGCAAC", "TTACGTTCAACT"), ("AAA", "CCC"), ("TTTTTGACC", "GGTCAACCC")]
ANSWERS = found(PAIRS, strand="both")


def test_json_and_its_lines_hold_all_members() -> None:
    told = [asdict(each.told) for each in ANSWERS]
    assert json.loads(text_of("json", ANSWERS)) == {"alignments": told}
    assert [json.loads(line) for line in text_of("ndjson", ANSWERS).splitlines()] == told
    assert told[2] == {
        **{"query": "q3", "subject": "s3", "score": 12, "strand": "-", "cigar": "6="},
        **{"query_from": 4, "query_to": 9, "subject_from": 1, "subject_to": 6},
        **{"identity": 6, "positive": 6, "gaps": 0, "align_len": 6, "rank": 1},
    }


def test_no_pair_is_an_empty_list() -> None:
    assert json.loads(text_of("json", [])) == {"alignments": []}
    assert text_of("ndjson", []) == ""


@pytest.mark.parametrize("name", ["paf", "fasta", "sam"])
def test_pairs_that_come_to_no_text_yet_are_pieces_all_the_same(name: PairFormat) -> None:
    pieces = WRITERS[name].write(found([("AAA", "CCC")] * 5), Layout("match 2, mismatch -1"))
    assert list(islice(pieces, 5)) == [""] * 5


def test_table_with_its_usual_columns() -> None:
    assert text_of("tab", ANSWERS, columns_for("tab", "alignment", None)).splitlines() == [
        "#query\tsubject\tscore\tquery_from\tquery_to\tsubject_from\tsubject_to\tstrand\tidentity\tgaps\talign_len\tcigar",
        "q1\ts1\t16\t1\t10\t3\t11\t+\t9\t1\t10\t5=1I4=",
        "q2\ts2\t0\tN/A\tN/A\tN/A\tN/A\t+\tN/A\tN/A\tN/A\tN/A",
        "q3\ts3\t12\t4\t9\t1\t6\t-\t6\t0\t6\t6=",
    ]


def test_usual_columns_are_those_of_the_report() -> None:
    assert columns_for("tab", "score", None) == ("query", "subject", "score", "strand")
    ends = ("query", "subject", "score", "query_from", "query_to", "subject_from", "subject_to", "strand")
    assert columns_for("tab", "ends", None) == ends
    assert columns_for("tab", "score", None, ranked=True) == ("query", "subject", "rank", "score", "strand")
    assert columns_for("tab", "score", "score", ranked=True) == ("score",)
    assert text_of("tab", found(PAIRS[:1], report="ends"), ends).splitlines()[1] == "q1\ts1\t16\t1\t10\t3\t11\t+"


def test_columns_are_named_by_comma_or_blank_and_stand_in_that_order() -> None:
    columns = columns_for("tab", "alignment", "score, query positive")
    assert text_of("tab", ANSWERS[:1], columns) == "#score\tquery\tpositive\n16\tq1\t9\n"


def test_control_characters_break_no_table() -> None:
    pair = Letters("a\x00b", PAIRS[0][0].encode()), Letters("s1", PAIRS[0][1].encode())
    strange = list(align_named([pair], DNA_SCHEME, "alignment", "forward", CpuPairs(1)))
    assert text_of("tab", strange, ("query", "score")) == "#query\tscore\na b\t16\n"


def test_fasta_has_the_aligned_rows() -> None:
    assert text_of("fasta", ANSWERS) == (
        ">q1 1-10\nACGTTGCAAC\n>s1 3-11\nACGTT-CAAC\n>q3 4-9(-)\nGGTCAA\n>s3 1-6\nGGTCAA\n"
    )


@pytest.mark.parametrize("name", ["paf", "sam", "srspair", "fasta"])
@pytest.mark.parametrize("mode", [Mode.GLOBAL, Mode.SEMI_GLOBAL])
def test_alignment_without_a_column_is_shown_as_none(name: PairFormat, mode: Mode) -> None:
    pair = ("AAA", "CCC") if mode == Mode.SEMI_GLOBAL else ("", "")
    [of_nothing] = found([pair], Scheme(match_table(2, -9), 5, 5, mode))
    assert of_nothing.found is not None
    assert text_of(name, [of_nothing]) == text_of(name, [replace(of_nothing, found=None)])


@pytest.mark.parametrize("name", ["sam", "srspair"])
def test_name_of_scores_breaks_no_line(name: PairFormat) -> None:
    text = text_with(Layout("my\ttable\n@CO\r\udcff.txt"), name, ANSWERS)
    assert "my table @CO  .txt\n" in text


@pytest.mark.parametrize("name", ["paf", "sam", "srspair", "fasta"])
@pytest.mark.parametrize("report", ["score", "ends"])
def test_format_that_shows_alignments_needs_them(name: PairFormat, report: Report) -> None:
    with pytest.raises(UnfitFormat, match=f"^format {name} shows alignments, and report is {report}$"):
        columns_for(name, report, None)


def test_columns_that_there_are_not() -> None:
    with pytest.raises(UnknownColumn, match=r"^unknown column 'evalue'; known are query, subject, score"):
        columns_for("tab", "alignment", "query,evalue")
    with pytest.raises(UnknownColumn, match=r"^column cigar needs --report alignment$"):
        columns_for("tab", "ends", "cigar")
    with pytest.raises(UnknownColumn, match=r"^column query_from needs --report ends$"):
        columns_for("tab", "score", "query_from")
    with pytest.raises(UnfitFormat, match=r"^format json has no columns"):
        columns_for("json", "alignment", "query")
