"""Shards' results as they are kept until the last of them has come, and the whole that is merged from them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from shardwater.search.hits import ShardResult
from shardwater.search.merge import Searched, SearchResult, assemble
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import digested
from worker.jobs.results.packing import UnpackingError, pack, unpack
from worker.jobs.states import TARGET_JSON

if TYPE_CHECKING:
    from worker.jobs.results.signing import Signer

_SHARD_RESULT = TypeAdapter(ShardResult)
_RESULT = TypeAdapter(SearchResult)


class UnreadablePart(Exception):
    """A shard's result that another version has written otherwise."""

    def __init__(self, shard: bytes) -> None:
        super().__init__(shard)
        self.shard = shard


def pack_part(result: ShardResult) -> bytes:
    """A shard's result as it is kept."""
    return pack(_SHARD_RESULT.dump_json(result))


def merge_parts(
    search: str, request: bytes, target: bytes, parts: Mapping[bytes, bytes], signer: "Signer | None"
) -> bytes:
    """The whole result as it is kept, from a search's meta and its shards' results as they are.

    Raises UnreadablePart, and what assemble does.
    """
    asked, used = SearchRequest.model_validate_json(request), TARGET_JSON.validate_json(target)
    searched = Searched(search, used.used, used.size, asked.parameters, asked.records())
    shards = [_read(shard, part) for shard, part in parts.items()]
    return pack(_RESULT.dump_json(digested(assemble(searched, shards), signer)))


def _read(shard: bytes, part: bytes) -> ShardResult:
    try:
        return _SHARD_RESULT.validate_json(unpack(part))
    except (ValidationError, UnpackingError):
        raise UnreadablePart(shard) from None
