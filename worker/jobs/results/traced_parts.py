"""Parts of jobs whose hits are written out where they are merged: what was counted as JSON, the hits as arrays."""

from io import BytesIO

from pydantic import ValidationError

from shardwater.search.traced import Traced, TracedShard
from worker.jobs.results.packing import UnpackingError, pack, unpack
from worker.jobs.results.parts import SHARD_JSON, UnreadablePart


def pack_members(traced: Traced) -> bytes:
    """What a part has found for members of clusters, as it is kept."""
    file = BytesIO()
    traced.write(file)
    return pack(file.getvalue())


def read_members(shard: bytes, part: bytes) -> Traced:
    """What pack_members wrote for a shard; raises UnreadablePart."""
    try:
        return Traced.read(BytesIO(unpack(part)))
    except (UnpackingError, ValueError, EOFError):
        raise UnreadablePart(shard) from None


def pack_traced(traced: TracedShard) -> bytes:
    """A part's result as it is kept: a line of JSON, then the arrays of each query."""
    file = BytesIO()
    file.write(SHARD_JSON.dump_json(traced.result) + b"\n")
    for query in traced.queries:
        query.write(file)
    return pack(file.getvalue())


def read_traced(shard: bytes, part: bytes) -> TracedShard:
    """What pack_traced wrote for a shard; raises UnreadablePart."""
    try:
        told, _, arrays = unpack(part).partition(b"\n")
        result, file = SHARD_JSON.validate_json(told), BytesIO(arrays)
        return TracedShard(result, tuple(Traced.read(file) for _ in result.extents))
    except (ValidationError, UnpackingError, ValueError, EOFError):
        raise UnreadablePart(shard) from None
