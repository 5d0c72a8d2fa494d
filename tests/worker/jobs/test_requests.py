"""What a search may ask for, and what it means when it says nothing."""

from typing import Any

import pytest
from pydantic import ValidationError

from shardwater.errors import FastaFormatError, LimitExceeded
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record
from worker.jobs.limits import Limits
from worker.jobs.query_parts import QueryRangeError
from worker.jobs.requests import SearchRequest


def request(**fields: Any) -> SearchRequest:
    return SearchRequest(**{"sequence": "MKVL", "database": "demo", **fields})


def test_defaults() -> None:
    parameters = request().parameters
    assert (parameters.matrix, parameters.gap_open, parameters.gap_extend) == ("BLOSUM62", 11, 1)
    assert (parameters.evalue, parameters.max_target_seqs, parameters.alignments) == (10.0, 100, 100)
    assert (parameters.min_bits, parameters.min_identity, parameters.min_query_coverage) == (None, None, None)
    assert parameters.statistics == "fitted"


@pytest.mark.parametrize(
    ("fields", "scoring"),
    [
        ({"matrix": "PAM30"}, Scoring("PAM30", 9, 1)),
        ({"matrix": "blosum80"}, Scoring("BLOSUM80", 10, 1)),
        ({"matrix": "Blosum50"}, Scoring("BLOSUM50", 13, 2)),
        ({"gap_open": 9, "gap_extend": 2}, Scoring("BLOSUM62", 9, 2)),
        ({"gap_open": 10}, Scoring("BLOSUM62", 10, 1)),
        ({"gap_extend": 2}, Scoring("BLOSUM62", 11, 2)),
        ({"gap_open": 0, "gap_extend": 0, "statistics": "none"}, Scoring("BLOSUM62", 0, 0)),
    ],
)
def test_scoring(fields: dict[str, Any], scoring: Scoring) -> None:
    assert request(**fields).scoring == scoring


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"sequence": ""}, ("sequence",)),
        ({"sequence": b"\xff"}, ("sequence",)),
        ({"matrix": "BLOSUM61"}, ("matrix",)),
        ({"matrix": 62}, ("matrix",)),
        ({"gap_open": -1}, ("gap_open",)),
        ({"gap_open": 1.5}, ("gap_open",)),
        ({"gap_extend": 100_001}, ("gap_extend",)),
        ({"evalue": 0}, ("evalue",)),
        ({"evalue": float("inf")}, ("evalue",)),
        ({"evalue": float("nan")}, ("evalue",)),
        ({"min_bits": float("nan")}, ("min_bits",)),
        ({"max_target_seqs": 0}, ("max_target_seqs",)),
        ({"max_target_seqs": 10_001}, ("max_target_seqs",)),
        ({"alignments": -1}, ("alignments",)),
        ({"min_identity": 100.1}, ("min_identity",)),
        ({"min_query_coverage": -0.1}, ("min_query_coverage",)),
        ({"statistics": "ml"}, ("statistics",)),
        ({"score_distribution": "perhaps"}, ("score_distribution",)),
        ({"evalue": "1_0"}, ("evalue",)),
        ({"evalue": "١٠"}, ("evalue",)),
        ({"min_bits": "+5"}, ("min_bits",)),
        ({"max_target_seqs": "1_0"}, ("max_target_seqs",)),
        ({"max_target_seqs": "5.0"}, ("max_target_seqs",)),
        ({"gap_open": "+11", "gap_extend": 1}, ("gap_open",)),
        ({"query_loc": "0-5"}, ("query_loc",)),
        ({"query_loc": "5"}, ("query_loc",)),
        ({"query_loc": "5-9\n"}, ("query_loc",)),
        ({"query_loc": "5-4"}, ("query_loc",)),
        ({"title": "x" * 201}, ("title",)),
        ({"title": "a\x00b"}, ("title",)),
        ({"colour": "red"}, ("colour",)),
    ],
)
def test_wrong_value_is_named(fields: dict[str, Any], place: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError) as caught:
        request(**fields)
    assert [error["loc"] for error in caught.value.errors()] == [place]


