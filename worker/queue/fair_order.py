"""The order of a shard's queue, in Lua: which job comes next, and which may be done beside another.

Self-clocked fair queueing (Golestani, INFOCOM 1994): a search's rank is its size added to the greater of the clock and
its owner's last rank; the lowest rank is served first, and the clock shows the rank at which service has begun. Sizes
are query residues: all searches of a line meet the same subjects. So owners get like shares, a short search goes before
a long one, and a long one waits for no more later work of another owner than its own size. An owner's searches of
unlike size, by a factor of sixteen, are ranked apart: his long ones do not keep his short ones waiting.
"""

PLACE = """
local class = math.floor(math.log(tonumber(ARGV[3])) / math.log(16))
local flow = 'flow:' .. class .. ':' .. ARGV[2]
local clock, last = unpack(redis.call('HMGET', KEYS[1], 'clock', flow))
local rank = math.max(tonumber(clock or 0), tonumber(last or 0)) + tonumber(ARGV[3])
redis.call('HSET', KEYS[1], flow, rank, 'search:' .. ARGV[1], ARGV[3])
-- Who comes first goes first among equals.
rank = rank + redis.call('HINCRBY', KEYS[1], 'count', 1) / 2^20
redis.call('HINCRBY', KEYS[1], 'waiting', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('HSET', KEYS[2], 'rank', rank, 'line', KEYS[1])
for shard = 0, #KEYS - 3 do
  redis.call('ZADD', KEYS[shard + 3], rank, ARGV[1] .. '-' .. shard)
  redis.call('EXPIRE', KEYS[shard + 3], ARGV[4])
end
"""
"""Keys: the line, a search's meta, its shards' orders; arguments: search, owner, query residues, seconds kept.

Ranks a search that is being accepted, and counts it among those that wait.
"""

_LOOK = """
local function look(meta)
  return unpack(redis.call('HMGET', meta, 'request', 'target', 'outcome', 'interrupted', 'residues', 'kind', 'rank',
    'created', 'request_id', 'traceparent', 'work'))
end
local function waited(created)
  local now = redis.call('TIME')
  return tostring(now[1] + now[2] / 1e6 - created)
end
"""

PICK = (
    _LOOK
    + """
local jobs, metas, shards = ARGV[2], ARGV[3], ARGV[4]
local function asked(job)
  local search, shard = string.match(job, '^(.*)%-(%d+)$')
  if not search then return false end
  local request, target, outcome, interrupted, residues, kind, rank, created, request_id, trace, work =
    look(metas .. search)
  if not request or outcome then return false end
  if redis.call('HEXISTS', shards .. search, shard) == 1 then return 0 end
  return {
    {
      request, target, residues, work or '', kind or '', rank or 0, created, waited(created), request_id or '',
      trace or ''
    },
    interrupted and 1 or 0, redis.call('LLEN', KEYS[1])
  }
end
local function brought(job)
  local kept = redis.pcall('HGETALL', jobs .. job)
  return {job, kept.err and {} or kept, asked(job)}
end
if not redis.call('ZSCORE', KEYS[3], ARGV[1]) then return brought(ARGV[1]) end
for _, job in ipairs(redis.call('ZRANGE', KEYS[3], 0, 99)) do
  if job == ARGV[1] then return brought(job) end
  if redis.call('LREM', KEYS[1], 1, job) == 1 then
    redis.call('LREM', KEYS[2], 1, ARGV[1])
    redis.call('LPUSH', KEYS[1], ARGV[1])
    redis.call('LPUSH', KEYS[2], job)
    return brought(job)
  end
  redis.call('ZREM', KEYS[3], job)
end
return brought(ARGV[1])
"""
)
"""Keys: a queue, RQ's list of what was taken from it, its order; arguments: the job that RQ has just taken, and what
the keys of jobs, of metas and of shards' results begin with.

Gives the job of the lowest rank, taken in that one's place, what RQ keeps of it, and what its search asks for: the
request, the target, the size in query residues, the work, the kind and rank, when it came, how long it has waited, with
which request and trace it came; whether a worker may have died of it, and how many jobs wait behind it. 0 when the
shard has answered, nothing when the search has ended or is gone. The rank goes when the job is taken up
(scripts.TAKE_UP): where it is the one at hand nothing is written, which Redis would have to sync. A job without a rank,
which a dead worker left, has waited long enough when it is the next.
"""

_SECONDS = """
local function seconds(costs, work, residues)
  local sum, numbers = 0, work and work ~= '' and cjson.decode(work) or {1, 1, tonumber(residues)}
  for place, number in ipairs(numbers) do sum = sum + costs[place] * number end
  return sum
end
"""

