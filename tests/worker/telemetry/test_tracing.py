"""Spans of one process: what an error leaves in them, and what is handed on where nothing is traced."""

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from worker.telemetry import tracing

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
LETTERS = "MKVLAAGWMARKED"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(tracing, "_tracer", provider.get_tracer("test"))
    return exporter


def test_error_in_a_span_is_named_and_its_message_left_out(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match=LETTERS), tracing.span("accept"):
        raise ValueError(f"{LETTERS} is no accession")
    [span] = spans.get_finished_spans()
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, "ValueError")
    assert LETTERS not in span.to_json()


def test_traceparent_is_that_of_the_span_around_us(spans: InMemorySpanExporter) -> None:
    with tracing.span("request", "server", parent=PARENT):
        told = tracing.traceparent()
    [span] = spans.get_finished_spans()
    assert span.context is not None
    assert told == f"{PARENT[:36]}{span.context.span_id:016x}-01"


def test_without_a_collector_the_requests_own_traceparent_is_handed_on() -> None:
    with tracing.span("request", "server", parent=PARENT) as span:
        span.name("GET none")
        span.note(http__route="none")
        with tracing.span("accept", "producer"):
            assert tracing.traceparent() == PARENT


@pytest.mark.parametrize("parent", [None, "", "secret", PARENT.replace("4bf", "xyz")])
def test_without_one_of_the_requests_nothing_is(parent: str | None) -> None:
    with tracing.span("request", "server", parent=parent):
        assert tracing.traceparent() is None
