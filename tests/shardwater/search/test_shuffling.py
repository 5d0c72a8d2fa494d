"""Z-values of hits: those of the scores of shuffles, for any number of shards, and what they are by chance."""

from dataclasses import replace
from unittest import mock

import numpy as np
import pyopal
import pytest

from shardwater.alignment.gotoh import score_batch
from shardwater.alignment.scheme import Scheme
from shardwater.engines.cpu import CpuEngine
from shardwater.errors import EngineError
from shardwater.scoring.scoring import Scoring
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, find_all_hits, find_hits
from shardwater.search.shuffling import ScoredQuery, zvalues
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record
from shardwater.statistics.shuffles import Shuffling, Spread, pvalue
from shardwater.steps import finish
from tests.support.tiers import mostly_thorough

LETTERS = list("ARNDCQEGHILKMFPSTWYV")
DEFAULT = Scoring("BLOSUM62", 11, 1)


def letters(rng, count):
    return "".join(rng.choice(LETTERS, count)).encode()


QUERY = letters(np.random.default_rng(21), 60)
QUERIES = (Record("q", QUERY),)


@pytest.fixture
def relatives(build):
    """60 strangers and four pieces of the query."""
    rng = np.random.default_rng(22)
    found = [letters(rng, rng.integers(20, 120)) for _ in range(60)] + [QUERY[start:] for start in (0, 9, 20, 33)]
    return build([(f"s{number}", each.decode()) for number, each in enumerate(found)])


def result_of(database, parameters, shards=1, queries=QUERIES):
    engine, found = CpuEngine(2), []
    for index in range(shards):
        shard = database.shard(index, shards)
        engine.load(shard)
        found += finish(find_all_hits(engine, shard, [ShardSearch(queries, parameters, any_line=True)]))
    return assemble(Searched("x", (SearchedDatabase.of(database.manifest),), parameters, queries), found)


def scores_of(one, others):
    """By numpy alone."""
    *_, scores = score_batch(one, list(others), Scheme.local(DEFAULT))
    return scores.tolist()


@pytest.mark.parametrize("shuffle", ["uniform", "windows"])
def test_hits_have_the_scores_of_shuffles_beside_the_other_figures(relatives, shuffle):
    parameters = Parameters(max_target_seqs=12, alignments=9, shuffles=100, shuffle=shuffle, evalue=1e9, shuffle_seed=3)
    [answer], [plain] = (result_of(relatives, each).results for each in (parameters, replace(parameters, shuffles=0)))
    assert [replace(hit, shuffled=None) for hit in answer.hits] == list(plain.hits)
    assert [hit.shuffled is not None for hit in answer.hits] == [True] * 9 + [False] * 3
    query, shuffling = encode(QUERY), Shuffling(100, shuffle, 3)
    for hit in answer.hits[:9]:
        subject = encode(relatives.sequence(relatives.find(hit.accession)))
        of_query = scores_of(subject, shuffling.rows(query, range(100)))
        of_subject = scores_of(query, shuffling.rows(subject, range(100)))
        assert hit.shuffled.of_query == Spread.of(hit.score, of_query)
        assert hit.shuffled.of_subject == Spread.of(hit.score, of_subject)
        assert hit.shuffled.z == min(hit.shuffled.of_query.z, hit.shuffled.of_subject.z)


def test_they_are_the_same_for_any_shards_parts_and_company(relatives, monkeypatch):
    parameters = Parameters(max_target_seqs=10, alignments=10, shuffles=100, evalue=1e9)
    whole = result_of(relatives, parameters).results
    for shards in (2, 5):
        assert result_of(relatives, parameters, shards).results == whole
    monkeypatch.setattr("shardwater.engines.cpu.DRAWN_FOR", 100)
    monkeypatch.setattr("shardwater.engines.cpu.SLICE_CELLS", 50_000)
    both = (Record("other", b"MKVLAAGWDEHHKLM"), Record("q", QUERY.lower()))
    assert result_of(relatives, parameters, 2, both).results[1].hits == tuple(
        replace(hit, hsps=tuple(replace(hsp, qseq=hsp.qseq.lower()) for hsp in hit.hsps)) for hit in whole[0].hits
    )


