"""SAM as htslib, through pysam, and Biopython read it."""

import io
import re
from dataclasses import replace

import pysam
import pytest
from Bio import Align

from shardwater.formats.sam import query_name, write_sam
from shardwater.search.merge import Query, QueryResult
from tests.support.example_results import (
    ALIGNED,
    FOUND,
    LONG,
    NO_STATISTICS,
    NOTHING,
    QUERY,
    RESULT,
    STATISTICS,
    STRANGE,
    TWICE,
    UNALIGNED,
    result_of,
    text,
)

SECOND = replace(ALIGNED, rank=2, accession="P4", length=400, score=99, bits=45.9, evalue=3e-4, hsps=(LONG,))


def lines_of(*queries):
    lines = text(write_sam(result_of(*queries))).splitlines()
    return [line.split("\t") for line in lines if line.startswith("@")], [
        line.split("\t") for line in lines if not line.startswith("@")
    ]


@pytest.fixture
def opened(tmp_path):
    """opened(queries): the file as htslib opens it, which refuses a header that the standard does not allow."""

    def make(*queries):
        path = tmp_path / "hits.sam"
        path.write_text(text(write_sam(result_of(*queries))), encoding="utf-8")
        return pysam.AlignmentFile(str(path))

    return make


def test_line_of_an_alignment():
    _, [line] = lines_of(FOUND)
    assert line == [
        "q1", "0", "sp|P1|A", "101", "255", "4H22=2D10=1I26=1X3=34H", "*", "0", "0",
        "ACDEFGHIKLMNPQRSTVWYACFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYHEAGA", "*",
        "AS:i:123", "NM:i:4", "ZL:i:300", "ZR:i:310", "ZE:f:1.7e-30", "ZI:i:93", "ZF:i:1", "ZS:i:5",
    ]  # fmt: skip


def test_header_names_each_aligned_subject_once():
    header, _ = lines_of(FOUND, QueryResult(QUERY, STATISTICS, (SECOND, ALIGNED, UNALIGNED)))
    assert header[:3] == [
        ["@HD", "VN:1.6", "SO:unsorted", "GO:query"],
        ["@SQ", "SN:sp|P1|A", "LN:300"],
        ["@SQ", "SN:P4", "LN:400"],
    ]
    [program] = header[3:]
    assert program[:4] == ["@PG", "ID:shardwater", "PN:shardwater", "VN:1.2.3"]
    assert program[4].startswith("DS:exact protein search of swiss 2026_01; AS bit score")


def test_best_alignment_of_a_query_is_primary_and_a_query_without_one_has_no_line():
    _, lines = lines_of(
        QueryResult(QUERY, STATISTICS, (ALIGNED, SECOND)), NOTHING, QueryResult(QUERY, STATISTICS, (UNALIGNED,))
    )
    assert [(line[0], line[1], line[2]) for line in lines] == [
        ("q1", "0", "sp|P1|A"),
        ("q1", "256", "P4"),
    ]


def test_further_alignments_of_a_hit_are_lines_of_their_own():
    _, lines = lines_of(QueryResult(QUERY, STATISTICS, (TWICE,)))
    assert [(line[1], line[2], line[3], line[5], line[14]) for line in lines] == [
        ("0", "sp|P1|A", "101", "4H22=2D10=1I26=1X3=34H", "ZR:i:310"),
        ("256", "sp|P1|A", "10", "2H4=95H", "ZR:i:22"),
    ]


def test_tags_without_statistics_are_left_out():
    _, [line] = lines_of(QueryResult(QUERY, NO_STATISTICS, (replace(ALIGNED, bits=None, evalue=None, hsps=(LONG,)),)))
    assert [tag[:2] for tag in line[11:]] == ["NM", "ZL", "ZR", "ZI", "ZF", "ZS"]


def test_whole_query_is_not_clipped():
    _, [line] = lines_of(QueryResult(replace(QUERY, length=67), STATISTICS, (replace(ALIGNED, hsps=(WHOLE,)),)))
    assert line[5] == "22=2D10=1I26=1X3="


WHOLE = replace(LONG, query_from=1, query_to=67)


