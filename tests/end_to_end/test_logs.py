"""The log as JSON: each line an object, with the request and the search that it is about, and nothing that was sent."""

import json
import os
import signal
import socket
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.server import PATIENCE_S, Server, make_database, running, until

FASTA = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGWMKVLAAGW\n"
LETTERS = "MKVLAAGWMARKEDMARKEDMARKED"
SECRETS = (LETTERS, "MARKED", "secretheader", "secrettitle")
Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def search() -> list[str]:
    """The id of the search that the log is about."""
    return []


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory, search: list[str]) -> Lines:
    """The log of a service's whole life, with a worker killed in it."""
    folder = tmp_path_factory.mktemp("logs")
    (folder / "two.fasta").write_text(FASTA)
    make_database(folder / "two.fasta", folder / "data", shards=1)
    environment = {"SHARDWATER_LOG_FORMAT": "json", "SHARDWATER_LOG_LEVEL": "info"}
    with running(Server(folder / "data", environment=environment)) as server:
        search.append(ask(server))
        # The worker says what it has done after who waits for it has been answered.
        until(lambda: any("worker.runner.batch" in line for line in server.lines))
        killed = server.pids("worker.cli")
        os.kill(killed[0], signal.SIGKILL)
        until(lambda: server.pids("worker.cli") not in (killed, []))
        server.stop()
        return [json.loads(line) for line in server.lines]


def ask(server: Server) -> str:
    """Send marked sequences by every road there is."""
    body = {"sequence": f">{SECRETS[2]}\n{LETTERS}", "database": "demo", "title": SECRETS[3]}
    with server.http as http:
        headers = {"Prefer": f"wait={PATIENCE_S}", "X-Request-ID": "asked-1"}
        found = http.post("/v1/searches", json=body, headers=headers).json()["search"]
        assert http.get(f"/v1/searches/{found}/results", headers={"X-Request-ID": "asked-2"}).status_code == 200
        assert http.post("/v1/searches", content=f">q\n{LETTERS}@", params={"database": "demo"}).status_code == 415
        assert http.post("/v1/searches", json={**body, LETTERS: 1}).status_code == 422
        assert http.get(f"/v1/searches/{LETTERS}").status_code == 404
        assert http.get(f"/v1/searches/{LETTERS}/results?page_size=x").status_code == 422
        assert http.put(f"/v1/searches/{LETTERS}").status_code == 405
        assert http.get(f"/{LETTERS}", params={"sequence": LETTERS}).status_code == 404
        assert http.get("/", params={"sequence": LETTERS, "database": "demo"}).status_code == 200
        assert http.put("/v1/searches", content=LETTERS).status_code == 405
    address = urlsplit(server.url)
    with socket.create_connection((str(address.hostname), address.port or 0)) as connection:
        connection.sendall(f"{LETTERS}\0\r\n\r\n".encode())
        assert b"400" in connection.recv(100)
    return str(found)


def test_every_line_says_when_how_bad_and_who(lines: Lines) -> None:
    for line in lines:
        assert datetime.fromisoformat(line["time"]).utcoffset() is not None
        assert line["time"].endswith("Z")
        assert line["level"] in {"debug", "info", "warning", "error", "critical"}
        assert line["logger"]
        assert line["message"]
    assert {"shardwater", "worker.supervision.supervisor", "worker.runner.batch", "app.access", "uvicorn.error"} <= {
        line["logger"] for line in lines
    }


def test_worker_names_the_request_and_the_search(lines: Lines, search: list[str]) -> None:
    done = [line for line in lines if line["logger"] == "worker.runner.batch"]
    assert [(line["request_id"], line["search"]) for line in done] == [("asked-1", search[0])]


def test_each_request_has_a_line(lines: Lines, search: list[str]) -> None:
    requests = [line for line in lines if line["logger"] == "app.access"]
    assert len(requests) == 10
    first, second = requests[:2]
    assert (first["method"], first["route"], first["status"]) == ("POST", "/v1/searches", 200)
    assert (first["request_id"], first["search"]) == ("asked-1", search[0])
    assert (second["route"], second["search"]) == ("/v1/searches/{search}/results", search[0])
    assert second["bytes"] > 100
    assert 0 < second["duration_s"] < PATIENCE_S
    assert "search" not in requests[4]
    assert [line["status"] for line in requests[2:]] == [415, 422, 404, 422, 405, 404, 200, 405]
    assert requests[7]["route"] == "none"


def test_nothing_that_was_sent_is_in_the_log(lines: Lines) -> None:
    text = json.dumps(lines)
    assert [secret for secret in SECRETS if secret in text] == []