BESIDE = (
    _LOOK
    + _SECONDS
    + """
local line, order, queue, taken, beside = unpack(KEYS)
local below, room, most, kind, worker, alive, clock, meta, progress, moved, costs, longest = unpack(ARGV)
room, most, costs, longest = tonumber(room), tonumber(most), cjson.decode(costs), tonumber(longest)
local until_ = redis.call('TIME')[1] + alive
if redis.call('EXISTS', line) == 1 and tonumber(clock) > tonumber(redis.call('HGET', line, 'clock') or 0) then
  redis.call('HSET', line, 'clock', clock)
end
local found = {}
for _, job in ipairs(redis.call('ZRANGEBYSCORE', order, '-inf', '(' .. below, 'LIMIT', 0, 500)) do
  if #found == most then break end
  local search, shard = string.match(job, '^(.*)%-(%d+)$')
  local request, target, outcome, interrupted, residues, its, rank, created, request_id, trace, work =
    look(meta .. search)
  local takes = request and seconds(costs, work, residues)
  local fits = request and not outcome and not interrupted and tonumber(residues) <= longest and takes <= room
  if fits and (kind == '' or kind == its) and redis.call('LREM', queue, 1, job) == 1 then
    redis.call('ZREM', order, job)
    redis.call('LPUSH', taken, job)
    redis.call('ZADD', beside, until_, job .. ' ' .. worker)
    redis.call('HSETNX', progress .. search, shard, 0)
    redis.call('EXPIRE', progress .. search, math.max(1, redis.call('TTL', meta .. search)))
    redis.call('PUBLISH', moved .. search, 'begun')
    kind, room = its, room - takes
    found[#found + 1] = {
      search,
      {request, target, residues, work or '', kind, rank, created, waited(created), request_id or '', trace or ''}
    }
  end
end
return found
"""
)
"""Keys: the line, a queue's order, the queue, RQ's list of what was taken from it, the list of what is done beside;
arguments: below which rank, for how many seconds and searches there is room, of which kind ('' takes the first
one's), worker, the seconds for which it counts as at work on them, what the line's clock shows, what the keys of meta,
progress and channel begin with, what work costs here, and the most query residues of one of them.

Takes searches up beside the one at work. Those that a worker has died of, maybe, run alone.
"""

BEAT = """
local until_ = redis.call('TIME')[1] + ARGV[1]
for entry = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', until_, ARGV[entry]) end
"""
"""Key: the list of what is done beside; arguments: the seconds for which that is good, and the entries."""

AHEAD = """
local most, found, line = 100, {}, KEYS[#KEYS]
local search, metas, progress, workers, owner, size = unpack(ARGV)
local rank
if search == '' then
  local class = math.floor(math.log(math.max(1, tonumber(size))) / math.log(16))
  local clock, last, count = unpack(redis.call('HMGET', line, 'clock', 'flow:' .. class .. ':' .. owner, 'count'))
  rank = math.max(tonumber(clock or 0), tonumber(last or 0)) + tonumber(size) + (tonumber(count or 0) + 1) / 2^20
else
  rank = tonumber(redis.call('HGET', metas .. search, 'rank') or 0)
end
local function wanted(job, pattern)
  local name = job and string.match(job, pattern)
  if not name or name == search then return nil end
  local residues, ended, its, work = unpack(redis.call('HMGET', metas .. name, 'residues', 'outcome', 'rank', 'work'))
  if ended or not residues then return nil end
  work = work and work ~= '' and cjson.decode(work) or {1, 1, tonumber(residues), 0, 0, 0}
  return {name = name, work = work, rank = tonumber(its or 0)}
end
local function told(works)
  local sums = {0, 0, 0, 0, 0, 0}
  for _, work in ipairs(works) do for place, number in ipairs(work) do sums[place] = sums[place] + number end end
  return sums
end
for shard = 0, (#KEYS - 1) / 3 - 1 do
  local order, running, costs = KEYS[3 * shard + 1], KEYS[3 * shard + 2], redis.call('HGETALL', KEYS[3 * shard + 3])
  local place
  if search == '' then place = redis.call('ZCOUNT', order, '-inf', '(' .. rank)
  else place = redis.call('ZRANK', order, search .. '-' .. shard) end
  local waiting, at_work, known = {}, {}, {}
  if place then
    local looked = math.min(place, most)
    for number = 0, looked - 1 do
      local at = math.floor(number * place / looked)
      local one = wanted(redis.call('ZRANGE', order, at, at)[1], '^(.*)%-%d+$')
      if one then waiting[#waiting + 1] = one.work end
    end
    for _, job in ipairs(redis.call('ZRANGE', running, 0, -1)) do
      local one = wanted(job, '^(.*)%-%d+:')
      if one then
        local share = redis.call('HGET', progress .. one.name, shard) or ''
        at_work[#at_work + 1] = {cjson.encode(one.work), share, one.rank > rank and 1 or 0}
      end
    end
  end
  for number = 1, #costs, 2 do
    known[#known + 1] = {costs[number + 1], redis.call('EXISTS', workers .. costs[number])}
  end
  local factor = place and place > most and place / most or 1
  found[shard + 1] = {place and 1 or 0, #waiting, cjson.encode(told(waiting)), tostring(factor), at_work, known}
end
return found
"""
"""Keys: of each shard its order, RQ's list of the jobs at work, what work costs its workers; then the line. Arguments:
a search, or nothing for one that would come now; what the keys of searches, of their progress and of workers begin
with; the new one's owner and query residues.

Gives for each shard whether the search waits there (a new one does), how many searches are queued before it, the sum of
their work, and by what both are to be multiplied; of each search at work its work, its progress and whether its rank is
the higher one; and of each worker that has served the queue its costs and whether it lives. Searches that have ended do
not count; of a long queue a hundred, evenly chosen, stand for all.
"""
