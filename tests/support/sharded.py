"""Searches of databases in so many shards, each handed on as JSON."""

from pydantic import TypeAdapter

from shardwater.engines.cpu import CpuEngine
from shardwater.search.databases import SearchedDatabase, Whole, firsts_of, size_of
from shardwater.search.hits import ShardResult
from shardwater.search.merge import NarrowShortlist, Searched, assemble
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.steps import finish

STORED = TypeAdapter(ShardResult)


def search_all(databases, queries, parameters, counts, any_line=False):
    """The result of several databases, each in so many shards, each handed on as JSON, the last one first."""
    engine, parts = CpuEngine(2), []
    asked = tuple(SearchedDatabase.of(database.manifest) for database in databases)
    for number, (database, count, first) in enumerate(zip(databases, counts, firsts_of(asked), strict=True)):
        whole = Whole(size_of(asked), sum(counts), number, first)
        for index in range(count):
            shard = database.shard(index, count)
            engine.load(shard)
            [found] = finish(find_all_hits(engine, shard, [ShardSearch(queries, parameters, any_line, whole=whole)]))
            parts.append(STORED.validate_json(STORED.dump_json(found)))
    return assemble(Searched("s", asked, parameters, tuple(queries)), parts[::-1])


def searched_all(databases, queries, parameters, counts):
    """The same, made again where the shards have chosen too narrowly, as the service does."""
    try:
        return search_all(databases, queries, parameters, counts)
    except NarrowShortlist:
        return search_all(databases, queries, parameters, counts, any_line=True)


def search(database, queries, parameters, count, any_line=False):
    """The answers of one database in so many shards."""
    return search_all([database], queries, parameters, [count], any_line).results


def searched(database, queries, parameters, count):
    """The same, made again where the shards have chosen too narrowly."""
    return searched_all([database], queries, parameters, [count]).results
