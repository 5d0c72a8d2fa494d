"""The order of a queue, in Lua: which part comes next, who has leased it, and what becomes of a lapsed lease.

Self-clocked fair queueing (Golestani, INFOCOM 1994): a job's rank is its size added to the greater of the clock and
its owner's last rank; the lowest rank is served first, and the clock shows the rank at which service has begun. Sizes
are estimated seconds on the slowest shard (worker/jobs/costs.py). So owners get like shares, a short job
goes before a long one, and a long one waits for no more later work of another owner than its own size. An owner's
jobs of unlike size, by a factor of sixteen, are ranked apart: his long ones do not keep his short ones waiting.

The queues of a database version have one clock. A job of several databases has a rank and a size by each one's: in its
meta as `rank` and `size`, and those of all but the first with the clock's key after that. There `first` is the number
of the first part that the database has.

Two sorted sets are all that a queue is: its waiting parts by rank, its leased ones by the time at which they lapse.
"""

from worker.jobs.scripts import ROUND_OF

_SIZE = """
local function size_of(work, known)
  local size = nil
  for _, key in ipairs(known) do
    local read, costs = pcall(cjson.decode, redis.call('HVALS', key)[1] or '')
    if read and type(costs) == 'table' then
      local sum = 0
      for place, number in ipairs(work) do sum = sum + (tonumber(costs[place]) or 0) * number end
      size = math.max(size or 0, sum)
    end
  end
  -- Where no worker has ever loaded a shard, query residues stand for seconds.
  return math.max(size or work[3], 1e-9)
end
local function flow_of(owner, size)
  return 'flow:' .. math.floor(math.log(size) / math.log(16)) .. ':' .. owner
end
"""

_PUT = (
    _SIZE
    + """
-- The job's place by the clock of these queues; again: whether it was served before.
local function rank_by(order, known, first, search, owner, work, kept, repeats, again)
  local named = first == 0 and '' or ' ' .. order
  local size = size_of(work, known) * repeats
  local flow = flow_of(owner, size)
  local clock, last = unpack(redis.call('HMGET', order, 'clock', flow))
  clock, last = tonumber(clock or 0), tonumber(last or 0)
  local earlier = again and tonumber(redis.call('HGET', KEYS[1], 'rank' .. named) or 0)
  local rank = math.max(clock, earlier or last) + size
  redis.call('HSET', order, flow, math.max(clock, last) + size)
  if redis.call('HSETNX', order, 'search:' .. search, 1) == 1 then redis.call('HINCRBY', order, 'searches', 1) end
  redis.call('HSET', KEYS[1], 'rank' .. named, rank, 'size' .. named, size)
  if first > 0 then redis.call('HSET', KEYS[1], 'first' .. named, first) end
  -- Who comes first goes first among equals.
  local score = rank + redis.call('HINCRBY', order, 'count', 1) / 2^30
  redis.call('EXPIRE', order, kept)
  return score
end
local function put(search, owner, work, kept, parts, queues, again)
  local costs, orders, asleep = {}, {}, {}
  for queue = 0, queues - 1 do
    local order, known = KEYS[5 * queue + 6], KEYS[5 * queue + 5]
    if not costs[order] then costs[order], orders[#orders + 1] = {}, order end
    table.insert(costs[order], known)
  end
  local score, before, numbers = nil, nil, cjson.decode(work)
  for queue = 0, queues - 1 do
    local waiting, bell, sleepers, _, order = unpack(KEYS, 5 * queue + 2, 5 * queue + 6)
    if order ~= before then
      score = rank_by(order, costs[order], queue, search, owner, numbers, kept, parts / queues, again)
      before = order
    end
    for part = queue, parts - 1, queues do redis.call('ZADD', waiting, score, search .. '-' .. part) end
    redis.call('EXPIRE', waiting, kept)
    redis.call('PUBLISH', bell, 'part')
    asleep[queue + 1] = redis.call('SPOP', sleepers, math.ceil(parts / queues))
  end
  redis.call('HSET', KEYS[1], 'line', table.concat(orders, ' '))
  return asleep
end
"""
)

