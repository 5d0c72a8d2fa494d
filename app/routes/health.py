"""Whether the service lives, and whether it can answer."""

from typing import Any

from fastapi import Response

from app.problems import documented
from app.routers import new_router
from app.service import CurrentService
from app.service_schemas import Health, Readiness, ShardHealth
from worker.jobs.targets import DeviceTarget, search_target

router = new_router(tags=["operations"])


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", responses=documented())
async def get_health() -> Health:
    """The process lives."""
    # Not in a thread: those may all be waiting for a queue that does not answer.
    return Health()


_NOT_READY: dict[str, Any] = {
    "model": Readiness,
    "description": "No database is served whole, or the queue does not answer.",
    "content": {"application/json": {}, **documented()[503]["content"]},
}


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz", responses={**documented(), 503: _NOT_READY})
def get_readiness(response: Response, service: CurrentService) -> Readiness:
    """Whether the queue answers and every shard of at least one database has a worker; without any, one worker."""
    shards = []
    whole = False
    for database in service.searchable():
        wanted = search_target(database.manifest)
        alive = service.store.alive(wanted)
        whole = whole or all(alive)
        shards += [
            ShardHealth(database=wanted.used.name, version=wanted.used.version, index=index, alive=is_alive)
            for index, is_alive in enumerate(alive)
        ]
    if not shards:
        # Nothing to search: whoever aligns and compares needs any worker.
        whole = all(service.store.alive(DeviceTarget(1)))
    if not whole:
        response.status_code = 503
    return Readiness(ready=whole, shards=shards)
