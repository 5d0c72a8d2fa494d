"""Harm to the processes of a service, and to the data of its queue."""

import re
import signal
import threading
from contextlib import suppress
from random import Random

from redis.exceptions import RedisError

from tests.faults.campaign import Fault, Harm
from tests.faults.service import EVERYTHING, SERVERS, Kind, Service, send
from tests.support.server import until
from worker.supervision.liveness import LOOK_S, UNANSWERED_LOOKS

KILLED = "does not answer, and is killed"
"""What the supervisor says of one that it takes for stuck."""
LONGEST_MERGE_S = 3.0


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


def amid_merges(number: signal.Signals) -> Harm:
    """A signal to all processes that merge: the first large result starts one."""

    def harm(service: Service, random: Random) -> int:
        until(lambda: service.pids("merging"))
        # By then it loads its modules, merges, or waits for another result.
        threading.Event().wait(random.uniform(0.0, LONGEST_MERGE_S))
        return len(service.send(number, "merging"))

    return harm


def pause_machine(service: Service, random: Random) -> int:
    """SIGSTOP to everything, and SIGCONT after a while: nobody may be taken for stuck then."""
    killed = service.log.read_text().count(KILLED)
    found = service.send(signal.SIGSTOP, *EVERYTHING)
    threading.Event().wait(random.uniform(5.0, 30.0))
    for pid in found:
        send(pid, signal.SIGCONT)
    threading.Event().wait(2 * LOOK_S * UNANSWERED_LOOKS)
    assert service.log.read_text().count(KILLED) == killed
    return len(found)


def lose_data(service: Service, random: Random) -> int:
    """Everything in Redis is gone at once."""
    with suppress(RedisError), service.redis as redis:
        redis.flushall()
    return 1


DIED_OFTEN = re.compile(r"the worker of shard \d of database demo died 6 times")
DATA_LOST = re.compile(r"data-lost")

PROCESS_FAULTS = (
    Fault("a worker is killed", kill_one_worker, DIED_OFTEN),
    Fault("all workers are killed", kill("worker"), DIED_OFTEN),
    Fault("the front end is killed", kill("front end")),
    Fault("those that merge are killed", amid_merges(signal.SIGKILL)),
    Fault("Valkey is killed", kill("valkey")),
    Fault("the supervisor is killed", kill("supervisor")),
    Fault("front end, workers and Valkey are killed", kill(*SERVERS), DIED_OFTEN),
    Fault("everything is killed", kill(*EVERYTHING), DIED_OFTEN),
    Fault("some processes are killed", kill_some, DIED_OFTEN),
    Fault("the workers are stopped for good", stop("worker")),
    Fault("the front end is stopped for good", stop("front end")),
    Fault("those that merge are stopped for good", amid_merges(signal.SIGSTOP)),
    Fault("Valkey is stopped for good", stop("valkey")),
    Fault("everything but the supervisor is stopped for good", stop(*SERVERS)),
    Fault("the workers pause", pause("worker", longest_s=20)),
    Fault("the front end pauses", pause("front end")),
    Fault("Valkey pauses", pause("valkey")),
    Fault("the machine pauses", pause_machine),
    Fault("Redis loses all its data", lose_data, DATA_LOST),
)
