"""What must happen as a whole on the server: Lua, which Redis and Valkey run in one step and one round trip."""

SET_IF_KEPT = """
local left = redis.call('TTL', KEYS[1])
if left < 0 or redis.call('HEXISTS', KEYS[1], 'outcome') == 1 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], left)
redis.call('PUBLISH', KEYS[3], 'moved')
return redis.call('HLEN', KEYS[2])
"""
"""Keys: a job's meta, a hash that lives as long, the job's channel of progress; arguments: field and value.

Gives how many fields the hash has then, 0 when the job has ended or is gone.
"""

ROUND_OF = """
local function round_of(meta)
  local round, begun = unpack(redis.call('HMGET', meta, 'round', 'again'))
  -- Versions before did not count: there was a second one at most.
  return tonumber(round) or (begun and 2 or 1)
end
"""
"""The round that a job is in, from 1, by its meta."""

STORE_PART = (
    ROUND_OF
    + """
local left = redis.call('TTL', KEYS[1])
if left < 0 or redis.call('HEXISTS', KEYS[1], 'outcome') == 1 or round_of(KEYS[1]) ~= tonumber(ARGV[5]) then return end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[2], left)
redis.call('PUBLISH', KEYS[3], 'moved')
if redis.call('HLEN', KEYS[2]) == tonumber(ARGV[4]) then redis.pcall('RPUSH', KEYS[4], ARGV[1]) end
"""
)
"""Keys: a job's meta, its shards' results, its channel of progress, the list of answered jobs; arguments:
job, shard, the shard's result, shards, the round that it is of.

Keeps a shard's result, unless the job has ended or is in another round; with the last one a front end is called to
merge them.
"""

ASIDE = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return end
local now = redis.call('TIME')
redis.call('HINCRBYFLOAT', KEYS[1], ARGV[1], ARGV[2] * (now[1] + now[2] / 1e6))
"""
"""Key: a job's meta; arguments: the field that says when a part was begun, and -1 as it steps aside for better ones, 1
as it goes on.

Meanwhile the field has the seconds that the part had run for, below zero, and then a begin so much later: the time of
others is none of its own.
"""

_FINISH = """
local function finish(meta, live, channel, search, outcome, failure, word)
  local claim, ended, orders = unpack(redis.call('HMGET', meta, 'claim', 'outcome', 'line'))
  if not claim then return -1 end
  if ended then return 0 end
  for order in string.gmatch(orders or '', '%S+') do
    -- With nothing left to order, the clock may begin anew.
    if redis.call('HDEL', order, 'search:' .. search) == 1 and redis.call('HINCRBY', order, 'searches', -1) <= 0 then
      redis.call('DEL', order)
    end
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
local done = finish(KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], ARGV[3], ARGV[2])
if done ~= 1 then return done end
local answered = redis.pcall('HKEYS', KEYS[4])
if not answered.err then
  for _, shard in ipairs(answered) do redis.call('HSET', KEYS[4], shard, '') end
end
return 1
"""
)
"""Keys: a job's meta, the set of live jobs, the job's channel, its shards' results; arguments: job, outcome, failure.

GONE when the job is, 0 when it has ended before. What parts have found is given up, and they count as answered: who
merges them has read all, or reads that the job has ended.
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
"""Keys: those of END, the job's whole result; arguments: job, the result, shards.

A job succeeds when its whole result is kept; the parts it was made of are given up, and count as answered. Who
waits for the end is told a result of up to 64 KiB along with it, and need not ask for it.
"""

LEAVE = """
redis.call('SREM', KEYS[1], ARGV[2])
if redis.call('SCARD', KEYS[1]) > 0 then return 0 end
local claim, outcome = unpack(redis.call('HMGET', KEYS[2], 'claim', 'outcome'))
if not claim or (outcome and ARGV[3] == 'live') then return 0 end
if redis.call('GET', claim) == ARGV[1] then redis.call('DEL', claim) end
return 1
"""
"""Keys: the jobs that a job is part of, its meta; arguments: the job, the one that gives it up, and which of those that
are left alone are meant: `live`, which have not ended, or `all`.

Gives 1 where it is left alone, and then nobody who asks for the same finds it any more: a transaction that has found
it before does not come through.
"""

OUTCOMES = """
local found = {}
for i, meta in ipairs(KEYS) do
  local fields = redis.pcall('HMGET', meta, 'target', 'outcome')
  if fields.err or not fields[1] then found[i] = 'gone' else found[i] = fields[2] end
end
return found
"""
"""Keys: metas of jobs. Gives how each has ended: nothing while it has not, `gone` where it is, or is another thing."""
