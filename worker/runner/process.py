"""One shard's worker: pins its device, loads the shard, then takes jobs from the shard's one queue.

RQ's SimpleWorker runs a job in its own process, so that what is loaded stays; its price is paid here: a thread
keeps the heartbeat that a busy SimpleWorker does not send, so that its death is seen within seconds.
"""

import gc
import logging
import os
import secrets
import signal
import socket
import threading
from dataclasses import dataclass
from typing import Any

from redis.client import Pipeline
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.executions import Execution, ExecutionRegistry
from rq.job import Job
from rq.registry import StartedJobRegistry
from rq.serializers import JSONSerializer
from rq.utils import now
from rq.worker import WorkerStatus

from gpu import open_engine
from shardwater.database.catalog import Catalog
from shardwater.database.database import Shard
from shardwater.engines.engine import Engine
from shardwater.errors import DatabaseError
from worker.jobs.costs import Costs, Experience
from worker.jobs.redis_names import queue_name, refused_key
from worker.jobs.store import Client
from worker.jobs.worker_registry import ALIVE_S, Place, Presence, WorkerState
from worker.queue.part_queue import BroughtJob, Line, OrderedQueue
from worker.queue.pending_transaction import UnderWay
from worker.queue.recovery import recover_queue, refuse
from worker.runner import context
from worker.runner.calibration import measure_costs
from worker.runner.devices import end_if_device_failed, memory_in_use, pin
from worker.runner.integrity import Seal
from worker.runner.pace import STALLED_S, Pace
from worker.runner.timed_engine import TimedEngine
from worker.settings import Settings
from worker.supervision.redis_loading import await_loaded
from worker.telemetry import tracing
from worker.telemetry.safe_traceback import outline

HEARTBEAT_S = 2
WORKER_TTL_S = 30

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShardPlace:
    """Which shard a worker is for; shards is None where the database's own number goes."""

    database: str
    shard: int
    shards: int | None = None
    version: str | None = None


def worker_prefix(queue: str, pid: int) -> str:
    """What the name of a worker of a queue begins with that runs, or ran, in this host's process `pid`.

    The rest is drawn by lot: in a container that starts again, host and number are those of the dead one before.
    """
    return f"{queue}.{socket.gethostname()}.{pid}."


