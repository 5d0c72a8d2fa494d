"""Who takes the steps of a call: with httpx and time.sleep, or with httpx and asyncio."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack
from typing import Self

import httpx

from shardwater_client.steps import Answer, Ask, FileContent, Next, Open, Pause, Piece, Reply, Request, Step


class Runner:
    """Takes steps with httpx; holds the stream that is open."""

    def __init__(self, http: httpx.Client) -> None:
        self._http, self._open = http, ExitStack()
        self._pieces: Iterator[str] | Iterator[bytes] = iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def take(self, step: Step) -> Answer:
        """A step's answer."""
        match step:
            case Ask(request):
                return self._ask(request)
            case Open(request, lines):
                return self._stream(request, lines=lines)
            case Next():
                return self._next()
            case Pause(seconds):
                time.sleep(seconds)
                return None

    def _ask(self, request: Request) -> Reply:
        try:
            return self._http.request(**request.arguments, timeout=request.timeout_s)
        except httpx.TransportError as error:
            return error

    def _stream(self, request: Request, *, lines: bool) -> Reply:
        self._open.close()
        try:
            reply = self._open.enter_context(self._http.stream(**request.arguments, timeout=request.timeout_s))
            if not reply.is_success:
                reply.read()
        except httpx.TransportError as error:
            return error
        self._pieces = reply.iter_lines() if lines else reply.iter_bytes()
        return reply

    def _next(self) -> Piece:
        try:
            return next(self._pieces, None)
        except httpx.TransportError as error:
            return error


class AsyncRunner:
    """`Runner` for asyncio."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http, self._open = http, AsyncExitStack()
        self._pieces: AsyncIterator[str] | AsyncIterator[bytes]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def take(self, step: Step) -> Answer:
        """A step's answer."""
        match step:
            case Ask(request):
                return await self._ask(request)
            case Open(request, lines):
                return await self._stream(request, lines=lines)
            case Next():
                return await self._next()
            case Pause(seconds):
                await asyncio.sleep(seconds)
                return None

    async def _ask(self, request: Request) -> Reply:
        arguments = dict(request.arguments)
        if isinstance(content := arguments.get("content"), FileContent):
            arguments["content"] = _pieces(content)
        try:
            return await self._http.request(**arguments, timeout=request.timeout_s)
        except httpx.TransportError as error:
            return error

    async def _stream(self, request: Request, *, lines: bool) -> Reply:
        await self._open.aclose()
        try:
            opened = self._http.stream(**request.arguments, timeout=request.timeout_s)
            reply = await self._open.enter_async_context(opened)
            if not reply.is_success:
                await reply.aread()
        except httpx.TransportError as error:
            return error
        self._pieces = reply.aiter_lines() if lines else reply.aiter_bytes()
        return reply

    async def _next(self) -> Piece:
        try:
            return await anext(self._pieces, None)
        except httpx.TransportError as error:
            return error


async def _pieces(content: FileContent) -> AsyncIterator[bytes]:
    """A file's pieces, each read beside the event loop."""
    pieces = iter(content)
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        yield piece
