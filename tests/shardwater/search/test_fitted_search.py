"""Searches judged by a fit, from the engine's survey to the result: one shard or many, with and without a fit."""

import math
from dataclasses import replace

import numpy as np
import pytest
from pydantic import TypeAdapter

from shardwater.engines.cpu import CpuEngine
from shardwater.scoring.scoring import Scoring
from shardwater.search.databases import SearchedDatabase
from shardwater.search.hits import ShardResult
from shardwater.search.judging import evalues_differ
from shardwater.search.merge import Searched, SearchResult, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.search.warnings import QueryWarning
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Counts
from shardwater.statistics.length_regression import expected_counts, fit_scores
from tests.support.answers import best_of

AMINO_ACIDS = list("ARNDCQEGHILKMFPSTWYV")
FITTED, TABLE = Parameters(), Parameters(statistics="table")
STORED = TypeAdapter(ShardResult)


@pytest.fixture(scope="module")
def sequences():
    """400 random proteins of 20 to 600 residues, and 20 mutated pieces of the query among them; and the query."""
    rng = np.random.default_rng(400)
    strangers = ["".join(rng.choice(AMINO_ACIDS, rng.integers(20, 600))) for _ in range(400)]
    query = rng.choice(AMINO_ACIDS, 200)
    relatives = []
    for number in range(20):
        piece = query[: 20 + 9 * number].copy()
        changed = rng.random(len(piece)) < 0.25
        piece[changed] = rng.choice(AMINO_ACIDS, int(changed.sum()))
        relatives.append("".join(piece) + "".join(rng.choice(AMINO_ACIDS, 40 * (number % 7))))
    return [*strangers, *relatives], "".join(query)


@pytest.fixture
def crowd(build, sequences):
    """The database, and two queries: the one with relatives and one without."""
    letters, query = sequences
    queries = [Record("q1", query.encode()), Record("q2", query[::-1].encode())]
    return build([(f"s{number}", each) for number, each in enumerate(letters)]), queries


def whole_result(database, queries, parameters, count=1):
    """The result of so many shards, each handed on as JSON, the last one first."""
    engine, shards = CpuEngine(2), []
    for index in range(count):
        shard = database.shard(index, count)
        engine.load(shard)
        shards.append(STORED.validate_json(STORED.dump_json(find_hits(engine, shard, queries, parameters))))
    return assemble(Searched("abc", (SearchedDatabase.of(database.manifest),), parameters, queries), shards[::-1])


def test_evalues_come_from_the_scores_of_all_subjects(crowd):
    database, queries = crowd
    engine = CpuEngine(2)
    engine.load(database.shard(0, 1))
    [scores] = best_of(engine, queries[:1], Scoring("BLOSUM62", 11, 1), len(database))
    of_all = np.zeros(len(database), np.int64)
    of_all[[score.subject for score in scores]] = [score.score for score in scores]
    counts = Counts.of(database.lengths, of_all)
    fit = fit_scores(counts)
    one, _ = whole_result(database, queries, replace(FITTED, score_distribution=True)).results
    assert (one.statistics.method, one.statistics.fit, one.statistics.fallback_reason) == ("fitted", fit, None)
    assert (one.statistics.lambda_, one.statistics.eff_space) == (None, None)
    assert fit.subjects + fit.rejected == 420
    assert fit.rejected > 5
    for hit in one.hits:
        z = (hit.score - fit.rho * math.log(hit.length) - fit.mu) / math.sqrt(fit.variance)
        assert hit.evalue == pytest.approx(
            420 * (1 - math.exp(-math.exp(-1.2825498 * z - 0.5772157))), rel=1e-6, abs=1e-9
        )
        assert (hit.evalues.fitted, hit.evalues.zscore) == (hit.evalue, pytest.approx(50 + 10 * z))
    assert one.distribution.counts == tuple(np.bincount(of_all).tolist())
    assert one.distribution.expected == expected_counts(fit, counts, int(of_all.max()) + 1)
    assert (one.distribution.bin_width, one.distribution.fit) == (1, fit)


def test_relatives_are_found_and_strangers_expected(crowd):
    first, second = whole_result(*crowd, FITTED).results
    assert {f"s{number}" for number in range(403, 420)} <= {hit.accession for hit in first.hits if hit.evalue < 0.01}
    assert min(hit.evalue for hit in second.hits) > 0.01
    assert all(hit.evalue <= 10 for one in (first, second) for hit in one.hits)


CASES = {
    "usual": FITTED,
    "unpublished gap costs": replace(FITTED, gap_open=6, gap_extend=3),
    "few aligned of many": replace(FITTED, alignments=3, evalue=400.0),
    "cut among ties of length": replace(FITTED, alignments=12, evalue=1.0, max_target_seqs=60),
    "few": replace(FITTED, max_target_seqs=5, alignments=2),
    "none aligned": replace(FITTED, alignments=0, min_bits=20.0),
    "bits": replace(FITTED, alignments=4, min_bits=21.5, evalue=1e9),
    "coverage": replace(FITTED, alignments=1, min_query_coverage=30.0, evalue=100.0),
    "distribution": replace(TABLE, score_distribution=True, alignments=5),
    "distribution without statistics": Parameters(statistics="none", score_distribution=True, alignments=5),
}


