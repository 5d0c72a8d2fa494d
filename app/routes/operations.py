"""For whoever runs the service: its workers, and its figures for Prometheus."""

from fastapi import Response
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from app.background.metrics import exposition
from app.problems import documented
from app.routers import new_router
from app.service import CurrentService
from app.service_schemas import WorkerInfo, WorkerList
from worker.jobs.worker_registry import WorkerSeen, workers

router = new_router(tags=["operations"])


@router.get("/v1/workers", responses=documented())
def list_workers(service: CurrentService) -> WorkerList:
    """List the workers whose heartbeats come."""
    return WorkerList(items=[_described(worker) for worker in workers(service.store.redis)])


def _described(worker: WorkerSeen) -> WorkerInfo:
    place, memory = worker.place, worker.memory
    return WorkerInfo(
        name=worker.name,
        database=place.database or None,
        version=place.version or None,
        shard=place.shard if place.database else None,
        shards=place.shards or None,
        state=worker.state,
        engine=place.engine,
        memory_bytes=memory.process,
        device_memory_bytes=memory.device_used if memory.device_total else None,
        device_memory_total_bytes=memory.device_total or None,
        cells_per_second=worker.rate,
        heartbeat_age_s=worker.heartbeat_age_s,
        software=worker.software,
        pid=worker.pid,
        host=worker.host,
    )


@router.get("/metrics", include_in_schema=False)
def get_metrics(service: CurrentService) -> Response:
    """The service's figures in Prometheus's text format."""
    return Response(exposition(service), headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"})
