"""HTTP as uvicorn reads it, with bounds before there is a request: of its head's length, of the time that takes, of the
requests that a client sends without waiting for answers, and of the connections that all clients keep open.
"""

import asyncio
from asyncio.events import TimerHandle
from collections import deque
from http import HTTPStatus
from threading import Event
from typing import Any, ClassVar

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app.middleware.backpressure import most_connections
from app.middleware.clients import GONE

MOST_HEADERS = 100
LARGEST_HEAD = 1 << 16
"""Of a request's line and its headers, in bytes."""
HEAD_S = 20.0
MOST_PIPELINED = 10
"""When so many requests of a connection wait for the one before them, no more is read; those of the same slice come on
top."""
HEAD_SLICE, BODY_SLICE = 1 << 10, 1 << 14
"""Bytes that the parser is given at a time: the larger slice where it is all of one body, since a thousand short
requests at a time would keep everybody else waiting."""

NO_HOST = "An HTTP/1.1 request needs a Host header."
"""RFC 9112, 3.2."""


class _Refused(Exception):
    """The parser is to stop."""


class _Flow(FlowControl):
    """Reads no more while there is something that the parser has not been given."""

    held = False

    def resume_reading(self) -> None:
        """Read on, unless what has been read is enough."""
        if not self.held:
            super().resume_reading()


