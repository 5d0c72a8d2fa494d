"""Alignments of a hit after its best: which there are, what they mean, and that neither shards nor batches show."""

import gzip
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from pydantic import TypeAdapter

from shardwater.alignment.alignment import Alignment
from shardwater.engines.cpu import CpuEngine
from shardwater.errors import EngineError
from shardwater.search import writing
from shardwater.search.alignments import path_of
from shardwater.search.databases import SearchedDatabase
from shardwater.search.further import Likely
from shardwater.search.merge import NarrowShortlist, QueryResult, Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, find_all_hits, find_hits
from shardwater.search.step import Step
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.statistics.evalue import SearchSpace, Statistics
from shardwater.steps import finish
from tests.support.altered import altered
from tests.support.oracle import best_alignments, pairs_of
from tests.support.sharded import STORED, searched

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


def test_many_alignments_are_checked_and_written_in_many_steps(repeats, monkeypatch):
    database, queries = repeats
    engine, shard, results = CpuEngine(1), database.shard(0, 1), []
    search = ShardSearch(queries[:1], replace(FITTED, composition="adjusted"))
    engine.load(shard)
    for written in (writing.WRITTEN, 1):
        monkeypatch.setattr(writing, "WRITTEN", written)
        told = []
        results.append(finish(find_all_hits(engine, shard, [search]), told.append))
        assert sum(step.aligned + step.further for step in told) == pytest.approx(1)
        # The first two alignments of a hit are expected, and of all work three quarters of the engine's.
        assert sum(step.further for step in told) == pytest.approx(writing.TRACED / 4, rel=0.05)
        # Each alignment but the best of a subject is held against those before it.
        further = sum(len(hit.hsps) - 1 for hit in results[-1][0].queries[0] if hit.hsps)
        assert sum(step == Step() for step in told) >= further > 5
    assert results[0] == results[1]


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
        replace(FITTED, composition="adjusted", evalue=1e-2),
        replace(TABLE, mask="tantan", evalue=1e-2),
        replace(FITTED, min_bits=24.0, evalue=100.0, max_hsps=4),
        replace(FITTED, order="score", alignments=3),
        Parameters(statistics="none", gap_open=3, gap_extend=1, max_target_seqs=6, max_hsps=4),
    ],
)
def test_shards_do_not_show(repeats, parameters):
    database, queries = repeats
    whole = searched(database, queries[:1], parameters, 1)
    assert max(len(hit.hsps) for hit in whole[0].hits) > 1
    assert searched(database, queries[:1], parameters, 3) == whole


def test_places_are_those_of_the_whole_query_where_a_part_is_searched(repeats):
    database, queries = repeats
    [result] = searched(database, [queries[0].part(5, 140)], replace(TABLE, query_loc="5-140"), 1)
    assert counts(result)["thrice"] == 3
    assert min(hsp.query_from for hit in result.hits for hsp in hit.hsps) >= 5


def handed_on(database, queries, parameters):
    """What is asked, and what both of two shards hand on."""
    engine, shards = CpuEngine(1), []
    for index in range(2):
        engine.load(database.shard(index, 2))
        shards.append(find_hits(engine, database.shard(index, 2), queries, parameters))
    return Searched("s", (SearchedDatabase.of(database.manifest),), parameters, queries), shards


def test_what_a_shard_has_not_looked_for_is_asked_for_again(repeats):
    database, queries = repeats
    asked, shards = handed_on(database, queries[:1], TABLE)
    whole = assemble(asked, shards)
    # The best of what was not likely enough is not within the limits.
    assert all(bool(hit.unseen) is bool(hit.hsps) for shard in shards for hit in shard.queries[0])
    for shard in (0, 1):
        hits = shards[shard].queries[0]
        if hits and hits[0].hsps:
            doubtful = replace(hits[0], hsps=hits[0].hsps[:1], further_remains=(), unseen=hits[0].score)
            others = [each for number, each in enumerate(shards) if number != shard]
            with pytest.raises(NarrowShortlist, match="was not looked for"):
                assemble(asked, [*others, replace(shards[shard], queries=((doubtful, *hits[1:]),))])
    assert max(len(hit.hsps) for hit in whole.results[0].hits) == 8


def test_parts_of_earlier_versions_are_read(repeats):
    """They have no scores in alignments, and nothing of further ones."""
    database, queries = repeats
    asked, shards = handed_on(database, queries[:1], replace(TABLE, max_hsps=1))
    stored = [json.loads(STORED.dump_json(each)) for each in shards]
    for hit in (hit for each in stored for hits in each["queries"] for hit in hits):
        for name in ("further_remains", "unseen"):
            del hit[name]
        for hsp in hit["hsps"]:
            for name in ("score", "bits", "evalue"):
                del hsp[name]
    read = [STORED.validate_json(json.dumps(each)) for each in stored]
    assert assemble(asked, read) == assemble(asked, shards)


