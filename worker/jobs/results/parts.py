"""Results of parts as they are kept until the last of them has come."""

from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from shardwater.search.hits import ShardResult
from worker.jobs.results.packing import UnpackingError, pack, unpack

Made = TypeVar("Made")

SHARD_JSON = TypeAdapter(ShardResult)


class UnreadablePart(Exception):
    """A part's result that another version has written otherwise."""

    def __init__(self, shard: bytes) -> None:
        super().__init__(shard)
        self.shard = shard


def pack_part(adapter: TypeAdapter[Made], result: Made) -> bytes:
    """A part's result as it is kept."""
    return pack(adapter.dump_json(result))


def read_part(adapter: TypeAdapter[Made], shard: bytes, part: bytes) -> Made:
    """What pack_part wrote for a shard; raises UnreadablePart."""
    try:
        return adapter.validate_json(unpack(part))
    except (ValidationError, UnpackingError):
        raise UnreadablePart(shard) from None
