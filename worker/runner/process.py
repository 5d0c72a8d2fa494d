"""A worker: pins its device, loads its shard if it has one, then serves its queues whenever RQ calls.

RQ's SimpleWorker runs a call in its own process, so that what is loaded stays; its price is paid here: a thread
keeps the heartbeat that a busy SimpleWorker does not send, so that its death is seen within seconds.
"""

import gc
import logging
import os
import secrets
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from redis.exceptions import RedisError
from rq import SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer
from rq.utils import now

from gpu import device_count, open_engine, open_genome_engine, open_pair_engine, open_simulator
from shardwater.database.catalog import Catalog
from shardwater.database.database import Shard
from shardwater.engines.engine import Engine
from shardwater.engines.schedules import SCHEDULES
from shardwater.errors import DatabaseError
from shardwater.process_memory import give_memory_back
from worker.jobs.costs import Costs, Experience
from worker.jobs.files import JobFiles
from worker.jobs.redis_names import refused_key
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE, queue_name
from worker.jobs.worker_registry import ALIVE_S, Assignment, Registration, WorkerState, worker_prefix
from worker.queue.part_queue import PartQueue
from worker.queue.recovery import refuse
from worker.queue.wake_up import WakeUp, call_worker, calls_for
from worker.runner.calibration import measure_costs
from worker.runner.context import WorkerContext, keep
from worker.runner.devices import check_shown, end_if_device_failed, memory_in_use, pin
from worker.runner.integrity import IntegrityCheck
from worker.runner.pace import STALLED_S, Pace
from worker.runner.timed_engine import TimedEngine, TimedPairs
from worker.settings import Settings
from worker.supervision.redis_loading import await_loaded
from worker.telemetry import tracing

HEARTBEAT_S = 2
WORKER_TTL_S = 30
SWITCH_S = 0.0002
"""How long a thread keeps the interpreter while another one waits: the one that keeps the engine at work needs it for
moments, again and again, and the one that writes hits out has it most of the time.
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShardChoice:
    """Which shard a worker is for; shards is None where the database's own number goes."""

    database: str
    shard: int
    shards: int | None = None
    version: str | None = None


class QueueWorker(SimpleWorker):
    """RQ's worker for the calls of one queue, with a heart of its own."""

    def __init__(self, context: WorkerContext, settings: Settings) -> None:
        connection = context.store.redis
        super().__init__(
            [calls_for(connection, context.queue.name)],
            name=context.queue.worker,
            connection=connection,
            job_class=WakeUp,
            serializer=JSONSerializer,
            worker_ttl=WORKER_TTL_S,
        )
        self.log_job_description = False
        self._context, self._settings = context, settings
        self._registered = Registration(connection, self.name, context.queue.names, _place(context))
        self._ended = threading.Event()
        self._heart = threading.Thread(target=self._keep_beating, name="heartbeat", daemon=True)

    def subscribe(self) -> None:
        """Left out: RQ's commands (stop, kill) that whoever writes to Redis could send."""

    def procline(self, message: str) -> None:
        """Does nothing: RQ's title would replace the command line in `ps`."""

    def clean_registries(self) -> None:
        """In place of RQ's own, which stumbles over ids that are no text: what it looks at are calls, and those
        that are lost are made again.
        """
        self.connection.delete(self.queues[0].intermediate_queue_key)
        self.last_cleaned_at = now()  # type: ignore[assignment]

    def handle_warm_shutdown_request(self) -> None:
        """Told to stop: the heart says so at once, so that no new job counts on this worker. RQ would only log it."""
        self._context.stopping.set()

    def serve(self, *, burst: bool = False) -> None:
        """Answer calls until a SIGTERM (or, in a burst, until none is left); parts at work are finished first."""
        # Before it tells of itself: from then on others count on it, and it is to leave in order. RQ does so later.
        self._install_signal_handlers()  # type: ignore[no-untyped-call]
        try:
            # RQ's word for a signal that comes before its loop.
            with suppress(StopRequested):
                self._registered.enter()
                self.beat()
                self._heart.start()
                # What waits already needs nobody else to call.
                call_worker(self.connection, self._context.queue.name)
                self.work(burst=burst, logging_level="WARNING")
        finally:
            self._ended.set()
            self._context.stopping.set()
            if self._heart.is_alive():
                self._heart.join()
            self._context.queue.wake()
            self._registered.leave()
            self._context.store.tally.flush(self.connection)

    @property
    def state_told(self) -> WorkerState:
        """What others should know."""
        if self._context.stopping.is_set():
            return "draining"
        return "busy" if self._context.queue.leases else "idle"

    def beat(self) -> None:
        """Tell Redis that this worker lives, and that it still works on what it has leased."""
        context, calls, execution = self._context, self.queues[0], self.execution
        if context.stopping.is_set():
            self._registered.step_back()
            context.queue.ring()
        with self.connection.pipeline() as pipe:
            pace = context.pace
            self._registered.tell(pipe, self.state_told, memory_in_use(), pace.costs, pace.rate)
            context.queue.renew(pipe)
            if execution is not None:
                # RQ's own words, which a SimpleWorker does not say while it runs a call.
                self.heartbeat(WORKER_TTL_S, pipeline=pipe)
                execution.heartbeat(calls.started_job_registry, ALIVE_S, pipe)
            pipe.execute()
        context.store.tally.flush(self.connection)

    def _keep_beating(self) -> None:
        stopping = self._context.stopping
        while not self._ended.is_set():
            # Told to stop, it beats at once, and from then on as before.
            if stopping.is_set():
                self._ended.wait(HEARTBEAT_S)
            else:
                stopping.wait(HEARTBEAT_S)
            if self._ended.is_set():
                return
            if self._context.queue.leases and self._context.pace.stalled:
                # To be replaced: its parts go to the next worker when this one counts as dead.
                log.error("%s: no progress for %d s", self._context.queue.name, STALLED_S)
                return
            if self._settings.orphaned and not stopping.is_set():
                log.warning("the supervisor is gone; finishing")
                os.kill(os.getpid(), signal.SIGTERM)
            try:
                self.beat()
            except RedisError as error:
                log.warning("no heartbeat: %s", error)


