"""A campaign: searches run while one kind of harm is done again and again, and what came of them.

No accepted search may be lost, and none answered otherwise than in a calm run. Meanwhile jobs of every kind are sent
and deleted: none may come back. When all is over and all searches are deleted, nothing of them may be left: no process,
no folder, and no key in Redis but those of ALLOWED_KEYS.
"""

import os
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from redis import Redis

from shardwater.sequences.fasta import Record
from tests.faults.deletions import Deleting
from tests.faults.places import plain
from tests.faults.searches import PATIENCE_S, TINY, Caller, Search, Told, run_all
from tests.faults.service import Service
from tests.support.server import until
from worker.jobs.files import NEW_S, JobFiles
from worker.settings import Settings

CLIENTS = 8
HARMED = 67
"""Searches to each harm."""
SECONDS_A_SEARCH = 0.03
"""Harm is done within so many seconds for each search, after the first one was accepted: most are not answered yet."""
TIDY_S = 120
"""Within this what RQ keeps of jobs that have ended and of workers that have died is gone."""
ALLOWED_KEYS = re.compile(
    rb"shardwater:(alive|asleep|costs|refused|ring|worker|supervisor):.+|shardwater:(mark|counts|workers)"
    rb"|rq:workers(:.+)?|rq:worker:.+|rq:queues|rq:clean_registries:.+"
    # The calls that workers answer, and those that wait for one.
    rb"|rq:(queue|wip|failed):wake:.+|rq:(job|execution|executions):[0-9a-f]{8}-[0-9a-f-]{27}(:[0-9a-f]{32})?"
)
"""Of the workers that live, and of the service itself."""

Harm = Callable[[Service, Random], int]
"""Does harm once; how many processes, or other things, it has struck."""
Place = Callable[[Path, Sequence[Record]], AbstractContextManager[Service]]
"""Runs a service over a data folder that is not there yet."""


@dataclass(frozen=True)
class Fault:
    """A kind of harm, what reason a search that it ends may give (none may where there is no pattern), and where.

    deletes: whether jobs are sent and deleted beside it; not where the workers must come to rest.
    """

    name: str
    harm: Harm
    reason: re.Pattern[str] | None = None
    place: Place = plain
    deletes: bool = True


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
    deleted: Counter[str] = field(default_factory=Counter)
    back: list[str] = field(default_factory=list)
    interrupted: list[str] = field(default_factory=list)
    """Folders of deleted jobs that go an hour later: who deleted them was killed between Redis and the folder."""

    @property
    def faults(self) -> list[str]:
        """Everything that must not be."""
        return [*self.lost, *self.wrong, *self.surprises, *self.leaked, *self.orphans, *self.back]


def calm_run(service: Service, searches: Sequence[Search]) -> dict[Search, bytes]:
    """The results of these searches and of a probe, without their titles, when no harm is done."""
    surprises: list[str] = []
    untitled = list(dict.fromkeys(search.untitled for search in (*searches, Search("", TINY))))
    told = list(run_all(service.url, untitled, CLIENTS, surprises))
    assert {each.state for each in told} == {"succeeded"}, [each for each in told if each.state != "succeeded"]
    assert surprises == []
    _delete(service, told, surprises)
    return {each.search: each.result for each in told}


def run_campaign(
    fault: Fault,
    service: Service,
    searches: Sequence[Search],
    calm: dict[Search, bytes],
    random: Random,
    harmed: int = HARMED,
) -> Outcome:
    """Run the searches on a service that is open, some at a time, and do harm amid these; close it, and look."""
    outcome = Outcome(fault.name)
    until_ready(service)
    deleting = Deleting(service.url, Random(random.random()), outcome.surprises)
    with deleting if fault.deletes else nullcontext():
        for first in range(0, len(searches), harmed):
            _run_harmed(fault, service, searches[first : first + harmed], random, outcome)
    _judge(fault, outcome, calm)
    _delete_all(service, outcome)
    _look_for_deleted(service, deleting, outcome)
    service.close()
    outcome.orphans = service.left_behind()
    return outcome


def _run_harmed(fault: Fault, service: Service, searches: Sequence[Search], random: Random, outcome: Outcome) -> None:
    """Harm done once, at a moment by chance, and a search sent just then: how long that takes is the recovery."""
    accepted = threading.Event()
    clients = threading.Thread(
        target=lambda: outcome.told.extend(run_all(service.url, searches, CLIENTS, outcome.surprises, accepted))
    )
    clients.start()
    accepted.wait(PATIENCE_S)
    threading.Event().wait(random.uniform(0.0, SECONDS_A_SEARCH * len(searches)))
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
    until(lambda: caller.send("GET", "/readyz"))
    caller.close()


def _judge(fault: Fault, outcome: Outcome, calm: dict[Search, bytes]) -> None:
    for told in outcome.told:
        line = f"{told.search.title} ({', '.join(told.ids)}): {told.state} {told.detail}"
        if told.state == "succeeded":
            expected = calm[told.search.untitled]
            if told.result != expected:
                outcome.wrong.append(f"{line} {_difference(expected, told.result)}")
        elif fault.reason is not None and fault.reason.search(told.detail):
            outcome.failed.append(line)
        else:
            outcome.lost.append(line)


def _difference(calm: bytes, told: bytes) -> str:
    """What stands around the first byte that differs, in both."""
    pairs = enumerate(zip(calm, told, strict=False))
    at = next((place for place, (one, other) in pairs if one != other), min(len(calm), len(told)))
    around = slice(max(0, at - 80), at + 80)
    return f"{told[around]!r}, calm {calm[around]!r}"


def _delete(service: Service, told: Sequence[Told], surprises: list[str]) -> None:
    caller = Caller(service.url, surprises)
    for search in {search for each in told for search in each.ids}:
        until(partial(caller.send, "DELETE", f"/v1/searches/{search}"))
    caller.close()


def _delete_all(service: Service, outcome: Outcome) -> None:
    until_ready(service)
    _delete(service, outcome.told, outcome.surprises)
    deadline, pause = time.monotonic() + TIDY_S, threading.Event()
    with service.redis as redis:
        while (left := foreign_keys(redis)) and time.monotonic() < deadline:
            pause.wait(0.2)
    outcome.leaked = left


def _look_for_deleted(service: Service, deleting: Deleting, outcome: Outcome) -> None:
    """See that no deleted job is there, nor any folder once those are swept that a crash may have left."""
    deleting.look_again()
    outcome.deleted, outcome.back = deleting.deleted, deleting.back
    settings = Settings(data=service.data)
    kept = settings.jobs / "kept"
    outcome.interrupted = deleting.left_in(kept)
    long_ago = time.time() - 2 * NEW_S
    for folder in settings.jobs.glob("*/*"):
        os.utime(folder, (long_ago, long_ago))
    with service.redis as redis:
        JobFiles.of(settings).sweep(redis, 0)
    outcome.leaked += [str(folder) for folder in settings.jobs.glob("*/*")]


def foreign_keys(redis: Redis) -> list[str]:
    """The keys that may not be there when all searches have been deleted, but for those of RQ that are about to go."""
    found = [key for key in redis.scan_iter(count=1000) if not ALLOWED_KEYS.fullmatch(key)]
    return sorted(key.decode() for key in found if not (key.startswith(b"rq:") and _expires(redis, key)))


def _expires(redis: Redis, key: bytes) -> bool:
    """Whether Redis removes the key within TIDY_S, or has just done so: what remains need not be waited for."""
    left = redis.ttl(key)
    return left == -2 or 0 <= left <= TIDY_S