class BoundedProtocol(HttpToolsProtocol):
    """Refuses a head that is too long (431) or too slow (408), after all that came before it, and ends the connection.

    HTTP/1.1 without `Host` is 400. Where there are more connections than files for them, the one that has been idle
    longest ends for the new one, or one whose client does not take its answers. `Upgrade` is ignored, as a server may
    (RFC 9110, 7.8), and so are fields after a body (6.5.1): what a proxy has not seen in the head must not count as if
    it had stood there.
    """

    head_s = HEAD_S
    idle: ClassVar[dict["BoundedProtocol", None]] = {}
    """The connections that wait for no answer, the one that has done so longest first."""
    stalled: ClassVar[dict["BoundedProtocol", None]] = {}
    """The connections with more of an answer than their clients take, the one that has been so longest first."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head = self._fields = self._headers = self._body_left = 0
        self._unanswered: deque[RequestResponseCycle] = deque()
        self._in_head, self._begun, self._refusal = True, False, HTTPStatus.BAD_REQUEST
        self._timer: TimerHandle | None = None
        self._unfed = bytearray()
        self._last_words: bytes | None = None
        self._complaint = "Invalid HTTP request received."

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there, who is to say something."""
        super().connection_made(transport)
        self.flow: _Flow = _Flow(transport)
        self.idle[self] = None
        self._await_head()
        if len(self.connections) > most_connections():
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone: nothing is kept for it, nor left to the collector of cycles, which may come late."""
        self._stop_timer()
        self._unset_keepalive_if_required()
        self._unfed.clear()
        self.idle.pop(self, None)
        self.stalled.pop(self, None)
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.body = bytearray()
            cycle.message_event.set()
            cycle.scope["state"][GONE].set()
        super().connection_lost(exc)
        self._unanswered.clear()
        self.pipeline.clear()
        self.cycle = None  # type: ignore[assignment]

    def pause_writing(self) -> None:
        """The client does not take what it asked for."""
        super().pause_writing()
        self.stalled[self] = None

    def resume_writing(self) -> None:
        """It takes it again."""
        super().resume_writing()
        self.stalled.pop(self, None)

    def data_received(self, data: bytes) -> None:
        """Keep what has come for the parser."""
        self._unfed += data
        self._feed()

    def on_message_begin(self) -> None:
        """The first byte of a request: from here on its head is timed and counted."""
        super().on_message_begin()
        self._head = self._fields = self._headers = 0
        self._in_head = self._begun = True
        self._await_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header of the head."""
        self._headers += 1
        self._fields += len(name) + len(value)
        if self._headers > MOST_HEADERS or self._fields > LARGEST_HEAD:
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _Refused
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is whole, and its request is to be answered, unless its target is none of ours."""
        if self.parser.get_method() == b"CONNECT":
            raise _Refused
        if self.parser.should_upgrade():
            return
        if self.parser.get_http_version() != "1.0" and not any(name == b"host" for name, _ in self.headers):
            self._complaint = NO_HOST
            raise _Refused
        self.scope["state"][GONE] = Event()
        super().on_headers_complete()
        self._stop_timer()
        self._in_head = False
        # Of one in chunks nobody knows how much is left.
        self._body_left = int(dict(self.headers).get(b"content-length", 0))
        self._unanswered.append(self.cycle)
        self.idle.pop(self, None)

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._body_left -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """What comes now belongs to another head."""
        if self.parser.should_upgrade():
            return
        super().on_message_complete()
        self._in_head, self._head = True, 0

    def on_response_complete(self) -> None:
        """An answer has been given: the next request's turn, or the end."""
        super().on_response_complete()
        self._unanswered.popleft()
        if not self._unanswered:
            self.idle[self] = None
        if self.transport.is_closing():
            return
        if not self._unanswered and self._last_words is not None:
            self._hang_up()
        self._feed()

    def send_400_response(self, msg: str) -> None:
        """What the parser's failure is answered with."""
        self._refuse(self._refusal, msg if self._refusal is HTTPStatus.BAD_REQUEST else "")

    def _feed(self) -> None:
        """Give the parser what has come, as long as few requests wait, and none whose body is not whole."""
        while self._unfed and not self._over and not self._enough_waits:
            size = BODY_SLICE if self._body_left >= BODY_SLICE else HEAD_SLICE
            piece = bytes(self._unfed[:size])
            del self._unfed[:size]
            self._begun = False
            self._parse(piece)
            self._count(len(piece))
        if self._over:
            self._unfed.clear()
        held, self.flow.held = self.flow.held, bool(self._unfed)
        if self.flow.held:
            self.flow.pause_reading()
        elif held:
            self.flow.resume_reading()

    @property
    def _enough_waits(self) -> bool:
        return len(self.pipeline) >= MOST_PIPELINED or (bool(self.pipeline) and self.cycle.more_body)

    def _parse(self, piece: bytes) -> None:
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(piece)
        except HttpParserUpgrade as end:
            # It takes what follows for another protocol, the body included; a new one reads the head once more.
            self._unfed[:0] = piece[end.args[0] :]
            head = self._head_without_upgrade()
            self.parser = HttpRequestParser(self)
            self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
            self._parse(head)
        except HttpParserError:
            self.logger.warning(self._complaint)
            self.send_400_response(self._complaint)

    def _head_without_upgrade(self) -> bytes:
        """The head that the parser has just read, without what made it stop there."""
        version = self.parser.get_http_version().encode()
        lines = [self.parser.get_method() + b" " + self.url + b" HTTP/" + version]
        lines += [name + b": " + value for name, value in self.headers if name != b"upgrade"]
        return b"\r\n".join([*lines, b"", b""])

    def _count(self, size: int) -> None:
        """Count a piece that the parser has not made headers of yet; one that has the head's beginning counts not."""
        if not self._in_head or self._over:
            return
        if not self._unanswered:
            self._await_head()
        self._head += 0 if self._begun else size
        if self._head > LARGEST_HEAD:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    @property
    def _over(self) -> bool:
        return self._last_words is not None or self.transport.is_closing()

    def _give_up(self) -> None:
        self._timer = None
        if self._unanswered:
            # It may be we who have not read on.
            self._await_head()
        elif not self._over:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _refuse(self, status: HTTPStatus, text: str = "") -> None:
        """Read no more, and answer so once all that came before is answered."""
        self._stop_timer()
        self._last_words = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Length: {len(text)}\r\nConnection: close\r\n\r\n{text}"
        ).encode()
        if self.cycle is not None and self.cycle.more_body and not self.cycle.response_complete:
            self._drop_last()
        if not self._unanswered:
            self._hang_up()

    def _drop_last(self) -> None:
        """This is the answer to a request whose body cannot be read on."""
        self._unanswered.pop()
        self.cycle.disconnected = True
        self.cycle.message_event.set()
        if self.pipeline:
            self.pipeline.popleft()
        elif self.cycle.response_started:
            self._last_words = b""

    def _hang_up(self) -> None:
        self.idle[self] = None
        self.transport.write(self._last_words or b"")
        self.transport.close()

    def _make_room(self) -> None:
        """End what has been idle longest, best one whose last answer has been taken; else what is stalled."""
        others = [each for each in (*self.idle, *self.stalled) if each is not self]
        taken = (each for each in others if not each.transport.get_write_buffer_size())
        longest = next(taken, None) or next(iter(others), self)
        self.idle.pop(longest, None)
        self.stalled.pop(longest, None)
        if longest.transport.get_write_buffer_size():
            longest.transport.abort()
        else:
            longest.transport.close()

    def _await_head(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.head_s, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
