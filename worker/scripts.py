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

KEEP_WHOLE = """
local left = redis.call('TTL', KEYS[1])
if left < 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], left)
redis.call('SET', KEYS[3], ARGV[3], 'EX', math.max(1, left))
return 1
"""
"""SET_IF_KEPT, and a value that is kept as long: its key is the third, the value the last argument."""

END = """
local claim, ended = unpack(redis.call('HMGET', KEYS[1], 'claim', 'outcome'))
if not claim then return -1 end
if ended then return 0 end
redis.call('HSET', KEYS[1], 'outcome', ARGV[2], 'finished', ARGV[3], 'failure', ARGV[4])
redis.call('SREM', KEYS[2], ARGV[1])
redis.call('PUBLISH', KEYS[3], ARGV[2])
if ARGV[2] ~= 'succeeded' and redis.call('GET', claim) == ARGV[1] then redis.call('DEL', claim) end
return 1
"""
"""Keys: a search's meta, the set of live searches, the search's channel; arguments: search, outcome, time, failure.

GONE when the search is, 0 when it has ended before.
"""
GONE = -1
