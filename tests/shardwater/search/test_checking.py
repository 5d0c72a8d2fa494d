"""A result checked by its hits and a sample of subjects, scored by numpy alone."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.joined import Joined
from shardwater.engines.cpu import CpuEngine
from shardwater.search.checking import Sample
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import (
    Hit,
    QueryResult,
    Searched,
    SearchResult,
    assemble,
)
from shardwater.search.parameters import Parameters
from shardwater.search.sampling import score_subjects
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.search.step import Step
from shardwater.search.verification import Differences
from shardwater.sequences.fasta import Record
from shardwater.steps import finish
from tests.support.pssms import noisy_pssm

AMINO_ACIDS = list("ARNDCQEGHILKMFPSTWYV")
SUBJECTS = 140
ASKED = [
    Parameters(max_target_seqs=10),
    Parameters(max_target_seqs=10, statistics="table"),
    Parameters(max_target_seqs=10, order="score", evalue=1e6),
    Parameters(max_target_seqs=10, statistics="none"),
    Parameters(max_target_seqs=10, statistics="karlin-altschul", evalue=1e6),
    Parameters(max_target_seqs=500, evalue=1.0),
    Parameters(max_target_seqs=30, evalue=100.0, min_bits=20.0, min_identity=40.0),
    Parameters(max_target_seqs=10, statistics="none", gap_open=3, gap_extend=1),
    Parameters(max_target_seqs=5, query_loc="10-90"),
    Parameters(max_target_seqs=30, alignments=5, composition="adjusted"),
    Parameters(max_target_seqs=5, query_loc="10-90", composition="adjusted", evalue=1e6),
    Parameters(max_target_seqs=30, alignments=5, mask="tantan", composition="adjusted", evalue=1e6),
    Parameters(max_target_seqs=10, mask="seg", statistics="table", evalue=1e6),
    # In these, what is left out would be let in by its figures, or stands before what is let in.
    Parameters(max_target_seqs=50, evalue=20.0, order="score"),
    Parameters(max_target_seqs=80, evalue=1e6, min_bits=14.0),
    Parameters(max_target_seqs=500, evalue=1e6, min_identity=35.0),
]


@pytest.fixture
def crowd(build: Callable[..., Database]) -> tuple[Database, list[Record]]:
    """120 random proteins and 20 pieces of the first query among them; and two queries."""
    rng = np.random.default_rng(7)
    query = "".join(rng.choice(AMINO_ACIDS, 120))
    strangers = ["".join(rng.choice(AMINO_ACIDS, rng.integers(20, 200))) for _ in range(120)]
    relatives = [query[:start] for start in range(20, 120, 5)]
    records = [(f"s{number} protein {number}", each) for number, each in enumerate([*strangers, *relatives])]
    return build(records), [Record("q1", query.encode()), Record("q2 backwards", query[::-1].encode())]


def searched(database: Database, queries: list[Record], parameters: Parameters, shards: int = 1) -> SearchResult:
    engine, found = CpuEngine(1), []
    for index in range(shards):
        shard = database.shard(index, shards)
        engine.load(shard)
        [answer] = finish(find_all_hits(engine, shard, [ShardSearch(queries, parameters, any_line=True)]))
        found.append(answer)
    return assemble(Searched("abc", (SearchedDatabase.of(database.manifest),), parameters, queries), found)


def parts(queries: list[Record], parameters: Parameters) -> list[Record]:
    if parameters.query_loc is None:
        return queries
    first, last = map(int, parameters.query_loc.split("-"))
    return [query.part(first, last) for query in queries]


def checked(
    queries: list[Record],
    database: Database,
    subjects: Sequence[int],
    result: SearchResult,
    count: Callable[[Step], None] = lambda step: None,
    parameters: Parameters | None = None,
) -> Differences:
    """What differs by a sample, scored here."""
    sample, scoring = (
        Sample(queries, parameters or result.parameters, result.databases, Joined.of([database]), subjects),
        result.parameters.scoring,
    )
    scores = [
        finish(score_subjects(query, database, sample.chosen(answer), scoring), count)
        for query, answer in zip(queries, result.results, strict=True)
    ]
    return sample.differences(result, scores)


Change = Callable[[QueryResult], QueryResult]


def lines(crowd: tuple[Database, list[Record]], parameters: Parameters, change: Change) -> list[str]:
    """What differs, by a sample of everyone, when the first query's answer is changed."""
    database, queries = crowd
    result = searched(database, queries, parameters)
    first, *others = result.results
    result = replace(result, results=(change(first), *others))
    return [str(each) for each in checked(queries, database, range(SUBJECTS), result).first]


def with_hits(change: Callable[[tuple[Hit, ...]], tuple[Hit, ...]]) -> Change:
    return lambda answer: replace(answer, hits=change(answer.hits))


def renumbered(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1))