class ShardWorker(SimpleWorker):
    """An RQ worker of one queue with a heartbeat of its own."""

    def __init__(self, held: context.Resident, settings: Settings) -> None:
        connection = held.client.redis
        super().__init__(
            [OrderedQueue(held.queue, connection=connection, serializer=JSONSerializer)],
            name=held.line.worker,
            connection=connection,
            queue_class=OrderedQueue,
            job_class=BroughtJob,
            serializer=JSONSerializer,
            worker_ttl=WORKER_TTL_S,
        )
        self.log_job_description = False
        self._state_told = ""
        self._noted: UnderWay | None = None
        self._held, self._settings = held, settings
        self._presence = Presence(connection, self.name, _place(held))
        self._ended, self._told_to_stop = threading.Event(), threading.Event()
        self._heart = threading.Thread(target=self._keep_beating, name="heartbeat", daemon=True)

    def bootstrap(self, *arguments: Any, **options: Any) -> None:
        """RQ's registration; from then on the heart beats."""
        super().bootstrap(*arguments, **options)
        self._presence.enter()
        self.beat()
        self._heart.start()

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """RQ's word between jobs is left to the heart: it would cost each job two round trips before it begins."""
        if pipeline is not None:
            super().heartbeat(timeout, pipeline)

    def get_heartbeat_ttl(self, job: Job) -> int:
        """A job lives as long as its heartbeats come, not as long as it may take."""
        return ALIVE_S

    def prepare_execution(self, job: Job) -> None:  # type: ignore[override]
        """Left to the next step, which comes at once: RQ's two would take two round trips."""

    def prepare_job_execution(self, job: Job, remove_from_intermediate_queue: bool = False) -> None:
        """Note in Redis that this worker has begun a job, all that RQ notes in its two steps, and take its search up.

        Redis answers when it has synced its file; the search need not wait for that, only for what is sent.
        """
        assert isinstance(job, BroughtJob)
        self._held.pace.moved()
        ttl, line = self.get_heartbeat_ttl(job), self._held.line
        with self.connection.pipeline() as pipe:
            self.execution = Execution.create(job, ttl, pipeline=pipe, worker_name=self.name)
            self.set_state(WorkerStatus.BUSY, pipeline=pipe)
            self.set_current_job_id(job.id, pipeline=pipe)
            self.set_current_job_working_time(0, pipeline=pipe)
            self.heartbeat(ttl, pipeline=pipe)
            job.heartbeat(now(), ttl, pipeline=pipe)
            job.prepare_for_execution(self.name, pipeline=pipe)
            pipe.lrem(self.queues[0].intermediate_queue_key, 1, job.id)
            line.take_up(pipe, job)
            self._noted = UnderWay(pipe)

    def handle_execution_ended(self, job: Job, queue: Queue, heartbeat_ttl: int) -> None:
        """RQ's, without a last heartbeat: it is for callbacks, which no job of ours has."""
        job.ended_at = now()
        noted, self._noted = self._noted, None
        if noted is not None:
            noted.end()

    def handle_job_success(self, job: Job, queue: Queue, started_job_registry: StartedJobRegistry) -> None:
        """RQ's, in one round trip for its fifteen: no job of ours has dependents, repeats or a result to keep."""
        with self.connection.pipeline() as pipe:
            self.increment_successful_job_count(pipeline=pipe)
            self.increment_total_working_time(job.ended_at - job.started_at, pipe)  # type: ignore[operator]
            self.cleanup_execution(job, pipeline=pipe)
            pipe.delete(job.key, ExecutionRegistry(job.id, self.connection).key)
            # This process itself stays busy until RQ has left the job: it may be stopped at once when it is not.
            pipe.hset(self.key, "state", WorkerStatus.IDLE)
            pipe.execute()
        self._state_told = WorkerStatus.IDLE

    def set_state(self, state: str, pipeline: Pipeline | None = None) -> None:
        """RQ's; Redis is told what is news to it."""
        if state == self._state_told:
            self._state = state
        else:
            super().set_state(state, pipeline)
            self._state_told = state

    def check_for_suspension(self, burst: bool) -> None:
        """Left out, since it would write before each job: who wants workers to pause stops them."""

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """In place of RQ's words, which would repeat the error's message and with it perhaps a query."""
        log.error("job %s failed: %s", job.id, outline(exc_info[1]))

    def handle_job_failure(self, job: Job, queue: Queue, *arguments: Any, exc_string: str = "", **more: Any) -> None:
        """RQ's, which would keep that message in Redis."""
        super().handle_job_failure(job, queue, *arguments, **more)

    def subscribe(self) -> None:
        """Left out: RQ's commands (stop, kill) that whoever writes to Redis could send."""

    def run_maintenance_tasks(self) -> None:
        """RQ's, without its groups of jobs, of which there are none."""
        self.clean_registries()

    def clean_registries(self) -> None:
        """In place of RQ's upkeep of the queue, which fails what recovery.py would run again."""
        recover_queue(self._held.client, self.queues[0].name)
        self.last_cleaned_at = now()  # type: ignore[assignment]

    def serve(self, *, burst: bool = False) -> None:
        """Take jobs until a SIGTERM (or, in a burst, until none is left); a job under way is finished first."""
        try:
            self.work(burst=burst, logging_level="WARNING")
        finally:
            self._ended.set()
            self._told_to_stop.set()
            if self._heart.is_alive():
                self._heart.join()
            self._presence.leave()
            self._held.client.tally.hand_in(self.connection)

    def handle_warm_shutdown_request(self) -> None:
        """Told to stop: the heart says so at once, so that no new search counts on this worker."""
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call]
        self._told_to_stop.set()

    @property
    def presence(self) -> WorkerState:
        """What others should know."""
        if self._told_to_stop.is_set():
            return "draining"
        return "idle" if self.execution is None else "busy"

    def beat(self) -> None:
        """Tell Redis that this worker lives, and that it still works on its job."""
        queue, execution = self.queues[0], self.execution
        if self._told_to_stop.is_set():
            self._presence.step_back()
        with self.connection.pipeline() as pipe:
            self._presence.tell(pipe, self.presence, memory_in_use(), self._held.pace.costs, self._held.pace.rate)
            self.heartbeat(WORKER_TTL_S, pipeline=pipe)
            self._held.line.beat(pipe)
            if execution is not None:
                execution.heartbeat(queue.started_job_registry, ALIVE_S, pipe)
            pipe.execute()
        self._held.client.tally.hand_in(self.connection)

    def _keep_beating(self) -> None:
        while not self._ended.is_set():
            # Told to stop, it beats at once, and from then on as before.
            (self._ended if self._told_to_stop.is_set() else self._told_to_stop).wait(HEARTBEAT_S)
            if self._ended.is_set():
                return
            if self.execution is not None and self._held.pace.stalled:
                # To be replaced: its job goes to the next worker when this one counts as dead.
                log.error("%s: no progress for %d s", self.queues[0].name, STALLED_S)
                return
            try:
                self.beat()
            except RedisError as error:
                log.warning("no heartbeat: %s", error)
            if self._settings.orphaned:
                log.warning("the supervisor is gone; finishing")
                os.kill(os.getpid(), signal.SIGTERM)
                return


