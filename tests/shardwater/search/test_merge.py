import json
from dataclasses import replace

import numpy as np
import pytest
from pydantic import TypeAdapter

from shardwater.engines.cpu import CpuEngine
from shardwater.engines.extent import Extent
from shardwater.errors import EngineError, ScoringError
from shardwater.search.databases import DatabaseUsed, SearchedDatabase
from shardwater.search.hits import Hsp, ShardResult, SubjectHit
from shardwater.search.merge import (
    Certificate,
    CertifiedShard,
    Query,
    Searched,
    SearchResult,
    StatisticsUsed,
    assemble,
)
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record
from shardwater.software import software
from shardwater.statistics.distribution import Histogram
from shardwater.statistics.karlin_altschul import KarlinAltschul, Simulated

DATABASE = SearchedDatabase("db", "v1", "0" * 64, 10, 1000)
# A query of 10; its hits have 5 of 8, 8 of 8 and 2 of 4 columns identical.
RECORD = Record("q a query", b"MKVLUMKVLW")
QUERY = Query("q", "a query", 10, {"U": 1})
FIVE_OF_EIGHT = Hsp(2, 9, 1, 8, 5, 6, 0, 8, "5=3X", "WWWWWAAA", "WWWWW+  ", "WWWWWTTT")
EIGHT_OF_EIGHT = Hsp(1, 8, 3, 10, 8, 8, 0, 8, "8=", "WWWWWWWW", "WWWWWWWW", "WWWWWWWW")
TWO_OF_FOUR = Hsp(4, 6, 5, 8, 2, 2, 1, 4, "2=1X1D", "WWA-", "WW  ", "WWTT")


TABLE = Parameters(statistics="table")


def searched(parameters=TABLE, queries=(RECORD,), database=DATABASE):
    return Searched("abc", (database,), parameters, queries)


def hit(subject, score, *hsps):
    return SubjectHit(subject, f"acc{subject}", f"title {subject}", 100, score, hsps)


def shard(index, *hits, subjects=5, residues=500):
    """What one of two shards found for one query of 10."""
    return ShardResult(index, subjects, residues, "cpu", (hits,), (Extent(subjects, residues, residues * 10),))


def hits_of(parameters, *shards):
    [result] = assemble(searched(parameters), shards).results
    return result.hits


BEST, SECOND, THIRD = hit(1, 90, FIVE_OF_EIGHT), hit(2, 80, EIGHT_OF_EIGHT), hit(3, 70, TWO_OF_FOUR)
SIMULATED = Simulated(KarlinAltschul(0.3, 0.1, 0.25, 1.2, -6.0, 11.0, 11.5, -6.0, -150.0, -160.0), 0.001, 0.002)
TWO_SHARDS = (shard(0, SECOND), shard(1, BEST, THIRD))


def test_certificate_sums_the_shards_counts():
    shards = [shard(1, subjects=4, residues=600), shard(0, subjects=6, residues=400)]
    assert assemble(searched(), shards).certificate == Certificate(
        exact=True,
        subjects=10,
        residues=1000,
        cells=10_000,
        shards=(CertifiedShard(0, 6, 400, 4000, "cpu", "db"), CertifiedShard(1, 4, 600, 6000, "cpu", "db")),
    )


@pytest.mark.parametrize(
    "shards",
    [
        [],
        [shard(0)],
        [shard(1)],
        [shard(0), shard(0)],
        [shard(0), shard(1), shard(1)],
        [shard(0), shard(2)],
        [shard(0), shard(1, subjects=4)],
        [shard(0), shard(1, residues=501)],
        [shard(0, subjects=10, residues=1000), shard(1)],
    ],
    ids=[
        "none", "last missing", "first missing", "one twice", "one too many", "a number left out", "a subject missing",
        "a residue too many", "all and more",
    ],
)  # fmt: skip
def test_shards_that_do_not_make_up_the_database_are_refused(shards):
    with pytest.raises(EngineError, match=r"^the shards' results do not make up database db$"):
        assemble(searched(), shards)


