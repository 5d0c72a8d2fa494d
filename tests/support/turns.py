"""Costs that are easy to count with, and a worker's way to its queue."""

from worker.jobs.clock import server_time
from worker.jobs.costs import Costs, Room
from worker.jobs.progress import ShardProgress
from worker.jobs.redis_names import SearchKeys, costs_key, lease_entry, leased_key, part_id, waiting_key
from worker.jobs.requests import SearchRequest
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds.search import plan
from worker.queue.part_queue import LeasedPart, PartQueue

FREE = 1e-12
"""Seconds that do not count."""


def by_residues(seconds: float) -> Costs:
    """Costs that are so many seconds for each query residue, and nothing else."""
    return Costs(FREE, FREE, seconds, FREE, FREE, FREE)


ALONE = Room(0, by_residues(1))
"""Nothing goes in one pass with a part."""


def submit_letters(store: JobStore, target: SearchTarget, letters: str = "MKVLAAGW") -> str:
    """Accept a search of one query in the small database; its id."""
    request = SearchRequest(sequence=f">q\n{letters}", database="small")
    return store.submit(plan(request, request.records(), target)).id


def worker_of(store: JobStore, target: SearchTarget, shard: int = 0, name: str = "x") -> PartQueue:
    """A worker of a shard of a database version."""
    queue = target.queues[shard]
    return PartQueue(store, (queue,), f"{queue}.host.1.{name}")


def next_of(queue: PartQueue) -> LeasedPart:
    """The part whose turn it is, leased."""
    [part] = queue.lease(ALONE)
    return part


def begin(store: JobStore, target: SearchTarget, search: str) -> None:
    """Lease all parts of a search, whoever's turn it is."""
    for shard, queue in enumerate(target.queues):
        part = part_id(search, shard)
        store.redis.zrem(waiting_key(queue), part)
        store.redis.zadd(leased_key(queue), {lease_entry(part, "test"): server_time(store.redis) + 60})
        store.report(search, shard, ShardProgress())


def ran_for(store: JobStore, search: str, seconds: float, part: int = 0, round_: int = 1) -> None:
    """Have a part have been leased so much earlier."""
    store.redis.hincrbyfloat(SearchKeys(search).meta, f"began:{round_}:{part}", -seconds)


def set_costs(store: JobStore, target: SearchTarget, *costs: Costs) -> None:
    """What work costs the worker of each shard."""
    for queue, cost in zip(target.queues, costs, strict=True):
        store.redis.hset(costs_key(queue), "test", cost.to_json())
