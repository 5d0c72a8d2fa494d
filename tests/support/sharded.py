"""Searches of a database in so many shards, each handed on as JSON."""

from pydantic import TypeAdapter

from shardwater.engines.cpu import CpuEngine
from shardwater.search.hits import ShardResult
from shardwater.search.merge import DatabaseSize, DatabaseUsed, NarrowShortlist, Searched, assemble
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.steps import finish

STORED = TypeAdapter(ShardResult)


def search(database, queries, parameters, count, any_line=False):
    """The result of so many shards, each handed on as JSON, the last one first."""
    engine, shards = CpuEngine(2), []
    for index in range(count):
        engine.load(database.shard(index, count))
        [found] = finish(
            find_all_hits(engine, database.shard(index, count), [ShardSearch(queries, parameters, any_line)])
        )
        shards.append(STORED.validate_json(STORED.dump_json(found)))
    size = DatabaseSize(len(database), database.manifest.residues)
    return assemble(Searched("s", DatabaseUsed("t", "1", "0"), size, parameters, tuple(queries)), shards[::-1]).results


def searched(database, queries, parameters, count):
    """The same, made again where the shards have chosen too narrowly, as the service does."""
    try:
        return search(database, queries, parameters, count)
    except NarrowShortlist:
        return search(database, queries, parameters, count, any_line=True)
