"""Several databases searched as one: hit for hit, and to the last bit, as a database of all their sequences."""

from dataclasses import replace

import numpy as np
import pytest

from shardwater.engines.cpu import CpuEngine
from shardwater.errors import EngineError
from shardwater.search.databases import DatabaseUsed, SearchedDatabase, Whole, firsts_of, size_of, together
from shardwater.search.merge import Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.sequences.fasta import Record
from shardwater.steps import finish
from tests.support.sharded import STORED, search_all, searched_all

LETTERS = list("ARNDCQEGHILKMFPSTWYV")
QUERY = "MKVLAAGWDEHHKLMNPQRSTVWYACDEFGHIKLMKKWYVWCHH"
QUERIES = [Record("q1 a query", QUERY.encode()), Record("q2", QUERY[::-1].encode())]


@pytest.fixture
def crowds(build):
    """Three databases of unlike sizes and lengths, with relatives of the query and with equal sequences in several of
    them; and one of all their sequences in this order.
    """
    rng = np.random.default_rng(12)

    def letters(least, most):
        return "".join(rng.choice(LETTERS, rng.integers(least, most)))

    relatives = [QUERY[start : start + 30] + letters(1, 40) for start in (0, 4, 9)]
    ties = ["WWW" + tail for tail in ("A", "AG", "AGG")]
    texts = [
        [*(letters(100, 300) for _ in range(90)), *relatives, *ties],
        [*(letters(20, 60) for _ in range(30)), *relatives[:2], *ties[::-1]],
        [*relatives[1:], *ties],
    ]
    named = [
        [(f"{name}{n} of {name}", each) for n, each in enumerate(some)] for name, some in zip("abc", texts, strict=True)
    ]
    apart = [build(some, name=name) for name, some in zip("abc", named, strict=True)]
    return apart, build([each for some in named for each in some], name="all")


def bare(answer):
    """What a result says of a query, but for where its hits are."""
    return replace(answer, hits=tuple(replace(hit, database=None) for hit in answer.hits))


@pytest.mark.parametrize("counts", [(1, 1, 1), (3, 2, 1), (2, 4, 5)])
@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(),
        Parameters(composition="adjusted", max_target_seqs=9, mask="seg"),
        Parameters(order="score", max_target_seqs=200, evalue=1e9, score_distribution=True),
        Parameters(statistics="table", max_target_seqs=7, alignments=2, evalue=1e9),
        Parameters(statistics="none", gap_open=5, gap_extend=5, max_target_seqs=130),
        Parameters(statistics="karlin-altschul", min_identity=50, evalue=1e6),
    ],
    ids=str,
)
def test_several_databases_are_searched_as_one_of_all_their_sequences(crowds, counts, parameters):
    apart, whole = crowds
    found = searched_all(apart, QUERIES, parameters, counts)
    expected = searched_all([whole], QUERIES, parameters, [1])
    assert [bare(one) for one in found.results] == [bare(one) for one in expected.results]
    assert any(len({hit.database for hit in one.hits}) == 3 for one in found.results)
    for hit in (hit for one in found.results for hit in one.hits):
        assert hit.database == hit.accession[0]
    one, other = found.certificate, expected.certificate
    assert (one.subjects, one.residues, one.cells) == (other.subjects, other.residues, other.cells)


def test_result_says_which_databases_were_searched(crowds):
    apart, _ = crowds
    result = search_all(apart[:2], QUERIES, Parameters(statistics="table"), [1, 2])
    one, other = (database.manifest for database in apart[:2])
    assert result.databases == (SearchedDatabase.of(one), SearchedDatabase.of(other))
    assert (result.database.name, result.database.version) == ("a b", f"{one.version} {other.version}")
    assert [(each.database, each.index) for each in result.certificate.shards] == [("a", 0), ("b", 0), ("b", 1)]


def test_one_database_is_called_as_it_is():
    one = SearchedDatabase("db", "1", "c", 3, 30)
    assert together([one]) == DatabaseUsed("db", "1", "c")


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_part_of_a_database_that_is_missing_is_missed(crowds, missing):
    apart, _ = crowds
    asked = tuple(SearchedDatabase.of(database.manifest) for database in apart[:2])
    parts = _parts(apart[:2], asked)
    del parts[missing]
    with pytest.raises(EngineError, match=f"do not make up database {'abb'[missing]}"):
        assemble(Searched("s", asked, Parameters(statistics="none"), tuple(QUERIES)), parts)


def test_shard_is_not_taken_for_one_of_another_database(crowds):
    apart, _ = crowds
    asked = tuple(SearchedDatabase.of(database.manifest) for database in apart[:2])
    parts = [replace(part, database=0) for part in _parts(apart[:2], asked)]
    with pytest.raises(EngineError, match="do not make up database a"):
        assemble(Searched("s", asked, Parameters(statistics="none"), tuple(QUERIES)), parts)


def _parts(databases, asked):
    """One shard of the first database, two of the second."""
    engine, parts = CpuEngine(1), []
    for number, (database, count) in enumerate(zip(databases, (1, 2), strict=True)):
        whole = Whole(size_of(asked), 3, number, firsts_of(asked)[number])
        for index in range(count):
            engine.load(database.shard(index, count))
            search = ShardSearch(QUERIES, Parameters(statistics="none"), whole=whole)
            parts += finish(find_all_hits(engine, database.shard(index, count), [search]))
    return [STORED.validate_json(STORED.dump_json(part)) for part in parts]
