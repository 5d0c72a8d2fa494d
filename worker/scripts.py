"""What must happen as a whole on the server: Lua, which Redis and Valkey run in one step and one round trip."""

SET_IF_KEPT = """
local left = redis.call('TTL', KEYS[1])
if left < 0 or redis.call('HEXISTS', KEYS[1], 'outcome') == 1 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], left)
redis.call('PUBLISH', KEYS[3], 'moved')
return 1
"""
"""Keys: a search's meta, a hash that lives as long, the search's channel of progress; arguments: field and value.

0 when the search has ended or is gone.
"""

TAKE_UP = """
local left = redis.call('TTL', KEYS[1])
local request, target, outcome = unpack(redis.call('HMGET', KEYS[1], 'request', 'target', 'outcome'))
if left < 0 or not request or outcome then return false end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 0 end
redis.call('HSET', KEYS[3], ARGV[1], 0)
redis.call('EXPIRE', KEYS[3], left)
redis.call('PUBLISH', KEYS[4], 'begun')
return {request, target}
"""
"""Keys: a search's meta, its shards' results, its progress, its channel; argument: the shard, noted as begun.

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
local done = finish(KEYS[1], KEYS[2], KEYS[3], ARGV[1], 'succeeded', ARGV[2], '')
if done ~= 1 then return done end
for shard = 0, ARGV[4] - 1 do redis.call('HSET', KEYS[4], shard, '') end
redis.call('EXPIRE', KEYS[4], left)
redis.call('SET', KEYS[5], ARGV[3], 'EX', math.max(1, left))
return 1
"""
)
"""Keys: those of END, the search's shards' results, its whole result; arguments: search, time, the result, shards.

A search succeeds when its whole result is kept; the parts it was made of are given up, and count as answered.
"""

AHEAD = """
local most, found = 1000, {}
local function waiting(search)
  local residues, ended = unpack(redis.call('HMGET', ARGV[2] .. search, 'residues', 'outcome'))
  return not ended and tonumber(residues) or nil
end
for shard = 0, #KEYS / 3 - 1 do
  local queue, running, rate = KEYS[3 * shard + 1], KEYS[3 * shard + 2], redis.call('GET', KEYS[3 * shard + 3])
  local place
  if ARGV[1] == '' then place = redis.call('LLEN', queue)
  else place = redis.call('LPOS', queue, ARGV[1] .. '-' .. shard) end
  local searches, residues, scored, at_work = 0, 0, 0, 0
  if place then
    local looked = math.min(place, most)
    for _, job in ipairs(looked > 0 and redis.call('LRANGE', queue, 0, looked - 1) or {}) do
      local size = waiting(string.match(job, '^(.*)%-%d+$'))
      if size then searches, residues = searches + 1, residues + size end
    end
    if place > most then searches, residues = searches * place / most, residues * place / most end
    for _, job in ipairs(redis.call('ZRANGE', running, 0, -1)) do
      local search = string.match(job, '^(.*)%-%d+:')
      local size = search and search ~= ARGV[1] and waiting(search)
      if size then
        at_work, residues = at_work + 1, residues + size
        scored = scored + (tonumber(redis.call('HGET', ARGV[3] .. search, shard)) or 0)
      end
    end
  end
  local waits = place and (ARGV[1] ~= '' or searches + at_work > 0)
  found[shard + 1] = {waits and 1 or 0, searches, residues, scored, rate}
end
return found
"""
"""Keys: of each shard its queue, RQ's list of the jobs at work, its rate; arguments: a search, or nothing for one that
would come last, and what the keys of searches and of their progress begin with.

Gives for each shard whether the search waits there, the searches queued before it, their query residues and those of
the ones at work, the cells that these have scored, and the rate. Searches that have ended do not count; of a long queue
the first thousand stand for the rest.
"""
