"""The asynchronous client under the manners of the other one, so that one test holds for both."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

from shardwater_client import AsyncClient, AsyncMsaResult, AsyncResult

T = TypeVar("T")
Make = Callable[..., Any]
"""Makes a client of either kind."""


class Blocking:
    """An asynchronous client, or a result of it, each of whose calls is waited for."""

    def __init__(self, inner: "AsyncClient | AsyncResult | AsyncMsaResult", loop: asyncio.AbstractEventLoop) -> None:
        self.inner, self._loop = inner, loop

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        return self._waiting(found) if inspect.ismethod(found) else found

    def _waiting(self, method: Any) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            value = method(*arguments, **options)
            if inspect.isawaitable(value):
                value = self._loop.run_until_complete(value)
            if isinstance(value, AsyncResult | AsyncMsaResult):
                return Blocking(value, self._loop)
            return self._listed(value) if isinstance(value, AsyncIterator) else value

        return call

    def _listed(self, items: AsyncIterator[T]) -> Iterator[T]:
        try:
            while True:
                try:
                    yield self._loop.run_until_complete(anext(items))
                except StopAsyncIteration:
                    return
        finally:
            self._loop.run_until_complete(items.aclose())  # type: ignore[attr-defined]
