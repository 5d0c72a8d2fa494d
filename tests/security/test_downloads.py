"""Downloads that are left or not read: they keep nobody from his own."""

import socket
from contextlib import ExitStack
from pathlib import Path

import httpx
import numpy as np

from app.responses.written import WRITERS
from tests.support.genomes import fasta, random_dna
from tests.support.guarded import QUERY, Guarded, search
from tests.support.server import PATIENCE_S, until

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


HELD = 60
LARGE = "".join(f">q{number} {'h' * 60_000}\nMKVLAAGWDEHH\n" for number in range(150))
LONG_LIST = "".join(f">c{number} {'h' * 900}\nMKVLAAGWDEHH\n" for number in range(1000))
MEMORY = 400 << 20
"""Of the replies, all together: those of LARGE alone would take half as much again."""


def resident(process: int) -> int:
    """Bytes of memory that a process has."""
    [told] = [line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmRSS")]
    return 1024 * int(told.split()[1])


def unread(guarded: Guarded, key: str, path: str) -> socket.socket:
    """A client that asks, and does not read."""
    url, one = httpx.URL(guarded.server.url), socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.settimeout(PATIENCE_S)
    one.connect((url.host, url.port))
    one.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {key}\r\n\r\n".encode())
    return one


def test_large_replies_that_nobody_takes_have_a_bound_and_keep_nobody_waiting(guarded: Guarded) -> None:
    ann, bob = guarded.client("anna"), guarded.client("bert")
    wait, [front_end] = {"Prefer": f"wait={PATIENCE_S}"}, guarded.server.pids("app")
    key, paths = ann.headers["Authorization"], []
    for http in (ann, bob):
        asked = {"sequence": LARGE, "database": "demo", "max_target_seqs": 1, "alignments": 0}
        search = http.post("/v1/searches", json=asked, headers=wait).headers["Location"]
        listed = http.post("/v1/msas", json={"queries": LONG_LIST, "databases": ["demo"]}, headers=wait)
        paths.append((f"{search}/request", listed.headers["Location"], f"{listed.headers['Location']}/events"))
    (asked_for, *stands), theirs = paths
    before = resident(front_end)
    with ExitStack() as open_ones:
        asking = [
            (path, open_ones.enter_context(unread(guarded, key, path)))
            for number in range(HELD)
            for path in (asked_for, stands[number % 2])
        ]
        assert bob.get("/healthz").status_code == 200
        told = [(path == asked_for, one.recv(12)[9:]) for path, one in asking]
        assert {status for large, status in told if large} == {b"200", b"503"}
        assert resident(front_end) < before + MEMORY
        assert [bob.get(path).status_code for path in theirs] == [200] * 3
    assert guarded.server.pids("app") == [front_end]
    # Who has gone has nothing under way.
    until(lambda: ann.get(asked_for).status_code == 200)


QUERIES, TITLE = 100, 60_000
"""Of a result that takes 1.5 MB as it is kept."""


def test_results_that_are_written_as_they_are_taken_have_the_same_bound(guarded: Guarded) -> None:
    ann, bob = guarded.client("anja"), guarded.client("boris")
    [front_end], key = guarded.server.pids("app"), ann.headers["Authorization"]
    letters = random_dna(RNG, QUERIES * TITLE)
    titles = (letters[first : first + TITLE] for first in range(0, len(letters), TITLE))
    long_titles = "".join(f">{title}\nMKVLAAGWDEHH\n" for title in titles)
    place, other = (search(http, text).headers["Location"] for http, text in ((ann, long_titles), (bob, QUERY)))
    forms = [f"{place}/results?{form}" for form in ("format=json", "format=ndjson", "format=pairwise")]
    forms.append(f"/Blast.cgi?CMD=Get&RID={place.rpartition('/')[2]}&FORMAT_TYPE=XML")
    before = resident(front_end)
    with ExitStack() as open_ones:
        asking = [open_ones.enter_context(unread(guarded, key, path)) for _ in range(HELD // 4) for path in forms]
        told = [one.recv(12)[9:] for one in asking]
        assert set(told) == {b"200", b"503"}
        assert resident(front_end) < before + MEMORY
        assert bob.get(f"{other}/results?format=tab").status_code == 200
    until(lambda: ann.get(forms[0]).status_code == 200)
