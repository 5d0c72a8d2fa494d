"""Shards' results as they are kept until the last of them has come and they are merged, and the whole as it is kept."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError
from redis import Redis

from shardwater.search.hits import ShardResult
from shardwater.search.merge import Searched, SearchResult, assemble
from worker.jobs.redis_names import SearchKeys
from worker.jobs.results.digested import digested
from worker.jobs.results.packing import pack, unpack
from worker.jobs.scripts import SET_IF_KEPT

if TYPE_CHECKING:
    from worker.jobs.results.signing import Signer

_SHARD_RESULT = TypeAdapter(ShardResult)
_RESULT = TypeAdapter(SearchResult)
_ANY_LINE = "any_line"


def pack_part(result: ShardResult) -> bytes:
    """A shard's result as it is kept."""
    return pack(_SHARD_RESULT.dump_json(result))


def read_parts(redis: Redis, key: str, parts: Mapping[bytes, bytes]) -> list[ShardResult]:
    """The results in the hash `key`; one that another version has written otherwise is dropped.

    The watchdog finds that shard missing, and queues its job anew (recovery.py).
    """
    read = []
    for shard, part in parts.items():
        try:
            read.append(_SHARD_RESULT.validate_json(unpack(part)))
        except ValidationError:
            redis.hdel(key, shard.decode())
    return read


def merge_parts(searched: Searched, shards: Sequence[ShardResult], signer: "Signer | None") -> bytes:
    """The whole result as it is kept; raises what assemble does."""
    return pack(_RESULT.dump_json(digested(assemble(searched, shards), signer)))


def search_for_any_line(redis: Redis, keys: SearchKeys) -> None:
    """Drop a search's parts, made for lines of another slope than the whole's: the watchdog queues their jobs anew."""
    if redis.register_script(SET_IF_KEPT)(keys=[keys.meta, keys.meta, keys.moved], args=[_ANY_LINE, 1]):
        redis.delete(keys.shards)


def is_for_any_line(redis: Redis, search: str) -> bool:
    """Whether a search's parts must be enough for a line of any slope (shardwater/search/shortlist.py)."""
    return bool(redis.hexists(SearchKeys(search).meta, _ANY_LINE))
