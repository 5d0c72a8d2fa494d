"""Spans of a search, as a collector gets them from real processes: one trace from the client's own to the merge."""

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.support.server import PATIENCE_S, Server, make_database, running, until

FASTA = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGWMKVLAAGW\n"
LETTERS = "MKVLAAGWMARKEDMARKED"
TRACE, CLIENTS_SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
EXPORTER = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
WANTED = {"POST /v1/searches": 1, "accept": 1, "search": 2, "queue": 2, "score": 2, "align": 2, "merge": 1}
OTHERS = (b"GET none", b"GET /v1/databases")
"""Spans of requests without a trace of the client's."""


class Collector(ThreadingHTTPServer):
    """Takes spans by OTLP over HTTP."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[bytes] = []

    @property
    def spans(self) -> list[Span]:
        """Those of the client's trace."""
        return [span for found in self.resources() for scope in found.scope_spans for span in scope.spans]

    def resources(self) -> list[Any]:
        return [each for body in self.received for each in ExportTraceServiceRequest.FromString(body).resource_spans]


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.path == "/v1/traces"
        self.server.received.append(body)
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with Collector() as collector:
        thread = threading.Thread(target=collector.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield collector
        collector.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory, collector: Collector) -> str:
    """The id of a search whose spans have all come, and those of other requests."""
    folder: Path = tmp_path_factory.mktemp("traced")
    (folder / "two.fasta").write_text(FASTA)
    make_database(folder / "two.fasta", folder / "data", shards=2)
    environment = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
        "OTEL_BSP_SCHEDULE_DELAY": "50",
        # FastAPI would trace, too, if the app let it.
        "FASTAPI_OTEL_AUTO_CONFIGURE": "true",
    }
    with running(Server(folder / "data", environment=environment)) as server, server.http as http:
        headers = {"traceparent": f"00-{TRACE}-{CLIENTS_SPAN}-01", "Prefer": f"wait={PATIENCE_S}"}
        body = {"sequence": f">secretheader\n{LETTERS}", "database": "demo", "title": "secrettitle"}
        found = http.post("/v1/searches", json=body, headers=headers).json()["search"]
        assert http.get(f"/{LETTERS}").status_code == 404
        assert http.get("/v1/databases", params={"unknown": LETTERS}).status_code == 422
        until(lambda: Counter(span.name for span in traced(collector)) == WANTED)
        # Those of the two other requests may go in a later batch, and a front end that is stopped hands none in.
        until(lambda: all(name in b"".join(collector.received) for name in OTHERS))
    return str(found)


def traced(collector: Collector) -> list[Span]:
    return [span for span in collector.spans if span.trace_id.hex() == TRACE]


def named(collector: Collector, name: str) -> list[Span]:
    return [span for span in traced(collector) if span.name == name]


def test_spans_hang_together(collector: Collector, search: str) -> None:
    [request], [accept] = named(collector, "POST /v1/searches"), named(collector, "accept")
    assert (request.kind, request.parent_span_id.hex()) == (Span.SPAN_KIND_SERVER, CLIENTS_SPAN)
    assert (accept.kind, accept.parent_span_id) == (Span.SPAN_KIND_PRODUCER, request.span_id)
    consumers = named(collector, "search")
    for consumer in consumers:
        assert (consumer.kind, consumer.parent_span_id) == (Span.SPAN_KIND_CONSUMER, accept.span_id)
        assert [(link.trace_id.hex(), link.span_id) for link in consumer.links] == [(TRACE, accept.span_id)]
    theirs = sorted(consumer.span_id for consumer in consumers)
    for stage in ("queue", "score", "align"):
        assert sorted(span.parent_span_id for span in named(collector, stage)) == theirs
    [merge] = named(collector, "merge")
    assert merge.parent_span_id == accept.span_id


def test_spans_say_when(collector: Collector, search: str) -> None:
    [request], [accept] = named(collector, "POST /v1/searches"), named(collector, "accept")
    for span in traced(collector):
        assert request.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano
    for waited in named(collector, "queue"):
        assert accept.start_time_unix_nano <= waited.start_time_unix_nano <= accept.end_time_unix_nano


def test_spans_say_what_and_nothing_that_was_sent(collector: Collector, search: str) -> None:
    for span in (*named(collector, "accept"), *named(collector, "search")):
        assert {each.key: each.value.string_value for each in span.attributes} == {"shardwater.search": search}
    resources = [
        {each.key: each.value.string_value for each in found.resource.attributes} for found in collector.resources()
    ]
    assert {resource["service.name"] for resource in resources} == {"shardwater"}
    everything = b"".join(collector.received)
    assert b"url.query" not in everything
    for secret in (LETTERS, "MARKED", "secretheader", "secrettitle"):
        assert secret.encode() not in everything


def start(code: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    code = f"import sys\n{code}\nimport app.main\napp.main.create_app()\nprint('{EXPORTER}' in sys.modules)"
    environment = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)


def test_without_a_collector_nothing_is_loaded() -> None:
    done = start("")
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_collector_without_the_extra_is_a_warning() -> None:
    done = start(f"sys.modules['{EXPORTER}'] = None", OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert "OTEL_EXPORTER_OTLP_ENDPOINT is set, and nothing is traced: pip install 'shardwater[tracing]'" in done.stderr
