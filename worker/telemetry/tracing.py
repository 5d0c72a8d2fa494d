"""Traces of searches through front end, queue and workers, for an OpenTelemetry collector.

Off, and then OpenTelemetry's spans that record nothing, unless a collector is named by its own variables and the extra
`tracing` is installed. A span has ids, names and counts in it, never what was sent.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from opentelemetry import trace
from opentelemetry.context import Context, get_current
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from shardwater import __version__

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
SERVICE = "shardwater"
TRACEPARENT = "traceparent"
"""W3C's header, and the field of a search's meta that keeps it."""

Kind = Literal["internal", "server", "producer", "consumer"]

log = logging.getLogger(__name__)

_tracer = trace.get_tracer(SERVICE, __version__)
_w3c = TraceContextTextMapPropagator()


class Noted:
    """A span as its code sees it."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def name(self, name: str) -> None:
        """Call it so, after all."""
        self._span.update_name(name)

    def note(self, **attributes: str | int) -> None:
        """Add attributes; a double underscore stands for a dot."""
        self._span.set_attributes({key.replace("__", "."): value for key, value in attributes.items()})


def configure() -> None:
    """Trace from now on, if that is wanted and can be done."""
    named = [name for name in ENDPOINTS if os.environ.get(name)]
    if not named or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return
    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        # It is done already, by us or by an agent.
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        log.warning("%s is set, and nothing is traced: pip install 'shardwater[tracing]'", named[0])
        return

    about = {"service.version": __version__}
    if "OTEL_SERVICE_NAME" not in os.environ:
        about["service.name"] = SERVICE
    provider = TracerProvider(resource=Resource.create(about))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


@contextmanager
def span(
    name: str,
    kind: Kind = "internal",
    *,
    parent: str | None = None,
    within: Context | None = None,
    started: float | None = None,
) -> Iterator[Noted]:
    """A span around what is done within, of the span around it unless others are named.

    parent: a traceparent from elsewhere, which the span also links to if it consumes what that one has produced;
    within: where another thread stood (`here`); started: Unix time in seconds, if that was earlier.
    """
    links = []
    if parent is not None:
        within = _w3c.extract({TRACEPARENT: parent})
        if kind == "consumer":
            links = [trace.Link(trace.get_current_span(within).get_span_context())]
    with _tracer.start_as_current_span(
        name,
        within,
        trace.SpanKind[kind.upper()],
        links=links,
        start_time=None if started is None else int(started * 1e9),
        # An error's message may quote what was sent.
        record_exception=False,
        set_status_on_exception=False,
    ) as made:
        try:
            yield Noted(made)
        except Exception as error:
            made.set_status(trace.StatusCode.ERROR, type(error).__name__)
            raise


def begin(name: str, within: Context) -> trace.Span:
    """A span that is ended by hand, since what it is about is not done in one go."""
    return _tracer.start_span(name, within)


def here() -> Context:
    """Where this thread stands, for another one."""
    return get_current()


def traceparent() -> str | None:
    """The span around us as a header says it; where nothing is traced here, the one that the request came with."""
    carrier: dict[str, str] = {}
    _w3c.inject(carrier)
    return carrier.get(TRACEPARENT)
