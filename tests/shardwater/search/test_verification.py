"""Two results compared: what differs, in words, and that nothing is overlooked."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from shardwater.search.canonical_json import canonical
from shardwater.search.digests import covered_head
from shardwater.search.merge import SearchResult
from shardwater.search.verification import LONGEST_VALUE, compare
from tests.support.example_results import RESULT, STRANGE, result_of

RESULT_JSON = TypeAdapter(SearchResult)
WHOLE = RESULT_JSON.dump_python(RESULT, mode="json")


def changed(change, result=WHOLE):
    """The result with a change."""
    other = copy.deepcopy(result)
    change(other)
    return other


def lines(stored, computed=WHOLE, **options):
    return [str(each) for each in compare(stored, computed, **options).first]


def hits(result, query=0):
    return result["results"][query]["hits"]


def three_hits():
    """A result whose first query has hits of the accessions A, B and C."""
    result = copy.deepcopy(WHOLE)
    first = hits(result)[0]
    hits(result)[:] = [
        {**copy.deepcopy(first), "rank": rank, "accession": name, "score": 100 - rank}
        for rank, name in enumerate("ABC", start=1)
    ]
    return result


def test_the_same_result_does_not_differ():
    found = compare(copy.deepcopy(WHOLE), WHOLE)
    assert (found.first, found.total, found.of_version_alone) == ((), 0, False)


def test_what_may_differ_is_no_difference():
    def other_place(result):
        result |= {"search": "other", "digest": "sha256:1", "signature": None}
        result["software"]["commit"] = "another"
        result["certificate"]["shards"] = [{"index": 0}]
        result["results"][0]["digest"] = "sha256:2"

    assert compare(changed(other_place), WHOLE).total == 0


def test_a_whole_number_with_a_fraction_is_the_same_value():
    assert compare(changed(lambda result: hits(result)[0].update(score=310.0)), WHOLE).total == 0
    assert compare(changed(lambda result: hits(result)[0].update(rank=True)), WHOLE).total == 1


def test_a_changed_score_is_told_with_query_hit_and_both_values():
    stored = changed(lambda result: hits(result)[1].update(score=60))
    assert lines(stored) == ["query 1 (q1), hit 2 (P2), score: 60; computed anew: 59"]


def test_a_changed_alignment_is_told_by_its_member():
    stored = changed(lambda result: hits(result)[0]["hsps"][0].update(cigar="65=", qseq="W" * 65))
    assert lines(stored) == [
        'query 1 (q1), hit 1 (sp|P1|A), hsps[1].cigar: "65="; computed anew: "22=2D10=1I26=1X3="',
        f'query 1 (q1), hit 1 (sp|P1|A), hsps[1].qseq: "{"W" * (LONGEST_VALUE - 1)}...; '
        'computed anew: "ACDEFGHIKLMNPQRSTVWYAC--FGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVW...',
    ]


def test_a_long_value_is_shown_where_it_differs():
    stored = changed(lambda result: hits(result)[0].update(title=f"{'a' * 99}b{'c' * 99}"))
    other = changed(lambda result: hits(result)[0].update(title="a" * 199))
    assert lines(stored, other) == [
        f"query 1 (q1), hit 1 (sp|P1|A), title: ...{'a' * 30}b{'c' * 29}...; computed anew: ...{'a' * 60}..."
    ]


def test_a_missing_hit_does_not_make_those_after_it_differ():
    whole, stored = three_hits(), three_hits()
    del hits(stored)[1]
    hits(stored)[1]["rank"] = 2
    assert lines(stored, whole) == ["query 1 (q1), hit 2 (B): missing; computed anew: score 98"]
    assert lines(whole, stored) == ["query 1 (q1), hit 2 (B): score 98; computed anew: missing"]


def test_another_order_is_told_by_the_ranks():
    stored = three_hits()
    hits(stored)[:2] = [{**hits(stored)[1], "rank": 1}, {**hits(stored)[0], "rank": 2}]
    assert lines(stored, three_hits()) == [
        "query 1 (q1), hit 1 (B), rank: 1; computed anew: 2",
        "query 1 (q1), hit 2 (A), rank: 2; computed anew: 1",
    ]


def test_another_order_under_the_old_ranks_is_seen():
    stored = three_hits()
    hits(stored)[:2] = hits(stored)[1::-1]
    assert lines(stored, three_hits()) == [
        "query 1 (q1), hit 1 (B), rank: 2, at place 1; computed anew: 2",
        "query 1 (q1), hit 2 (A), rank: 1, at place 2; computed anew: 1",
    ]


def test_a_wrong_rank_is_seen_where_the_order_is_right():
    stored = three_hits()
    hits(stored)[2]["rank"] = 4
    assert lines(stored, three_hits()) == ["query 1 (q1), hit 3 (C), rank: 4, at place 3; computed anew: 3"]
    assert lines(three_hits(), stored) == ["query 1 (q1), hit 3 (C), rank: 3; computed anew: 4, at place 3"]


def test_a_hit_that_stands_twice_is_told():
    stored = three_hits()
    hits(stored).append({**hits(stored)[0], "rank": 4})
    assert lines(stored, three_hits()) == ["query 1 (q1), hit 4 (A): score 99; computed anew: missing"]


def test_other_statistics_and_another_database_are_told():
    def other(result):
        result["results"][1]["statistics"]["kappa"] = 0.05
        result["database"]["checksum"] = "1" * 64
        result["parameters"]["gap_open"] = 10

    stored = changed(other)
    assert lines(stored) == [
        f'database.checksum: "{"1" * 64}"; computed anew: "{"0" * 64}"',
        "parameters.gap_open: 10; computed anew: 11",
        "query 2 (q2), statistics.kappa: 0.05; computed anew: 0.041",
    ]


def test_another_version_is_told_apart():
    stored = changed(lambda result: result["software"].update(version="1.0.0"))
    found = compare(stored, WHOLE)
    assert ([str(each) for each in found.first], found.of_version_alone) == (
        ['software.version: "1.0.0"; computed anew: "1.2.3"'],
        True,
    )
    hits(stored)[0]["score"] = 1
    assert not compare(stored, WHOLE).of_version_alone


def test_a_member_that_only_one_of_them_has_is_missing():
    stored = changed(lambda result: result["certificate"].update(note="all is well"))
    assert lines(stored) == ['certificate.note: "all is well"; computed anew: missing']
    assert lines(WHOLE, stored) == ['certificate.note: missing; computed anew: "all is well"']


def test_another_number_of_queries_is_told():
    stored = changed(lambda result: result["results"].pop())
    assert lines(stored) == ["queries: 1; computed anew: 2"]


def test_the_first_differences_are_kept_and_all_are_counted():
    def other(result):
        for number, hit in enumerate(hits(result)):
            hit |= {"score": number, "bits": 1.0, "length": 1}

    found = compare(changed(other), WHOLE, most=2)
    assert (len(found.first), found.total) == (2, 6)


def leaves(value, path=()):
    """The place of every value that is neither an object nor a list."""
    if isinstance(value, dict | list):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, name))
    else:
        yield path


COVERED = RESULT_JSON.dump_python(result_of(STRANGE, *RESULT.results), mode="json")
COVERED = {**covered_head(COVERED), "results": COVERED["results"]}


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([path for path in leaves(COVERED) if path[-1] != "digest"]),
    st.sampled_from([None, True, 17, 0.125, "other", [], {}]),
)
def test_results_differ_where_their_canonical_forms_do(path, value):
    def change(result):
        for name in path[:-1]:
            result = result[name]
        result[path[-1]] = value

    stored = changed(change, COVERED)
    assert (compare(stored, COVERED).total == 0) is (canonical(stored) == canonical(COVERED))


@settings(max_examples=100, deadline=None)
@given(st.permutations("ABC"), st.sets(st.sampled_from("ABC")))
def test_no_other_list_of_hits_is_overlooked(order, kept):
    whole = three_hits()
    stored = three_hits()
    hits(stored)[:] = [next(hit for hit in hits(whole) if hit["accession"] == name) for name in order if name in kept]
    assert (compare(stored, whole).total == 0) is ([hit["accession"] for hit in hits(stored)] == ["A", "B", "C"])


@pytest.mark.parametrize("digest", [None, "sha256:0"])
def test_digests_are_no_part_of_the_comparison(digest):
    stored = changed(lambda result: result["results"][0].update(digest=digest))
    assert compare(stored, WHOLE).total == 0
