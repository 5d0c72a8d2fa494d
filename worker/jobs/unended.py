"""The bytes of requests in Redis whose jobs have not ended: none of these can be removed, so each account has a share.

All may take half of what Redis may store, and an account as much of it as it leaves free for others.
"""

from collections.abc import Mapping
from typing import Any

from redis import Redis

from worker.jobs.folders import StorageFull
from worker.jobs.redis_names import LIVE, SearchKeys

SIZES = """
local all, mine = 0, 0
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local size = redis.pcall('HSTRLEN', ARGV[2] .. id, 'request')
  if type(size) == 'number' then
    all = all + size
    if redis.call('HGET', ARGV[2] .. id, 'account') == ARGV[1] then mine = mine + size end
  end
end
return {all, mine}
"""
"""Key: the set of live jobs; arguments: an account, and what stands before the id in the key of a job's meta. Gives the
bytes of all requests, and of the account's.
"""


def limit_of(memory: Mapping[str, Any], most_bytes: int) -> int:
    """The bytes that data may take, by the server's figures; 0: half of its `maxmemory`, or of its machine's memory."""
    return most_bytes or (int(memory["maxmemory"]) or int(memory["total_system_memory"])) // 2


def check_share(redis: Redis, account: str, size: int, most_bytes: int) -> None:
    """Raise StorageFull where an account's requests that wait would take more than they leave to others.

    size: the bytes of new ones. Requests that come at the same moment may pass the bound together.
    """
    memory = redis.info("memory")
    room = limit_of(memory, most_bytes) // 2
    # Then there is room, whoever has what: nobody need be asked.
    if 2 * (int(memory["used_memory_dataset"]) + size) <= room:
        return
    every, mine = redis.eval(SIZES, 1, LIVE, account, SearchKeys("").meta)
    if mine + size > room - every - size:
        raise StorageFull("your requests that wait take all the room there is for them: try again once some have ended")
