"""Harm to what a service stands on: its database's bytes, its disk, its network, its clock; and searches that kill."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random

from tests.faults.campaign import Fault
from tests.faults.killing import DIED_OFTEN, KILLED, kill, stop
from tests.faults.places import (
    CLOCK,
    FEW_FILES,
    behind_network,
    on_small_disk,
    poisonable,
    watched,
    with_few_files,
    with_own_clock,
    with_workers_clocks,
)
from tests.faults.searches import PATIENCE_S, Caller, Search
from tests.faults.service import Service
from tests.support.server import until
from worker.jobs.targets import DEVICE

DAMAGED = re.compile(
    r"shard \d of database demo is damaged or missing|files of its database are damaged or missing|"
    + DIED_OFTEN.pattern
)
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
        until(partial(caller.send, "DELETE", f"/v1/searches/{search}"))
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


def serve_a_second_time(service: Service, random: Random) -> int:
    """Another `serve` on the same folder: it must end at once, and name the first."""
    [first] = service.pids("supervisor")
    command = [sys.executable, "-P", "-m", "worker.cli", "serve", "--data", str(service.data), "--port", "0"]
    ended = subprocess.run(command, capture_output=True, check=False, text=True, timeout=LONGEST_S)
    assert (ended.returncode, f"process {first} serves " in ended.stderr) == (1, True), ended.stderr
    return 1


def put_foreign_jobs(service: Service, random: Random) -> int:
    """Jobs of other functions, and garbage, among the calls of both shards: none may run, and none may stay."""
    ran = service.data / "ran"
    call = json.dumps(["os.system", None, [f"touch {ran}"], {}]).encode()
    put: list[str] = []
    with service.redis as redis:
        for alive in redis.scan_iter("shardwater:alive:*"):
            queue = alive.decode().removeprefix("shardwater:alive:")
            if queue == DEVICE:
                # Its parts are done by the workers of the shards, whom others call.
                continue
            for data in (zlib.compress(call), call, random.randbytes(100)):
                put.append(f"rq:job:foreign{random.getrandbits(64)}-0")
                fields = {
                    "data": data,
                    "origin": f"wake:{queue}",
                    "status": "queued",
                    "failure_callback_name": "os.abort",
                }
                redis.hset(put[-1], mapping=fields)
                redis.rpush(f"rq:queue:wake:{queue}", put[-1].removeprefix("rq:job:"))
        deadline, pause = time.monotonic() + PATIENCE_S, threading.Event()
        while redis.exists(*put) and time.monotonic() < deadline:
            pause.wait(0.2)
        assert not redis.exists(*put)
    assert not ran.exists()
    return len(put)


def use_up_files(service: Service, random: Random) -> int:
    """More idle connections than the front end may open files, for a while; it must live on."""
    before, killed = service.pids("front end"), service.log.read_text().count(KILLED)
    with ExitStack() as ending:
        for _ in range(FEW_FILES + 400):
            connection = ending.enter_context(socket.socket())
            connection.setblocking(False)
            with suppress(BlockingIOError):
                connection.connect(("127.0.0.1", service.port))
        wait(random, 30)
    assert (service.pids("front end"), service.log.read_text().count(KILLED)) == (before, killed)
    return FEW_FILES + 400


MORE_FAULTS = (
    Fault("bytes of the database change", change_bytes, DAMAGED),
    Fault("a file of the database is cut off", truncate, DAMAGED),
    Fault("a file of the database is missing", take_away, DAMAGED),
    Fault("a search kills each worker that takes it up", poison, place=poisonable),
    Fault("the network to Redis is cut", cut_network, DIED_OFTEN, place=behind_network),
    Fault("the clock jumps", jump_clock, place=with_own_clock),
    Fault("workers whose clocks are two hours off are killed", kill("worker"), DIED_OFTEN, place=with_workers_clocks),
    Fault("a second serve is started on the folder", serve_a_second_time),
    Fault("the supervisor is stopped for good", stop("supervisor"), place=watched),
    # Workers look at RQ's queue when they have had nothing to do for a while.
    Fault("jobs of others are put into the queues", put_foreign_jobs, deletes=False),
    Fault("the front end's files are used up", use_up_files, place=with_few_files),
    Fault("the disk is full", fill_disk, place=on_small_disk),
)