ENQUEUE = (
    _PUT
    + """
return put(ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), (#KEYS - 1) / 5, false)
"""
)
"""Keys: a job's meta, then of each queue the waiting parts, its channel, the sleepers, what work costs its workers and
the clock's hash; those of one clock stand together. Arguments: job, owner, work of a part, seconds kept, parts.

Ranks a job that is being accepted, and puts its parts into their queues in turn. Gives for each queue the workers
that sleep and that RQ is to call, as many as there are parts.
"""

AGAIN = (
    _PUT
    + ROUND_OF
    + """
local request, ended, owner = unpack(redis.call('HMGET', KEYS[1], 'request', 'outcome', 'owner'))
local round = round_of(KEYS[1])
if not request or ended or round ~= tonumber(ARGV[7]) then return nil end
redis.call('HSET', KEYS[1], 'round', round + 1, 'again', ARGV[5], 'work', ARGV[2], 'target', ARGV[6])
redis.call('DEL', KEYS[#KEYS - 2], KEYS[#KEYS - 1])
redis.call('PUBLISH', KEYS[#KEYS], 'moved')
return put(ARGV[1], owner or '', ARGV[2], ARGV[3], tonumber(ARGV[4]), (#KEYS - 4) / 5, true)
"""
)
"""Keys: those of ENQUEUE, then the shards' results, the progress and the job's channel of it; arguments: job, work of a
part, seconds kept, parts, the phase that the job is in then, its target, the number of the round that is over.

Begins the next round of a job, once, unless it has ended: in one step, so that whoever looks finds each part
answered or waiting. It counts as if the job had been so much longer from the beginning: nobody who was before it has
to wait for more. Gives what ENQUEUE does; nothing where the round was begun before.
"""

_LOOK = """
local function look(meta)
  return unpack(redis.call('HMGET', meta, 'request', 'target', 'outcome', 'interrupted', 'residues', 'kind',
    'created', 'request_id', 'traceparent', 'work'))
end
local function place_in(meta, order)
  local rank, size, own, its_size, first =
    unpack(redis.call('HMGET', meta, 'rank', 'size', 'rank ' .. order, 'size ' .. order, 'first ' .. order))
  return own or rank, its_size or size, tonumber(first or 0)
end
-- What follows reads whatever it meets: one damaged search must not hold up its queue; nobody will search it either.
local function waited(created)
  local now = redis.call('TIME')
  return tostring(now[1] + now[2] / 1e6 - (tonumber(created) or 0))
end
local function seconds(costs, work, residues)
  local sum, read, numbers = 0, pcall(cjson.decode, work or '')
  if not read or type(numbers) ~= 'table' then numbers = {1, 1, tonumber(residues) or 0} end
  for place, number in ipairs(numbers) do sum = sum + (costs[place] or 0) * (tonumber(number) or 0) end
  return sum
end
local function move_clock(order, to)
  if order and redis.call('EXISTS', order) == 1 and to > tonumber(redis.call('HGET', order, 'clock') or 0) then
    redis.call('HSET', order, 'clock', to)
  end
end
"""

