"""Searches in rounds that go together find what each finds alone."""

import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Shard
from shardwater.engines.cpu import CpuEngine
from shardwater.profiles.iterated import in_rounds
from shardwater.profiles.together import Together
from shardwater.search.databases import SearchedDatabase
from shardwater.search.hits import ShardResult
from shardwater.search.merge import Searched, SearchResult
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.steps import finish
from tests.support.families import family

FAMILY = family(length=60, members=12, others=20)
ASKED = Parameters(iterations=4, evalue=1.0, composition="adjusted")


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> Shard:
    folder = tmp_path_factory.mktemp("family")
    (folder / "family.fasta").write_text(FAMILY)
    build_database([folder / "family.fasta"], folder / "data", name="family")
    return Catalog(folder / "data").current("family").shard(0, 1)


@pytest.fixture(scope="module")
def engine(shard: Shard) -> CpuEngine:
    engine = CpuEngine(1)
    engine.load(shard)
    return engine


class Finding:
    """Searches the shard, and remembers how many searches went together in each stage's rounds."""

    def __init__(self, engine: CpuEngine, shard: Shard) -> None:
        self.engine, self.shard = engine, shard
        self.databases = [SearchedDatabase.of(shard.database.manifest)]
        self.passes: list[tuple[int, int]] = []

    def __call__(self, stage: int, asked: list[ShardSearch]) -> list[list[ShardResult]]:
        self.passes.append((stage, len(asked)))
        return [[one] for one in finish(find_all_hits(self.engine, self.shard, asked))]

    def alone(self, query: Record) -> SearchResult:
        """What one search finds."""
        searched = Searched("x", tuple(self.databases), ASKED, [query])
        return in_rounds(searched, ASKED, lambda asked: self(0, [asked])[0])[1]


@pytest.fixture
def finding(engine: CpuEngine, shard: Shard) -> Finding:
    return Finding(engine, shard)


def test_each_finds_what_it_finds_alone_and_leaves_when_it_has_ended(finding: Finding) -> None:
    records = read_fasta(FAMILY.encode())
    # Of the family, and a stranger, which finds itself alone and nothing new after that.
    queries = [records[0], records[14]]
    together = Together([finding.databases], ASKED, finding, lambda _, __, result: result, "x")
    found = [one for [one] in together.searched(queries)]
    assert finding.passes[:2] == [(0, 2), (0, 2)]
    assert finding.passes[-1] == (0, 1)
    assert found == [finding.alone(query) for query in queries]
    assert [len(one.results[0].rounds) for one in found][1] == 2


def test_more_databases_are_searched_once_with_what_was_found(finding: Finding) -> None:
    [query, *_] = read_fasta(FAMILY.encode())

    def keep(stage: int, searched: Searched, result: SearchResult) -> tuple[str, SearchResult]:
        return searched.queries[0].id, result

    together = Together([finding.databases] * 2, ASKED, finding, keep, "x")
    [[first, then]] = together.searched([query])
    assert [stage for stage, _ in finding.passes].count(1) == 1
    assert first == ("m0", finding.alone(query))
    assert then[1].results[0].query.profile is not None
    assert len(then[1].results[0].hits) >= len(first[1].results[0].hits)
