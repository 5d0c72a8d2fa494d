"""The app: routes, error answers, bounds and the watchdog, put together."""

import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from app import description, errors
from app.compression import Compressed
from app.dialects import ebi, mmseqs, ncbi
from app.limits import Bounds
from app.links import Links
from app.overload import Overload, most_requests
from app.routes import databases, events, health, info, page, requests, results, searches
from app.service import Service
from app.watchdog import watchdog
from shardwater.software import software
from worker.settings import Settings

SUMMARY = "Exact Smith-Waterman search of protein databases"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The front end, by the environment's settings unless others are given."""
    settings = settings or Settings.from_env()
    logging.basicConfig(level=settings.log_level.upper(), format="%(asctime)s %(name)s %(levelname)s %(message)s")

    # It quotes the byte at fault, which may be part of a sequence.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.service = service = Service(settings)
        # What is loaded by now stays: the collector need not look through it in the middle of a request.
        gc.freeze()
        async with watchdog(service.client, settings), service.endings.heard():
            yield
        await service.close()

    app = FastAPI(
        title="Shardwater",
        summary=SUMMARY,
        version=software().version,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        lifespan=lifespan,
        # Their pages load scripts from other hosts.
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_operation_id,
    )
    app.state.links = Links.read(settings.links)
    errors.install(app)
    routers = [each.router for each in (searches, events, requests, results, databases, info, health, page)]
    routers += [each.router for each in (ncbi, ebi, mmseqs)]
    for router in routers:
        app.include_router(router)
    app.state.routes = [route for router in routers for route in router.routes]
    app.add_middleware(Compressed)
    app.add_middleware(Overload, max_body_bytes=settings.max_body_bytes, most=most_requests())
    app.add_middleware(Bounds, max_body_bytes=settings.max_body_bytes, root_path=settings.root_path)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _operation_id(route: APIRoute) -> str:
    return {"list_all_searches": "list_searches"}.get(route.name, route.name)


def _openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title,
            summary=app.summary,
            version=app.version,
            openapi_version=app.openapi_version,
            license_info=app.license_info,
            routes=app.routes,
        )
        description.complete(schema)
        app.openapi_schema = schema
    return app.openapi_schema
