"""Downloads that are left or not read: they keep nobody from his own."""

import socket
from contextlib import ExitStack

import httpx
import numpy as np

from app.responses.written import WRITERS
from tests.support.genomes import fasta, random_dna
from tests.support.guarded import Guarded
from tests.support.server import PATIENCE_S

RNG = np.random.default_rng(15)
UNIT = random_dna(RNG, 120)
GENOME = fasta({"a": "".join(UNIT + random_dna(RNG, 10) for _ in range(100))})
"""A stretch 100 times: 10,000 HSPs with another genome that has it as often."""


def compared(http: httpx.Client, name: str) -> str:
    body = {"query": GENOME, "subject": GENOME, "strands": "forward", "title": name}
    reply = http.post("/v1/comparisons", json=body, headers={"Prefer": f"wait={PATIENCE_S}"})
    return str(reply.headers["Location"])


def test_downloads_that_are_left_or_not_read_keep_nobody_waiting(guarded: Guarded) -> None:
    ann, bob = guarded.client("ann"), guarded.client("bob")
    place, other = compared(ann, "ann's"), compared(bob, "bob's")
    whole = bob.get(f"{other}/results?format=chain").content
    key = ann.headers["Authorization"]
    ask = f"GET {place}/results?format=json HTTP/1.1\r\nHost: localhost\r\nAuthorization: {key}\r\n\r\n"
    url = httpx.URL(guarded.server.url)
    with ExitStack() as open_ones:
        for number in range(4 * WRITERS):
            asking = open_ones.enter_context(socket.create_connection((url.host, url.port), PATIENCE_S))
            asking.sendall(ask.encode())
            assert asking.recv(15) == b"HTTP/1.1 200 OK"
            if number % 2:
                asking.close()
        assert bob.get(f"{other}/results?format=chain").content == whole
        assert bob.get(f"{other}/figures/dotplot.svg").status_code == 200
        # Hers are not lost either.
        assert ann.get(f"{place}/results?format=chain").status_code == 200