def test_results_of_earlier_versions_have_the_hits_figures(repeats):
    database, queries = repeats
    [result, _] = searched(database, queries, replace(TABLE, max_hsps=1), 1)
    adapter = TypeAdapter(QueryResult)
    plain = json.loads(adapter.dump_json(result))
    for hsp in (hsp for hit in plain["hits"] for hsp in hit["hsps"]):
        for name in ("score", "bits", "evalue"):
            del hsp[name]
    assert adapter.validate_json(json.dumps(plain)) == result


def test_searches_of_one_pass_get_what_each_gets_alone(repeats):
    database, queries = repeats
    shard, engine = database.shard(0, 1), CpuEngine(2)
    engine.load(shard)
    searches = [ShardSearch(queries, replace(TABLE, max_hsps=most)) for most in (1, 3, 10)]
    together = finish(find_all_hits(engine, shard, searches))
    assert together == [find_hits(engine, shard, each.queries, each.parameters) for each in searches]


class Faulty(CpuEngine):
    """Its further alignments are not what they should be."""

    def __init__(self, change):
        super().__init__(1)
        self.change = change

    def align(self, pairs, scoring):
        for each in super().align(pairs, scoring):
            yield altered(each, pairs, lambda number, found: self.changed(pairs[number].taken, found))

    def changed(self, taken, found):
        return self.change(taken, found) if taken else found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda taken, _: taken[0], "alignment 2 of subject .* with query 1 shares pairs of letters"),
        (lambda taken, found: found and replace(found, score=taken[-1].score + 1), "is better than the one before it"),
        (lambda _, found: found and replace(found, score=found.score - 1), "scored .* in its alignment"),
        (lambda _, found: found and replace(found, subject_start=-1), "does not lie where it says"),
        (lambda *_: Alignment.scored(12), "but no alignment"),
    ],
)
def test_what_is_no_further_alignment_is_refused(repeats, change, message):
    database, queries = repeats
    engine, shard = Faulty(change), database.shard(0, 1)
    engine.load(shard)
    with pytest.raises(EngineError, match=message):
        find_hits(engine, shard, queries[:1], TABLE)


def test_steps_add_up_to_all_alignments(repeats):
    database, queries = repeats
    shard, engine, steps = database.shard(0, 1), CpuEngine(1), []
    engine.load(shard)
    finish(find_all_hits(engine, shard, [ShardSearch(queries, TABLE)]), steps.append)
    assert sum(step.aligned + step.further for step in steps) == pytest.approx(1)


def test_what_is_likely():
    statistics = Statistics.of("table", TABLE.scoring, SearchSpace(100, 10_000, 50))
    scores, lengths = [200, 60, 45, 30], [100] * 4
    evalues = [statistics.evalue(score, 100) for score in scores]
    assert Likely().are(scores, lengths) == [True] * 4
    assert Likely(statistics, evalues[1]).are(scores, lengths) == [True, True, False, False]
    bits = statistics.bits(45, 100)
    assert Likely(statistics, 1e9, bits).are(scores, lengths) == [True, True, True, False]


@pytest.mark.shared
def test_zinc_fingers_are_found_one_by_one(shared, build):
    """Of Swiss-Prot: proteins that repeat what the query has once; of each most fingers are alignments of their own."""
    records = read_fasta(gzip.decompress((shared / "sprot_part.fasta.gz").read_bytes()))
    fingers = re.compile(rb"C..C.{12}H...H")
    chosen = [record for record in records if len(fingers.findall(record.residues)) >= 6][:6]
    database = build([(record.header, record.residues.decode()) for record in (*chosen, *records[:300])])
    finger = Record("finger", b"EKPYKCEECGKAFSQSSHLTRHQRIHTG")
    [result] = searched(database, [finger], Parameters(statistics="table", evalue=0.1, max_hsps=100), 2)
    found = {hit.accession: len(hit.hsps) for hit in result.hits}
    for record in chosen:
        assert found[record.id] >= len(fingers.findall(record.residues)) / 2
    for hit in result.hits:
        pairs = [set(pairs_of(path_of(hsp, hsp.score))) for hsp in hit.hsps]
        assert len(set().union(*pairs)) == sum(map(len, pairs))


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
