"""A reply that stays open while something goes on, and takes one of the places for such replies."""

import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, suppress

from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send


class UnfinishedStream(Exception):
    """What a stream was to bring does not come: its connection breaks, so that nobody takes it for whole."""


def tells_of_a_fault(record: logging.LogRecord) -> bool:
    """Whether a line of the log does: such an end is none, and has a line of its own."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnfinishedStream))


class HeldStream(StreamingResponse):
    """Frees what it follows as soon as the client has left, whatever it was doing then.

    FastAPI's EventSourceResponse would encode every event for every client, and set a Cache-Control of its own.
    """

    def __init__(
        self,
        pieces: AsyncGenerator[bytes, None],
        place: AbstractContextManager[None],
        media_type: str | None,
        headers: Mapping[str, str],
    ) -> None:
        """place: entered before the reply begins; it may raise what is answered instead."""
        super().__init__(pieces, media_type=media_type, headers=headers)
        self._pieces, self._place = pieces, place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            with self._place, suppress(ClientDisconnect):
                await super().__call__(scope, receive, send)
        finally:
            await self._pieces.aclose()