@pytest.mark.parametrize(
    ("extents", "message"),
    [
        ([], "^0 of 1 queries were scored, by shard 1 of db$"),
        ([Extent(5, 500, 5000)] * 2, "^2 of 1 queries were scored, by shard 1 of db$"),
        (
            [Extent(4, 500, 5000)],
            "^query 1 was scored against 4 of 5 subjects, 500 of 500 residues, in 5,000 of 5,000 cells, by shard 1 of",
        ),
        ([Extent(5, 499, 5000)], "499 of 500 residues"),
        ([Extent(5, 500, 1250)], "in 1,250 of 5,000 cells"),
        ([Extent(5, 500, 5500)], "in 5,500 of 5,000 cells"),
    ],
)
def test_shard_that_did_not_score_all_of_itself_is_refused(extents, message):
    scant = replace(shard(1), extents=tuple(extents))
    with pytest.raises(EngineError, match=message):
        assemble(searched(), [shard(0), scant])


def test_counts_are_checked_query_by_query():
    # Together they have as many cells as there should be.
    queries = (RECORD, replace(RECORD, residues=2 * RECORD.residues))
    extents = (Extent(10, 1000, 20_000), Extent(10, 1000, 10_000))
    mixed = ShardResult(0, 10, 1000, "cpu", ((), ()), extents)
    with pytest.raises(EngineError, match=r"^query 1 .* in 20,000 of 10,000 cells"):
        assemble(searched(queries=queries), [mixed])


def test_histogram_that_leaves_a_subject_out_is_refused():
    few, all_five = Histogram((1,), (4,)), Histogram((1,), (5,))
    shards = [replace(shard(0), histograms=(all_five,)), replace(shard(1), histograms=(few,))]
    with pytest.raises(EngineError, match=r"^the histogram of query 1 has 4 of 5 subjects, by shard 1 of db$"):
        assemble(searched(Parameters(score_distribution=True)), shards)


def test_result_says_what_was_searched_and_by_what():
    result = assemble(searched(), TWO_SHARDS)
    assert (result.search, result.database, result.parameters) == ("abc", DatabaseUsed("db", "v1", "0" * 64), TABLE)
    assert result.software == software()
    assert [one.query for one in result.results] == [QUERY]


def test_query_as_it_was_read():
    assert Query.of(Record("sp|P1 a  title ", b"MUuOJKx*")) == Query("sp|P1", "a  title", 8, {"J": 1, "O": 1, "U": 2})


def test_hits_are_merged_and_ranked_from_1():
    hits = hits_of(TABLE, *TWO_SHARDS)
    assert [(h.rank, h.accession, h.title, h.length, h.score) for h in hits] == [
        (1, "acc1", "title 1", 100, 90),
        (2, "acc2", "title 2", 100, 80),
        (3, "acc3", "title 3", 100, 70),
    ]


def test_figures_of_each_hit():
    best, second, third = hits_of(Parameters(statistics="karlin-altschul"), *TWO_SHARDS)
    # BLOSUM62 11/1: lambda 0.267, K 0.041. (0.267 * 90 + 3.194183) / 0.693147 = 39.2762
    assert best.bits == pytest.approx(39.2762, abs=1e-4)
    assert (best.identity, best.query_coverage) == (62.5, 80.0)
    assert (second.identity, second.query_coverage) == (100.0, 80.0)
    assert (third.identity, third.query_coverage) == (50.0, 30.0)
    assert best.hsps == (replace(FIVE_OF_EIGHT, score=90, bits=best.bits, evalue=best.evalue),)


def test_statistics_that_were_used():
    [result] = assemble(searched(Parameters(statistics="karlin-altschul")), TWO_SHARDS).results
    used = result.statistics
    assert (used.method, used.lambda_, used.kappa, used.entropy) == ("karlin-altschul", 0.267, 0.041, 0.14)
    # E = eff_space * K * exp(-lambda * S)
    expected = used.eff_space * 0.041 * np.exp(-0.267 * 90)
    assert result.hits[0].evalue == pytest.approx(expected, rel=1e-12)


def test_no_statistics_give_no_figures_and_take_any_gap_costs():
    parameters = Parameters(statistics="none", gap_open=3, gap_extend=3, evalue=1e-300)
    [result] = assemble(searched(parameters), TWO_SHARDS).results
    assert result.statistics == StatisticsUsed("none", None, None, None, None)
    assert [(h.score, h.bits, h.evalue) for h in result.hits] == [(90, None, None), (80, None, None), (70, None, None)]
    assert result.hits[0].identity == 62.5


def test_gap_costs_without_statistics_are_refused_under_the_table():
    with pytest.raises(ScoringError, match="no published statistics for BLOSUM62 with gap costs 3/3"):
        assemble(searched(replace(TABLE, gap_open=3, gap_extend=3)), TWO_SHARDS)


