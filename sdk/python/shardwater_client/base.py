"""What the client and its asynchronous twin are made of besides their calls: connections, and who takes steps."""

import os
import platform
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TypedDict

import httpx

from shardwater_client.calls import Calls
from shardwater_client.runners import AsyncRunner, Runner
from shardwater_client.steps import Answer, Call, Flow, Give, T
from shardwater_client.version import __version__


class Connection(TypedDict):
    """What httpx is told of the server; the key and the password are in here alone."""

    base_url: str
    headers: dict[str, str]
    auth: httpx.BasicAuth | None


class ClientBase:
    """Where the server is, and how it is spoken to."""

    def __init__(self, base_url: str, patience: float) -> None:
        url = httpx.URL(base_url)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError("base_url is the server's address, such as http://127.0.0.1:8000")
        self.base_url = _bare(url)
        self._calls = Calls(patience)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"


class SyncBase(ClientBase):
    """A connection whose caller waits."""

    def __init__(self, base_url: str, api_key: str | None = None, *, patience: float = 30.0) -> None:
        super().__init__(base_url, patience)
        self._http = httpx.Client(**connection(base_url, api_key))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def _run(self, call: Call[T]) -> T:
        """Take the steps of a call; its value."""
        with Runner(self._http) as runner:
            answer: Answer = None
            while True:
                try:
                    step = call.send(answer)
                except StopIteration as end:
                    value: T = end.value
                    return value
                answer = runner.take(step)

    def _each(self, flow: Flow[T]) -> Iterator[T]:
        """Take the steps of a flow; its items."""
        with Runner(self._http) as runner, closing(flow):
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
                    answer = runner.take(step)


class AsyncBase(ClientBase):
    """The same for asyncio."""

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
        """Close its connections."""
        await self._http.aclose()

    async def _run(self, call: Call[T]) -> T:
        """Take the steps of a call; its value."""
        async with AsyncRunner(self._http) as runner:
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
        async with AsyncRunner(self._http) as runner:
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


def connection(base_url: str, api_key: str | None) -> Connection:
    """For httpx; a name and password in the address are for a proxy that asks for them, and stay out of logs."""
    url = httpx.URL(base_url)
    if url.userinfo and api_key:
        raise ValueError("a server takes an API key or a password in its address, not both")
    headers = {"User-Agent": f"shardwater-client/{__version__} Python/{platform.python_version()}"}
    if api_key:
        headers["Authorization"] = f"Bearer {api_key}"
    auth = httpx.BasicAuth(url.username, url.password) if url.userinfo else None
    return {"base_url": _bare(url), "headers": headers, "auth": auth}


def _bare(url: httpx.URL) -> str:
    return str(url.copy_with(userinfo=b"", query=None, fragment=None)).rstrip("/")


class Partial:
    """A file that gets its name when all of it has been written."""

    def __init__(self, path: Path) -> None:
        self._path, self._part = path, path.with_name(f".{path.name}.{os.getpid()}.part")

    def __enter__(self) -> BinaryIO:
        self._file = self._part.open("wb")
        return self._file

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if kind is None:
            self._part.replace(self._path)
        else:
            self._part.unlink()
