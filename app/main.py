"""The app: routes, error answers, bounds and the watchdog, put together."""

import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.openapi.utils import get_openapi

from app import openapi_description, problems
from app.background.merging import merging
from app.background.watchdog import watchdog
from app.compat import mmseqs, nvidia
from app.compat.colabfold import routes as colabfold
from app.compat.colabfold.words import Worded
from app.compat.ebi import routes as ebi
from app.compat.ncbi import routes as ncbi
from app.middleware.access_log import Measured, flushing, operation_id
from app.middleware.auth import Gate
from app.middleware.backpressure import OneAccountsRequests, Overload, most_requests
from app.middleware.compression import Compressed
from app.middleware.reply_room import ReplyRoom
from app.middleware.request_limits import UPLOAD_S, BodyBound, Bounds
from app.page.link_rules import Links
from app.responses.held_stream import tells_of_a_fault
from app.routes import (
    alignment_pages,
    alignments,
    comparison_pages,
    comparisons,
    databases,
    events,
    figures,
    forms,
    health,
    history_page,
    info,
    manual,
    matrices,
    msa_pages,
    msas,
    operations,
    page,
    profiles,
    requests,
    results,
    score_maps,
    scores,
    searches,
    session,
    stretches,
    taxa,
    uploads,
    verifications,
)
from app.service import Service
from shardwater.software import software
from worker.settings import Settings
from worker.telemetry import tracing
from worker.telemetry.counters import Tally
from worker.telemetry.logs import configure

PREFLIGHT_S = 3600
"""How long a browser may keep what it was told of other origins."""
READ_HEADERS = (
    *("Authorization", "Cache-Control", "Content-Encoding", "Content-Type", "Idempotency-Key", "If-None-Match"),
    *("Last-Event-ID", "Prefer", "X-Request-ID"),
)
TOLD_HEADERS = (
    *("Content-Disposition", "ETag", "Link", "Location", "Preference-Applied", "RateLimit", "RateLimit-Policy"),
    *("Retry-After", "WWW-Authenticate", "X-Request-ID", "X-Shardwater-Warnings", "X-Total-Results"),
)
"""What scripts of other origins may send, and what they may read."""
SUMMARY = "Exact Smith-Waterman search of protein databases"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The front end, by the environment's settings unless others are given."""
    settings = settings or Settings.from_env()
    configure(settings.log_level, settings.log_format)
    logging.getLogger("uvicorn.error").addFilter(tells_of_a_fault)
    tracing.configure()

    # It quotes the byte at fault, which may be part of a sequence.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)

    tally, replies = Tally(), ReplyRoom(settings.max_body_bytes)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.service = service = Service(settings, tally, replies)
        # What is loaded by now stays: the collector need not look through it in the middle of a request.
        gc.freeze()
        with merging(service.front_end, service.merge_pool):
            async with watchdog(service.store, settings), flushing(service.store), service.endings.heard():
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
        # They would lead to whatever host a client names.
        redirect_slashes=False,
        # Its spans have the query string, which may hold a sequence, and its records of errors their messages.
        telemetry={"tracing": False, "metrics": False, "logs": False},
        generate_unique_id_function=operation_id,
    )
    app.state.links = Links.read(settings.links)
    problems.install(app)
    page.install(app)
    service = (
        searches,
        events,
        requests,
        results,
        taxa,
        scores,
        figures,
        profiles,
        verifications,
        alignments,
        comparisons,
        stretches,
        msas,
        uploads,
        matrices,
        databases,
        info,
        health,
        manual,
        operations,
        page,
        forms,
        comparison_pages,
        msa_pages,
        alignment_pages,
        history_page,
        score_maps,
        session,
    )
    routers = [each.router for each in (*service, ncbi, ebi, mmseqs, colabfold, nvidia)]
    # To include the routers would build each route anew, and look for the one of a request twice.
    app.router.routes += [route for router in routers for route in router.routes]
    app.add_middleware(Compressed)
    app.add_middleware(OneAccountsRequests, most=most_requests())
    app.add_middleware(Gate, settings=settings)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=("GET", "HEAD", "POST", "DELETE"),
            allow_headers=READ_HEADERS,
            expose_headers=TOLD_HEADERS,
            max_age=PREFLIGHT_S,
        )
    app.add_middleware(Overload, max_body_bytes=settings.max_body_bytes, most=most_requests(), replies=replies)
    app.add_middleware(
        Bounds,
        bodies=BodyBound("max_body_bytes", settings.max_body_bytes),
        uploads=BodyBound("max_upload_bytes", settings.max_upload_bytes, UPLOAD_S),
        root_path=settings.root_path,
    )
    app.add_middleware(Worded)
    app.add_middleware(Measured, tally=tally)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title,
            summary=app.summary,
            description=openapi_description.ANY,
            version=app.version,
            openapi_version=app.openapi_version,
            license_info=app.license_info,
            routes=app.routes,
        )
        openapi_description.complete(schema)
        app.openapi_schema = schema
    return app.openapi_schema
