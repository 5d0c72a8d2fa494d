"""E-values for a database of another size than the one that is searched."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from pydantic import TypeAdapter

from shardwater.database.database import Database
from shardwater.database.joined import Joined
from shardwater.engines.cpu import CpuEngine
from shardwater.formats.blast import Stat
from shardwater.formats.scores import statistics_of
from shardwater.search.checking import Sample
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Searched, SearchResult, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.plain import plain_of
from shardwater.search.sampling import score_subjects
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.sequences.fasta import Record
from shardwater.statistics.karlin_altschul import KarlinAltschul, Simulated
from shardwater.steps import finish

AMINO_ACIDS = list("ARNDCQEGHILKMFPSTWYV")
SUBJECTS, MOST = 140, 2**53 - 1


@pytest.fixture
def crowd(build: Callable[..., Database]) -> tuple[Database, list[Record]]:
    """120 random proteins, pieces of the first query, one of them with repeats; and two queries."""
    rng = np.random.default_rng(11)
    query = "".join(rng.choice(AMINO_ACIDS, 120))
    strangers = ["".join(rng.choice(AMINO_ACIDS, rng.integers(20, 200))) for _ in range(120)]
    relatives = [query[:start] for start in range(20, 120, 5)]
    records = [(f"s{number}", each) for number, each in enumerate([*strangers, *relatives])]
    repeats = b"PGQNSAPGQNSAPGQNSAPGQNSAPGQNSAPGQNSAWMKVLHEDTRCFYIW"
    database = build([*records, ("repeats", repeats.decode())])
    return database, [Record("q1", query.encode()), Record("q2", repeats)]


def searched(
    databases: Sequence[Database], queries: list[Record], parameters: Parameters, shards: int = 1
) -> SearchResult:
    """A search of all databases as one, each in so many shards."""
    used = tuple(SearchedDatabase.of(each.manifest) for each in databases)
    request = Searched("abc", used, parameters, queries)
    engine, found = CpuEngine(1), []
    for number, database in enumerate(databases):
        for index in range(shards):
            shard = database.shard(index, shards)
            engine.load(shard)
            [answer] = finish(find_all_hits(engine, shard, [ShardSearch(queries, parameters)]))
            found.append(replace(answer, database=number))
    return assemble(request, found)


def evalues(result: SearchResult) -> dict[tuple[str, str], float]:
    return {(one.query.id, hit.accession): hit.evalue for one in result.results for hit in one.hits}


# blastp -dbsize of BLAST+ 2.12, -comp_based_stats 0, of a query of 70 against four proteins of 890 residues: dbsize,
# length adjustment, effective search space, and of each pair the subject's length, the score and the E-value.
OF_BLAST = [
    (None, 22, 38_496, [(70, 349, 1.75823e-49), (69, 231, 1.73754e-31)]),
    (200, 11, 9_204, [(70, 349, 3.95109e-50), (69, 231, 3.90458e-32), (142, 28, 0.174634), (609, 24, 0.67523)]),
    (
        123_456_789,
        45,
        3_086_415_225,
        [(70, 349, 2.43894e-44), (69, 231, 2.41024e-26), (142, 28, 107_799), (609, 24, 416_809)],
    ),
]


@pytest.mark.parametrize(("dbsize", "adjustment", "space", "pairs"), OF_BLAST)
def test_evalues_by_table_are_those_of_blastp(
    dbsize: int | None, adjustment: int, space: int, pairs: list[tuple[int, int, float]]
) -> None:
    parameters = Parameters(statistics="table", dbsize=dbsize)
    statistics = parameters.statistics_of(parameters.space(70, 890, 4))
    assert statistics.eff_space == space == (70 - adjustment) * ((dbsize or 890) - 4 * adjustment)
    for length, score, evalue in pairs:
        assert statistics.evalue(score, length) == pytest.approx(evalue, rel=5e-6)


def test_simulated_evalues_grow_as_the_residues() -> None:
    row = KarlinAltschul(0.3, 0.1, 0.25, 1.2, -6.0, 11.0, 11.5, -6.0, -150.0, -160.0)
    parameters = Parameters(statistics="simulated", simulated=Simulated(row, 0.001, 0.002))
    larger = replace(parameters, dbsize=8_900)
    one, other = (each.statistics_of(each.space(70, 890, 4)).evalue(60, 142) for each in (parameters, larger))
    assert other == pytest.approx(10 * one, rel=1e-12)


def test_evalues_of_a_fit_grow_as_the_database_and_the_limit_goes_by_them(
    crowd: tuple[Database, list[Record]],
) -> None:
    database, queries = crowd
    asked = Parameters(max_target_seqs=500, evalue=1e9, score_distribution=True)
    plain = searched([database], queries, asked)
    larger = searched([database], queries, replace(asked, dbsize=8 * plain.certificate.residues))
    real, grown = evalues(plain), evalues(larger)
    assert len(real) == 2 * len(database)
    assert grown == pytest.approx({each: 8 * value for each, value in real.items()}, rel=1e-12)
    for one, other in zip(plain.results, larger.results, strict=True):
        # What is known of the scores themselves stays.
        assert (one.statistics.fit, one.distribution) == (replace(other.statistics.fit, scale=1.0), other.distribution)
        assert [hit.bits for hit in one.hits] == [hit.bits for hit in other.hits]
        assert all(hit.evalues.fitted == hit.evalue for hit in other.hits)
    limited = searched([database], queries, replace(larger.parameters, evalue=1.0))
    assert evalues(limited) == {each: value for each, value in grown.items() if value <= 1.0}


METHODS = [
    Parameters(statistics="table", evalue=5.0),
    Parameters(statistics="karlin-altschul", evalue=5.0),
    Parameters(evalue=5.0),
    Parameters(evalue=5.0, max_hsps=3),
    Parameters(evalue=5.0, composition="adjusted", mask="seg", score_distribution=True, min_bits=10.0),
    Parameters(evalue=5.0, order="score", composition="adjusted", max_target_seqs=12),
]


@pytest.mark.parametrize("dbsize", [1, 700, 5_000_000, MOST])
@pytest.mark.parametrize("asked", METHODS)
def test_shards_databases_and_a_check_by_sample_agree(
    crowd: tuple[Database, list[Record]], asked: Parameters, dbsize: int
) -> None:
    database, queries = crowd
    asked = replace(asked, dbsize=dbsize)
    one, two = (searched([database], queries, asked, shards) for shards in (1, 2))
    assert plain_of(one.results) == plain_of(two.results)
    databases = Joined.of([database])
    sample = Sample(queries, asked, one.databases, databases, range(len(database)))
    scores = [
        finish(score_subjects(query, database, sample.chosen(answer), asked.scoring))
        for query, answer in zip(queries, one.results, strict=True)
    ]
    assert list(sample.differences(one, scores).first) == []
    # Without it, the same result has other E-values.
    other = replace(sample, parameters=replace(asked, dbsize=None))
    assert any("dbsize" in str(each) for each in other.differences(one, scores).first)


@pytest.mark.parametrize("statistics", ["table", "fitted"])
def test_it_replaces_the_size_of_several_databases(
    crowd: tuple[Database, list[Record]], statistics: str, build: Callable[..., Database]
) -> None:
    database, queries = crowd
    asked = Parameters(statistics=statistics, max_target_seqs=500, evalue=1e9)
    plain = searched([database, database], queries, asked)
    larger = searched([database, database], queries, replace(asked, dbsize=10 * plain.certificate.residues))
    assert plain.certificate == larger.certificate
    assert evalues(larger) == pytest.approx({each: 10 * value for each, value in evalues(plain).items()}, rel=1e-12)


def test_what_is_made_of_a_stored_result_goes_by_it(crowd: tuple[Database, list[Record]]) -> None:
    database, queries = crowd
    adapter = TypeAdapter(SearchResult)
    for asked in (Parameters(evalue=1e9), Parameters(statistics="table", evalue=1e9)):
        stored = adapter.dump_json(searched([database], queries, replace(asked, dbsize=3_000_000)))
        result = adapter.validate_json(stored)
        for one in result.results:
            statistics = statistics_of(result, one)
            assert [statistics.evalue(hit.score, hit.length) for hit in one.hits] == [hit.evalue for hit in one.hits]
    assert Stat.of(result, result.results[0]).eff_space == result.results[0].statistics.eff_space
    assert Stat.of(result, result.results[0]).hsp_len > Stat.of(replace(result, parameters=asked), one).hsp_len


def test_json_has_it_only_where_it_is_asked_for() -> None:
    adapter = TypeAdapter(Parameters)
    for parameters in (Parameters(), Parameters(dbsize=5)):
        written = json.loads(adapter.dump_json(parameters))
        assert written.get("dbsize", "left out") == (parameters.dbsize or "left out")
        assert TypeAdapter(object).dump_python(plain_of(parameters), mode="json") == written
        assert adapter.validate_python(written) == parameters
