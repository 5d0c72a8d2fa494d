"""What a service says of time: phases in their order, progress that does not fall, and what it accepts by estimates.

How right estimates are is held with simulated time: tests/worker/jobs/test_costs.py, test_progress.py.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.events import followed
from tests.support.guarded import standing
from tests.support.server import Server, make_database, running

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


def test_a_batch_that_is_sent_twice_is_accepted_twice(large: Server) -> None:
    large.search("MKVLCAGW", title="first of all")
    batch, ids = proteins(60, 300, 3), []
    with large.http as http:
        try:
            for title in ("one", "two"):
                response = large.post(batch, title=title)
                assert response.status_code == 202, response.text
                ids.append(response.json()["id"])
        finally:
            for search in ids:
                http.delete(f"/v1/searches/{search}")


def test_alignments_are_progress_of_their_own(server: Server) -> None:
    fields: dict[str, Any] = {"statistics": "none", "max_target_seqs": 500, "alignments": 500}
    told = []
    with ExitStack() as stopped:
        # It is followed before it can begin.
        stopped.enter_context(standing(server))
        search = server.post(proteins(1, 1500, 4), title="to align", **fields).json()["id"]
        with followed(server, search) as stream:
            for event in stream:
                stopped.close()
                told.append(event.json)
    shares = [each["progress"] for each in told]
    assert all(before <= after for before, after in pairwise(shares))
    assert max(shares[:-1]) < shares[-1] == 1.0
    order = ["queued", "scoring", "aligning", "merging"]
    phases = [each["phase"] for each in told[:-1]]
    assert [order.index(phase) for phase in phases] == sorted(order.index(phase) for phase in phases)
    assert (told[-1]["state"], told[-1]["phase"]) == ("succeeded", None)
