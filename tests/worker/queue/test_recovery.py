"""What a dead worker leaves: its job is queued again, a few times, and lost ones are found."""

from rq import Queue
from rq.executions import Execution
from rq.job import Job
from rq.serializers import JSONSerializer

from worker.jobs.redis_names import job_id, queue_name
from worker.jobs.requests import SearchRequest
from worker.jobs.states import SearchTarget
from worker.jobs.store import Client
from worker.jobs.submission import MOST_RETRIES
from worker.queue.recovery import POPPED_S, recover, refuse, release


def submit(client: Client, target: SearchTarget) -> str:
    request = SearchRequest(sequence=">q\nMKVLAAGW", database="small")
    return client.submit(request, request.records(), target).id


def queue(client: Client, target: SearchTarget, shard: int) -> Queue:
    name = queue_name(target.used.name, target.used.version, shard, target.shards)
    return Queue(name, connection=client.redis, serializer=JSONSerializer)


def die_at_work(client: Client, waiting: Queue, worker: str, ttl: int) -> None:
    """Take a job as a worker does, start it, and stop there."""
    taken = Queue.dequeue_any([waiting], None, connection=client.redis, serializer=JSONSerializer)
    assert taken is not None
    job, _ = taken
    with client.redis.pipeline() as pipe:
        Execution.create(job, ttl, pipe, worker_name=worker)
        job.prepare_for_execution(worker, pipeline=pipe)
        pipe.lrem(waiting.intermediate_queue_key, 1, job.id)
        pipe.execute()


def test_job_of_a_worker_without_heartbeat_is_queued_again(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    waiting = queue(client, target, 1)
    die_at_work(client, waiting, "dead", ttl=0)
    assert waiting.get_job_ids() == []
    recover(client)
    assert waiting.get_job_ids() == [job_id(search, 1)]


def test_job_with_a_heartbeat_is_left_alone(client: Client, target: SearchTarget) -> None:
    submit(client, target)
    waiting = queue(client, target, 0)
    die_at_work(client, waiting, "alive", ttl=60)
    recover(client)
    assert waiting.get_job_ids() == []


def test_supervisor_gives_up_a_dead_workers_job_at_once(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    waiting = queue(client, target, 0)
    die_at_work(client, waiting, "dead", ttl=60)
    release(client, waiting.name, "another")
    assert waiting.get_job_ids() == []
    release(client, waiting.name, "dead")
    assert waiting.get_job_ids() == [job_id(search, 0)]


def test_job_that_kills_every_worker_is_given_up_and_others_go_on(client: Client, target: SearchTarget) -> None:
    poison = submit(client, target)
    waiting = queue(client, target, 0)
    for _ in range(MOST_RETRIES + 1):
        assert client.state(poison).state in ("queued", "running")
        die_at_work(client, waiting, "dead", ttl=0)
        recover(client)
    recover(client)
    state = client.state(poison)
    assert state.state == "failed"
    assert state.error is not None
    assert state.error.detail == "the worker of shard 0 died 6 times while it ran this search"
    assert waiting.get_job_ids() == []
    assert list(client.redis.scan_iter(f"rq:*{job_id(poison, 0)}*")) == []
    assert submit(client, target) != poison
    assert len(waiting.get_job_ids()) == 1


def test_job_lost_between_queue_and_start_is_put_back(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    waiting = queue(client, target, 0)
    assert Queue.dequeue_any([waiting], None, connection=client.redis, serializer=JSONSerializer) is not None
    recover(client)
    assert waiting.get_job_ids() == []
    first_seen = waiting.intermediate_queue.get_first_seen_key(job_id(search, 0))
    # As it stands when that was so long ago.
    assert client.redis.pexpire(first_seen, 9 * POPPED_S * 1000 - 1)
    recover(client)
    assert waiting.get_job_ids() == [job_id(search, 0)]
    assert waiting.intermediate_queue.get_job_ids() == []


def test_job_that_redis_lost_is_queued_again(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    waiting = queue(client, target, 1)
    client.redis.delete(waiting.key, Job.key_for(job_id(search, 1)))
    recover(client)
    assert waiting.get_job_ids() == [job_id(search, 1)]
    assert client.state(search).state == "queued"


def test_search_fails_when_its_shard_could_not_be_loaded_six_times(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    waiting = queue(client, target, 1)
    for _ in range(MOST_RETRIES):
        refuse(client, waiting.name)
        assert client.state(search).state == "queued"
    refuse(client, waiting.name)
    error = client.state(search).error
    assert error is not None
    assert (error.type, error.shard) == ("shard-failed", 1)
    assert error.detail == "the database of shard 1 is damaged or missing; its worker's log says where"


def test_job_that_was_slow_to_begin_leaves_no_note(client: Client, target: SearchTarget) -> None:
    search = submit(client, target)
    waiting = queue(client, target, 0)
    assert Queue.dequeue_any([waiting], None, connection=client.redis, serializer=JSONSerializer) is not None
    recover(client)
    assert client.redis.ttl(waiting.intermediate_queue.get_first_seen_key(job_id(search, 0))) <= 60
