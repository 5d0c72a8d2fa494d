"""Where a search came from: what its acceptance knows of the request, kept with it for whoever works on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from worker.telemetry import logs, tracing
from worker.telemetry.tracing import TRACEPARENT


@dataclass(frozen=True, slots=True)
class Origin:
    """The request's id and its trace, None where nobody said; when its search was accepted, as the queue's Unix time,
    and for how long it had waited then, in seconds.
    """

    request_id: str | None
    traceparent: str | None
    created: float
    waited_s: float


def carried() -> dict[str, str]:
    """What a search's meta keeps of the request that is answered now."""
    fields = {"request_id": logs.request_id.get(), TRACEPARENT: tracing.traceparent()}
    return {name: value for name, value in fields.items() if value is not None}


@contextmanager
def spoken_of(search: str, request_id: str | None) -> Iterator[None]:
    """Every line of the log within is about a search and the request that it came with."""
    tokens = logs.search_id.set(search), logs.request_id.set(request_id)
    try:
        yield
    finally:
        logs.search_id.reset(tokens[0])
        logs.request_id.reset(tokens[1])
