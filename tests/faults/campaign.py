"""A campaign: searches run while one kind of harm is done again and again, and what came of them.

No accepted search may be lost, and none answered otherwise than in a calm run. When all is over and all searches are
deleted, nothing of them may be left: no process, and no key in Redis but those of ALLOWED_KEYS.
"""

import re
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from redis import Redis
from redis.exceptions import RedisError

from shardwater.build import build_database
from shardwater.fasta import Record
from tests.faults.searches import TINY, Caller, Search, Told, run_all
from tests.faults.service import SERVERS, Kind, Service, send

CLIENTS = 8
HARMED = 20
"""Searches to each harm."""
LONGEST_WAIT_S = 2.0
TIDY_S = 120
"""Within this what RQ keeps of jobs that have ended and of workers that have died is gone."""
ALLOWED_KEYS = re.compile(
    rb"shardwater:(alive|rate):.+|shardwater:mark"
    rb"|rq:workers(:.+)?|rq:worker:.+|rq:queues|rq:clean_registries:.+"
)
"""Of the workers that live, and of the service itself."""

Harm = Callable[[Service, Random], int]
"""Does harm once; how many processes it has struck."""


@dataclass(frozen=True)
class Fault:
    """A kind of harm, and what reason a search that it ends may give; none may where there is no pattern."""

    name: str
    harm: Harm
    reason: re.Pattern[str] | None = None


@dataclass
class Outcome:
    """What came of a campaign."""

    fault: str
    told: list[Told] = field(default_factory=list)
    struck: int = 0
    recoveries: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    surprises: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """Everything that must not be."""
        return [*self.lost, *self.wrong, *self.surprises, *self.leaked, *self.orphans]


def write_database(records: Sequence[Record], data: Path) -> None:
    """The database `demo` of these records, in two shards."""
    data.mkdir(parents=True, exist_ok=True)
    source = data / "source.fasta"
    source.write_text("".join(f">{record.header}\n{record.residues.decode()}\n" for record in records))
    build_database([source], data, name="demo", shards=2)


def calm_run(service: Service, searches: Sequence[Search]) -> dict[str, bytes]:
    """The results, by the searches' titles, when no harm is done."""
    surprises: list[str] = []
    told = list(run_all(service.url, searches, CLIENTS, surprises))
    assert {each.state for each in told} == {"succeeded"}, [each for each in told if each.state != "succeeded"]
    assert surprises == []
    return {each.search.title: each.result for each in told}


def run_campaign(
    fault: Fault, service: Service, searches: Sequence[Search], calm: dict[str, bytes], random: Random
) -> Outcome:
    """Run the searches on a service that is open, HARMED at a time, and do harm amid them; close it, and look."""
    outcome = Outcome(fault.name)
    until_ready(service)
    for first in range(0, len(searches), HARMED):
        _run_harmed(fault, service, searches[first : first + HARMED], random, outcome)
    _judge(fault, outcome, calm)
    _delete_all(service, outcome)
    service.close()
    outcome.orphans = service.left_behind()
    return outcome


def _run_harmed(fault: Fault, service: Service, searches: Sequence[Search], random: Random, outcome: Outcome) -> None:
    """Harm done once, at a moment by chance, and a search sent just then: how long that takes is the recovery."""
    clients = threading.Thread(
        target=lambda: outcome.told.extend(run_all(service.url, searches, CLIENTS, outcome.surprises))
    )
    clients.start()
    threading.Event().wait(random.uniform(0.0, LONGEST_WAIT_S))
    outcome.struck += fault.harm(service, random)
    probe = Caller(service.url, outcome.surprises)
    asked = probe.run(Search(f"probe {len(outcome.recoveries)}", TINY))
    probe.close()
    outcome.recoveries.append(asked.seconds)
    clients.join()
    outcome.told.append(asked)


def until_ready(service: Service) -> None:
    """Wait until a search can be sent."""
    caller = Caller(service.url, [])
    while caller.send("GET", "/readyz") is None:
        pass
    caller.close()


