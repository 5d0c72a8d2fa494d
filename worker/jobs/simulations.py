"""Simulated statistics in Redis: of each scoring what its blocks have found, then the parameters that follow.

They are named by what they follow from alone (shardwater/statistics/simulation.py: content_of), whoever has asked:
equal matrices have equal ones, and nothing tells whose they are.
"""

from typing import cast

from pydantic import TypeAdapter, ValidationError
from redis import Redis

from shardwater.statistics.karlin_altschul import Simulated
from shardwater.statistics.simulation import BLOCKS, Block
from worker.jobs.redis_names import PREFIX

KEPT_S = 30 * 24 * 3600
"""Since they were last needed; some hundred bytes each, and 30 kB while they are simulated."""
BEGUN_S = 3600
"""Since a block was last begun: longer than any takes."""
_BLOCK, _SIMULATED = TypeAdapter(Block), TypeAdapter(Simulated)


class Simulations:
    """What is known of scorings, by their contents."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def known(self, content: str) -> Simulated | None:
        """The parameters of a scoring, once they are simulated."""
        kept = self._redis.getex(_known_key(content), ex=KEPT_S)
        try:
            return None if kept is None else _SIMULATED.validate_json(cast(bytes, kept))
        except ValidationError:
            # No version of ours writes that: it is simulated anew.
            return None

    def left(self, content: str) -> int:
        """Blocks that are still to be done for them."""
        return 0 if self.known(content) is not None else BLOCKS - len(self.blocks(content))

    def blocks(self, content: str) -> dict[int, Block]:
        """What the blocks that are done have found, by their numbers."""
        found: dict[int, Block] = {}
        for number, kept in cast(dict[bytes, bytes], self._redis.hgetall(_blocks_key(content))).items():
            try:
                found[int(number)] = _BLOCK.validate_json(kept)
            except ValueError:
                # Neither: it is done anew.
                continue
        return found

    def begun(self, content: str) -> set[int]:
        """The numbers of blocks that somebody has begun."""
        kept = cast(set[bytes], self._redis.smembers(_begun_key(content)))
        return {int(number) for number in kept if number.isdigit()}

    def begin(self, content: str, number: int) -> None:
        """Say that one of the blocks is being done."""
        key = _begun_key(content)
        with self._redis.pipeline() as pipe:
            pipe.sadd(key, number)
            pipe.expire(key, BEGUN_S)
            pipe.execute()

    def keep_block(self, content: str, number: int, block: Block) -> None:
        """What one of the blocks has found: whoever does it finds the same."""
        key = _blocks_key(content)
        with self._redis.pipeline() as pipe:
            pipe.hset(key, str(number), _BLOCK.dump_json(block))
            pipe.expire(key, KEPT_S)
            pipe.execute()

    def keep(self, content: str, simulated: Simulated) -> None:
        """The parameters; the blocks are not needed any more."""
        with self._redis.pipeline() as pipe:
            pipe.set(_known_key(content), _SIMULATED.dump_json(simulated), ex=KEPT_S)
            pipe.delete(_blocks_key(content), _begun_key(content))
            pipe.execute()


def _known_key(content: str) -> str:
    return f"{PREFIX}:simulated:{content}"


def _blocks_key(content: str) -> str:
    return f"{PREFIX}:simulation:{content}"


def _begun_key(content: str) -> str:
    return f"{PREFIX}:simulation-begun:{content}"