@pytest.mark.parametrize(
    "fields",
    [
        {"evalue": 1e-300},
        {"evalue": 1e308},
        {"max_target_seqs": 5.0},
        {"max_target_seqs": 10_000, "alignments": 10_000},
        {"min_identity": 0, "min_query_coverage": 100},
        {"title": "é" * 200},
        {"statistics": "none", "gap_open": 100_000, "gap_extend": 0},
        {"min_bits": -1},
        {"statistics": "fitted", "gap_open": 5, "gap_extend": 5, "evalue": 1e-3, "min_bits": 30},
        {"score_distribution": True, "statistics": "none", "gap_open": 5, "gap_extend": 5},
    ],
)
def test_bounds_themselves_are_allowed(fields: dict[str, Any]) -> None:
    asked = request(**fields).model_dump()
    assert {name: asked[name] for name in fields} == fields


def test_number_may_be_text_in_decimal_notation() -> None:
    asked = request(evalue="1e-5", min_bits="-.5", max_target_seqs="50")
    assert (asked.evalue, asked.min_bits, asked.max_target_seqs) == (1e-5, -0.5, 50)


@pytest.mark.parametrize("method", ["table", "karlin-altschul"])
def test_gap_costs_without_statistics_are_refused_with_those_that_have_them(method: str) -> None:
    with pytest.raises(
        ValidationError, match=r"PAM30 with gap costs 11/1; .*9/1, .*7/2.*statistics=simulated, fitted or none"
    ):
        request(matrix="PAM30", gap_open=11, statistics=method)


@pytest.mark.parametrize("fields", [{"evalue": 9.0}, {"min_bits": 0}])
def test_no_statistics_leave_no_figures_to_filter_by(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="leave out evalue and min_bits"):
        request(statistics="none", **fields)
    assert request(statistics="none", min_identity=50).parameters.min_identity == 50
    assert request(statistics="none", evalue=10).parameters.statistics == "none"


def test_alignments_of_a_hit_are_so_many_at_most() -> None:
    assert request().parameters.max_hsps == 1
    assert request(max_hsps=100).parameters.max_hsps == 100
    assert request(max_hsps="7", max_target_seqs=30).rows == 210
    for value in (0, 101, "2.5", True):
        with pytest.raises(ValidationError):
            request(max_hsps=value)


def test_records_are_those_of_the_text() -> None:
    assert request(sequence=">a one\nMK\r\nvl\n>b\nW*").records() == [Record("a one", b"MKvl"), Record("b", b"W*")]
    assert request(sequence=" MK VL ").records() == [Record("query_1", b"MKVL")]
    with pytest.raises(FastaFormatError, match="record 2, line 4, column 2"):
        request(sequence=">a\nMK\n>b\nM-").records()


LIMITS = Limits(max_queries=2, max_query_length=10, max_query_residues=15, max_hits=20)


def records(*lengths: int) -> list[Record]:
    return [Record("q", b"M" * length) for length in lengths]


@pytest.mark.parametrize(("lengths", "max_target_seqs"), [((10,), 20), ((10, 5), 10), ((1, 1), 1)])
def test_limits_themselves_are_allowed(lengths: tuple[int, ...], max_target_seqs: int) -> None:
    LIMITS.check(records(*lengths), max_target_seqs)


@pytest.mark.parametrize(
    ("lengths", "max_target_seqs", "name", "limit", "actual"),
    [
        ((1, 1, 1), 1, "max_queries", 2, 3),
        ((11,), 1, "max_query_length", 10, 11),
        ((10, 6), 1, "max_query_residues", 15, 16),
        ((1,), 21, "max_hits", 20, 21),
        ((1, 1), 11, "max_hits", 20, 22),
        ((11, 11, 11), 100, "max_queries", 2, 3),
    ],
)
def test_first_limit_that_is_passed_is_told(
    lengths: tuple[int, ...], max_target_seqs: int, name: str, limit: int, actual: int
) -> None:
    with pytest.raises(LimitExceeded) as caught:
        LIMITS.check(records(*lengths), max_target_seqs)
    assert (caught.value.name, caught.value.limit, caught.value.actual) == (name, limit, actual)
    assert str(caught.value).startswith(f"{name} is {actual}, the limit is {limit}")


