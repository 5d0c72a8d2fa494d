"""A reply that stays open while something goes on, and takes one of the places for such replies."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send


class HeldStream(StreamingResponse):
    """Frees what it follows as soon as the client has left, whatever it was doing then.

    FastAPI's EventSourceResponse would encode every event for every client, and set a Cache-Control of its own.
    """

    def __init__(
        self,
        pieces: AsyncGenerator[bytes, None],
        place: AbstractContextManager[None],
        media_type: str,
        headers: Mapping[str, str],
    ) -> None:
        """place: entered before the reply begins; it may raise what is answered instead."""
        super().__init__(pieces, media_type=media_type, headers=headers)
        self._pieces, self._place = pieces, place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            with self._place:
                await super().__call__(scope, receive, send)
        finally:
            await self._pieces.aclose()
