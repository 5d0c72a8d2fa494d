"""Where a search came from: what its acceptance knows of the request, kept with it for whoever works on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from redis import Redis

from worker import logs
from worker.queues import SearchKeys, text


@dataclass(frozen=True, slots=True)
class Origin:
    """The request's id, and when its search was accepted (Unix time); None where nobody said."""

    request_id: str | None = None
    created: float | None = None

    @classmethod
    def of(cls, redis: Redis, search: str) -> Self | None:
        """Of a search that has not ended; None for any other."""
        request, created, outcome = redis.hmget(SearchKeys(search).meta, "request_id", "created", "outcome")
        if created is None or outcome is not None:
            return None
        return cls(text(request) if request else None, float(created))


def carried() -> dict[str, str]:
    """What a search's meta keeps of the request that is answered now."""
    fields = {"request_id": logs.request_id.get()}
    return {name: value for name, value in fields.items() if value is not None}


@contextmanager
def spoken_of(search: str, origin: Origin | None) -> Iterator[None]:
    """Every line of the log within is about a search and the request that it came with."""
    tokens = logs.search_id.set(search), logs.request_id.set(origin.request_id if origin else None)
    try:
        yield
    finally:
        logs.search_id.reset(tokens[0])
        logs.request_id.reset(tokens[1])
