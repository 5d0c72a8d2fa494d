"""RQ's jobs are wake-ups and nothing else, whatever somebody has written into Redis."""

import json
import logging
import zlib
from typing import Any

import pytest
from redis import Redis
from rq.job import Callback, Job
from rq.queue import Queue
from rq.serializers import JSONSerializer
from rq.webhook import Webhook

from tests.support.scripted import submit, work
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.queue.recovery import forget_workers
from worker.queue.wake_up import TASK, ForeignJobError, WakeUp, call_worker, calls_for
from worker.runner.context import WorkerContext
from worker.runner.process import QueueWorker
from worker.settings import Settings

DONE: list[str] = []
HARM = f"{__name__}.harm"


def harm(*_: object) -> None:
    """What must not be called."""
    DONE.append("harm")


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    DONE.clear()


def data(function: str = TASK, instance: object = None, arguments: object = (), named: object = None) -> bytes:
    return zlib.compress(json.dumps([function, instance, arguments, named or {}]).encode())


def put(redis: Redis, calls: str, job: str | bytes, fields: dict[str, Any]) -> None:
    """A job as anybody can write it."""
    key = Job.redis_job_namespace_prefix.encode() + (job if isinstance(job, bytes) else job.encode())
    redis.hset(key, mapping={"origin": calls, "status": "queued", **fields})
    redis.rpush(Queue.redis_queue_namespace_prefix + calls, job)


FOREIGN = {
    "another function": ("abc", {"data": data(HARM)}),
    "a function of the system": ("abc", {"data": data("os.system", arguments=["exit 1"])}),
    "the function of the version before": ("abc", {"data": data("worker.tasks.search_shard", arguments=["abc", 0])}),
    "a method of an instance": ("abc", {"data": data("upper", "instance")}),
    "another queue": ("abc", {"data": data(arguments=["q"]), "origin": "other"}),
    "more arguments": ("abc", {"data": data(arguments=["q", 0])}),
    "pickled data": ("abc", {"data": b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x06exit 1\x85R."}),
    "no data": ("abc", {}),
    "garbage": ("abc", {"data": b"\xff\x00", "created_at": b"\xff"}),
    "a status that is none": ("abc", {"data": data(arguments=["q"]), "status": b"\xff"}),
    "brackets without end": ("abc", {"data": b"[" * 100_000}),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_foreign_job_is_passed_over_in_one_line(
    case: str, store: JobStore, whole: SearchTarget, context: WorkerContext, caplog: pytest.LogCaptureFixture
) -> None:
    job, fields = FOREIGN[case]
    put(store.redis, calls_for(store.redis, context.queue.name).name, job, fields)
    search = submit(store, whole, "after")
    with caplog.at_level(logging.WARNING):
        work(context)
    assert DONE == []
    assert store.state(search).state == "succeeded"
    assert [record.getMessage() for record in caplog.records] == [f"job {job!r} was refused and removed: no wake-up"]
    assert not store.redis.exists(Job.key_for("abc"))


def test_id_that_is_no_text_ends_one_worker(store: JobStore, whole: SearchTarget, context: WorkerContext) -> None:
    put(store.redis, calls_for(store.redis, context.queue.name).name, b"\xff\x00: ;", {"data": data(HARM)})
    search = submit(store, whole, "after")
    for _ in range(2):
        work(context)
    assert DONE == []
    assert store.state(search).state == "succeeded"


def test_nothing_that_was_added_to_a_wake_up_is_called(
    store: JobStore, whole: SearchTarget, context: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[object] = []
    monkeypatch.setattr(Webhook, "send", lambda *arguments, **more: sent.append(arguments))
    call_worker(store.redis, context.queue.name)
    [job] = Queue(calls_for(store.redis, context.queue.name).name, store.redis, serializer=JSONSerializer).jobs
    for when in ("success", "failure", "stopped"):
        setattr(job, f"_{when}_callback_name", Callback(harm).name)
    job.webhooks = [Webhook("http://127.0.0.1:9/", status) for status in ("finished", "failed")]
    job.meta = {"more": 1}
    job.repeats_left, job.repeat_intervals = 3, [0]
    job.save()
    search = submit(store, whole, "q")
    work(context)
    assert store.state(search).state == "succeeded"
    assert (DONE, sent) == ([], [])


def test_nothing_that_was_added_to_a_dead_workers_wake_up_is_called(store: JobStore, target: SearchTarget) -> None:
    queue = target.queues[0]
    call_worker(store.redis, queue)
    calls = calls_for(store.redis, queue)
    [job] = Queue(calls.name, store.redis, serializer=JSONSerializer).jobs
    job._failure_callback_name = Callback(harm).name
    job.save()
    calls.remove(job.id)
    store.redis.zadd(calls.started_job_registry.key, {f"{job.id}:dead": 1})
    forget_workers(store)
    assert DONE == []
    assert store.redis.zcard(calls.started_job_registry.key) == 0
    assert 0 < store.redis.ttl(job.key) <= 60


def test_wake_up_is_read_as_it_was_written(redis: Redis) -> None:
    call_worker(redis, "q")
    [job] = calls_for(redis, "q").jobs
    assert isinstance(job, WakeUp)
    assert (job.func_name, job.args, job.timeout) == (TASK, ["q"], -1)
    with pytest.raises(ForeignJobError):
        WakeUp("odd", redis, JSONSerializer).restore({b"data": data(HARM), b"origin": b"wake:q"})


def test_a_served_queue_leaves_nothing_of_its_calls(
    store: JobStore, whole: SearchTarget, context: WorkerContext
) -> None:
    submit(store, whole, "q")
    call_worker(store.redis, context.queue.name)
    work(context)
    left = sorted(store.redis.scan_iter("rq:*"))
    # RQ forgets a worker that has left a minute later.
    assert [key for key in left if not key.startswith((b"rq:worker:", b"rq:clean_registries"))] == [b"rq:queues"]


@pytest.mark.parametrize("lost", ["rq:execution:*", "*"])
def test_call_at_work_ends_well_when_the_server_loses_data(
    store: JobStore,
    context: WorkerContext,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    lost: str,
) -> None:
    redis, workers = store.redis, []

    def serve_through_the_loss(_: WorkerContext) -> None:
        [worker] = workers
        redis.delete(*redis.scan_iter(lost))
        worker.beat()
        assert redis.hkeys(worker.execution.key) == [b"last_heartbeat"]

    monkeypatch.setattr("worker.tasks.serve", serve_through_the_loss)
    workers.append(QueueWorker(context, Settings()))
    with caplog.at_level(logging.WARNING):
        workers[0].serve(burst=True)
    assert [record.getMessage() for record in caplog.records] == []
    assert [key for key in redis.scan_iter("rq:*") if b"wip" in key or b"job" in key] == []


def test_worker_listens_to_no_commands(store: JobStore, context: WorkerContext) -> None:
    worker = QueueWorker(context, Settings())
    worker.subscribe()
    assert store.redis.publish(f"rq:pubsub:{worker.name}", json.dumps({"command": "shutdown"})) == 0
