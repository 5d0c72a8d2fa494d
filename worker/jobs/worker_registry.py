"""Who is at work: each worker tells of itself in a hash that lives as long as its heartbeats come.

A queue may have several workers. Its `alive` key says that one of them takes new jobs; each of them sets it, and
whoever steps back removes it only where no other is left.
"""

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from shardwater.software import software
from worker.jobs.costs import Costs
from worker.jobs.redis_names import PREFIX, alive_key, costs_key, leased_key, text, worker_of
from worker.jobs.targets import DEVICE

if TYPE_CHECKING:
    from redis import Redis
    from redis.client import Pipeline

ALIVE_S = 10
"""Without a heartbeat for so long a worker counts as dead, and its part goes to the next one."""

COSTS_S = 7 * 24 * 3600
"""How long the costs of a queue's last worker are good for an estimate."""

WORKERS = f"{PREFIX}:workers"
"""Set of the names of workers: those that live, and dead ones until somebody looks."""

WorkerState = Literal["idle", "busy", "draining"]

STEP_BACK = """
for _, other in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  if other ~= ARGV[1] then
    local queue, all, state = unpack(redis.call('HMGET', ARGV[2] .. other, 'queue', 'queues', 'state'))
    local serves = string.find(' ' .. (all or queue or '') .. ' ', ' ' .. ARGV[3] .. ' ', 1, true)
    if serves and state ~= 'draining' then return 0 end
  end
end
return redis.call('DEL', KEYS[1])
"""
"""Keys: a queue's alive key, the set of workers; arguments: the worker that steps back, what workers' keys begin with,
the queue. 1 when it was the last one to take new jobs.
"""


def worker_prefix(queue: str, pid: int) -> str:
    """What the name of a worker of a queue begins with that runs, or ran, in this host's process `pid`.

    The rest is random: in a container that starts again, host and number are those of the dead one before.
    """
    return f"{queue}.{socket.gethostname()}.{pid}."


def worker_key(name: str) -> str:
    """Hash: what a worker tells of itself."""
    return f"{PREFIX}:worker:{name}"


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a worker serves, and by what: database, version, shard of shards, and the engine's name.

    queue: the one that it is called by; database: '' of a worker that has none.
    """

    queue: str
    database: str
    version: str
    shard: int
    shards: int
    engine: str


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes: of the worker's process; of its device in use, by whomever, and in all (0 where the CPU computes)."""

    process: int = 0
    device_used: int = 0
    device_total: int = 0


@dataclass(frozen=True, slots=True)
class WorkerSeen:
    """A worker as it told of itself, `heartbeat_age_s` seconds ago; rate: cells per second in a long query."""

    name: str
    place: Assignment
    host: str
    pid: int
    software: str
    state: WorkerState
    memory: Memory
    rate: float
    heartbeat_age_s: float


class Registration:
    """A worker's own word, sent with its heartbeats."""

    def __init__(self, redis: "Redis", name: str, queues: Sequence[str], place: Assignment) -> None:
        self._redis, self._name, self._queues, self._place = redis, name, queues, place
        self._step_back = redis.register_script(STEP_BACK)
        self._beats = 0

    def enter(self) -> None:
        """Forget what work has cost those who served the queues before and are gone."""
        for known in map(costs_key, self._queues):
            names = [text(name) for name in self._redis.hkeys(known)]
            gone = [name for name in names if not self._redis.exists(worker_key(name))]
            if gone:
                self._redis.hdel(known, *gone)

    def tell(self, pipe: "Pipeline", state: WorkerState, memory: Memory, costs: Costs, rate: float) -> None:
        """Say with the next heartbeat what this worker does, and what that costs; one that drains takes no jobs."""
        place, key = self._place, worker_key(self._name)
        self._beats += 1
        facts: dict[bytes | bytearray | memoryview[int] | str | int | float, str | bytes | float] = {
            "queue": place.queue,
            "queues": " ".join(self._queues),
            "database": place.database,
            "version": place.version,
            "shard": place.shard,
            "shards": place.shards,
            "engine": place.engine,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "software": software().version,
            "state": state,
            "beats": self._beats,
            "process_bytes": memory.process,
            "device_used_bytes": memory.device_used,
            "device_total_bytes": memory.device_total,
            "rate": rate,
        }
        pipe.hset(key, mapping=facts)
        pipe.expire(key, ALIVE_S)
        pipe.sadd(WORKERS, self._name)
        for queue in self._queues:
            pipe.hset(costs_key(queue), self._name, costs.to_json())
            pipe.expire(costs_key(queue), COSTS_S)
            if state != "draining":
                pipe.set(alive_key(queue), self._name, ex=ALIVE_S)

    def step_back(self) -> None:
        """Take no new jobs: the queues are served no longer, unless another worker does."""
        for queue in self._queues:
            self._step_back(keys=[alive_key(queue), WORKERS], args=[self._name, worker_key(""), queue])

    def leave(self) -> None:
        """Be gone."""
        self.step_back()
        with self._redis.pipeline() as pipe:
            pipe.delete(worker_key(self._name))
            pipe.srem(WORKERS, self._name)
            pipe.execute()


def workers(redis: "Redis") -> list[WorkerSeen]:
    """The workers whose heartbeats come, by queue and name; the names of others are forgotten."""
    names = sorted(text(name) for name in redis.smembers(WORKERS))
    with redis.pipeline(transaction=False) as pipe:
        for name in names:
            pipe.hgetall(worker_key(name))
            pipe.pttl(worker_key(name))
        answers = pipe.execute()
    found = dict(zip(names, zip(answers[::2], answers[1::2], strict=True), strict=True))
    gone = [name for name, (facts, _) in found.items() if not facts]
    if gone:
        redis.srem(WORKERS, *gone)
    busy = _at_work(redis, {DEVICE} | {text(facts[b"queue"]) for facts, _ in found.values() if facts})
    return [_seen(name, facts, left, at_work=name in busy) for name, (facts, left) in found.items() if facts]


def _at_work(redis: "Redis", queues: set[str]) -> set[str]:
    """The workers that have leased something: a heartbeat may be two seconds old."""
    with redis.pipeline(transaction=False) as pipe:
        for queue in queues:
            pipe.zrange(leased_key(queue), 0, -1)
        return {worker_of(text(lease)) for leases in pipe.execute() for lease in leases}


def _seen(name: str, raw: Mapping[bytes, bytes], left_ms: int, *, at_work: bool) -> WorkerSeen:
    facts = {key.decode(): value.decode() for key, value in raw.items()}
    if facts["state"] != "draining":
        facts["state"] = "busy" if at_work else "idle"
    return WorkerSeen(
        name=name,
        place=Assignment(
            queue=facts["queue"],
            database=facts["database"],
            version=facts["version"],
            shard=int(facts["shard"]),
            shards=int(facts["shards"]),
            engine=facts["engine"],
        ),
        host=facts["host"],
        pid=int(facts["pid"]),
        software=facts["software"],
        state=cast(WorkerState, facts["state"]),
        memory=Memory(*(int(facts[key]) for key in ("process_bytes", "device_used_bytes", "device_total_bytes"))),
        rate=float(facts["rate"]),
        # By the server's clock alone: that of a worker's machine may be another.
        heartbeat_age_s=max(0.0, ALIVE_S - left_ms / 1000),
    )
