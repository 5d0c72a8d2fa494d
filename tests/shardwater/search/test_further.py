"""Alignments of a hit after its best: which there are, what they mean, and that neither shards nor batches show."""

from dataclasses import replace

import numpy as np
import pytest

from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Slice
from shardwater.errors import EngineError
from shardwater.search.adjusting import Judged
from shardwater.search.further import Likely
from shardwater.search.hits import SubjectHit
from shardwater.search.merge import NarrowShortlist
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, find_all_hits, find_hits
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record
from shardwater.statistics.evalue import SearchSpace, Statistics
from shardwater.steps import finish
from tests.support.oracle import best_alignments
from tests.support.sharded import search, searched

LETTERS = list("ARNDCQEGHILKMFPSTWYV")
TABLE = Parameters(statistics="table", evalue=1e-3, max_hsps=10)
FITTED = Parameters(evalue=1e-3, max_hsps=10)


def random(rng, length):
    return "".join(rng.choice(LETTERS, length))


def mutated(rng, letters, share=0.2):
    changed = rng.random(len(letters)) < share
    return "".join(np.where(changed, rng.choice(LETTERS, len(letters)), list(letters)))


@pytest.fixture
def repeats(build):
    """A query of two domains; subjects with both in either order, with one several times, and 150 others."""
    rng = np.random.default_rng(17)
    one, two = random(rng, 70), random(rng, 50)
    records = [(f"chance{number}", random(rng, rng.integers(40, 300))) for number in range(150)]
    records += [
        ("turned", random(rng, 20) + mutated(rng, two) + random(rng, 90) + mutated(rng, one)),
        ("thrice", "".join(mutated(rng, one) + random(rng, 30) for _ in range(3))),
        ("eight", "".join(mutated(rng, two, 0.1) for _ in range(8))),
        ("both", mutated(rng, one + "GGSGG" + two)),
    ]
    return build(records), [Record("q1", (one + random(rng, 25) + two).encode()), Record("q2", one[::-1].encode())]


def counts(result):
    return {hit.accession: len(hit.hsps) for hit in result.hits}


def test_a_subject_has_as_many_alignments_as_are_within_the_limits(repeats):
    database, queries = repeats
    first, second = searched(database, queries, TABLE, 1)
    assert counts(first) == {"both": 1, "turned": 2, "thrice": 3, "eight": 8}
    assert second.hits == ()
    assert all(hsp.evalue <= 1e-3 for hit in first.hits for hsp in hit.hsps)
    [two] = [hit for hit in first.hits if hit.accession == "turned"]
    assert two.hsps[0].hit_from > two.hsps[1].hit_to
    assert two.hsps[0].query_to < two.hsps[1].query_from


def test_the_hits_figures_are_those_of_its_best_alignment(repeats):
    database, queries = repeats
    parameters = replace(TABLE, min_identity=1.0)
    [several, _], [one, _] = (searched(database, queries, replace(parameters, max_hsps=most), 1) for most in (10, 1))
    assert [replace(hit, hsps=hit.hsps[:1]) for hit in several.hits] == list(one.hits)
    for hit in several.hits:
        best = hit.hsps[0]
        assert (best.score, best.bits, best.evalue) == (hit.score, hit.bits, hit.evalue)
        scores = [hsp.score for hsp in hit.hsps]
        assert scores == sorted(scores, reverse=True)


def test_figures_of_an_alignment_are_those_of_a_hit_with_its_score(repeats):
    database, queries = repeats
    [result, _] = searched(database, queries, TABLE, 1)
    space = SearchSpace(len(queries[0].residues), database.manifest.residues, len(database))
    statistics = Statistics.of("table", TABLE.scoring, space)
    for hit in result.hits:
        for hsp in hit.hsps:
            assert hsp.evalue == statistics.evalue(hsp.score, hit.length)
            assert hsp.bits == statistics.bits(hsp.score, hit.length)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_no_more_than_asked_for(repeats, most):
    database, queries = repeats
    [result, _] = searched(database, queries, replace(TABLE, max_hsps=most), 1)
    assert counts(result) == {"both": 1, "turned": min(2, most), "thrice": min(3, most), "eight": min(8, most)}


def test_hits_without_alignments_have_no_further_ones(repeats):
    database, queries = repeats
    [result, _] = searched(database, queries, replace(TABLE, alignments=1), 1)
    assert [len(hit.hsps) > 0 for hit in result.hits] == [True, False, False, False]
    [result, _] = searched(database, queries, replace(TABLE, alignments=0), 1)
    assert not any(hit.hsps for hit in result.hits)


@pytest.mark.parametrize(
    "parameters",
    [
        TABLE,
        FITTED,
        replace(FITTED, composition="adjusted", evalue=1e-2),
        replace(FITTED, mask="tantan", evalue=1e-2),
        replace(FITTED, min_bits=24.0, evalue=100.0),
        replace(FITTED, order="score", alignments=3),
        replace(FITTED, score_distribution=True, max_hsps=3),
        Parameters(statistics="none", max_target_seqs=6, max_hsps=4),
        Parameters(statistics="none", gap_open=3, gap_extend=1, max_target_seqs=6, max_hsps=4),
        replace(FITTED, query_loc="5-140"),
    ],
)
def test_shards_do_not_show(repeats, parameters):
    database, queries = repeats
    if parameters.query_loc:
        queries = [queries[0].part(5, 140)]
    whole = searched(database, queries, parameters, 1)
    assert max(len(hit.hsps) for hit in whole[0].hits) > 1
    for count in (2, 5):
        assert searched(database, queries, parameters, count) == whole, count


def test_searches_of_one_pass_get_what_each_gets_alone(repeats):
    database, queries = repeats
    shard, engine = database.shard(0, 1), CpuEngine(2)
    engine.load(shard)
    searches = [ShardSearch(queries, replace(TABLE, max_hsps=most)) for most in (1, 3, 10)]
    together = finish(find_all_hits(engine, shard, searches))
    assert together == [find_hits(engine, shard, each.queries, each.parameters) for each in searches]


def test_alignments_are_the_oracles(build):
    """Of few letters, so that many are equally good."""
    rng = np.random.default_rng(5)
    letters = ["".join(rng.choice(list("ACW"), length, p=[0.45, 0.45, 0.1])) for length in (40, 35, 50, 45)]
    database = build([(f"s{number}", each) for number, each in enumerate(letters)])
    query = "".join(rng.choice(list("ACW"), 30))
    parameters = Parameters(statistics="none", gap_open=2, gap_extend=1, max_hsps=12)
    [result] = searched(database, [Record("q", query.encode())], parameters, 2)
    table = parameters.scoring.scores.tolist()
    for hit in result.hits:
        subject = encode(letters[int(hit.accession[1:])].encode()).tolist()
        expected = best_alignments(encode(query.encode()).tolist(), subject, table, (2, 1), 12)
        places = [(hsp.score, hsp.query_from - 1, hsp.query_to, hsp.hit_from - 1, hsp.hit_to) for hsp in hit.hsps]
        found = [(one.score, one.query_start, one.query_end, one.subject_start, one.subject_end) for one in expected]
        assert places == found
    assert len(result.hits) == 4
    assert {len(hit.hsps) for hit in result.hits} == {12}
