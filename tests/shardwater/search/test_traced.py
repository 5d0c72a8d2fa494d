"""Hits handed on as paths: written out elsewhere, they are what a search writes out itself."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment, Run
from shardwater.engines.cpu import CpuEngine
from shardwater.errors import EngineError
from shardwater.pairs.columns import Columns
from shardwater.search import traced as module
from shardwater.search.databases import DatabaseSize, SearchedDatabase, Whole
from shardwater.search.further import Likely
from shardwater.search.hits import Score, ScoreColumns
from shardwater.search.merge import Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.search.shortlist import Shortlist
from shardwater.search.traced import Traced, within_limit
from shardwater.sequences.fasta import Record
from shardwater.steps import finish
from tests.support.altered import altered
from tests.support.families import family
from tests.support.pssms import noisy_pssm, with_pssm
from tests.support.traced import traced_hits

FAMILY = family(length=60, members=12, others=10)
FIRST, SECOND = (FAMILY.splitlines()[number].encode() for number in (1, 21))
ALL = Parameters(evalue=1e6)
QUERIES = [Record("q1", FIRST), Record("q2", SECOND), Record("q3", b"WWWWCCCC")]
PROFILE = [with_pssm("p", FIRST, noisy_pssm(np.random.default_rng(1), FIRST, ALL.scoring))]
ARRAYS = ("subjects", "scores", "ends", "runs", "kinds", "lengths")
ONE = Alignment(50, 2, 9, 0, 8, (Run("M", 4), Run("D", 1), Run("M", 3)))
OTHER = Alignment(7, 0, 2, 5, 7, (Run("M", 2),))


@pytest.fixture
def traced():
    """Four hits of a query; the first and the third have been aligned."""
    scores = ScoreColumns.of([Score(8, 50), Score(2, 9), Score(5, 7), Score(6, 7)])
    first = np.array([True, False, True, False])
    shortlist = Shortlist(scores, first, first, Likely())
    return Traced.of(shortlist, Columns.of([(0, ONE), (1, OTHER)], np.full((2, 2), 9), local=True))


def arrays(traced):
    return {name: getattr(traced, name).tolist() for name in ARRAYS}


def written(traced):
    file = BytesIO()
    traced.write(file)
    return file.getvalue()


def test_a_shortlist_is_its_subjects_and_the_paths_that_were_made(traced):
    assert arrays(traced) == {
        "subjects": [8, 2, 5, 6],
        "scores": [50, 9, 7, 7],
        "ends": [[2, 0, 9, 8], [0] * 4, [0, 5, 2, 7], [0] * 4],
        "runs": [3, 0, 1, 0],
        "kinds": list(b"MDMM"),
        "lengths": [4, 1, 3, 2],
    }
    assert traced.alignments() == {8: ONE, 5: OTHER}


def test_nothing_found_is_no_hits():
    none = np.zeros(0, np.bool_)
    empty = Traced.of(Shortlist(ScoreColumns.of([]), none, none, Likely()), Columns.nothing(True))
    assert (len(empty), empty.alignments(), list(empty.parts())) == (0, {}, [])
    assert arrays(Traced.read(BytesIO(written(empty)))) == arrays(empty)


def test_arrays_are_read_as_they_were_written_one_query_after_the_other(traced):
    file = BytesIO(written(traced) * 2)
    first, second = Traced.read(file), Traced.read(file)
    assert arrays(first) == arrays(second) == arrays(traced)
    assert file.read() == b""


def test_parts_have_the_paths_of_their_own_hits(traced, monkeypatch):
    monkeypatch.setattr(module, "TOGETHER", 2)
    first, second = traced.parts()
    assert (first.subjects.tolist(), first.alignments()) == ([8, 2], {8: ONE})
    assert (second.subjects.tolist(), second.alignments()) == ([5, 6], {5: OTHER})


def test_arrays_that_end_too_early_are_refused(traced):
    whole = written(traced)
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        with pytest.raises((ValueError, EOFError)):
            Traced.read(BytesIO(whole[:length]))


@pytest.mark.parametrize("count", [-1, 1 << 40, (1 << 40) + 1, (1 << 63) - 1])
@pytest.mark.parametrize("place", [0, 8])
def test_counts_of_no_arrays_are_refused(traced, count, place):
    whole = bytearray(written(traced))
    whole[place : place + 8] = count.to_bytes(8, "little", signed=True)
    with pytest.raises(ValueError, match=r"^(arrays of hits|cannot reshape|buffer size)"):
        Traced.read(BytesIO(whole))


@pytest.mark.parametrize(
    "changes",
    [
        {"subjects": np.zeros(3, np.int64)},
        {"subjects": np.array([4, -1, 2, 1])},
        {"scores": np.zeros(3, np.int32)},
        {"ends": np.zeros((4, 3), np.int32)},
        {"runs": np.array([3, 0, 2, 0], np.int32)},
        {"runs": np.array([5, -1, 0, 0], np.int32)},
        {"kinds": np.frombuffer(b"MDXM", np.uint8)},
        {"lengths": np.zeros(3, np.int32)},
    ],
)
def test_arrays_that_do_not_fit_each_other_are_refused(traced, changes):
    with pytest.raises(ValueError, match="do not fit each other"):
        Traced.read(BytesIO(written(replace(traced, **changes))))


def both_ways(shard, searches):
    """What a shard finds, with hits written out by the search, and as paths."""
    engine = CpuEngine(2)
    engine.load(shard)
    return finish(find_all_hits(engine, shard, searches)), traced_hits(engine, shard, searches)


@pytest.mark.parametrize("queries", [QUERIES, PROFILE], ids=["several queries", "a profile"])
@pytest.mark.parametrize(
    "parameters",
    [
        ALL,
        Parameters(evalue=1e-5, statistics="table"),
        Parameters(evalue=1e6, max_target_seqs=5, order="score"),
        Parameters(evalue=1e6, min_bits=20.0, composition="adjusted", score_distribution=True),
    ],
    ids=["all", "few", "first five", "adjusted"],
)
def test_hits_written_out_elsewhere_are_those_of_the_search(build, queries, parameters, monkeypatch):
    monkeypatch.setattr(module, "TOGETHER", 3)
    database = build(FAMILY)
    for count in (1, 2):
        for index in range(count):
            [found], [paths] = both_ways(database.shard(index, count), [ShardSearch(queries, parameters)])
            assert paths.written(database, 0, queries, parameters) == found
            assert found.queries[0]
            assert not any(paths.result.queries)


def test_searches_of_one_pass_get_their_own_hits_numbered_behind_other_databases(build):
    database = build(FAMILY)
    whole = Whole(DatabaseSize(1022, 100_000), 2, 1, 1000)
    searches = [ShardSearch(QUERIES[:2], ALL, whole=whole), ShardSearch(QUERIES[2:], ALL, whole=whole)]
    found, paths = both_ways(database.shard(0, 1), searches)
    for its, path, search in zip(found, paths, searches, strict=True):
        assert path.result.database == 1
        assert path.written(database, 1000, search.queries, ALL) == its
        assert {hit.subject >= 1000 for hits in its.queries for hit in hits} == {True}


@pytest.mark.parametrize("queries", [QUERIES[:1], PROFILE], ids=["a query", "a profile"])
def test_of_several_shards_only_hits_within_the_limit_are_written_out(build, queries):
    database, parameters = build(family(length=60, members=12, others=400)), Parameters(evalue=10)
    searched, engine, paths = (
        Searched("s", (SearchedDatabase.of(database.manifest),), parameters, queries),
        CpuEngine(2),
        [],
    )
    for index in range(3):
        shard = database.shard(index, 3)
        engine.load(shard)
        paths += traced_hits(engine, shard, [ShardSearch(queries, parameters)])
    within = within_limit(paths, [database] * 3, queries, searched.size, parameters)
    result, of_all = (
        assemble(searched, [each.written(database, 0, queries, parameters) for each in shards])
        for shards in (within, paths)
    )
    assert result == of_all
    assert len(result.results[0].hits) <= sum(len(each.queries[0]) for each in within) < 60
    # Some are just within it.
    assert any((hit.evalue or 0) > 2 for hit in result.results[0].hits)
    assert sum(len(each.queries[0]) for each in paths) > 400
    alone = paths[:1]
    assert within_limit(alone, [database], queries, searched.size, parameters) == alone
    with pytest.raises(EngineError, match="has not scored query 1"):
        within_limit([replace(paths[0], queries=()), *paths[1:]], [database] * 3, queries, searched.size, parameters)


@pytest.fixture
def one_hit(build):
    """A database of one subject, and its hit: WWHWW with WWHWW of GGWWHWWCC."""
    database, query = build([("s", "GGWWHWWCC")]), [Record("q", b"WWHWW")]
    _, [paths] = both_ways(database.shard(0, 1), [ShardSearch(query, Parameters(statistics="table", evalue=1e6))])
    return database, query, paths


@pytest.mark.parametrize(
    ("lie", "message"),
    [
        ({"scores": [51]}, "subject 0 scored 51 against query 1, but 52 in its alignment"),
        ({"ends": [[0, 3, 5, 8]]}, r"subject 0 scored 52 against query 1, but -?\d+ in its alignment"),
        ({"kinds": list(b"MIM"), "lengths": [2, 1, 2], "runs": [3], "ends": [[0, 2, 5, 6]]}, "subject 0 scored 52"),
        ({"ends": [[0, 5, 5, 10]]}, "the alignment of subject 0 with query 1 does not lie where it says"),
        ({"ends": [[-1, 2, 4, 7]]}, "the alignment of subject 0 with query 1 does not lie where it says"),
        ({"ends": [[1, 2, 6, 7]]}, "the alignment of subject 0 with query 1 does not lie where it says"),
        ({"lengths": [4]}, "the alignment of subject 0 with query 1 does not lie where it says"),
    ],
)
def test_paths_that_are_not_worth_their_score_or_lie_elsewhere_are_refused(one_hit, lie, message):
    database, query, paths = one_hit
    [its] = paths.queries
    told = {name: np.array(value, getattr(its, name).dtype) for name, value in lie.items()}
    with pytest.raises(EngineError, match=message):
        replace(paths, queries=(replace(its, **told),)).written(database, 0, query, Parameters())
    [[hit]] = paths.written(database, 0, query, Parameters()).queries
    assert hit.hsps[0].cigar == "5="


def test_queries_without_paths_are_missed(one_hit):
    database, query, paths = one_hit
    with pytest.raises(EngineError, match=r"^1 of 2 queries were scored$"):
        paths.written(database, 0, query * 2, Parameters())


def test_an_engine_whose_path_lies_is_refused_where_it_is_written_out(build):
    class Lies(CpuEngine):
        def align(self, pairs, scoring):
            for each in super().align(pairs, scoring):
                yield altered(each, pairs, lambda _, found: replace(found, query_end=9))

    database = build(FAMILY)
    shard, engine = database.shard(0, 1), Lies(1)
    engine.load(shard)
    [paths] = traced_hits(engine, shard, [ShardSearch(QUERIES, ALL)])
    with pytest.raises(EngineError, match="does not lie where it says"):
        paths.written(database, 0, QUERIES, ALL)


@pytest.mark.parametrize(
    "lie",
    [
        lambda found, pairs: altered(found, pairs, lambda number, each: None if number == 5 else each),
        lambda found, pairs: altered(found, pairs, lambda number, each: Alignment.scored(9) if number == 5 else each),
        lambda found, pairs: found.select(found.numbers != 5),
    ],
    ids=["none", "an empty one", "no answer"],
)
def test_an_engine_that_lacks_a_path_is_refused(build, lie):
    class Lacks(CpuEngine):
        def align(self, pairs, scoring):
            for each in super().align(pairs, scoring):
                yield lie(each, pairs)

    shard, search = build(FAMILY).shard(0, 1), ShardSearch(QUERIES[:1], ALL)
    honest, lacking = CpuEngine(1), Lacks(1)
    for engine in (honest, lacking):
        engine.load(shard)
    subject = traced_hits(honest, shard, [search])[0].queries[0].subjects[5]
    with pytest.raises(EngineError, match=f"^subject {subject} has a score against query 1, but no alignment$"):
        traced_hits(lacking, shard, [search])
