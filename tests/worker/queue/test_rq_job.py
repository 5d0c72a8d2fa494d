"""A worker runs its one function on its own shard, whatever somebody else has written into the queue."""

import json
import logging
import zlib
from typing import Any

import pytest
from redis import Redis
from rq.executions import Execution
from rq.job import Callback, Job
from rq.queue import Queue
from rq.serializers import JSONSerializer
from rq.webhook import Webhook

from tests.support.scripted import submit, work
from worker.jobs.redis_names import TASK, job_id, search_of
from worker.jobs.states import SearchTarget
from worker.jobs.store import Client
from worker.queue.recovery import recover
from worker.queue.rq_job import ForeignJobError, ShardJob
from worker.runner.context import Resident
from worker.runner.process import ShardWorker
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


def put(redis: Redis, queue: str, job: str | bytes, fields: dict[str, Any]) -> None:
    """A job as anybody can write it."""
    key = Job.redis_job_namespace_prefix.encode() + (job if isinstance(job, bytes) else job.encode())
    redis.hset(key, mapping={"origin": queue, "status": "queued", **fields})
    redis.rpush(Queue.redis_queue_namespace_prefix + queue, job)


FOREIGN = {
    "another function": ("abc-0", {"data": data(HARM)}),
    "a function of the system": ("abc-0", {"data": data("os.system", arguments=["exit 1"])}),
    "a method of an instance": ("abc-0", {"data": data("upper", "instance")}),
    "another search": ("abc-0", {"data": data(arguments=["abd", 0])}),
    "another shard": ("abc-1", {"data": data(arguments=["abc", 1])}),
    "another queue": ("abc-0", {"data": data(arguments=["abc", 0]), "origin": "other"}),
    "more arguments": ("abc-0", {"data": data(arguments=["abc", 0], named={"shard": 1})}),
    "pickled data": ("abc-0", {"data": b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x06exit 1\x85R."}),
    "no data": ("abc-0", {}),
    "garbage": ("abc-0", {"data": b"\xff\x00", "created_at": b"\xff"}),
    "a status that is none": ("abc-0", {"data": data(arguments=["abc", 0]), "status": b"\xff"}),
    "a number that is none": ("abc-0", {"data": data(arguments=["abc", 0]), "retries_left": "many"}),
    "brackets without end": ("abc-0", {"data": b"[" * 100_000}),
    "an id that is none": (b"\xff\x00: ;", {"data": data(HARM)}),
    "an id of a run": ("abc-0:1", {"data": data(arguments=["abc", 0])}),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_foreign_job_is_refused_in_one_line_and_gone(
    case: str,
    client: Client,
    whole: SearchTarget,
    held: Resident,
    caplog: pytest.LogCaptureFixture,
) -> None:
    job, fields = FOREIGN[case]
    put(client.redis, held.queue, job, fields)
    search = submit(client, whole, "after")
    with caplog.at_level(logging.WARNING):
        work(held)
    assert DONE == []
    assert client.state(search).state == "succeeded"
    assert [record.getMessage() for record in caplog.records] == [
        f"{held.queue}: job {job if isinstance(job, bytes) else job.encode()!r} was refused and removed: "
        "no search of this shard"
    ]
    assert [key for key in client.redis.scan_iter("rq:*") if b"abc" in key or b"\xff" in key] == []
    assert client.redis.lrange(f"rq:queue:{held.queue}:intermediate", 0, -1) == []


def test_job_whose_key_is_of_another_type_is_removed(
    client: Client,
    whole: SearchTarget,
    held: Resident,
) -> None:
    client.redis.set(Job.key_for("abc-0"), "text")
    client.redis.rpush(f"rq:queue:{held.queue}", "abc-0")
    search = submit(client, whole, "after")
    work(held)
    assert client.state(search).state == "succeeded"
    assert not client.redis.exists(Job.key_for("abc-0"))


def tampered(client: Client, search: str) -> Job:
    """A search's job to which somebody has added all that RQ would call, and another job that waits for it."""
    job = Job.fetch(job_id(search, 0), client.redis, JSONSerializer)
    for when in ("success", "failure", "stopped"):
        setattr(job, f"_{when}_callback_name", Callback(harm).name)
    job.webhooks = [Webhook("http://127.0.0.1:9/", status) for status in ("finished", "failed")]
    job.meta = {"more": 1}
    job.repeats_left, job.repeat_intervals = 3, [0]
    job.save()
    client.redis.sadd(job.dependents_key, "later")
    return job


@pytest.mark.parametrize("name", ["ends", "broken"])
def test_nothing_that_was_added_to_a_job_is_called(
    client: Client,
    whole: SearchTarget,
    held: Resident,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    sent: list[object] = []
    monkeypatch.setattr(Webhook, "send", lambda *arguments, **more: sent.append(arguments))
    search = submit(client, whole, name)
    job = tampered(client, search)
    if name == "broken":
        # As when Redis is lost in the middle of it: RQ is told that the job has failed.
        monkeypatch.setattr(Client, "store", lambda *_: client.redis.execute_command("NO SUCH COMMAND"))
    work(held)
    assert (DONE, sent) == ([], [])
    assert client.redis.smembers(job.dependents_key) == {b"later"}


def test_nothing_that_was_added_to_a_dead_workers_job_is_called(
    client: Client,
    whole: SearchTarget,
    held: Resident,
) -> None:
    search = submit(client, whole, "left")
    job = tampered(client, search)
    waiting = Queue(held.queue, connection=client.redis, serializer=JSONSerializer)
    waiting.remove(job)
    with client.redis.pipeline() as pipe:
        Execution.create(job, 0, pipe, worker_name="dead")
        pipe.execute()
    recover(client)
    assert DONE == []
    assert waiting.get_job_ids() == [job.id]


def test_worker_listens_to_no_commands(client: Client, held: Resident) -> None:
    worker = ShardWorker(held, Settings())
    worker.subscribe()
    assert client.redis.publish(f"rq:pubsub:{worker.name}", json.dumps({"command": "shutdown"})) == 0


def test_job_of_a_search_is_read(client: Client, target: SearchTarget) -> None:
    search = submit(client, target, "q")
    job = ShardJob.fetch(job_id(search, 1), client.redis, JSONSerializer)
    assert (search_of(job.id), job.args, job.func_name, job.timeout) == (search, [search, 1], TASK, -1)
    client.redis.hset(job.key, "data", data(HARM))
    with pytest.raises(ForeignJobError):
        job.refresh()