def test_stop_is_x_as_sam_has_no_letter_for_it():
    hsp = replace(LONG, qseq="AC*w", hseq="AC*W", midline="AC*W", cigar="4=", align_len=4, identity=4, gaps=0)
    _, [line] = lines_of(QueryResult(QUERY, STATISTICS, (replace(ALIGNED, hsps=(hsp,)),)))
    assert line[9] == "ACXw"


# The standard's patterns (SAM v1, sections 1.2.1 and 1.4).
REFERENCE = re.compile(r"[0-9A-Za-z!#$%&+./:;?@^_|~-][0-9A-Za-z!#$%&*+./:;=?@^_|~-]*")
QUERY_NAME = re.compile(r"[!-?A-~]{1,254}")


@pytest.mark.parametrize("name", ["=x,[y]é%", "*", "=", "a=b*c", "sp|P1|A", "a\\b'c\"d(e)f{g}h<i>j", "名"])
def test_names_keep_to_the_standard_and_stay_apart(name):
    other = f"{name}'"
    queries = [
        QueryResult(Query(each, "", 101, {}), STATISTICS, (replace(ALIGNED, accession=each),)) for each in (name, other)
    ]
    header, lines = lines_of(*queries)
    subjects = [fields[1].removeprefix("SN:") for fields in header if fields[0] == "@SQ"]
    assert len(set(subjects)) == 2
    assert [line[2] for line in lines] == subjects
    for subject, line in zip(subjects, lines, strict=True):
        assert REFERENCE.fullmatch(subject)
        assert QUERY_NAME.fullmatch(line[0])
    assert lines[0][0] != lines[1][0]


def test_plain_names_stay_as_they_are():
    _, [line] = lines_of(QueryResult(Query("gi|1|sp|P2.1|X_Y", "", 101, {}), STATISTICS, (ALIGNED,)))
    assert (line[0], line[2]) == ("gi|1|sp|P2.1|X_Y", "sp|P1|A")


def test_overlong_query_name_is_cut():
    _, [line] = lines_of(QueryResult(Query("q" * 300, "", 101, {}), STATISTICS, (ALIGNED,)))
    assert line[0] == "q" * 254
    assert query_name("q" * 252 + "@" * 9) == "q" * 252
    assert query_name("q" * 251 + "@" * 9) == "q" * 251 + "%40"


def test_a_name_that_would_say_that_there_is_none_is_encoded():
    assert [query_name(name) for name in ("*", "*a")] == ["%2A", "*a"]


def test_htslib_reads_it(opened):
    with opened(QueryResult(QUERY, STATISTICS, (ALIGNED, SECOND)), NOTHING, STRANGE) as file:
        assert file.header.to_dict()["HD"] == {"VN": "1.6", "SO": "unsorted", "GO": "query"}
        assert dict(zip(file.references, file.lengths, strict=True)) == {
            "sp|P1|A": 300, "P4": 400, "%3Dx%2C%5By%5D%C3%A9%25": 300,
        }  # fmt: skip
        first, second, strange = file
    assert (first.reference_name, first.reference_start, first.reference_end) == ("sp|P1|A", 100, 164)
    assert (first.infer_read_length(), first.query_alignment_length) == (101, 63)
    assert [each.is_secondary for each in (first, second)] == [False, True]
    assert dict(second.get_tags())["ZE"] == pytest.approx(3e-4)
    assert dict(second.get_tags()) | {"ZE": 0} == {
        "AS": 45, "NM": 4, "ZL": 400, "ZR": 99, "ZE": 0, "ZI": 93, "ZF": 1, "ZS": 5,
    }  # fmt: skip
    assert strange.query_name == "a<b>&c%40d"


def test_biopython_reads_it():
    [first] = Align.parse(io.StringIO(text(write_sam(RESULT))), "sam")
    assert (first.target.id, len(first.target), first.query.id) == ("sp|P1|A", 300, "q1")
    # Target and query: where the runs of the alignment begin and end.
    assert first.coordinates.tolist() == [
        [100, 122, 124, 134, 134, 160, 161, 164],
        [0, 22, 22, 32, 33, 59, 60, 63],
    ]
    assert (first.score, first.annotations["ZR"], first.annotations["ZE"]) == (123, 310, 1.7e-30)