LEASE = (
    _LOOK
    + ROUND_OF
    + """
local worker, lapse, below, room, longest, costs, left, metas, shards, progress, moved = unpack(ARGV, 1, 11)
local most, any, found, batch, alone = 100, below == '+inf', {}, nil, false
local waiting, leased, order, only
local clock = redis.call('TIME')
local now = clock[1] .. '.' .. string.format('%06d', clock[2])
room, longest, costs = tonumber(room), tonumber(longest), cjson.decode(costs)
lapse = clock[1] + lapse

local function fits(its, interrupted, takes)
  if #found == 0 then return any or not interrupted and takes <= longest end
  return not interrupted and not alone and takes <= room and takes <= longest and batch == its and its ~= ''
end

local function take(part)
  local search, number = string.match(part, '^([%w_-]+)%-(%d+)$')
  if not search then return false end
  local request, target, outcome, interrupted, residues, its, created, request_id, trace, work = look(metas .. search)
  local rank, size, first = place_in(metas .. search, order)
  local left_s = redis.call('TTL', metas .. search)
  if not request or outcome or left_s < 0 or (only ~= '' and number ~= tostring(first + only))
    or redis.call('HEXISTS', shards .. search, number) == 1 then
    return false
  end
  local takes = seconds(costs, work, residues)
  -- Of parts that wait together, all of them.
  if only == '' then takes = math.max(takes, tonumber(size) or 0) end
  if not fits(its, interrupted, takes) then return true end
  redis.call('ZADD', leased, lapse, part .. ' ' .. worker)
  redis.call('HSETNX', progress .. search, number, 0)
  redis.call('HSETNX', metas .. search, 'began:' .. round_of(metas .. search) .. ':' .. number, now)
  redis.call('EXPIRE', progress .. search, math.max(1, left_s))
  redis.call('PUBLISH', moved .. search, 'begun')
  if tonumber(left) then move_clock(order, tonumber(left))
  elseif #found == 0 then move_clock(order, (tonumber(rank) or 0) - (tonumber(size) or 0)) end
  batch, room, alone = its, room - takes, interrupted
  found[#found + 1] = {
    search, request, target or '', residues or '', work or '', rank or 0, created or '', waited(created),
    request_id or '', trace or '', tonumber(interrupted) or 0, size or 0, round_of(metas .. search), number
  }
  return false
end

for queue = 1, #KEYS / 3 do
  local skipped = 0
  waiting, leased, order = unpack(KEYS, 3 * queue - 2, 3 * queue)
  only = ARGV[11 + queue]
  repeat
    local parts = redis.call('ZRANGEBYSCORE', waiting, '-inf', below, 'LIMIT', skipped, 100)
    for _, part in ipairs(parts) do
      if #found == most or alone or (#found > 0 and skipped >= 50) then break end
      -- What cannot be read leaves the queue: it must not keep the others waiting.
      local read, stays = pcall(take, part)
      if read and stays then skipped = skipped + 1 else redis.call('ZREM', waiting, part) end
    end
  -- The worker waits: of thousands that do not fit, it need not look at all.
  until #parts == 0 or #found == most or alone or skipped >= (#found > 0 and 50 or 500)
  if #found > 0 then return {queue - 1, found} end
end
return {0, found}
"""
)
"""Keys: of each queue its waiting parts, its leased ones, and the clock's hash; arguments: the worker, the seconds
after which a lease lapses; below which rank parts are wanted, for how many seconds of work and of at most how many
seconds each, what work costs here, the rank that the clock shows where the worker is at work on the same queue already,
or nothing; what the keys of metas, of shards' results, of progress and of channels begin with; then of each queue the
number that its parts have among those of its database, or nothing where they have any.

Leases the next part of the first queue that has one, whatever its size, with those of its batch that fit into the pass;
or, where a rank is said, the next one below it that is short enough, and those that go with it. Parts that a worker may
have died of run alone, and so do those without a batch. What has ended or was answered leaves the queue. Gives the
number of the queue and what was leased of it.
"""

RENEW = """
local lapse = redis.call('TIME')[1] + ARGV[1]
for entry = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', lapse, ARGV[entry]) end
"""
"""Key: the leased parts; arguments: the seconds for which a lease is good, and the entries."""

_REQUEUE = """
local function requeue(waiting, bell, meta, order, part)
  local request, outcome, rank, own = unpack(redis.call('HMGET', meta, 'request', 'outcome', 'rank', 'rank ' .. order))
  if not request or outcome then return 0 end
  redis.call('ZADD', waiting, tonumber(own or rank) or 0, part)
  local left = redis.call('TTL', meta)
  if redis.call('TTL', waiting) < left then redis.call('EXPIRE', waiting, left) end
  redis.call('PUBLISH', bell, 'part')
  return 1
end
"""