def run_worker(settings: Settings, place: ShardChoice | None, devices: Sequence[int] = ()) -> None:
    """Load a shard, if one is named, and serve its queue and that of all workers until told to stop."""
    give_memory_back()
    tracing.configure()
    sys.setswitchinterval(SWITCH_S)
    if devices:
        pin(devices)
        check_shown(devices)
    # RQ waits for a call for half of that, and we for a part for a third, by one command.
    store = JobStore(settings.connect(answer_s=WORKER_TTL_S), settings.retention)
    await_loaded(store.redis)
    loaded = _of_all(settings) if place is None else _of_shard(settings, place, store)
    context = _context(settings, store, loaded, max(1, len(devices)))
    keep(context)
    # What is loaded stays: the collector need not look through it again and again.
    gc.freeze()
    QueueWorker(context, settings).serve()


def _of_all(settings: Settings) -> "_Loaded":
    """A worker without a database."""
    engine = _open_engine(settings)
    log.info("%s: a worker without a database (%s)", DEVICE, engine.name)
    costs = Costs.usual(engine.name, 0, 0, settings.threads or os.cpu_count() or 1)
    return _Loaded((DEVICE,), engine, costs)


def _open_engine(settings: Settings) -> Engine:
    """This machine's engine; who chose a schedule is told where none can be chosen."""
    if settings.schedule != SCHEDULES[0] and not device_count():
        log.warning("SHARDWATER_SCHEDULE is '%s': it is for GPUs, and there is none here", settings.schedule)
    return open_engine(settings.threads or None, settings.schedule)


def _of_shard(settings: Settings, place: ShardChoice, store: JobStore) -> "_Loaded":
    """A worker that has loaded a shard."""
    shard, integrity = _checked_shard(settings, place, store)
    manifest = shard.database.manifest
    queue = queue_name(manifest.name, manifest.version, shard.index, shard.count)
    engine, costs = _loaded_engine(settings, shard, queue)
    store.redis.delete(refused_key(queue))
    log.info("%s: %d subjects, %d residues loaded (%s)", queue, len(shard), shard.residues, engine.name)
    return _Loaded((queue, DEVICE), engine, costs, shard, integrity)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What a worker serves, by what, and what that costs."""

    queues: tuple[str, ...]
    engine: Engine
    costs: Costs
    shard: Shard | None = None
    integrity: IntegrityCheck | None = None


def _context(settings: Settings, store: JobStore, loaded: _Loaded, devices: int) -> WorkerContext:
    shard, own = loaded.shard, loaded.queues[0]
    database, residues = ("", 0) if shard is None else (shard.database.manifest.name, shard.residues)
    pairs = TimedPairs(open_pair_engine(settings.threads or None, devices), store.tally)
    return WorkerContext(
        store=store,
        engine=TimedEngine(loaded.engine, store.tally, database),
        pairs=pairs,
        genomes=open_genome_engine(),
        simulator=open_simulator(pairs, settings.threads or None),
        shard=shard,
        files=JobFiles.of(settings),
        queue=PartQueue(store, loaded.queues, worker_prefix(own, os.getpid()) + secrets.token_hex(4)),
        pace=Pace(Experience(loaded.costs), residues),
        integrity=loaded.integrity,
    )


def _place(context: WorkerContext) -> Assignment:
    """What a worker says of itself that does not change."""
    shard, engine = context.shard, context.engine.name
    if shard is None:
        return Assignment(context.queue.name, "", "", 0, 0, engine)
    manifest = shard.database.manifest
    return Assignment(context.queue.name, manifest.name, manifest.version, shard.index, shard.count, engine)


def _checked_shard(settings: Settings, place: ShardChoice, store: JobStore) -> tuple[Shard, IntegrityCheck]:
    """A shard of a database that has been read whole; who waits for one that cannot be had is told in the end."""
    try:
        database = Catalog(settings.data).open(place.database, place.version)
        return database.shard(place.shard, place.shards or database.manifest.shards), IntegrityCheck(database)
    except DatabaseError:
        if place.version is not None and place.shards is not None:
            refuse(store, queue_name(place.database, place.version, place.shard, place.shards))
        raise


def _loaded_engine(settings: Settings, shard: Shard, queue: str) -> tuple[Engine, Costs]:
    """An engine with its shard, and what work costs it."""
    try:
        engine = _open_engine(settings)
        engine.load(shard)
        usual = Costs.usual(engine.name, shard.residues, len(shard), settings.threads or os.cpu_count() or 1)
        return engine, measure_costs(engine, shard, usual)
    except Exception as error:
        end_if_device_failed(error, queue)
        raise
