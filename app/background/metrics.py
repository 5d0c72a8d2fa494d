"""The service's figures for Prometheus: counts as all processes have handed them in, and how things stand now.

Everything comes from Redis, so that each front end shows the whole service. No label holds an id, an owner or a part
of a sequence.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from app.middleware.access_log import REJECTED, REQUEST
from app.service import Service
from shardwater.database.manifest import Manifest
from worker.jobs.redis_names import waiting_key
from worker.jobs.retention import stored_bytes, stored_limit
from worker.jobs.targets import DatabaseTarget, SearchTarget
from worker.jobs.worker_registry import WorkerSeen, workers
from worker.telemetry.counters import BOUNDS, SUM, Measure, sums
from worker.telemetry.supervisor_rounds import silence_s

SHARD = ("database", "version", "shard")
WORKER = (*SHARD, "worker")


def exposition(service: Service) -> bytes:
    """All figures as text. A queue that does not answer is one of them."""
    registry = CollectorRegistry()
    registry.register(_Figures(service))
    return generate_latest(registry)


class _Figures(Collector):
    """What one scrape finds."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def describe(self) -> list[Metric]:
        """Nothing beforehand: a scrape alone looks."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Everything, read in some round trips."""
        store = self._service.store
        try:
            store.tally.flush(store.redis)
            counts, at_work = sums(store.redis), workers(store.redis)
            known = [database.manifest for database in self._service.databases()]
            targets = [DatabaseTarget.of(database.manifest) for database in self._service.searchable()]
            standing = [*_shards(self._service, targets), *_redis(self._service), *_supervisor(self._service)]
        except RedisError:
            yield GaugeMetricFamily("shardwater_redis_up", "Whether the queue answers.", 0)
            return
        yield GaugeMetricFamily("shardwater_redis_up", "Whether the queue answers.", 1)
        yield from _counted(counts)
        yield from _of_workers(at_work)
        yield from standing
        yield _databases(known)


def _counted(counts: Mapping[Measure, float]) -> Iterator[Metric]:
    """The counters and histograms, of the service's whole life."""
    yield _histogram(
        "shardwater_search_duration_seconds", "Time of a search's stages, of each shard's.", "stage", ("stage",), counts
    )
    labels = ("operation", "status")
    yield _histogram(
        "shardwater_http_request_duration_seconds", "Time from a request to its answer's end.", REQUEST, labels, counts
    )
    yield _counter("shardwater_searches", "Searches that have ended.", "ended", "state", counts)
    yield _counter("shardwater_cell_updates", "Cells scored: query x database residues.", "cells", "database", counts)
    yield _counter("shardwater_rejected", "Requests answered with a problem.", REJECTED, "reason", counts)


def _counter(name: str, text: str, measure: str, label: str, counts: Mapping[Measure, float]) -> CounterMetricFamily:
    family = CounterMetricFamily(name, text, labels=(label,))
    for (kind, *values), count in sorted(counts.items()):
        if kind == measure:
            family.add_metric(values, count)
    return family


def _histogram(
    name: str, text: str, measure: str, labels: tuple[str, ...], counts: Mapping[Measure, float]
) -> HistogramMetricFamily:
    family = HistogramMetricFamily(name, text, labels=labels)
    found: dict[Measure, dict[str, float]] = defaultdict(dict)
    for (kind, *values, place), count in counts.items():
        if kind == measure:
            found[tuple(values)][place] = count
    for series, by_place in sorted(found.items()):
        buckets, seen = [], 0.0
        for bound in (*map(str, BOUNDS), "+Inf"):
            seen += by_place.get(bound, 0)
            buckets.append((bound, seen))
        family.add_metric(series, buckets, by_place.get(SUM, 0))
    return family


def _of_workers(found: list[WorkerSeen]) -> Iterator[Metric]:
    rate = GaugeMetricFamily("shardwater_gcups", "Billion cells a second of a worker in a long query.", labels=WORKER)
    age = GaugeMetricFamily("shardwater_shard_heartbeat_age_seconds", "Since a worker's heartbeat.", labels=WORKER)
    memory = GaugeMetricFamily(
        "shardwater_worker_memory_bytes", "What a worker's process holds of the machine's memory.", labels=WORKER
    )
    device = GaugeMetricFamily(
        "shardwater_gpu_memory_bytes", "A device's memory: in use by whomever, and all.", labels=(*WORKER, "kind")
    )
    for worker in found:
        place = worker.place
        labels = (place.database, place.version, str(place.shard), f"{worker.pid}@{worker.host}")
        rate.add_metric(labels, worker.rate / 1e9)
        age.add_metric(labels, worker.heartbeat_age_s)
        memory.add_metric(labels, worker.memory.process)
        if worker.memory.device_total:
            device.add_metric((*labels, "used"), worker.memory.device_used)
            device.add_metric((*labels, "total"), worker.memory.device_total)
    yield from (rate, age, memory, device)


def _shards(service: Service, current: list[DatabaseTarget]) -> list[Metric]:
    """Of the current versions, and of others that searches still wait for."""
    ready = GaugeMetricFamily("shardwater_shard_ready", "Whether a worker takes a shard's searches.", labels=SHARD)
    depth = GaugeMetricFamily("shardwater_queue_depth", "Searches that wait for a shard.", labels=SHARD)
    store = service.store
    targets = {repr(target): target for target in (*current, *store.live_targets())}
    for _, target in sorted(targets.items()):
        with store.redis.pipeline(transaction=False) as pipe:
            for queue in target.queues:
                pipe.zcard(waiting_key(queue))
            waiting = pipe.execute()
        for shard, (alive, length) in enumerate(zip(store.alive(SearchTarget((target,))), waiting, strict=True)):
            labels = (target.used.name, target.used.version, str(shard))
            ready.add_metric(labels, alive)
            depth.add_metric(labels, length)
    return [ready, depth]


def _redis(service: Service) -> list[Metric]:
    memory = service.store.redis.info("memory")
    figures = (
        ("redis_memory_bytes", "Memory of the queue's server.", memory["used_memory"]),
        ("redis_memory_limit_bytes", "The most that it may take; 0: all there is.", memory["maxmemory"]),
        ("stored_bytes", "What its data takes: searches, results, jobs.", stored_bytes(service.store)),
        (
            "stored_limit_bytes",
            "Past it ended searches of the account that has most are removed.",
            stored_limit(service.store, service.settings.max_stored_bytes),
        ),
    )
    return [GaugeMetricFamily(f"shardwater_{name}", text, value) for name, text, value in figures]


def _supervisor(service: Service) -> list[Metric]:
    """Of the one that has started this front end; nothing where there is none."""
    silent = silence_s(service.store.redis, service.settings.supervisor)
    if silent is None:
        return []
    text = "Since the last round of the supervisor that has started this front end."
    return [GaugeMetricFamily("shardwater_supervisor_heartbeat_age_seconds", text, silent)]


def _databases(current: list[Manifest]) -> Metric:
    family = InfoMetricFamily("shardwater_database", "The current version of each database.", labels=("name",))
    for manifest in current:
        family.add_metric((manifest.name,), {"version": manifest.version})
    return family