REQUEUE = (
    _REQUEUE
    + """
return requeue(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1])
"""
)
"""Keys: the waiting parts, the channel, the job's meta, the clock's hash; argument: the part. 1 where it
waits again, at its old rank; 0 where nobody waits for it.
"""

RECOVER = (
    _REQUEUE
    + """
local now, held, poison, moved = redis.call('TIME')[1], {}, {}, 0
for _, entry in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local worker = string.match(entry, ' (.*)$') or ''
  held[worker] = (held[worker] or 0) + 1
end
for _, entry in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. now)) do
  local part, worker = string.match(entry, '^(.*) (.*)$')
  local search, shard = string.match(part or '', '^(.*)%-(%d+)$')
  redis.call('ZREM', KEYS[2], entry)
  local meta = search and ARGV[1] .. search
  if meta and redis.call('HEXISTS', meta, 'request') == 1 and redis.call('HEXISTS', ARGV[2] .. search, shard) == 0 then
    redis.call('HINCRBY', meta, 'interrupted', 1)
    local attempts = 0
    if held[worker] == 1 then attempts = redis.call('HINCRBY', meta, 'attempts:' .. shard, 1) end
    if attempts >= tonumber(ARGV[3]) then poison[#poison + 1] = part
    else moved = moved + requeue(KEYS[1], KEYS[3], meta, KEYS[4], part) end
  end
end
return {poison, moved}
"""
)
"""Keys: the waiting parts, the leased ones, the channel, the clock's hash; arguments: what the keys of metas and of
shards' results begin with, and how often a part may be interrupted alone.

Queues the parts of lapsed leases again; each runs alone from now on, since its worker may have died of it. Gives the
parts that have ended too many workers, which are not queued, and how many are.
"""

SLEEP = """
for queue = 1, #KEYS, 2 do
  if redis.call('ZCARD', KEYS[queue]) > 0 then return 0 end
end
for queue = 2, #KEYS, 2 do redis.call('SADD', KEYS[queue], ARGV[1]) end
return 1
"""
"""Keys: of each of its queues the waiting parts, the sleepers; argument: the worker. 1 where nothing waits: RQ calls it
from now on.
"""

