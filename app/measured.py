"""Each request timed, by its operation and the status of its answer: the outermost layer of the app.

What is counted is handed in every few seconds, and before a scrape.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import perf_counter

from fastapi.routing import APIRoute
from redis.exceptions import RedisError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from worker.client import Client
from worker.tally import Tally

HAND_IN_S = 2
REQUEST = "request"
REJECTED = "rejected"
NO_OPERATION = "none"
"""In place of an operation's name where no route matched."""

log = logging.getLogger(__name__)


class Measured:
    """Counts what the app answers."""

    def __init__(self, app: ASGIApp, tally: Tally) -> None:
        self._app, self._tally = app, tally

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            operation = operation_id(scope["route"]) if "route" in scope else NO_OPERATION
            self._tally.observe(REQUEST, operation, str(status), seconds=perf_counter() - started)
            if problem := scope.get("problem"):
                self._tally.add(REJECTED, problem)


def operation_id(route: APIRoute) -> str:
    """The name of what a route does, here and in the description of the interface."""
    return {"list_all_searches": "list_searches"}.get(route.name, route.name)


@asynccontextmanager
async def handing_in(client: Client) -> AsyncIterator[None]:
    """Hand in what is counted as long as the context lasts, and what is left at its end."""
    task = asyncio.create_task(_hand_in(client))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        with suppress(RedisError):
            await asyncio.to_thread(client.tally.hand_in, client.redis)


async def _hand_in(client: Client) -> None:
    while True:
        await asyncio.sleep(HAND_IN_S)
        try:
            await asyncio.to_thread(client.tally.hand_in, client.redis)
        except RedisError as error:
            log.info("counts are kept until the queue answers: %s", error)
