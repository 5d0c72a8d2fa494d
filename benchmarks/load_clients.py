"""The clients of benchmarks/load.py, as Locust runs them: portals, scripts and pages that search, each in its own way.

A search is one that nobody has asked for before: a real protein with some residues exchanged. Its time runs from
sending it to having its result, under a name for its length; one that is refused or fails is counted with the reason.
"""

import json
import random
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import gevent
from locust import FastHttpUser, events, task
from locust.argument_parser import LocustArgumentParser
from locust.contrib.fasthttp import FastResponse
from locust.env import Environment
from locust.exception import StopUser

CLASSES = (100, 300, 1000)
LETTERS = "ACDEFGHIKLMNPQRSTVWY"
EXCHANGED = 5
PATIENCE_S = 900
NO_ANSWER, UNAVAILABLE = 0, 503


@events.init_command_line_parser.add_listener
def _(parser: LocustArgumentParser) -> None:
    parser.add_argument("--queries", help="FASTA of the proteins to search with")
    parser.add_argument("--database", default="demo")
    parser.add_argument("--think", type=float, default=0.0, help="mean seconds between a client's searches")
    parser.add_argument("--searches", type=int, default=0, help="stop after so many; 0: when the time is over")


def read_sequences(path: Path) -> list[str]:
    """The sequences of a FASTA file; locust's environment has nothing of ours to read it with."""
    return ["".join(record.split("\n")[1:]) for record in f"\n{path.read_text()}".split("\n>")[1:]]


def class_of(length: int) -> str:
    """The name of a query's length class."""
    bounds = (0, *CLASSES)
    for low, high in zip(bounds, CLASSES, strict=False):
        if length <= high:
            return f"{low + 1:,} to {high:,}"
    return f"over {CLASSES[-1]:,}"


@events.init.add_listener
def _(environment: Environment, **_: object) -> None:
    if environment.parsed_options.queries:
        environment.sequences = read_sequences(Path(environment.parsed_options.queries))
        environment.sent = count(1)


class Refused(Exception):
    """The service would not take a search, or did not answer it; says why in a word or two."""

    def __repr__(self) -> str:
        return str(self)


class Client(FastHttpUser):
    """Searches again and again; most wait for the reply, some ask how it stands, some listen."""

    connection_timeout = 60.0
    network_timeout = 120.0

    def on_start(self) -> None:
        """Who thinks between searches thinks before the first: clients come one by one."""
        self.thinks_first = self.environment.parsed_options.think > 0

    def wait_time(self) -> float:
        """Seconds of thought, as they come by chance."""
        think = self.environment.parsed_options.think
        return random.expovariate(1 / think) if think else 0.0

    @task(6)
    def wait(self) -> None:
        """As a portal's server does."""
        self._search({"Prefer": "wait=30"}, self._poll)

    @task(2)
    def poll(self) -> None:
        """As a script does."""
        self._search({}, self._poll)

    @task(2)
    def listen(self) -> None:
        """As the page does."""
        self._search({}, self._follow)

    def _search(self, headers: dict[str, str], until_ended: Callable[[str], None]) -> None:
        if self.thinks_first:
            self.thinks_first = False
            return
        limit = self.environment.parsed_options.searches
        if limit and next(self.environment.sent) > limit:
            if self.environment.runner.user_count <= 1:
                # Not from here: the end waits for its clients.
                gevent.spawn(self.environment.runner.quit)
            raise StopUser
        sequence = list(random.choice(self.environment.sequences))
        for place in random.sample(range(len(sequence)), min(EXCHANGED, len(sequence))):
            sequence[place] = random.choice(LETTERS)
        started, refusal, size = time.perf_counter(), None, 0
        try:
            size = self._answer("".join(sequence), headers, until_ended)
        except Refused as error:
            refusal = error
        events.request.fire(
            request_type="search",
            name=class_of(len(sequence)),
            response_time=1000 * (time.perf_counter() - started),
            response_length=size,
            exception=refusal,
            context={},
        )

    def _answer(self, sequence: str, headers: dict[str, str], until_ended: Callable[[str], None]) -> int:
        """Search and check the result; its size in bytes."""
        body = {"sequence": f">q\n{sequence}", "database": self.environment.parsed_options.database, "evalue": 1e-3}
        reply = self._send("POST", "/v1/searches", json=body, headers={"Cache-Control": "no-cache", **headers})
        if reply.status_code == 202:
            path = reply.headers["Location"]
            until_ended(path)
            reply = self._send("GET", f"{path}/results")
        if reply.status_code != 200:
            raise Refused(_reason(reply))
        [result] = reply.json()["results"]
        if result["query"]["length"] != len(sequence) or (len(sequence) > CLASSES[0] and not result["hits"]):
            raise Refused("a wrong result")
        return len(reply.content)

    def _send(self, method: str, path: str, **options: object) -> FastResponse:
        """A request; its own time is not counted by a name of its own."""
        with self.client.request(method, path, name="requests", catch_response=True, **options) as reply:
            reply.success()
        if reply.status_code == NO_ANSWER:
            raise Refused(f"no answer to {method}: {type(reply.error).__name__}")
        if reply.status_code == UNAVAILABLE:
            gevent.sleep(float(reply.headers.get("Retry-After", 1)))
        return reply

    def _poll(self, path: str) -> None:
        deadline = time.perf_counter() + PATIENCE_S
        while time.perf_counter() < deadline:
            reply = self._send("GET", path)
            if reply.status_code != 200:
                raise Refused(_reason(reply))
            if reply.json()["state"] not in ("queued", "running"):
                return
            gevent.sleep(float(reply.headers.get("Retry-After", 1)) * random.uniform(1, 3))
        raise Refused("not ended in time")

    def _follow(self, path: str) -> None:
        reply = self._send("GET", f"{path}/events")
        if reply.status_code != 200:
            raise Refused(_reason(reply))
        if b"event: done" not in reply.content:
            raise Refused("a stream broke off")


def _reason(reply: FastResponse) -> str:
    try:
        return f"{reply.status_code} {json.loads(reply.content)['type'].rpartition(':')[2]}"
    except (ValueError, KeyError):
        return f"{reply.status_code} without a problem document"
