"""Harm to what a service stands on: its database's bytes, its disk, its network, its clock; and searches that kill."""

import os
import re
import signal
import threading
from pathlib import Path
from random import Random

from tests.faults.campaign import Fault
from tests.faults.killing import DIED_OFTEN
from tests.faults.places import CLOCK, behind_network, on_small_disk, poisonable, with_own_clock
from tests.faults.searches import Caller, Search
from tests.faults.service import Service

DAMAGED = re.compile(r"the database of shard \d is damaged or missing|" + DIED_OFTEN.pattern)
LONGEST_S = 45
"""Past the sixth time that a worker cannot load its shard."""
BALLAST = "ballast"


def files(service: Service) -> list[Path]:
    """The files of the service's database that answers are made of."""
    return sorted(service.data.glob("demo/*/residues.bin")) + sorted(service.data.glob("demo/*/names.bin"))


def wait(random: Random, longest_s: float = LONGEST_S) -> None:
    """Let the harm last for a time by chance."""
    threading.Event().wait(random.uniform(1.0, longest_s))


def change_bytes(service: Service, random: Random, longest_s: float = LONGEST_S) -> int:
    """Some bytes of a file are others for a while."""
    file = random.choice(files(service))
    whole = file.read_bytes()
    with file.open("r+b", buffering=0) as handle:
        for _ in range(100):
            handle.seek(random.randrange(len(whole)))
            handle.write(b"W")
        wait(random, longest_s)
        handle.seek(0)
        handle.write(whole)
    return 1


def truncate(service: Service, random: Random) -> int:
    """A file is shorter for a while."""
    file = random.choice(files(service))
    whole = file.read_bytes()
    os.truncate(file, random.randrange(len(whole)))
    wait(random)
    with file.open("r+b", buffering=0) as handle:
        handle.write(whole)
    return 1


def take_away(service: Service, random: Random) -> int:
    """A file is gone for a while, and the workers that had mapped it are killed."""
    file = random.choice(files(service))
    beside = file.with_suffix(".away")
    file.rename(beside)
    killed = len(service.send(signal.SIGKILL, "worker"))
    wait(random)
    beside.rename(file)
    return killed


def poison(service: Service, random: Random) -> int:
    """A search that kills each worker that takes it up (hooks/), while others run."""
    caller = Caller(service.url, [])
    told = caller.run(Search(f"poison {random.random()}", ">poison\nMKVLAAGW\n"))
    for search in told.ids:
        while caller.send("DELETE", f"/v1/searches/{search}") is None:
            pass
    caller.close()
    assert told.state == "failed", told
    assert DIED_OFTEN.search(told.detail), told
    return 6


def fill_disk(service: Service, random: Random) -> int:
    """No byte can be written for a while."""
    file = service.data / BALLAST
    try:
        with file.open("wb", buffering=0) as handle:
            for size in (1 << 20, 1 << 12, 1):
                while True:
                    try:
                        handle.write(bytes(size))
                    except OSError:
                        break
        wait(random, 15)
    finally:
        file.unlink()
    return 1


def cut_network(service: Service, random: Random) -> int:
    """Silence between a service and its queue for a while, or connections broken off, or both."""
    assert service.network is not None
    silent, broken = random.choice(((True, False), (False, True), (True, True)))
    if silent:
        service.network.silence()
        threading.Event().wait(random.uniform(0.5, 20.0))
    if broken:
        service.network.cut()
    service.network.heal()
    return 1


def jump_clock(service: Service, random: Random) -> int:
    """The wall clock of all processes jumps by up to an hour, this way or that."""
    Path(service.environment[CLOCK]).write_text(str(random.randint(-3600, 3600)))
    return len(service.pids())


MORE_FAULTS = (
    Fault("bytes of the database change", change_bytes, DAMAGED),
    Fault("a file of the database is cut off", truncate, DAMAGED),
    Fault("a file of the database is missing", take_away, DAMAGED),
    Fault("a search kills each worker that takes it up", poison, place=poisonable),
    Fault("the network to Redis is cut", cut_network, DIED_OFTEN, place=behind_network),
    Fault("the clock jumps", jump_clock, place=with_own_clock),
    Fault("the disk is full", fill_disk, place=on_small_disk),
)
