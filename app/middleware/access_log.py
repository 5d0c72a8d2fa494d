"""Each request timed, by its operation and the status of its answer: the outermost layer of the app.

What is counted is flushed every few seconds, and before a scrape.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import perf_counter

from fastapi.routing import APIRoute
from redis.exceptions import RedisError
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.problem_kinds import KINDS
from worker.jobs.store import JobStore
from worker.telemetry import tracing
from worker.telemetry.counters import Tally
from worker.telemetry.logs import search_id

HAND_IN_S = 2
REQUEST = "request"
REJECTED = "rejected"
NO_OPERATION = "none"
"""In place of an operation's name where no route matched."""

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
OK = 200
OF_A_SEARCH = {KINDS[name].status for name in ("not-ready", "expired")}
"""Errors that only a search which is or was there is answered with."""
MONITORED = ("/healthz", "/readyz")

log = logging.getLogger(__name__)
access = logging.getLogger("app.access")


class Measured:
    """Counts what the app answers."""

    def __init__(self, app: ASGIApp, tally: Tally) -> None:
        self._app, self._tally = app, tally

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, size = perf_counter(), 500, 0

        async def noted(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            size += len(message.get("body", b""))
            await send(message)

        parent = Headers(scope=scope).get(tracing.TRACEPARENT)
        try:
            with tracing.span("request", "server", parent=parent) as span:
                try:
                    await self._app(scope, receive, noted)
                finally:
                    _trace(span, scope, status)
        finally:
            operation = operation_id(scope["route"]) if "route" in scope else NO_OPERATION
            seconds = perf_counter() - started
            self._tally.observe(REQUEST, operation, str(status), seconds=seconds)
            if problem := scope.get("problem"):
                self._tally.add(REJECTED, problem)
            _log(scope, status, seconds, size)


def _route(scope: Scope) -> str:
    return scope["route"].path if "route" in scope else NO_OPERATION


def _method(scope: Scope) -> str:
    return scope["method"] if scope["method"] in METHODS else NO_OPERATION


def _trace(span: tracing.Noted, scope: Scope, status: int) -> None:
    """What OpenTelemetry's conventions say of a request."""
    span.name(f"{_method(scope)} {_route(scope)}")
    span.note(http__request__method=_method(scope), http__route=_route(scope), http__response__status_code=status)


def _log(scope: Scope, status: int, seconds: float, size: int) -> None:
    """A line for a request, without what the client made up: a path or a query string may hold a sequence."""
    # Monitors ask again and again; what they are told matters when it is not that all is well.
    level = logging.DEBUG if _route(scope) in MONITORED and status == OK else logging.INFO
    if not access.isEnabledFor(level):
        return
    if (status < 400 or status in OF_A_SEARCH) and (search := scope.get("path_params", {}).get("search")):
        search_id.set(search)
    method, route = _method(scope), _route(scope)
    fields = {
        "method": method,
        "route": route,
        "status": status,
        "duration_s": round(seconds, 6),
        "bytes": size,
    }
    access.log(level, "%s %s %d in %.3f s, %d bytes", method, route, status, seconds, size, extra={"fields": fields})


def operation_id(route: APIRoute) -> str:
    """The name of what a route does, here and in the description of the interface."""
    return {"list_all_searches": "list_searches"}.get(route.name, route.name)


@asynccontextmanager
async def flushing(store: JobStore) -> AsyncIterator[None]:
    """Flush what is counted as long as the context lasts, and what is left at its end."""
    task = asyncio.create_task(_hand_in(store))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        with suppress(RedisError):
            await asyncio.to_thread(store.tally.flush, store.redis)


async def _hand_in(store: JobStore) -> None:
    while True:
        await asyncio.sleep(HAND_IN_S)
        try:
            await asyncio.to_thread(store.tally.flush, store.redis)
        except RedisError as error:
            log.info("counts are kept until the queue answers: %s", error)