@pytest.mark.parametrize("parameters", ASKED)
def test_a_search_stands_the_test_by_everyone(crowd: tuple[Database, list[Record]], parameters: Parameters) -> None:
    database, queries = crowd
    queries = parts(queries, parameters)
    result = searched(database, queries, parameters)
    assert result.results[0].hits
    found = checked(queries, database, range(SUBJECTS), result)
    assert (found.first, found.total) == ((), 0)


def test_a_search_with_scores_by_position_stands_the_test(crowd: tuple[Database, list[Record]]) -> None:
    database, queries = crowd
    rng, scoring = np.random.default_rng(9), ASKED[0].scoring
    profiles = [replace(each, pssm=noisy_pssm(rng, each.residues, scoring)) for each in queries]
    result = searched(database, profiles, replace(ASKED[0], mask="tantan"))
    assert result.results[0].hits
    assert checked(profiles, database, range(SUBJECTS), result).total == 0
    assert checked(queries, database, range(SUBJECTS), result).total > 0


@pytest.mark.parametrize(
    ("member", "value"),
    [("score", 12), ("length", 12), ("title", "another"), ("bits", 1.5), ("evalue", 1e-80), ("rank", 7)],
)
def test_a_changed_hit_is_told(crowd: tuple[Database, list[Record]], member: str, value: object) -> None:
    def change(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        return hits[0], replace(hits[1], **{member: value}), *hits[2:]

    [line] = lines(crowd, ASKED[0], with_hits(change))
    shown = {"title": '"another"', "rank": "7, at place 2"}.get(member, str(value))
    assert line.startswith(f"query 1 (q1), hit 2 (s138), {member}: {shown}; computed anew: ")


def test_another_order_is_told(crowd: tuple[Database, list[Record]]) -> None:
    found = lines(crowd, ASKED[0], with_hits(lambda hits: renumbered((hits[1], hits[0], *hits[2:]))))
    assert found == [
        "query 1 (q1), hit 1 (s138), rank: 1; computed anew: 2",
        "query 1 (q1), hit 2 (s139), rank: 2; computed anew: 1",
    ]


def test_a_hit_that_nobody_has_or_that_stands_twice_is_told(crowd: tuple[Database, list[Record]]) -> None:
    def change(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        return renumbered((hits[0], hits[0], *hits[2:9], replace(hits[9], accession="nobody")))

    found = lines(crowd, ASKED[0], with_hits(change))
    twice, nobody, *missing = found
    assert twice.startswith("query 1 (q1), hit 2 (s139): score ")
    assert twice.endswith("computed anew: a hit already")
    assert nobody.startswith("query 1 (q1), hit 10 (nobody): score ")
    assert nobody.endswith("computed anew: no such subject in the database")
    assert [line.split(":")[0] for line in missing] == ["query 1 (q1), subject s138"]


@pytest.mark.parametrize("parameters", ASKED[:6])
def test_a_better_subject_that_is_no_hit_is_found(crowd: tuple[Database, list[Record]], parameters: Parameters) -> None:
    [line] = lines(crowd, parameters, with_hits(lambda hits: renumbered((hits[0], *hits[2:]))))
    assert line.startswith("query 1 (q1), subject s138: missing; computed anew: score ")


def test_a_better_subject_is_found_where_the_list_is_full(crowd: tuple[Database, list[Record]]) -> None:
    database, queries = crowd
    [eleventh] = searched(database, queries, replace(ASKED[0], max_target_seqs=11)).results[0].hits[10:]
    [line] = lines(crowd, ASKED[0], with_hits(lambda hits: renumbered((hits[0], *hits[2:], eleventh))))
    assert line.startswith("query 1 (q1), subject s138: missing; computed anew: score ")


@pytest.mark.parametrize("parameters", [ASKED[0], ASKED[5]])
def test_a_missing_last_hit_is_found(crowd: tuple[Database, list[Record]], parameters: Parameters) -> None:
    [line] = lines(crowd, parameters, with_hits(lambda hits: hits[:-1]))
    assert "missing; computed anew: score " in line


def test_a_missing_last_hit_is_found_in_the_order_of_scores(crowd: tuple[Database, list[Record]]) -> None:
    parameters = Parameters(max_target_seqs=500, statistics="karlin-altschul", order="score", evalue=1.0)
    [line] = lines(crowd, parameters, with_hits(lambda hits: hits[:-1]))
    assert "missing; computed anew: score " in line


def test_a_full_list_has_no_room_for_what_is_left_out_between_two_hits(
    crowd: tuple[Database, list[Record]],
) -> None:
    database, queries = crowd
    result = searched(database, queries[:1], Parameters(max_target_seqs=500, evalue=1.0, order="score"))
    few = replace(result, parameters=replace(result.parameters, max_target_seqs=len(result.results[0].hits)))
    assert checked(queries[:1], database, range(SUBJECTS), result).total == 0
    assert checked(queries[:1], database, range(SUBJECTS), few).total > 0


def test_a_hit_by_a_short_name_is_told(build: Callable[..., Database]) -> None:
    database, queries = build([("sp|P12345|A one", "MKVLAAGWDE")]), [Record("q", b"MKVLAAGW")]
    result = searched(database, queries, Parameters(statistics="none"))
    [answer] = result.results
    short = replace(answer, hits=(replace(answer.hits[0], accession="P12345"),))
    found = checked(queries, database, (), replace(result, results=(short,)))
    assert [str(each) for each in found.first] == [
        "query 1 (q), hit 1 (P12345): score 43; computed anew: no such subject in the database"
    ]


@pytest.mark.parametrize("parameters", [ASKED[0], ASKED[6], ASKED[8], replace(ASKED[0], score_distribution=True)])
def test_a_search_of_several_shards_stands_the_test(
    crowd: tuple[Database, list[Record]], parameters: Parameters
) -> None:
    database, queries = crowd
    queries = parts(queries, parameters)
    result = searched(database, queries, parameters, shards=3)
    assert len(result.certificate.shards) == 3
    assert checked(queries, database, range(SUBJECTS), result).first == ()


def test_hits_whose_names_are_not_utf8_are_found(tmp_path: Path) -> None:
    fasta = tmp_path / "names.fasta"
    fasta.write_bytes(b">a\xe9b\xff title \xfe\nMKVLAAGW\n>other\nMKVLW\n")
    build_database([fasta], tmp_path / "data", name="names")
    database, queries = Catalog(tmp_path / "data").current("names"), [Record("q", b"MKVLAAGW")]
    result = searched(database, queries, Parameters(statistics="none"))
    assert [hit.accession for hit in result.results[0].hits] == ["a\u00e9b\u00ff", "other"]
    assert checked(queries, database, (), result).first == ()


def test_a_subject_without_a_score_is_no_hit(build: Callable[..., Database]) -> None:
    database, queries = build([("one", "WWWW"), ("two", "CCCCC")]), [Record("q", b"WWWW")]
    result = searched(database, queries, Parameters(statistics="none"))
    [answer] = result.results
    assert [hit.accession for hit in answer.hits] == ["one"]
    assert checked(queries, database, range(2), result).total == 0
    second = replace(answer.hits[0], rank=2, accession="two", length=5, score=0)
    planted = replace(result, results=(replace(answer, hits=(answer.hits[0], second)),))
    found = checked(queries, database, (), planted)
    assert [str(each) for each in found.first] == [
        "query 1 (q), hit 2 (two): score 0; computed anew: outside the limits"
    ]


def test_a_list_of_no_hits_is_not_believed(crowd: tuple[Database, list[Record]]) -> None:
    assert len(lines(crowd, ASKED[5], with_hits(lambda _: ()))) > 10


def test_a_hit_outside_the_limits_is_told(crowd: tuple[Database, list[Record]]) -> None:
    database, queries = crowd
    result = searched(database, queries, Parameters(max_target_seqs=40, evalue=1e6))
    strict = replace(result, parameters=replace(result.parameters, evalue=1e-3))
    found = checked(queries, database, (), strict)
    assert found.total > 0
    assert all(str(each).endswith("computed anew: outside the limits") for each in found.first)


def test_other_statistics_are_told(crowd: tuple[Database, list[Record]]) -> None:
    def used(**values: object) -> Change:
        return lambda answer: replace(answer, statistics=replace(answer.statistics, **values))

    assert lines(crowd, ASKED[1], used(method="none")) == [
        'query 1 (q1), statistics.method: "none"; computed anew: "table"'
    ]
    assert lines(crowd, ASKED[1], used(kappa=0.5)) == ["query 1 (q1), statistics.kappa: 0.5; computed anew: 0.041"]
    [line] = lines(crowd, ASKED[0], used(fit=None))
    assert line.startswith("query 1 (q1), statistics.fit: ")
    database, queries = crowd
    fit = searched(database, queries, ASKED[0]).results[0].statistics.fit
    assert fit is not None
    assert all("bits: " in line or "evalue" in line for line in lines(crowd, ASKED[0], used(fit=replace(fit, mu=9.0))))
    assert lines(crowd, ASKED[0], used(fit=replace(fit, variance=0.0))) != []


def test_a_certificate_of_another_size_is_told(crowd: tuple[Database, list[Record]]) -> None:
    database, queries = crowd
    result = searched(database, queries, ASKED[3])
    result = replace(result, certificate=replace(result.certificate, subjects=141))
    found = checked(queries, database, (), result)
    assert [str(each) for each in found.first] == ["certificate.subjects: 141; computed anew: 140"]


def test_hits_are_scored_also_without_a_sample_and_cells_are_counted(crowd: tuple[Database, list[Record]]) -> None:
    database, queries = crowd
    result = searched(database, queries, ASKED[3])
    steps: list[Step] = []
    assert checked(queries, database, (), result, steps.append).total == 0
    assert sum(step.cells for step in steps) == 120 * sum(hit.length for one in result.results for hit in one.hits)


def test_what_a_filter_may_have_left_out_is_not_called_missing(crowd: tuple[Database, list[Record]]) -> None:
    assert lines(crowd, ASKED[6], with_hits(lambda hits: hits[:-1])) == []
