"""What a service says of time: estimates that short searches do not spoil, phases, and progress that does not fall."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.end_to_end.server import Server, make_database, running
from tests.end_to_end.test_api_events import followed

LETTERS = np.frombuffer(b"ACDEFGHIKLMNPQRSTVWY", np.uint8)


def proteins(count: int, length: int, seed: int) -> str:
    """FASTA of made-up proteins."""
    rows = np.random.default_rng(seed).choice(LETTERS, (count, length))
    return "".join(f">p{number}\n{row.tobytes().decode()}\n" for number, row in enumerate(rows))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service over ten million residues: even a query of eight residues takes a tenth of a second."""
    folder: Path = tmp_path_factory.mktemp("large")
    (folder / "large.fasta").write_text(proteins(25_000, 400, 1))
    make_database(folder / "large.fasta", folder / "data", shards=1)
    with running(Server(folder / "data")) as started:
        yield started


def seconds(server: Server, sequence: str) -> float:
    """The estimate of a search alone."""
    with server.http as http:
        body = {"sequence": sequence, "database": "demo"}
        return float(http.post("/v1/searches:estimate", json=body).json()["seconds"])


def costs_are_told(server: Server) -> None:
    """Wait until the worker has told what it learned: with its next heartbeat but one, at the latest."""
    with server.redis as redis, redis.monitor() as monitor:
        beats = (command for command in monitor.listen() if "shardwater:costs" in command["command"])
        for _ in range(2):
            next(beats)


def test_a_short_search_says_nothing_of_a_large_one(large: Server) -> None:
    batch = proteins(100, 300, 2)
    before = seconds(large, batch)
    for number, length in enumerate((8, 12, 8)):
        large.search("MKVLCAGWDERT"[:length], title=str(number))
    costs_are_told(large)
    assert 0.5 < seconds(large, batch) / before < 2


def test_a_batch_that_is_sent_twice_is_accepted_twice(large: Server) -> None:
    large.search("MKVLCAGW", title="first of all")
    batch, ids = proteins(60, 300, 3), []
    with large.http as http:
        try:
            for title in ("one", "two"):
                response = large.post(batch, title=title)
                assert response.status_code == 202, response.text
                ids.append(response.json()["id"])
            told = []
            with followed(large, ids[0]) as stream:
                for event in stream:
                    if event.json["estimate_s"] is not None and event.json["progress"] > 0:
                        told.append(event.json["estimate_s"])
                    if len(told) == 10:
                        break
            # Each look comes after some measurements, no one of which moves it by more than two.
            assert all(0.3 < after / before < 3 for before, after in pairwise(told))
            waiting = large.state(ids[1])
            assert waiting["position"] == 1
            assert waiting["estimate_s"] > told[-1] / 2
        finally:
            for search in ids:
                http.delete(f"/v1/searches/{search}")


def test_alignments_are_progress_of_their_own(server: Server) -> None:
    fields: dict[str, Any] = {"statistics": "none", "max_target_seqs": 500, "alignments": 500}
    search = server.post(proteins(1, 1500, 4), title="to align", **fields).json()["id"]
    told = []
    with followed(server, search) as stream:
        for event in stream:
            told.append(event.json)
    shares = [each["progress"] for each in told]
    assert all(before <= after for before, after in pairwise(shares))
    assert max(shares[:-1]) < shares[-1] == 1.0
    order = ["queued", "scoring", "aligning", "merging"]
    phases = [each["phase"] for each in told[:-1]]
    assert [order.index(phase) for phase in phases] == sorted(order.index(phase) for phase in phases)
    assert {"scoring", "aligning"} <= set(phases)
    assert (told[-1]["state"], told[-1]["phase"]) == ("succeeded", None)
    aligning = [each["progress"] for each in told if each["phase"] == "aligning"]
    assert aligning[0] < aligning[-1] < 1
