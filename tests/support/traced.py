"""What a shard hands on as paths, in the test's own process."""

from collections.abc import Sequence

from shardwater.database.database import Shard
from shardwater.engines.engine import Engine
from shardwater.search.search import ShardSearch, trace_all_hits
from shardwater.search.traced import TracedShard
from shardwater.steps import finish


def traced_hits(engine: Engine, shard: Shard, searches: Sequence[ShardSearch]) -> list[TracedShard]:
    """What each of several searches finds in a loaded shard."""
    return finish(trace_all_hits(engine, shard, searches))