def test_searches_of_one_pass_have_shuffles_of_their_own(relatives):
    engine, shard = CpuEngine(2), relatives.shard(0, 1)
    engine.load(shard)
    kinds = [Parameters(shuffles=count, shuffle_seed=seed) for count, seed in ((0, 0), (100, 0), (150, 4))]
    queries = [Record("q", QUERY)]
    together = finish(find_all_hits(engine, shard, [ShardSearch(queries, each) for each in kinds]))
    assert together == [find_hits(engine, shard, queries, each) for each in kinds]
    told = []
    finish(find_all_hits(engine, shard, [ShardSearch(queries, each) for each in kinds]), told.append)
    assert sum(step.aligned for step in told) == pytest.approx(1)


def test_letters_that_have_one_order_have_no_z(build):
    database = build([("a", "WWWWWW"), ("b", "WCHKWCHK"), ("c", "PPPP")])
    [answer] = result_of(database, Parameters(shuffles=100, statistics="none"), 1, [Record("q", b"WCHKLAWCHK")]).results
    found = {hit.accession: hit.shuffled for hit in answer.hits}
    assert (found["a"].z, found["a"].pvalue, found["a"].of_subject.z) == (None, None, None)
    assert found["a"].of_query.sd > 0
    assert found["a"].of_query.z is not None
    assert found["b"].z > 0


@pytest.mark.parametrize("shuffle", mostly_thorough(["uniform"], ["windows"]))
def test_z_of_shuffled_pairs_has_mean_0_and_deviation_1(shuffle):
    """Within what 300 of them scatter by chance: their scores are no others than those of the shuffles."""
    rng, engine, drawn = np.random.default_rng(24), CpuEngine(2), Shuffling(1, "uniform", 77)
    asked = []
    for _ in range(300):
        query, subject = letters(rng, 80), letters(rng, 90)
        another = drawn.rows(encode(subject), range(1))
        # The score of a pair of which one is shuffled once more.
        asked.append((query, subject, scores_of(encode(query), another)[0]))
    shuffling = Shuffling(100, "uniform" if shuffle == "uniform" else "windows", 1)
    found = finish(
        zvalues(engine, DEFAULT, [ScoredQuery(query, [subject], [score], shuffling) for query, subject, score in asked])
    )
    z = np.array([one.of_subject.z for [one] in found])
    assert abs(z.mean()) < 4 / np.sqrt(300)
    assert abs(z.std() - 1) < 0.2
    # Of one side alone, chance gives a tenth of them a P below 0.1: within four standard errors of 300.
    assert abs(np.mean([pvalue(one.of_subject.z) < 0.1 for [one] in found]) - 0.1) < 4 * np.sqrt(0.09 / 300)


class Forgetful(CpuEngine):
    def score(self, crowds, scoring):
        return (replace(each, answers=each.answers[1:]) for each in super().score(crowds, scoring))


class Scant(CpuEngine):
    def score(self, crowds, scoring):
        for each in super().score(crowds, scoring):
            yield replace(each, answers=[(number, scores[:, :-1]) for number, scores in each.answers])


class Deaf(CpuEngine):
    """Whose library scores some sequences and is silent about the others."""

    def score(self, crowds, scoring):
        given = pyopal.Aligner.align

        class Silent(pyopal.Aligner):
            def align(self, *sequences, **how):
                return list(given(self, *sequences, **how))[:-3]

        with mock.patch("shardwater.engines.cpu.pyopal.Aligner", Silent):
            yield from super().score(crowds, scoring)


@pytest.mark.parametrize(("faulty", "message"), [(Forgetful, "0 of 100"), (Scant, "99 of 100"), (Deaf, "97 of 100")])
def test_shuffles_that_an_engine_does_not_score_are_missed(relatives, faulty, message):
    engine, shard = faulty(2), relatives.shard(0, 1)
    engine.load(shard)
    with pytest.raises(EngineError, match=f"^{message} shuffles were scored$"):
        find_hits(engine, shard, [Record("q", QUERY)], Parameters(max_target_seqs=1, shuffles=100))
