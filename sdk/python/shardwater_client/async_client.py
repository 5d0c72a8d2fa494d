"""The client for asyncio: the methods of `Client` under the same names."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, closing
from datetime import datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

import httpx

from shardwater_client import pairs
from shardwater_client.base import ClientBase, Partial, connection
from shardwater_client.calls import Progress, Wish
from shardwater_client.events import ALIGNMENT, SEARCH, follow
from shardwater_client.generated import models
from shardwater_client.pairs import AlignmentParameters, Sequences
from shardwater_client.parameters import SearchParameters, search_request
from shardwater_client.result import FinishedVerification, ResultData
from shardwater_client.steps import (
    Answer,
    Ask,
    Call,
    FileContent,
    Flow,
    Give,
    Next,
    Open,
    Pause,
    Piece,
    Reply,
    Request,
    Step,
    T,
)


class AsyncClient(ClientBase):
    """`Client` for asyncio: what that returns is awaited here, and what it iterates over is iterated with `async for`.

    Any number of calls may run at once.
    """

    def __init__(self, base_url: str, api_key: str | None = None, *, patience: float = 30.0) -> None:
        super().__init__(base_url, patience)
        self._http = httpx.AsyncClient(**connection(base_url, api_key))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """As `Client.close`."""
        await self._http.aclose()

    async def search(
        self,
        fasta: str | PathLike[str],
        *,
        database: str,
        timeout: float | None = None,
        progress: Progress | None = None,
        fresh: bool = False,
        **parameters: Unpack[SearchParameters],
    ) -> "AsyncResult":
        """As `Client.search`."""
        body = search_request(fasta, database, parameters)
        return self._result(await self._run(self._calls.search(body, timeout, progress, fresh=fresh)))

    async def submit(
        self,
        fasta: str | PathLike[str],
        *,
        database: str,
        fresh: bool = False,
        **parameters: Unpack[SearchParameters],
    ) -> models.Search:
        """As `Client.submit`."""
        return await self._run(self._calls.submit(search_request(fasta, database, parameters), fresh=fresh))

    async def result(
        self, search_id: str, *, timeout: float | None = None, progress: Progress | None = None
    ) -> "AsyncResult":
        """As `Client.result`."""
        return self._result(await self._run(self._calls.result(search_id, timeout, progress)))

    async def verify(
        self, search_id: str, *, sample: int | None = None, timeout: float | None = None
    ) -> FinishedVerification:
        """As `Client.verify`."""
        return await self._run(self._calls.verify(search_id, sample, timeout))

    async def status(self, search_id: str) -> models.Search:
        """As `Client.status`."""
        return await self._run(self._calls.status(search_id))

    async def request(self, search_id: str) -> models.SearchRequest:
        """As `Client.request`."""
        return await self._run(self._calls.request(search_id))

    def events(self, search_id: str) -> AsyncIterator[models.Search]:
        """As `Client.events`."""
        return self._each(follow(self._calls, SEARCH, search_id))

    async def cancel(self, search_id: str) -> models.Search:
        """As `Client.cancel`."""
        return await self._run(self._calls.cancel(search_id))

    async def delete(self, search_id: str) -> None:
        """As `Client.delete`."""
        await self._run(self._calls.delete(search_id))

    def searches(
        self,
        *,
        ids: Sequence[str] | None = None,
        state: models.SearchState | None = None,
        created_after: datetime | None = None,
        page_size: int = 100,
    ) -> AsyncIterator[models.Search]:
        """As `Client.searches`."""
        return self._each(self._calls.searches(ids, state, created_after, page_size))

    def hits(self, search_id: str, *, query: int | None = None, page_size: int = 1000) -> AsyncIterator[models.Hit]:
        """As `Client.hits`."""
        return self._each(self._calls.hits(search_id, query, page_size))

    async def download(
        self,
        search_id: str,
        *,
        format: models.ResultFormat = "tab",
        columns: Sequence[str] = (),
        query: int | None = None,
    ) -> bytes:
        """As `Client.download`."""
        return await self._run(self._calls.download(search_id, Wish(format, columns, query)))

    async def save(
        self,
        search_id: str,
        path: str | PathLike[str],
        *,
        format: models.ResultFormat = "tab",
        columns: Sequence[str] = (),
        query: int | None = None,
    ) -> None:
        """As `Client.save`."""
        with Partial(Path(path)) as file:
            async for piece in self._each(self._calls.pieces(search_id, Wish(format, columns, query))):
                file.write(piece)

    async def estimate(
        self, fasta: str | PathLike[str], *, database: str, **parameters: Unpack[SearchParameters]
    ) -> models.SearchEstimate:
        """As `Client.estimate`."""
        return await self._run(self._calls.estimate(search_request(fasta, database, parameters)))

    async def upload(self, path: str | PathLike[str]) -> str:
        """As `Client.upload`."""
        return await self._run(pairs.upload(self._calls, Path(path)))

    def align(
        self,
        queries: Sequences,
        subjects: Sequences,
        *,
        fresh: bool = False,
        **parameters: Unpack[AlignmentParameters],
    ) -> AsyncIterator[models.AlignedPair]:
        """As `Client.align`."""
        return self._each(pairs.align(self._calls, queries, subjects, parameters, fresh=fresh))

    async def submit_alignment(
        self,
        queries: Sequences,
        subjects: Sequences,
        *,
        fresh: bool = False,
        **parameters: Unpack[AlignmentParameters],
    ) -> models.Alignment:
        """As `Client.submit_alignment`."""
        return await self._run(pairs.submit(self._calls, queries, subjects, parameters, fresh=fresh))

    def aligned(self, alignment_id: str) -> AsyncIterator[models.AlignedPair]:
        """As `Client.aligned`."""
        return self._each(pairs.aligned(self._calls, alignment_id))

    async def alignment(self, alignment_id: str) -> models.Alignment:
        """As `Client.alignment`."""
        return await self._run(pairs.status(self._calls, alignment_id))

    def alignment_events(self, alignment_id: str) -> AsyncIterator[models.Alignment]:
        """As `Client.alignment_events`."""
        return self._each(follow(self._calls, ALIGNMENT, alignment_id))

    async def cancel_alignment(self, alignment_id: str) -> models.Alignment:
        """As `Client.cancel_alignment`."""
        return await self._run(pairs.cancel(self._calls, alignment_id))

    async def delete_alignment(self, alignment_id: str) -> None:
        """As `Client.delete_alignment`."""
        await self._run(pairs.delete(self._calls, alignment_id))

    async def download_alignment(
        self, alignment_id: str, *, format: models.PairFormat = "tab", columns: Sequence[str] = ()
    ) -> bytes:
        """As `Client.download_alignment`."""
        return await self._run(pairs.download(self._calls, alignment_id, format, columns))

    async def estimate_alignment(
        self, queries: Sequences, subjects: Sequences, **parameters: Unpack[AlignmentParameters]
    ) -> models.AlignmentEstimate:
        """As `Client.estimate_alignment`."""
        return await self._run(pairs.estimate(self._calls, queries, subjects, parameters))

    async def databases(self) -> list[models.DatabaseInfo]:
        """As `Client.databases`."""
        return await self._run(self._calls.databases())

    async def database(self, name: str) -> models.DatabaseInfo:
        """As `Client.database`."""
        return await self._run(self._calls.database(name))

    async def sequence(self, database: str, accession: str) -> models.Sequence:
        """As `Client.sequence`."""
        return await self._run(self._calls.sequence(database, accession))

    async def sequences(self, database: str, accessions: Sequence[str]) -> list[models.Sequence]:
        """As `Client.sequences`."""
        return await self._run(self._calls.sequences(database, accessions))

    async def service_info(self) -> models.ServiceInfo:
        """As `Client.service_info`."""
        return await self._run(self._calls.service_info())

    async def parameters(self) -> models.ParameterList:
        """As `Client.parameters`."""
        return await self._run(self._calls.parameters())

    def _result(self, data: models.SearchResult) -> "AsyncResult":
        return AsyncResult(data, self)

    async def _run(self, call: Call[T]) -> T:
        """Take the steps of a call; its value."""
        async with _Runner(self._http) as runner:
            answer: Answer = None
            while True:
                try:
                    step = call.send(answer)
                except StopIteration as end:
                    value: T = end.value
                    return value
                answer = await runner.take(step)

    async def _each(self, flow: Flow[T]) -> AsyncIterator[T]:
        """Take the steps of a flow; its items."""
        async with _Runner(self._http) as runner:
            with closing(flow):
                answer: Answer = None
                while True:
                    try:
                        step = flow.send(answer)
                    except StopIteration:
                        return
                    if isinstance(step, Give):
                        yield step.item
                        answer = None
                    else:
                        answer = await runner.take(step)


class AsyncResult(ResultData):
    """`Result` for asyncio: what goes to the server again is awaited."""

    def __init__(self, data: models.SearchResult, client: AsyncClient) -> None:
        super().__init__(data)
        self._client = client

    async def download(
        self, *, format: models.ResultFormat = "tab", columns: Sequence[str] = (), query: int | None = None
    ) -> bytes:
        """As `Result.download`."""
        return await self._client.download(self.id, format=format, columns=columns, query=query)

    async def save(
        self,
        path: str | PathLike[str],
        *,
        format: models.ResultFormat = "tab",
        columns: Sequence[str] = (),
        query: int | None = None,
    ) -> None:
        """As `Result.save`."""
        await self._client.save(self.id, path, format=format, columns=columns, query=query)


class _Runner:
    """Takes steps with httpx; holds the stream that is open."""

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
