"""All scores of a search: handed on whole, kept in files, read in the order of the database."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from shardwater.engines.cpu import CpuEngine
from shardwater.errors import EngineError
from shardwater.search import scores as module
from shardwater.search.parameters import Parameters
from shardwater.search.scores import Cut, DamagedScores, KeptScores, ScoreWriter, file_bytes
from shardwater.search.search import ShardSearch, find_all_hits, find_hits
from shardwater.sequences.fasta import Record
from shardwater.steps import finish

QUERIES = [Record("q0", b"WCAWCWKLH"), Record("q1", b"AAHHA")]
OTHERS = [Record("q2", b"CCWW")]
NO_STATISTICS = Parameters(statistics="none")


@pytest.fixture
def database(build):
    rng = np.random.default_rng(4)
    return build([(f"s{number}", "".join(rng.choice(list("WCAKLH"), rng.integers(1, 30)))) for number in range(23)])


def kept(folder, database, shards, queries, parameters=NO_STATISTICS):
    """All scores of a search on so many shards."""
    for index in range(shards):
        shard, engine = database.shard(index, shards), CpuEngine(threads=3)
        engine.load(shard)
        with (folder / str(index)).open("w+b") as file:
            writer = ScoreWriter(file, len(shard), len(queries))
            finish(find_all_hits(engine, shard, [ShardSearch(queries, parameters, keep=writer.keep)]))
            writer.finish()
        assert (folder / str(index)).stat().st_size == file_bytes(len(shard), len(queries))
    return KeptScores(folder, (Cut(len(database), shards),), len(queries))


def read(found, query):
    found.check(query)
    with closing(found.blocks(query)) as blocks:
        read = list(blocks)
    assert [first for first, _ in read] == np.cumsum([0, *(len(scores) for _, scores in read[:-1])]).tolist()
    return np.concatenate([scores for _, scores in read]).tolist()


@pytest.mark.parametrize("parameters", [NO_STATISTICS, Parameters()], ids=["none", "fitted"])
def test_scores_are_the_same_for_any_number_of_shards_and_any_blocks(tmp_path, database, monkeypatch, parameters):
    engine = CpuEngine(threads=2)
    engine.load(database.shard(0, 1))
    whole = find_hits(engine, database.shard(0, 1), QUERIES, replace(NO_STATISTICS, max_target_seqs=100))
    expected = [[0] * 23 for _ in QUERIES]
    for own, hits in zip(expected, whole.queries, strict=True):
        for hit in hits:
            own[hit.subject] = hit.score
    for shards, block in ((1, 1 << 16), (1, 7), (4, 9), (4, 3), (23, 50), (25, 10)):
        monkeypatch.setattr(module, "BLOCK", block)
        (folder := tmp_path / f"{shards} {block}").mkdir()
        found = kept(folder, database, shards, QUERIES, parameters)
        assert found.unwritten() == []
        assert [read(found, number) for number in range(2)] == expected


def test_searches_of_one_pass_keep_their_own_scores(tmp_path, database):
    engine, shard, got = CpuEngine(threads=2), database.shard(0, 1), {0: [], 1: [], 2: []}
    engine.load(shard)
    searches = [
        ShardSearch(QUERIES, NO_STATISTICS, keep=lambda query, _, scores: got[query].extend(scores.tolist())),
        ShardSearch(OTHERS, NO_STATISTICS),
        ShardSearch(OTHERS, NO_STATISTICS, keep=lambda query, _, scores: got[query + 2].extend(scores.tolist())),
    ]
    found = finish(find_all_hits(engine, shard, searches))
    assert found[1:] == [find_hits(engine, shard, OTHERS, NO_STATISTICS)] * 2
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    both, third = kept(tmp_path / "one", database, 1, QUERIES), kept(tmp_path / "other", database, 1, OTHERS)
    assert got == {0: read(both, 0), 1: read(both, 1), 2: read(third, 0)}


def changing(change):
    """An engine that hands out other scores than it counts."""

    class Changed(CpuEngine):
        def survey(self, *asked):
            for each in super().survey(*asked):
                yield replace(each, scores=[changed for run in each.scores for changed in change(run)])

    return Changed


FAULTY = [
    (lambda run: [], "0 of 23 scores of query 1 came"),
    (lambda run: [run, run], r"scores from position 0 on came where those from \d+ on are due"),
    (lambda run: [replace(run, first=run.first + 1)], "scores from position 1 on came where those from 0 on are due"),
    (lambda run: [replace(run, scores=np.tile(run.scores, 30))], "scores from position 0 on came where those from 0"),
    (lambda run: [replace(run, scores=run.scores + 1)], "the scores of query 1 are not those that were counted"),
]


@pytest.mark.parametrize(("change", "message"), FAULTY)
def test_engine_that_hands_on_other_scores_than_it_counts_is_refused(database, change, message):
    engine, shard = changing(change)(threads=3), database.shard(0, 1)
    engine.load(shard)
    with pytest.raises(EngineError, match=f"^{message}"):
        finish(
            find_all_hits(engine, shard, [ShardSearch(QUERIES, NO_STATISTICS, keep=lambda query, first, scores: None)])
        )


def test_scores_written_again_are_the_same(tmp_path, database):
    found = kept(tmp_path, database, 2, QUERIES)
    before = [found.path(shard).read_bytes() for shard in range(2)]
    shard, engine = database.shard(1, 2), CpuEngine(threads=1)
    engine.load(shard)
    with found.path(1).open("r+b") as file:
        writer = ScoreWriter(file, len(shard), 2)
        steps = find_all_hits(engine, shard, [ShardSearch(QUERIES, NO_STATISTICS, keep=writer.keep)])
        next(steps)
        steps.close()
    assert [found.path(shard).read_bytes() for shard in range(2)] == before
    assert found.unwritten() == []


def test_files_that_are_damaged_gone_or_not_written_are_told(tmp_path, database):
    found = kept(tmp_path, database, 3, QUERIES)
    content = bytearray(found.path(1).read_bytes())
    content[4 * found.size(1)] ^= 1
    found.path(1).write_bytes(content)
    found.check(0)
    with pytest.raises(DamagedScores, match=r"^the scores of shard 1 are not what they were$"):
        found.check(1)
    found.path(1).write_bytes(content[: 4 * found.size(1)])
    with pytest.raises(DamagedScores, match=r"^the scores of shard 1 end too soon$"):
        read(found, 1)
    with found.path(2).open("wb") as file:
        file.truncate(file_bytes(found.size(2), 2))
    found.path(0).unlink()
    with pytest.raises(DamagedScores, match=r"^the scores of shard 0 are gone$"):
        read(found, 0)
    assert found.unwritten() == [0, 1, 2]
