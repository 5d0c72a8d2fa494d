"""What a client does, told in steps: which request, how long a pause. Whoever runs the steps does the input and output.

A call is a generator that yields steps and gets their answers. `Client` runs it with httpx and time.sleep,
`AsyncClient` with httpx and asyncio: retries, back-off, waiting and paging are written once, in `calls.py`, and do no
I/O.
"""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import httpx

T = TypeVar("T")

USUAL_TIMEOUT_S = 30.0
PIECE = 1 << 16
"""Bytes of a file that are read at a time."""


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file as the `content` of a request, read while it is sent, from its beginning each time."""

    path: Path

    def __iter__(self) -> Iterator[bytes]:
        """Its pieces."""
        with self.path.open("rb") as file:
            yield from iter(lambda: file.read(PIECE), b"")


@dataclass(frozen=True, slots=True)
class Request:
    """A request as httpx takes it, with how long to wait for each part of the reply, in seconds."""

    arguments: Mapping[str, Any]
    timeout_s: float = USUAL_TIMEOUT_S


@dataclass(frozen=True, slots=True)
class Ask:
    """Send a request. The answer: its reply, or what broke the connection."""

    request: Request


@dataclass(frozen=True, slots=True)
class Open:
    """As Ask, but the body of a good reply is left to be read piece by piece: as lines of text, or as bytes."""

    request: Request
    lines: bool


@dataclass(frozen=True, slots=True)
class Next:
    """The next piece of what was opened. The answer: a line or bytes, None at the end, or what broke it off."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait for so many seconds; no answer."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Give(Generic[T]):
    """Hand an item to the user; no answer."""

    item: T


Reply: TypeAlias = httpx.Response | httpx.TransportError
Piece: TypeAlias = str | bytes | httpx.TransportError | None
Step: TypeAlias = Ask | Open | Next | Pause
Answer: TypeAlias = httpx.Response | Piece
Call: TypeAlias = Generator[Step, Answer, T]
"""Steps to one value."""
Flow: TypeAlias = Generator[Step | Give[T], Answer, None]
"""Steps to many items."""


def ask(request: Request) -> Call[Reply]:
    """Send a request and get its reply."""
    return _reply((yield Ask(request)))


def open_stream(request: Request, *, lines: bool) -> Call[Reply]:
    """Send a request and get its reply, whose body is yet to come."""
    return _reply((yield Open(request, lines)))


def next_piece() -> Call[Piece]:
    """Get the next piece of what was opened."""
    piece = yield Next()
    assert not isinstance(piece, httpx.Response)
    return piece


def _reply(answer: Answer) -> Reply:
    assert isinstance(answer, httpx.Response | httpx.TransportError)
    return answer