AHEAD = (
    _SIZE
    + ROUND_OF
    + """
local most, found, costs_by, now = 100, {}, {}, redis.call('TIME')
local search, metas, progress, workers, owner, asked, parts = unpack(ARGV)
local queues, ranks = #KEYS / 4, {}
for queue = 0, queues - 1 do
  local known, order = KEYS[4 * queue + 3], KEYS[4 * queue + 4]
  costs_by[order] = costs_by[order] or {}
  table.insert(costs_by[order], known)
end
for order, known in pairs(costs_by) do
  if search == '' then
    local size = size_of(cjson.decode(asked), known) * parts / queues
    local clock, last, count = unpack(redis.call('HMGET', order, 'clock', flow_of(owner, size), 'count'))
    ranks[order] = math.max(tonumber(clock or 0), tonumber(last or 0)) + size + (tonumber(count or 0) + 1) / 2^30
  else
    local rank, own = unpack(redis.call('HMGET', metas .. search, 'rank', 'rank ' .. order))
    ranks[order] = tonumber(own or rank or 0)
  end
end
local function wanted(part, pattern, order)
  local name = part and string.match(part, pattern)
  if not name or name == search then return nil end
  local residues, ended, its, own, work, interrupted = unpack(redis.pcall('HMGET', metas .. name, 'residues', 'outcome',
    'rank', 'rank ' .. order, 'work', 'interrupted'))
  if ended or not residues then return nil end
  local read, numbers = pcall(cjson.decode, work or '')
  work = read and type(numbers) == 'table' and numbers or {1, 1, tonumber(residues) or 0, 0, 0, 0, 0}
  return {name = name, work = work, rank = tonumber(own or its) or 0, exclusive = (tonumber(interrupted) or 0) > 1}
end
-- Of a job that lost a worker the time says nothing: some of it was nobody's work.
local function ran(name, part)
  local meta = metas .. name
  local began, interrupted = unpack(redis.call('HMGET', meta, 'began:' .. round_of(meta) .. ':' .. part, 'interrupted'))
  began = not interrupted and tonumber(began or '')
  -- While better ones go before it, there stands what it had run for, below zero (scripts.ASIDE).
  return began and tostring(began < 0 and -began or now[1] + now[2] / 1e6 - began) or ''
end
local function told(works)
  local sums = {0}
  for _, work in ipairs(works) do
    for place, number in ipairs(work) do sums[place] = (sums[place] or 0) + (tonumber(number) or 0) end
  end
  return sums
end
for queue = 0, queues - 1 do
  local queued, leased, costs, order = unpack(KEYS, 4 * queue + 1, 4 * queue + 4)
  local place, rank = nil, ranks[order]
  costs = redis.call('HGETALL', costs)
  if search == '' then place = redis.call('ZCOUNT', queued, '-inf', '(' .. rank)
  else
    for part = queue, parts - 1, queues do
      place = redis.call('ZRANK', queued, search .. '-' .. part)
      if place then break end
    end
  end
  local waiting, seen, at_work, known = {}, {}, {}, {}
  if place then
    local looked = math.min(place, most)
    for number = 0, looked - 1 do
      local at = math.floor(number * place / looked)
      local one = wanted(redis.call('ZRANGE', queued, at, at)[1], '^(.*)%-%d+$', order)
      if one then
        waiting[#waiting + 1] = one.work
        seen[one.name] = (seen[one.name] or 0) + 1
      end
    end
    for _, lease in ipairs(redis.call('ZRANGE', leased, 0, -1)) do
      local one = wanted(lease, '^(.*)%-%d+ ', order)
      if one then
        local part = string.match(lease, '%-(%d+) ')
        local share = redis.pcall('HGET', progress .. one.name, part)
        if type(share) ~= 'string' then share = '' end
        local yields = one.rank > rank and not one.exclusive
        local worker, waits = string.match(lease, ' (.*)$'), seen[one.name] and '' or one.name
        at_work[#at_work + 1] = {cjson.encode(one.work), share, yields and 1 or 0, worker, waits, ran(one.name, part)}
      end
    end
  end
  for number = 1, #costs, 2 do
    known[#known + 1] = {costs[number + 1], redis.call('EXISTS', workers .. costs[number])}
  end
  local factor = place and place > most and place / most or 1
  local jobs = 0
  for _, parts_seen in pairs(seen) do jobs = jobs + (parts_seen == 1 and factor or 1) end
  local own = search ~= '' and ran(search, queue) or ''
  found[queue + 1] =
    {place and 1 or 0, tostring(jobs), cjson.encode(told(waiting)), tostring(factor), at_work, known, own}
end
return found
"""
)
"""Keys: of each queue its waiting and its leased parts, what work costs its workers, and the clock's hash. Arguments:
a job, or nothing for one that would come now; what the keys of jobs, of their progress and of workers begin
with; the new one's owner, the work of each of its parts, and their number.

Gives for each queue whether the job waits there (a new one does), how many jobs are queued before it, the sum of
their work, and by what it is to be multiplied; of each part at work its work, its progress, whether it may be
preempted, its worker, its job unless other parts of that wait, and the seconds since it was begun; of each worker that
has served the queue its costs and whether it lives; and the seconds since the job was begun there. Jobs that have ended
do not count; of a long queue a hundred parts, evenly chosen, stand for all: a job of which one was chosen for several,
one of which more were for itself.
"""
