"""HTTP as uvicorn reads it, with bounds before there is a request: of its head's length, and of the time that takes."""

import asyncio
from asyncio.events import TimerHandle
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEADERS = 100
LARGEST_HEAD = 1 << 16
"""Of a request's line and its headers, in bytes."""
HEAD_S = 20.0


class _Refused(Exception):
    """The parser is to stop."""


class BoundedProtocol(HttpToolsProtocol):
    """Refuses a head that is too long (431) or too slow (408), and ends the connection."""

    head_s = HEAD_S

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head = self._fields = self._headers = 0
        self._in_head, self._refusal = True, HTTPStatus.BAD_REQUEST
        self._timer: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there, who is to say something."""
        super().connection_made(transport)
        self._timer = self.loop.call_later(self.head_s, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser; what it has not made headers of yet counts too."""
        super().data_received(data)
        if self._in_head:
            self._head += len(data)
            if self._head > LARGEST_HEAD and not self.transport.is_closing():
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """The first byte of a request: from here on its head is timed and counted."""
        super().on_message_begin()
        self._head = self._fields = self._headers = 0
        self._in_head = True
        if self._timer is None:
            self._timer = self.loop.call_later(self.head_s, self._give_up)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header of the head."""
        self._headers += 1
        self._fields += len(name) + len(value)
        if self._headers > MOST_HEADERS or self._fields > LARGEST_HEAD:
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _Refused
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._stop_timer()
        self._in_head = False
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """What the parser's failure is answered with: uvicorn's 400, or our reason for it."""
        if self._refusal is HTTPStatus.BAD_REQUEST:
            super().send_400_response(msg)
        else:
            self._refuse(self._refusal)

    def _give_up(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _refuse(self, status: HTTPStatus) -> None:
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        self.transport.write(head.encode())
        self.transport.close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