def test_simulated_parameters_are_those_that_the_shards_have_judged_by():
    parameters = Parameters(statistics="simulated", gap_open=10, gap_extend=3)
    shards = [replace(each, simulated=SIMULATED) for each in TWO_SHARDS]
    result = assemble(searched(parameters), shards)
    used = result.results[0].statistics
    assert (used.method, used.lambda_, used.kappa, used.entropy) == ("simulated", 0.3, 0.1, 0.25)
    assert used.simulated == SIMULATED
    assert result.results[0].hits[0].evalue is not None


@pytest.mark.parametrize("other", [None, replace(SIMULATED, lambda_error=0.5)])
def test_shards_that_have_judged_by_other_simulated_parameters_are_refused(other):
    shards = [replace(TWO_SHARDS[0], simulated=SIMULATED), replace(TWO_SHARDS[1], simulated=other)]
    with pytest.raises(EngineError, match="the shards have not judged by the same simulated parameters"):
        assemble(searched(Parameters(statistics="simulated")), shards)


def accessions(hits):
    return [(h.rank, h.accession) for h in hits]


def test_evalue_filter_lets_the_limit_itself_pass():
    figures = [h.evalue for h in hits_of(replace(TABLE, evalue=1e9), *TWO_SHARDS)]
    assert figures == sorted(figures)
    assert accessions(hits_of(replace(TABLE, evalue=figures[1]), *TWO_SHARDS)) == [(1, "acc1"), (2, "acc2")]
    below = float(np.nextafter(figures[1], 0))
    assert accessions(hits_of(replace(TABLE, evalue=below), *TWO_SHARDS)) == [(1, "acc1")]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"min_bits": 35.4}, [(1, "acc1"), (2, "acc2")]),
        ({"min_bits": 35.5}, [(1, "acc1")]),
        ({"min_identity": 62.5}, [(1, "acc1"), (2, "acc2")]),
        ({"min_identity": 62.6}, [(1, "acc2")]),
        ({"min_identity": 50.0}, [(1, "acc1"), (2, "acc2"), (3, "acc3")]),
        ({"min_query_coverage": 80.0}, [(1, "acc1"), (2, "acc2")]),
        ({"min_query_coverage": 80.1}, []),
        ({"min_query_coverage": 30.0, "min_identity": 63.0}, [(1, "acc2")]),
    ],
)
def test_filters(filters, expected):
    # 80 raw are 35.424 bits.
    assert accessions(hits_of(replace(TABLE, **filters), *TWO_SHARDS)) == expected


def test_min_bits_lets_nothing_pass_where_there_are_no_bits():
    assert hits_of(Parameters(statistics="none", min_bits=1.0), *TWO_SHARDS) == ()


def test_filters_look_at_the_best_max_target_seqs_only():
    assert accessions(hits_of(replace(TABLE, max_target_seqs=1, min_identity=63.0), *TWO_SHARDS)) == []
    assert accessions(hits_of(replace(TABLE, max_target_seqs=2, min_identity=63.0), *TWO_SHARDS)) == [(1, "acc2")]


def test_only_the_best_of_the_merged_list_keep_their_alignments():
    hits = hits_of(replace(TABLE, alignments=1), *TWO_SHARDS)
    assert [len(h.hsps) for h in hits] == [1, 0, 0]
    assert [(h.identity, h.query_coverage) for h in hits[1:]] == [(None, None), (None, None)]
    assert [len(h.hsps) for h in hits_of(replace(TABLE, alignments=2), *TWO_SHARDS)] == [1, 1, 0]


def test_filters_that_look_at_alignments_keep_them_all():
    hits = hits_of(replace(TABLE, alignments=0, min_identity=50.0), *TWO_SHARDS)
    assert [len(h.hsps) for h in hits] == [1, 1, 1]


def test_each_query_has_its_own_hits():
    extents = (Extent(5, 500, 5000), Extent(5, 500, 10_000))
    shards = (
        ShardResult(0, 5, 500, "cpu", ((BEST,), ()), extents),
        ShardResult(1, 5, 500, "cpu", ((SECOND,), (THIRD,)), extents),
    )
    other = Query("other", "", 20, {})
    first, second = assemble(searched(queries=(RECORD, Record("other", b"MKVLWMKVLW" * 2))), shards).results
    assert (first.query, [h.accession for h in first.hits]) == (QUERY, ["acc1", "acc2"])
    assert (second.query, [h.accession for h in second.hits]) == (other, ["acc3"])
    # The same alignment covers less of a longer query.
    assert second.hits[0].query_coverage == 15.0


