"""What must happen as a whole on the server: Lua, which Redis and Valkey run in one step and one round trip."""

SET_IF_KEPT = """
local left = redis.call('TTL', KEYS[1])
if left < 0 or redis.call('HEXISTS', KEYS[1], 'outcome') == 1 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], left)
redis.call('PUBLISH', KEYS[3], 'moved')
return redis.call('HLEN', KEYS[2])
"""
"""Keys: a search's meta, a hash that lives as long, the search's channel of progress; arguments: field and value.

Gives how many fields the hash has then, 0 when the search has ended or is gone.
"""

TAKE_UP = """
redis.call('ZREM', KEYS[5], ARGV[2])
local left = redis.call('TTL', KEYS[1])
local outcome, line, residues, rank = unpack(redis.call('HMGET', KEYS[1], 'outcome', 'line', 'residues', 'rank'))
if left < 0 or outcome or redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return end
redis.call('HSET', KEYS[3], ARGV[1], 0)
redis.call('EXPIRE', KEYS[3], left)
redis.call('PUBLISH', KEYS[4], 'begun')
if line and tonumber(rank) - residues > tonumber(redis.call('HGET', line, 'clock') or 0) then
  redis.call('HSET', line, 'clock', tonumber(rank) - residues)
end
"""
"""Keys: a search's meta, its shards' results, its progress, its channel, the order of the shard's queue; arguments:
the shard, the search's job for it. Notes that the shard's worker has begun, unless the search has ended.
"""

_FINISH = """
local function finish(meta, live, channel, search, outcome, failure, word)
  local claim, ended, line = unpack(redis.call('HMGET', meta, 'claim', 'outcome', 'line'))
  if not claim then return -1 end
  if ended then return 0 end
  local residues = line and redis.call('HGET', line, 'search:' .. search)
  if residues then
    redis.call('HDEL', line, 'search:' .. search)
    -- With nothing left to order, the clock may begin anew.
    if redis.call('HINCRBY', line, 'waiting', -residues) <= 0 then redis.call('DEL', line) end
  end
  local now = redis.call('TIME')
  local finished = now[1] .. '.' .. string.format('%06d', now[2])
  redis.call('HSET', meta, 'outcome', outcome, 'finished', finished, 'failure', failure)
  redis.call('SREM', live, search)
  redis.call('PUBLISH', channel, word)
  if outcome ~= 'succeeded' and redis.call('GET', claim) == search then redis.call('DEL', claim) end
  return 1
end
"""

END = (
    _FINISH
    + """
return finish(KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], ARGV[3], ARGV[2])
"""
)
"""Keys: a search's meta, the set of live searches, the search's channel; arguments: search, outcome, failure.

GONE when the search is, 0 when it has ended before.
"""
GONE = -1

ANSWER = (
    _FINISH
    + """
local left = redis.call('TTL', KEYS[1])
if left < 0 then return -1 end
local word = #ARGV[2] <= 65536 and ARGV[2] or 'succeeded'
local done = finish(KEYS[1], KEYS[2], KEYS[3], ARGV[1], 'succeeded', '', word)
if done ~= 1 then return done end
for shard = 0, ARGV[3] - 1 do redis.call('HSET', KEYS[4], shard, '') end
redis.call('EXPIRE', KEYS[4], left)
redis.call('SET', KEYS[5], ARGV[2], 'EX', math.max(1, left))
return 1
"""
)
"""Keys: those of END, the search's shards' results, its whole result; arguments: search, the result, shards.

A search succeeds when its whole result is kept; the parts it was made of are given up, and count as answered. Who
waits for the end is told a result of up to 64 KiB along with it, and need not ask for it.
"""

SUSPECT = """
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'interrupted', 1) end
"""
"""Key: a search's meta. Notes that a worker died while it ran; of one that is gone nothing must stay behind."""

FORGET = """
local gone = {}
for _, worker in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', worker) == 0 then gone[#gone + 1] = worker end
end
for _, queue in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  local own = KEYS[1] .. ':' .. string.sub(queue, #ARGV[1] + 1)
  for _, worker in ipairs(gone) do redis.call('SREM', own, worker) end
  if redis.call('EXISTS', own, queue) == 0 then redis.call('SREM', KEYS[2], queue) end
end
for _, worker in ipairs(gone) do redis.call('SREM', KEYS[1], worker) end
return #gone
"""
"""Keys: RQ's sets of all workers and of all queues; argument: what the keys of queues begin with. Forgets the workers
that have been silent until their keys have expired, and the queues where there is neither worker nor job any more.
"""

DEAD = """
local dead = {}
for _, entry in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if string.match(entry, '^[%w_-]+:%w+$') and redis.call('EXISTS', ARGV[1] .. entry) == 0 then
    dead[#dead + 1] = entry
  end
end
return dead
"""
"""Key: RQ's list of the jobs at work in a queue; argument: what the keys of their runs begin with. Gives the entries
whose run has had no heartbeat for so long that its key has expired.
"""
