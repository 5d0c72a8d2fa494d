"""What Prometheus finds: every figure, the same at each front end, and nothing of anybody's search in it."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.metrics import samples, value
from tests.support.server import Server, until

DASHBOARD = Path(__file__).parents[2] / "docs" / "grafana.json"
MANUAL = Path(__file__).parents[2] / "docs" / "operations.md"
NO_GPU = {"shardwater_gpu_memory_bytes"}


@pytest.fixture(scope="module")
def searched(server: Server) -> str:
    """The id of a search of this file's; two more requests, which are refused."""
    search = server.search(">measured\nMKVLAAGWDEHHKLMNPQRSTVWY", title="measured")["search"]
    with server.http as http:
        assert http.post("/v1/searches", json={"sequence": "M@", "database": "demo"}).status_code == 422
        assert http.get("/nowhere").status_code == 404
        # Each worker hands its counts in with its heartbeat.
        until(lambda: value(http.get("/metrics").text, "shardwater_search_duration_seconds_count", stage="align") >= 2)
    return str(search)


@pytest.fixture(scope="module")
def text(server: Server, searched: str) -> str:
    with server.http as http:
        answer = http.get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    return answer.text


def test_figures_are_there(text: str, server: Server) -> None:
    assert {sample.labels["stage"] for sample in samples(text) if "stage" in sample.labels} == {
        "queue", "score", "align", "merge",
    }  # fmt: skip
    for shard in "01":
        assert value(text, "shardwater_shard_ready", database="demo", shard=shard) == 1
        assert value(text, "shardwater_queue_depth", database="demo", shard=shard) == 0
        assert 0 <= value(text, "shardwater_shard_heartbeat_age_seconds", shard=shard) < 10
        assert value(text, "shardwater_gcups", database="demo", shard=shard) > 0
    with server.http as http:
        version = http.get("/v1/databases/demo").json()["version"]
    assert value(text, "shardwater_database_info", name="demo", version=version) == 1
    assert value(text, "shardwater_searches_total", state="succeeded") >= 1
    assert value(text, "shardwater_rejected_total", reason="invalid-sequence") >= 1
    assert value(text, "shardwater_http_request_duration_seconds_count", operation="create_search", status="422") >= 1
    assert value(text, "shardwater_http_request_duration_seconds_count", operation="none", status="404") >= 1
    # Both shards' cells: a search's query residues times the database's.
    assert value(text, "shardwater_cell_updates_total", database="demo") >= 24 * 1_230_410


def test_buckets_add_up(text: str) -> None:
    found = samples(text)
    counts = {(each.name, *each.labels.values()): each.value for each in found if each.name.endswith("_count")}
    assert len(counts) > 5
    for (name, *labels), count in counts.items():
        buckets = [
            (float(each.labels["le"]), each.value)
            for each in found
            if each.name == name.replace("_count", "_bucket")
            and [label for key, label in each.labels.items() if key != "le"] == labels
        ]
        assert [number for _, number in sorted(buckets)] == sorted(number for _, number in buckets)
        assert max(buckets) == (float("inf"), count)


def test_nothing_of_a_search_is_in_it(text: str, searched: str) -> None:
    for secret in (searched, "MKVLAAGW", "measured"):
        assert secret not in text


@pytest.fixture
def second(server: Server) -> Iterator[str]:
    """The address of another front end of the same service."""
    with server.redis as redis, socket.create_server(("127.0.0.1", 0)) as listener:
        environment = {
            **os.environ,
            "SHARDWATER_DATA": str(server.data),
            "SHARDWATER_REDIS_URL": f"unix://{redis.connection_pool.connection_kwargs['path']}",
        }
        command = [sys.executable, "-P", "-m", "app", "--fd", str(listener.fileno())]
        with subprocess.Popen(command, env=environment, pass_fds=[listener.fileno()]) as process:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
            process.terminate()


def test_each_front_end_gives_the_same_sums(server: Server, searched: str, second: str) -> None:
    def sums(url: str) -> list[float]:
        told = httpx.get(f"{url}/metrics", timeout=60).text
        names = ("searches_total", "cell_updates_total", "search_duration_seconds_count", "rejected_total")
        return [value(told, f"shardwater_{name}") for name in names]

    # What a worker has counted of its last search comes with its next heartbeat, perhaps between the two questions.
    until(lambda: sums(second) == sums(server.url))
    assert min(sums(server.url)) > 0


def test_dashboard_asks_for_figures_that_exist(text: str) -> None:
    dashboard: dict[str, Any] = json.loads(DASHBOARD.read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    wanted = set(re.findall(r"shardwater_\w+", " ".join(asked)))
    there = {sample.name for sample in samples(text)} | NO_GPU
    assert len(asked) >= len(dashboard["panels"]) > 10
    assert wanted - there == set()


def test_manual_names_every_figure(text: str) -> None:
    families = {family.name for family in text_string_to_metric_families(text)}
    manual = MANUAL.read_text(encoding="utf-8")
    assert [name for name in sorted(families) if f"`{name}" not in manual] == []
