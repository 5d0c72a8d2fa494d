"""Shards' results as they are kept until the last of them has come and they are merged."""

from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError
from redis import Redis

from shardwater.hits import ShardResult
from worker.packing import pack, unpack

_SHARD_RESULT = TypeAdapter(ShardResult)


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