def test_json_has_the_fields_of_the_contract():
    adapter = TypeAdapter(SearchResult)
    result = assemble(searched(replace(TABLE, alignments=1)), TWO_SHARDS)
    text = adapter.dump_json(result)
    found = json.loads(text)
    assert list(found) == [
        *("search", "database", "databases", "software", "parameters", "certificate", "digest", "signature", "results"),
    ]
    assert list(found["certificate"]) == ["exact", "subjects", "residues", "cells", "shards"]
    [one] = found["results"]
    assert list(one) == ["query", "statistics", "hits", "distribution", "warnings", "rounds", "digest"]
    assert one["query"] == {
        "id": "q",
        "title": "a query",
        "length": 10,
        "replaced": {"U": 1},
        "masked": None,
        "profile": None,
    }
    assert list(one["statistics"]) == [
        *("method", "lambda", "kappa", "entropy", "eff_space", "fit", "fallback_reason", "composition", "simulated"),
        "mask",
    ]
    assert list(one["hits"][0]) == [
        *(
            "rank",
            "accession",
            "title",
            "length",
            "score",
            "bits",
            "evalue",
            "identity",
            "query_coverage",
            "hsps",
            "evalues",
            "shuffled",
            "masked",
            "database",
            "taxid",
            "organism",
        )
    ]
    assert one["hits"][0]["hsps"] == [
        {
            "query_from": 2,
            "query_to": 9,
            "hit_from": 1,
            "hit_to": 8,
            "identity": 5,
            "positive": 6,
            "gaps": 0,
            "align_len": 8,
            "cigar": "5=3X",
            "qseq": "WWWWWAAA",
            "midline": "WWWWW+  ",
            "hseq": "WWWWWTTT",
            "score": 90,
            "bits": one["hits"][0]["bits"],
            "evalue": one["hits"][0]["evalue"],
        }
    ]
    assert (one["hits"][1]["identity"], one["hits"][1]["hsps"]) == (None, [])
    assert adapter.validate_json(text) == result


@pytest.fixture
def crowd(build):
    """A database of 60 with related and equal sequences, and queries."""
    rng = np.random.default_rng(60)
    query = "".join(rng.choice(list("ARNDCQEGHILKMFPSTWYV"), 80))
    relatives = [query[: 10 + 7 * (number % 9)] + "ga"[number % 2] * (number // 3) for number in range(60)]
    return build([(f"s{number} of 60", letters) for number, letters in enumerate(relatives)]), [
        Record("q1", query.encode()),
        Record("q2", query[20:60].lower().encode()),
    ]


def whole_result(database, queries, parameters, count):
    engine, shards = CpuEngine(2), []
    for index in range(count):
        shard = database.shard(index, count)
        engine.load(shard)
        shards.append(find_hits(engine, shard, queries, parameters))
    one = SearchedDatabase.of(database.manifest)
    return assemble(Searched("abc", (one,), parameters, queries), shards[::-1])


@pytest.mark.parametrize("count", [2, 3, 8, 61])
@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(),
        TABLE,
        replace(TABLE, max_target_seqs=7, alignments=3),
        replace(TABLE, alignments=0),
        Parameters(statistics="karlin-altschul", min_query_coverage=60.0, alignments=1),
        Parameters(statistics="none", max_target_seqs=1),
        Parameters(statistics="simulated", gap_open=10, gap_extend=3, simulated=SIMULATED, max_target_seqs=7),
    ],
    ids=["usual", "table", "few", "no alignments", "filtered", "best", "simulated"],
)
def test_shard_count_does_not_show(crowd, parameters, count):
    database, queries = crowd
    one, many = (whole_result(database, queries, parameters, shards) for shards in (1, count))
    assert many.results == one.results
    assert len(one.results[0].hits) > 0
    assert len(many.certificate.shards) == count
    counted = [(c.exact, c.subjects, c.residues, c.cells) for c in (one.certificate, many.certificate)]
    assert counted[0] == counted[1] == (True, 60, database.manifest.residues, database.manifest.residues * 120)