@pytest.mark.parametrize("parameters", CASES.values(), ids=CASES)
@pytest.mark.parametrize("count", [2, 9])
def test_shard_count_does_not_show(crowd, parameters, count):
    one, many = (whole_result(*crowd, parameters, shards) for shards in (1, count))
    adapter = TypeAdapter(SearchResult)
    assert adapter.dump_json(replace(many, certificate=one.certificate)) == adapter.dump_json(one)
    assert len(one.results[0].hits) > 0


@pytest.mark.parametrize("parameters", CASES.values(), ids=CASES)
@pytest.mark.parametrize("count", [1, 7])
def test_nothing_is_missing_and_as_much_aligned_as_asked_for(crowd, parameters, count):
    # With all aligned and nothing cut, what should be left is plain.
    everything = replace(parameters, evalue=1e300, min_bits=None, alignments=10_000, max_target_seqs=10_000)
    everything = replace(everything, min_query_coverage=None)
    for one, whole in zip(
        whole_result(*crowd, parameters, count).results, whole_result(*crowd, everything).results, strict=True
    ):
        wanted = [
            hit
            for hit in whole.hits[: parameters.max_target_seqs]
            if (hit.evalue is None or hit.evalue <= parameters.evalue)
            and (parameters.min_bits is None or hit.bits >= parameters.min_bits)
            and (parameters.min_query_coverage is None or hit.query_coverage >= parameters.min_query_coverage)
        ]
        assert [(h.accession, h.score, h.evalue, h.title) for h in one.hits] == [
            (h.accession, h.score, h.evalue, h.title) for h in wanted
        ]
        assert [h.hsps for h in one.hits] == [
            h.hsps if place < parameters.aligned else () for place, h in enumerate(wanted)
        ]


def test_gap_costs_without_published_statistics_have_fitted_figures_alone(crowd):
    one, _ = whole_result(*crowd, replace(FITTED, gap_open=6, gap_extend=3)).results
    best = one.hits[0]
    assert best.evalue < 1e-10
    assert best.bits > 50
    assert (best.evalues.table, best.evalues.differ) == (None, None)


def test_both_evalues_and_a_flag_where_they_disagree(crowd):
    fitted, _ = whole_result(*crowd, replace(FITTED, order="score", evalue=1e300)).results
    table, _ = whole_result(*crowd, replace(TABLE, order="score", score_distribution=True, evalue=1e300)).results
    assert [hit.evalues for hit in fitted.hits] == [hit.evalues for hit in table.hits]
    assert [hit.evalue for hit in table.hits] == [hit.evalues.table for hit in fitted.hits]
    both = [(hit.evalues.table, hit.evalues.fitted) for hit in fitted.hits]
    assert [hit.evalues.differ for hit in fitted.hits] == [evalues_differ(*pair) for pair in both]
    assert {hit.evalues.differ for hit in fitted.hits} == {True, False}


@pytest.fixture
def few(build):
    """Too few subjects for a fit."""
    return build([("a", "WWHWW" * 3), ("b", "WWPWWP"), ("c", "AAAW")]), [Record("q", b"WWHWWWWHWW")]


@pytest.mark.parametrize("count", [1, 2])
def test_table_stands_in_for_a_fit_of_too_few_subjects(few, count):
    one, by_table = (whole_result(*few, replace(p, alignments=2), count).results[0] for p in (FITTED, TABLE))
    assert one.statistics == replace(
        by_table.statistics, fallback_reason="a fit needs 50 unrelated subjects and finds 3: table is used in its place"
    )
    assert one.hits == by_table.hits
    assert len(one.hits[0].hsps) == 1
    assert QueryWarning("no-fit", one.statistics.fallback_reason or "") in one.warnings


def test_without_published_statistics_nothing_stands_in(few):
    [one] = whole_result(*few, replace(FITTED, gap_open=6, gap_extend=3, evalue=1e-9)).results
    assert one.statistics.method == "none"
    assert one.statistics.fallback_reason.endswith("and finds 3: none is used in its place")
    assert [(hit.bits, hit.evalue, hit.evalues) for hit in one.hits] == [(None, None, None)] * 3


def test_distribution_without_a_fit_has_counts_alone(few):
    [one] = whole_result(*few, replace(TABLE, score_distribution=True, evalue=1e300)).results
    assert one.distribution.counts[11] == 1
    assert sum(one.distribution.counts) == 3
    assert (one.distribution.expected, one.distribution.fit) == (None, None)
    assert {hit.evalues for hit in one.hits} == {None}
    assert one.statistics.method == "table"
    assert one.statistics.fallback_reason is None


def test_search_by_published_parameters_has_none_of_it(crowd):
    one, _ = whole_result(*crowd, TABLE).results
    assert (one.distribution, one.statistics.fit, one.statistics.fallback_reason) == (None, None, None)
    assert {hit.evalues for hit in one.hits} == {None}
