"""Traces of searches through front end, queue and workers, for an OpenTelemetry collector.

Off, and then nothing but a look at a list, unless a collector is named by OpenTelemetry's own variables and the extra
`tracing` is installed. A span has ids, names and counts in it, never what was sent.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from shardwater.software import software

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
SERVICE = "shardwater"
TRACEPARENT = "traceparent"
"""W3C's header, and the field of a search's meta that keeps it."""

Kind = Literal["internal", "server", "producer", "consumer"]

log = logging.getLogger(__name__)

_tracers: "list[Tracer]" = []


class Noted:
    """A span as its code sees it; without one nothing is noted."""

    def __init__(self, span: "Span | None" = None) -> None:
        self._span = span

    def name(self, name: str) -> None:
        """Call it so, after all."""
        if self._span is not None:
            self._span.update_name(name)

    def note(self, **attributes: str | int) -> None:
        """Add attributes; a double underscore stands for a dot."""
        if self._span is not None:
            self._span.set_attributes({key.replace("__", "."): value for key, value in attributes.items()})


def configure() -> None:
    """Trace from now on, if that is wanted and can be done."""
    named = [name for name in ENDPOINTS if os.environ.get(name)]
    if not named or _tracers or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        log.warning("%s is set, and nothing is traced: pip install 'shardwater[tracing]'", named[0])
        return

    about = {"service.version": software().version}
    if "OTEL_SERVICE_NAME" not in os.environ:
        about["service.name"] = SERVICE
    provider = TracerProvider(resource=Resource.create(about))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _tracers.append(provider.get_tracer(SERVICE, software().version))


@contextmanager
def span(
    name: str,
    kind: Kind = "internal",
    *,
    parent: str | None = None,
    within: "Context | None" = None,
    started: float | None = None,
) -> Iterator[Noted]:
    """A span around what is done within, of the span around it unless others are named.

    parent: a traceparent from elsewhere, which the span also links to if it consumes what that one has produced;
    within: where another thread stood (`here`); started: Unix time in seconds, if that was earlier.
    """
    if not _tracers:
        yield Noted()
        return
    from opentelemetry.trace import Link, SpanKind, get_current_span  # noqa: PLC0415
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

    links = []
    if parent is not None:
        within = TraceContextTextMapPropagator().extract({TRACEPARENT: parent})
        if kind == "consumer":
            links = [Link(get_current_span(within).get_span_context())]
    begin = None if started is None else int(started * 1e9)
    with _tracers[0].start_as_current_span(
        name, within, SpanKind[kind.upper()], links=links, start_time=begin, record_exception=False
    ) as made:
        yield Noted(made)


def here() -> "Context | None":
    """Where this thread stands, for another one."""
    if not _tracers:
        return None
    from opentelemetry.context import get_current  # noqa: PLC0415

    return get_current()


def traceparent() -> str | None:
    """The span around us as a header says it."""
    if not _tracers:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(TRACEPARENT)
