"""Whether the client of a request has left, told to the threads that work for it."""

from contextvars import ContextVar
from threading import Event

GONE = "gone"
"""Where a request's state has an event that is set once its client has left."""
gone: ContextVar[Event | None] = ContextVar("gone", default=None)
"""That of the request at hand; servers other than ours tell of none."""
