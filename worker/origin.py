"""Where a search came from: what its acceptance knows of the request, kept with it for whoever works on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from redis import Redis

from worker import logs, tracing
from worker.queues import SearchKeys, text
from worker.tracing import TRACEPARENT


@dataclass(frozen=True, slots=True)
class Origin:
    """The request's id, its trace, and when its search was accepted (Unix time); None where nobody said."""

    request_id: str | None
    traceparent: str | None
    created: float

    @classmethod
    def of(cls, redis: Redis, search: str) -> Self | None:
        """Of a search that has not ended; None for any other."""
        fields = ("request_id", TRACEPARENT, "created", "outcome")
        request, traceparent, created, outcome = redis.hmget(SearchKeys(search).meta, *fields)
        if created is None or outcome is not None:
            return None
        return cls(text(request) if request else None, text(traceparent) if traceparent else None, float(created))


def carried() -> dict[str, str]:
    """What a search's meta keeps of the request that is answered now."""
    fields = {"request_id": logs.request_id.get(), TRACEPARENT: tracing.traceparent()}
    return {name: value for name, value in fields.items() if value is not None}


@contextmanager
def spoken_of(search: str, origin: Origin) -> Iterator[None]:
    """Every line of the log within is about a search and the request that it came with."""
    tokens = logs.search_id.set(search), logs.request_id.set(origin.request_id)
    try:
        yield
    finally:
        logs.search_id.reset(tokens[0])
        logs.request_id.reset(tokens[1])
