"""What must happen as a whole on the server: Lua, which Redis and Valkey run in one step and one round trip."""

SET_IF_KEPT = """
local left = redis.call('TTL', KEYS[1])
if left < 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], left)
return 1
"""
"""Keys: a search's meta, a hash that lives as long; arguments: field and value. 0 when the search is gone."""

TAKE_UP = """
local left = redis.call('TTL', KEYS[1])
local request, target, outcome = unpack(redis.call('HMGET', KEYS[1], 'request', 'target', 'outcome'))
if left < 0 or not request or outcome then return false end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 0 end
redis.call('HSET', KEYS[3], ARGV[1], 0)
redis.call('EXPIRE', KEYS[3], left)
return {request, target}
"""
"""Keys: a search's meta, its shards' results, its progress; argument: the shard, which is noted as begun.

Gives what is asked for; 0 when the shard has answered, nothing when the search has ended or is gone.
"""

_FINISH = """
local function finish(meta, live, channel, search, outcome, time, failure)
  local claim, ended = unpack(redis.call('HMGET', meta, 'claim', 'outcome'))
  if not claim then return -1 end
  if ended then return 0 end
  redis.call('HSET', meta, 'outcome', outcome, 'finished', time, 'failure', failure)
  redis.call('SREM', live, search)
  redis.call('PUBLISH', channel, outcome)
  if outcome ~= 'succeeded' and redis.call('GET', claim) == search then redis.call('DEL', claim) end
  return 1
end
"""

END = (
    _FINISH
    + """
return finish(KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
"""
)
"""Keys: a search's meta, the set of live searches, the search's channel; arguments: search, outcome, time, failure.

GONE when the search is, 0 when it has ended before.
"""
GONE = -1

ANSWER = (
    _FINISH
    + """
local left = redis.call('TTL', KEYS[1])
if left < 0 then return -1 end
redis.call('HSET', KEYS[4], ARGV[3], '')
redis.call('EXPIRE', KEYS[4], left)
redis.call('SET', KEYS[5], ARGV[4], 'EX', math.max(1, left))
return finish(KEYS[1], KEYS[2], KEYS[3], ARGV[1], 'succeeded', ARGV[2], '')
"""
)
"""Keys: those of END, the search's shards' results, its whole result; arguments: search, time, shard, the result.

For a search of one shard: its result is kept and it ends. The shard counts as answered.
"""