def run_worker(settings: Settings, place: ShardPlace, device: int | None = None) -> None:
    """Load a shard and serve its queue until told to stop."""
    tracing.configure()
    if device is not None:
        pin(device)
    # RQ waits for a job for half of that, by one command.
    client = Client(settings.connect(answer_s=WORKER_TTL_S), settings.retention, signer=settings.signer())
    await_loaded(client.redis)
    shard, seal = _sound_shard(settings, place, client)
    manifest = shard.database.manifest
    queue = queue_name(manifest.name, manifest.version, shard.index, shard.count)
    engine, costs = _loaded_engine(settings, shard, queue)
    client.redis.delete(refused_key(queue))
    line = Line(client, queue, shard.index, worker_prefix(queue, os.getpid()) + secrets.token_hex(4))
    timed, pace = TimedEngine(engine, client.tally, manifest.name), Pace(Experience(costs), shard.residues)
    held = context.Resident(client, timed, shard, line, pace, seal)
    context.keep(held)
    # What is loaded stays: the collector need not look through it again and again.
    gc.freeze()
    log.info("%s: %d subjects, %d residues loaded (%s)", queue, len(shard), shard.residues, engine.name)
    ShardWorker(held, settings).serve()


def _place(held: context.Resident) -> Place:
    """What a worker says of itself that does not change."""
    manifest, shard = held.shard.database.manifest, held.shard
    return Place(held.queue, manifest.name, manifest.version, shard.index, shard.count, held.engine.name)


def _sound_shard(settings: Settings, place: ShardPlace, client: Client) -> tuple[Shard, Seal]:
    """A shard of a database that has been read whole; who waits for one that cannot be had is told in the end."""
    try:
        database = Catalog(settings.data).open(place.database, place.version)
        return database.shard(place.shard, place.shards or database.manifest.shards), Seal(database)
    except DatabaseError:
        if place.version is not None and place.shards is not None:
            refuse(client, queue_name(place.database, place.version, place.shard, place.shards))
        raise


def _loaded_engine(settings: Settings, shard: Shard, queue: str) -> tuple[Engine, Costs]:
    """An engine with its shard, and what work costs it."""
    try:
        engine = open_engine(settings.threads or None)
        engine.load(shard)
        usual = Costs.usual(engine.name, shard.residues, len(shard), settings.threads or os.cpu_count() or 1)
        return engine, measure_costs(engine, shard, usual)
    except Exception as error:
        end_if_device_failed(error, queue)
        raise