@pytest.mark.parametrize("lengths", [(40,), (30, 30)])
def test_dna_beyond_a_limit_is_told_where_to_go(lengths: tuple[int, ...]) -> None:
    limits, dna = Limits(max_query_length=30, max_query_residues=50), [Record("d", length * b"A") for length in lengths]
    with pytest.raises(LimitExceeded, match=r"\. This looks like DNA\. .* For genomes use Compare"):
        limits.check(dna, 1)
    with pytest.raises(LimitExceeded) as caught:
        limits.check(records(*lengths), 1)
    assert "DNA" not in str(caught.value)


def test_part_of_each_query_is_searched() -> None:
    found = request(sequence=">a one\nMKVLAAGW\n>b\nWWWW\n", query_loc="2-6").records()
    assert found == [Record("a one", b"KVLAA", 1, 8), Record("b", b"WWW", 1, 4)]
    assert [record.length for record in found] == [8, 4]


@pytest.mark.parametrize(("part", "record"), [("11-12", "1, which is 1-10"), ("5-6", "2, which is 1-4")])
def test_part_that_a_query_does_not_have_is_refused(part: str, record: str) -> None:
    with pytest.raises(QueryRangeError, match=f"{part} is no part of record {record}"):
        request(sequence=">a\nMKVLAAGWMK\n>b\nWWWW\n", query_loc=part).records()


def test_a_size_of_the_database_needs_evalues_to_change() -> None:
    assert request().parameters.dbsize is None
    assert request(dbsize=2**53 - 1).parameters.dbsize == 2**53 - 1
    for wrong in (0, -1, 2**53, 1.5):
        with pytest.raises(ValidationError, match="dbsize"):
            request(dbsize=wrong)
    # Generated clients send every default along.
    assert request(statistics="none", dbsize=None).parameters.dbsize is None
    with pytest.raises(ValidationError, match="statistics=none gives no E-values for a size of the database to change"):
        request(statistics="none", dbsize=5)


def test_a_mask_needs_evalues_to_change() -> None:
    assert request().parameters.mask == "none"
    assert request(statistics="table", mask="seg").parameters.mask == "seg"
    with pytest.raises(ValidationError, match="statistics=none gives no E-values for a mask to change: leave out mask"):
        request(statistics="none", mask="tantan")
    with pytest.raises(ValidationError, match="'none', 'soft', 'seg' or 'tantan'"):
        request(mask="dust")


@pytest.mark.parametrize("statistics", ["fitted", "table", "karlin-altschul", "none"])
def test_a_result_says_that_it_is_adjusted_only_where_it_is(statistics: str) -> None:
    usual = "adjusted" if statistics == "fitted" else "none"
    assert request(statistics=statistics).parameters.composition == usual
    assert request(statistics=statistics, composition="adjusted").parameters.composition == usual
    assert request(statistics=statistics, composition="none").parameters.composition == "none"


@pytest.mark.parametrize(("shuffles", "asked"), [({}, 100), ({"shuffles": 0}, 100), ({"shuffles": "200"}, 200)])
def test_shuffled_is_short_for_fitted_with_shuffles(shuffles: dict[str, Any], asked: int) -> None:
    found = SearchRequest.model_validate({"sequence": "MKV", "database": "d", "statistics": "shuffled", **shuffles})
    assert (found.statistics, found.shuffles) == ("fitted", asked)
    assert found == SearchRequest(sequence="MKV", database="d", shuffles=asked)
