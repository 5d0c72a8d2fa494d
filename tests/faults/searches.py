"""Searches by a seed, the clients that send and follow them, and what they were told."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from random import Random

import httpx

from shardwater.sequences.fasta import Record

PAUSE_S = 0.05
PATIENCE_S = 180
"""A search that has not ended by then is lost."""
LARGE_QUERIES, ANY_EVALUE = 16, 1e6
"""A search of so many queries with so high a limit has a result that a process of its own merges."""
TINY = ">probe\nMKVLAAGWMKVLAAGW\n"
_AGAIN = (
    *(HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE),
    HTTPStatus.INSUFFICIENT_STORAGE,
)


@dataclass(frozen=True)
class Search:
    """What is asked for; the title tells searches apart that ask for the same."""

    title: str
    sequence: str
    max_target_seqs: int = 20
    evalue: float = 10

    @property
    def untitled(self) -> "Search":
        """One that asks for the same: its result differs by the id alone."""
        return replace(self, title="")

    @property
    def body(self) -> dict[str, object]:
        """As it is sent."""
        return {
            "sequence": self.sequence,
            "title": self.title,
            "database": "demo",
            "max_target_seqs": self.max_target_seqs,
            "evalue": self.evalue,
        }


def make_searches(records: Sequence[Record], seed: int, number: int) -> list[Search]:
    """Mostly a query or some, of all lengths; one in ten is large: many queries, each with all records as its hits."""
    random = Random(seed)
    found = []
    for each in range(number):
        large = random.random() < 0.1
        chosen = random.sample(list(records), LARGE_QUERIES if large else random.choice((1, 1, 2, 5)))
        text = "".join(f">{record.header.split()[0]}\n{record.residues.decode()}\n" for record in chosen)
        limits = (len(records), ANY_EVALUE) if large else (random.choice((1, 3, 10)),)
        found.append(Search(f"search {each} of seed {seed}", text, *limits))
    return found


@dataclass
class Told:
    """What a client was told of its search: the ids it was accepted under, its end, and its result without the id."""

    search: Search
    ids: list[str] = field(default_factory=list)
    state: str = "never accepted"
    detail: str = ""
    result: bytes = b""
    seconds: float = 0.0


class Caller:
    """A client that does not give up: it sends and asks again whatever breaks, and writes down what should not be."""

    def __init__(self, url: str, surprises: list[str], ending: threading.Event | None = None) -> None:
        # Without the certificates of all authorities, which each client would read, and none needs.
        self._http = httpx.Client(base_url=url, timeout=30, verify=False)
        self._surprises, self._pause = surprises, ending or threading.Event()

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def send(self, method: str, path: str, body: object = None) -> httpx.Response | None:
        """One request; None where there was no answer, or one that says to come again."""
        try:
            reply = self._http.request(method, path, json=body)
        except httpx.TransportError:
            reply = None
        if reply is not None and reply.status_code not in _AGAIN:
            if reply.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                self._surprises.append(f"{method} {path}: {reply.text}")
            return reply
        self._pause.wait(PAUSE_S)
        return None

    def run(self, search: Search, patience_s: float = PATIENCE_S, accepted: threading.Event | None = None) -> Told:
        """Send a search until it is accepted, which sets `accepted`, and follow it to its end."""
        told, started = Told(search), time.monotonic()
        while time.monotonic() - started < patience_s:
            if not told.ids:
                self._accept(told)
                if told.ids and accepted is not None:
                    accepted.set()
            elif self._ended(told):
                break
        told.seconds = time.monotonic() - started
        return told

    def _accept(self, told: Told) -> None:
        reply = self.send("POST", "/v1/searches", told.search.body)
        if reply is not None and reply.status_code in (HTTPStatus.OK, HTTPStatus.ACCEPTED):
            told.ids.append(reply.json()["id"])
            told.state = "accepted"

    def _ended(self, told: Told) -> bool:
        path = f"/v1/searches/{told.ids[-1]}"
        reply = self.send("GET", path)
        if reply is None:
            return False
        if reply.status_code != HTTPStatus.OK:
            told.state, told.detail = str(reply.status_code), reply.text
            return True
        found = reply.json()
        if found["state"] in ("queued", "running"):
            self._pause.wait(PAUSE_S)
            return False
        if found["state"] == "succeeded":
            return self._fetched(told, f"{path}/results")
        told.state = found["state"]
        told.detail = json.dumps(found["error"]) if found["error"] else ""
        return True

    def _fetched(self, told: Told, path: str) -> bool:
        reply = self.send("GET", path)
        if reply is None:
            return False
        if reply.status_code != HTTPStatus.OK:
            # What the queue lost between the two questions.
            told.state, told.detail = str(reply.status_code), reply.text
            return True
        told.state, told.result = "succeeded", reply.content.replace(told.ids[-1].encode(), b"ID")
        return True


def run_all(
    url: str, searches: Sequence[Search], clients: int, surprises: list[str], accepted: threading.Event | None = None
) -> Iterator[Told]:
    """Several clients, each with one search at a time; what they were told, in the order of the searches.

    accepted: is set when the first of them is.
    """

    def run(search: Search) -> Told:
        caller = Caller(url, surprises)
        try:
            return caller.run(search, accepted=accepted)
        finally:
            caller.close()

    with ThreadPoolExecutor(clients) as pool:
        yield from pool.map(run, searches)