def _judge(fault: Fault, outcome: Outcome, calm: dict[str, bytes]) -> None:
    for told in outcome.told:
        line = f"{told.search.title} ({', '.join(told.ids)}): {told.state} {told.detail}"
        if told.state == "succeeded":
            if told.search.title in calm and told.result != calm[told.search.title]:
                outcome.wrong.append(line)
        elif fault.reason is not None and fault.reason.search(told.detail):
            outcome.failed.append(line)
        else:
            outcome.lost.append(line)


def _delete_all(service: Service, outcome: Outcome) -> None:
    until_ready(service)
    caller = Caller(service.url, outcome.surprises)
    for search in {search for told in outcome.told for search in told.ids}:
        while caller.send("DELETE", f"/v1/searches/{search}") is None:
            pass
    caller.close()
    deadline, pause = time.monotonic() + TIDY_S, threading.Event()
    with service.redis as redis:
        while (left := _foreign_keys(redis)) and time.monotonic() < deadline:
            pause.wait(0.2)
    outcome.leaked = left


def _foreign_keys(redis: Redis) -> list[str]:
    return sorted(key.decode() for key in redis.scan_iter(count=1000) if not ALLOWED_KEYS.fullmatch(key))


def kill(*kinds: Kind) -> Harm:
    """SIGKILL to all processes of these kinds."""
    return lambda service, random: len(service.send(signal.SIGKILL, *kinds))


def kill_one_worker(service: Service, random: Random) -> int:
    """SIGKILL to one worker."""
    found = service.pids("worker")
    if found:
        send(random.choice(found), signal.SIGKILL)
    return len(found[:1])


def kill_some(service: Service, random: Random) -> int:
    """SIGKILL to any processes at all, one to all of them."""
    found = service.pids("supervisor", *SERVERS)
    chosen = random.sample(found, random.randint(1, len(found))) if found else []
    for pid in chosen:
        send(pid, signal.SIGKILL)
    return len(chosen)


def stop(*kinds: Kind) -> Harm:
    """SIGSTOP to all processes of these kinds, for ever."""
    return lambda service, random: len(service.send(signal.SIGSTOP, *kinds))


def pause(*kinds: Kind, longest_s: float = 8.0) -> Harm:
    """SIGSTOP to all processes of these kinds, and SIGCONT after a while."""

    def harm(service: Service, random: Random) -> int:
        found = service.send(signal.SIGSTOP, *kinds)
        threading.Event().wait(random.uniform(0.5, longest_s))
        for pid in found:
            send(pid, signal.SIGCONT)
        return len(found)

    return harm


def lose_data(service: Service, random: Random) -> int:
    """Everything in Redis is gone at once."""
    with suppress(RedisError), service.redis as redis:
        redis.flushall()
    return 1


DIED_OFTEN = re.compile(r"the worker of shard \d died 6 times")
DATA_LOST = re.compile(r"data-lost")

PROCESS_FAULTS = (
    Fault("a worker is killed", kill_one_worker, DIED_OFTEN),
    Fault("all workers are killed", kill("worker"), DIED_OFTEN),
    Fault("the front end is killed", kill("front end")),
    Fault("Valkey is killed", kill("valkey")),
    Fault("the supervisor is killed", kill("supervisor")),
    Fault("front end, workers and Valkey are killed", kill(*SERVERS), DIED_OFTEN),
    Fault("everything is killed", kill("supervisor", *SERVERS, "keeper"), DIED_OFTEN),
    Fault("some processes are killed", kill_some, DIED_OFTEN),
    Fault("a worker is stopped for good", stop("worker")),
    Fault("the front end is stopped for good", stop("front end")),
    Fault("Valkey is stopped for good", stop("valkey")),
    Fault("everything but the supervisor is stopped for good", stop(*SERVERS)),
    Fault("workers pause", pause("worker", longest_s=20)),
    Fault("the front end pauses", pause("front end")),
    Fault("Valkey pauses", pause("valkey")),
    Fault("the machine pauses", pause("supervisor", *SERVERS, "keeper", longest_s=30)),
    Fault("Redis loses all its data", lose_data, DATA_LOST),
)
