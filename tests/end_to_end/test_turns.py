"""Searches that share a worker's turn, and short ones that do not wait for long ones: the same bytes as alone."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from shardwater.sequences.fasta import read_fasta
from tests.support.problems import problem
from tests.support.server import Server, running, until

LONG = ">long\n" + "MKVLCAGWDERTYHIPSNQF" * 2200


@pytest.fixture(scope="module")
def sequences(queries: str) -> list[str]:
    """Twelve queries, parts of real proteins."""
    records = read_fasta(queries.encode())
    return [f">q{n}\n{record.residues[n : n + 60].decode()}\n" for record in records for n in (0, 20, 40)]


def alone(result: dict[str, Any]) -> dict[str, Any]:
    """A result without what tells one search from another."""
    return {name: value for name, value in result.items() if name != "search"}


def test_a_short_search_is_answered_in_the_middle_of_a_long_one(server: Server, sequences: list[str]) -> None:
    calm = server.search(sequences[0])
    long = server.post(LONG).json()["id"]
    server.until_running(long)
    overtaking = [server.search(sequences[0], title=str(number)) for number in range(3)]
    assert server.state(long)["state"] == "running"
    assert [alone(result) for result in overtaking] == [alone(calm)] * 3
    before = server.state(long)["progress"]
    with server.http as http:
        until(lambda: server.state(long)["progress"] > before)
        http.delete(f"/v1/searches/{long}")


def test_a_long_search_that_was_overtaken_finds_the_same(server: Server, sequences: list[str]) -> None:
    middling = ">middling\n" + "MKVLCAGWDERTYHIPSNQF" * 300
    calm = server.search(middling, title="calm")
    overtaken = server.post(middling, title="overtaken").json()["id"]
    server.until_running(overtaken)
    for number in range(3):
        server.search(sequences[number], title="by")
    assert alone(server.search(middling, title="overtaken")) == alone(calm)
    with server.http as http:
        assert alone(http.get(f"/v1/searches/{overtaken}/results").json()) == alone(calm)


def test_many_at_a_time_find_what_each_finds_alone(server: Server, sequences: list[str]) -> None:
    fields: list[dict[str, Any]] = [
        {},
        {"max_target_seqs": 3},
        {"evalue": 1e-3, "alignments": 1},
        {"gap_open": 12},
        {"score_distribution": True},
        {"statistics": "fitted", "max_target_seqs": 20},
    ]
    asked = [(sequence, each) for sequence in sequences[::2] for each in fields]
    calm = [server.search(sequence, title="calm", **each) for sequence, each in asked]
    with ThreadPoolExecutor(24) as clients:
        waiting = [clients.submit(server.search, sequence, title="busy", **each) for sequence, each in asked]
        busy = [each.result() for each in waiting]
    assert [alone(result) for result in busy] == [alone(result) for result in calm]


def test_a_full_queue_refuses_what_is_new_and_answers_what_is_not(tmp_path: Path, data: Path) -> None:
    (tmp_path / "demo").symlink_to(data / "demo")
    with running(Server(tmp_path, environment={"SHARDWATER_MAX_QUEUED_CELLS": str(10**11)})) as bounded:
        first = bounded.post(LONG).json()["id"]
        bounded.until_running(first)
        refused = bounded.post(LONG, title="another")
        problem(refused, 503, "queue-full")
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        assert refused.json()["retryable"]
        again = bounded.post(LONG).json()
        assert (again["id"], again["reused"]) == (first, True)
        bounded.search(">short\nMKVLAAGWMKVLAAGW")
        with bounded.http as http:
            http.post(f"/v1/searches/{first}:cancel")
            accepted = http.post("/v1/searches", json={"sequence": LONG, "database": "demo"})
            assert accepted.status_code == 202
            # The service would end with it.
            http.post(f"/v1/searches/{accepted.json()['id']}:cancel")
