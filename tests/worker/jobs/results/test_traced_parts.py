"""Parts with hits as arrays: what is read is what was kept, and what is damaged is told by its shard."""

import pytest

from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.search.hits import ShardResult
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.search.traced import TracedShard
from shardwater.sequences.fasta import Record
from shardwater.steps import finish
from tests.support.traced import traced_hits
from worker.jobs.results.packing import pack, unpack
from worker.jobs.results.parts import SHARD_JSON, UnreadablePart, pack_part
from worker.jobs.results.traced_parts import pack_traced, read_traced

ASKED = ShardSearch([Record("q", b"MKVLAAGW"), Record("r", b"WWCC")], Parameters(evalue=1e6, statistics="table"))


@pytest.fixture
def both(database: Database) -> tuple[TracedShard, ShardResult]:
    """What the second of two shards finds, as paths and with its hits."""
    engine, shard = CpuEngine(1), database.shard(1, 2)
    engine.load(shard)
    [traced], [found] = traced_hits(engine, shard, [ASKED]), finish(find_all_hits(engine, shard, [ASKED]))
    return traced, found


def test_a_part_is_read_as_it_was_kept(both: tuple[TracedShard, ShardResult], database: Database) -> None:
    traced, found = both
    read = read_traced(b"1", pack_traced(traced))
    assert read.result == traced.result
    assert read.written(database, 0, ASKED.queries, ASKED.parameters) == found
    assert [len(hits) for hits in found.queries] == [2, 2]


def test_parts_that_are_damaged_or_of_another_kind_are_told_by_their_shard(
    both: tuple[TracedShard, ShardResult],
) -> None:
    traced, found = both
    part = pack_traced(traced)
    told, _, arrays = unpack(part).partition(b"\n")
    for damaged in (
        b"",
        b"no gzip",
        part[: len(part) // 2],
        pack(b"{}\n" + arrays),
        pack(told),
        pack(told + b"\n" + arrays[:-1]),
        pack(told + b"\n" + arrays[: len(arrays) // 2]),
        # Of a version that hands on hits.
        pack_part(SHARD_JSON, found),
    ):
        with pytest.raises(UnreadablePart) as error:
            read_traced(b"shard 1", damaged)
        assert error.value.shard == b"shard 1"
