"""What a worker does with its line when RQ calls it."""

from worker.jobs.costs import Costs
from worker.jobs.redis_names import costs_key, search_of, shard_queues
from worker.jobs.states import SearchTarget
from worker.jobs.store import Client
from worker.queue.part_queue import BroughtJob, Line, Wanted

FREE = 1e-12
"""Seconds that do not count."""


def take_up(line: Line, job: BroughtJob) -> Wanted | None:
    """Take up the search of a job."""
    with line.client.redis.pipeline() as pipe:
        line.take_up(pipe, job)
        pipe.execute()
    return line.begun(search_of(job.id))


def by_residues(seconds: float) -> Costs:
    """Costs that are so many seconds for each query residue, and nothing else."""
    return Costs(FREE, FREE, seconds, FREE, FREE, FREE)


def set_costs(client: Client, target: SearchTarget, *costs: Costs) -> None:
    """What work costs the worker of each shard."""
    for queue, cost in zip(shard_queues(target), costs, strict=True):
        client.redis.hset(costs_key(queue), "test", cost.to_json())
