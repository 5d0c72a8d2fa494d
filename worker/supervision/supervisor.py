"""The supervisor: starts the front end and one worker per shard, replaces those that die, stops them in order.

What lives but does not answer any more is killed when its probe fails (liveness.py), and so replaced as well.
"""

import logging
import os
import signal
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

from redis.exceptions import BusyLoadingError, RedisError

from shardwater.errors import AlignError
from worker.cli.console import say
from worker.jobs.store import JobStore
from worker.jobs.worker_registry import worker_prefix
from worker.queue.recovery import release, searches_at_work
from worker.stop_flag import StopFlag
from worker.supervision.liveness import UNBEATEN_LOOKS, Heartbeat, LivenessProbes, Watched, answers_http, answers_redis
from worker.supervision.systemd import ALIVE, NO_MANAGER, READY, STOPPING, ServiceManager
from worker.supervision.valkey import EmbeddedError, EmbeddedValkey
from worker.telemetry.supervisor_rounds import forget_rounds, note_round

LOOK_S = 0.1
PLAN_S = 1.0
SETTLING_S = 10.0
"""Seconds after the start in which the plan is checked every LOOK_S, so that readiness is reported at once."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 10.0
FRONT_END_S = 10.0
"""What a front end may take to stop: it gives requests 5 s."""
MOST_NAMED = 5
STEADY_S = 10.0
"""A process that lived so long has started well: the next pause is short again."""

log = logging.getLogger(__name__)


class StartError(AlignError):
    """A process whose settings will not do: starting it again would not help."""


@dataclass(frozen=True, slots=True)
class Command:
    """A process to keep running; queue names the shard's queue of a worker, health the address to ask any other at."""

    name: str
    argv: tuple[str, ...]
    environment: dict[str, str]
    queue: str | None = None
    health: str = ""
    files: tuple[int, ...] = ()


@dataclass(slots=True)
class _Child:
    command: Command
    process: "Process | None" = None
    started: float = 0.0
    pause: float = FIRST_PAUSE_S
    resume: float = 0.0


class Process(Protocol):
    """A child of this process."""

    @property
    def pid(self) -> int: ...  # noqa: D102
    @property
    def returncode(self) -> int | None: ...  # noqa: D102
    def poll(self) -> int | None: ...  # noqa: D102
    def wait(self) -> int | None: ...  # noqa: D102
    def send_signal(self, number: int, /) -> None: ...  # noqa: D102
    def kill(self) -> None: ...  # noqa: D102


class Processes(Protocol):
    """Starts processes (fork_server.py)."""

    def start(self, argv: Sequence[str], environment: Mapping[str, str], files: Collection[int]) -> Process:
        """Start `python -P *argv` in a session of its own, with these files open. Raises OSError."""
        ...

    def reap(self) -> None:
        """Let go of ended processes that nobody waits for."""
        ...


class Plan(Protocol):
    """What should run now; asked again and again."""

    def __call__(self) -> Sequence[Command]:
        """The commands, the front end first; raises nothing but RedisError and AlignError."""
        ...


class Supervisor:
    """Keeps what a plan names running, until told to stop by SIGTERM or SIGINT."""

    def __init__(
        self,
        plan: Plan,
        processes: Processes,
        store: JobStore,
        grace_s: float,
        valkey: EmbeddedValkey | None = None,
        manager: ServiceManager = NO_MANAGER,
    ) -> None:
        self._plan, self._processes, self._store, self._grace_s = plan, processes, store, grace_s
        self._valkey, self._manager = valkey, manager
        self._children: dict[str, _Child] = {}
        self._leaving: list[_Child] = []
        self._began = time.monotonic()
        self._next_plan = self._valkey_resume = 0.0
        self._valkey_pause = FIRST_PAUSE_S
        self._troubled = self._announced = False
        self._stopping, self._at_once = StopFlag(), StopFlag()
        self._probes = LivenessProbes()

    def stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """End run(), at once when told a second time; also the handler of SIGTERM and SIGINT."""
        if self._stopping.is_set():
            self._at_once.set()
        self._stopping.set()

    def run(self) -> None:
        """Keep everything running; returns when all is stopped. Raises StartError, when all is stopped too."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.stop)
        try:
            with self._probes:
                self._watch_valkey()
                while not self._stopping.is_set():
                    self._look()
                    self._stopping.wait(LOOK_S)
        finally:
            self._stop_all()

    def _look(self) -> None:
        if self._valkey is not None and not self._valkey.running and time.monotonic() >= self._valkey_resume:
            self._restart_valkey(self._valkey)
        if time.monotonic() >= self._next_plan:
            settled = time.monotonic() - self._began > SETTLING_S
            self._next_plan = time.monotonic() + (PLAN_S if settled else LOOK_S)
            self._follow_plan()
            self._tell_of_life()
        for child in [*self._children.values(), *self._leaving]:
            if child.process is not None and child.process.poll() is not None:
                self._reap(child, child.process)
        self._processes.reap()
        self._leaving = [child for child in self._leaving if child.process is not None]
        for child in self._children.values():
            if child.process is None and time.monotonic() >= child.resume:
                self._start(child)

    def _restart_valkey(self, valkey: EmbeddedValkey) -> None:
        """On the same file: at once, but later and later where that does not help, as on a full disk."""
        log.warning("Valkey has died and is started again")
        self._probes.forget(valkey.pid)
        steady = time.monotonic() - self._valkey_resume > STEADY_S
        self._valkey_pause = FIRST_PAUSE_S if steady else min(LONGEST_PAUSE_S, 2 * self._valkey_pause)
        self._valkey_resume = time.monotonic() + self._valkey_pause
        try:
            valkey.start()
        except EmbeddedError as error:
            log.warning("%s", error)
        self._watch_valkey()

    def _watch_valkey(self) -> None:
        if (valkey := self._valkey) is not None:
            self._probes.watch(Watched("Valkey", valkey.pid, valkey.kill, lambda: answers_redis(valkey.url)))

    def _follow_plan(self) -> None:
        """Take in what is new, and let what is no longer wanted finish its job and go."""
        try:
            wanted = {command.name: command for command in self._plan()}
        except (RedisError, AlignError) as error:
            # Once, not in each round; and that it reads its file has been said, or is soon over.
            if not self._troubled and not isinstance(error, BusyLoadingError):
                log.warning("what runs goes on as it is: %s", error)
                self._troubled = True
            return
        self._troubled = False
        for name in set(self._children) - set(wanted):
            child = self._children.pop(name)
            if child.process is not None:
                child.process.send_signal(signal.SIGTERM)
                self._leaving.append(child)
        for name, command in wanted.items():
            self._children.setdefault(name, _Child(command))

    def _tell_of_life(self) -> None:
        """Say that we make our rounds: to who has started us, and to our front end by way of Redis."""
        self._manager.tell(ALIVE)
        with suppress(RedisError):
            note_round(self._store.redis)
        front_ends = [
            child.process.pid for child in self._children.values() if child.process and not child.command.queue
        ]
        if not self._announced and any(map(self._probes.has_answered, front_ends)):
            self._announced = True
            self._manager.tell(READY)

    def _start(self, child: _Child) -> None:
        command = child.command
        try:
            child.process = self._processes.start(command.argv, {**os.environ, **command.environment}, command.files)
        except OSError as error:
            log.warning("%s cannot be started: %s", command.name, error.strerror or error)
            self._postpone(child, steady=False)
            return
        child.started = time.monotonic()
        self._probes.watch(self._watched(command, child.process))

    def _watched(self, command: Command, process: Process) -> Watched:
        if command.queue is None:
            return Watched(command.name, process.pid, process.kill, lambda: answers_http(command.health))
        heartbeat = Heartbeat(self._store.redis, worker_prefix(command.queue, process.pid))
        return Watched(command.name, process.pid, process.kill, heartbeat, UNBEATEN_LOOKS)

    def _reap(self, child: _Child, process: Process) -> None:
        """Give the dead worker's job up at once, and start the next one: soon, unless it dies again and again."""
        self._probes.forget(process.pid)
        if process.returncode == os.EX_CONFIG:
            raise StartError(f"the {child.command.name} cannot start with these settings")
        if child not in self._leaving:
            log.warning("%s ended with status %s", child.command.name, process.returncode)
        child.process = None
        self._postpone(child, steady=time.monotonic() - child.started > STEADY_S)
        self._release(child, process)

    def _postpone(self, child: _Child, *, steady: bool) -> None:
        """Restart it at once if it ran for long; otherwise wait longer after each failure."""
        child.pause = FIRST_PAUSE_S if steady else min(LONGEST_PAUSE_S, 2 * child.pause)
        child.resume = time.monotonic() + (0 if steady else child.pause)

    def _release(self, child: _Child, process: Process) -> None:
        """Have a dead worker's job go to the next one."""
        if child.command.queue is None:
            return
        try:
            release(self._store, child.command.queue, worker_prefix(child.command.queue, process.pid))
        except RedisError as error:
            # The watchdog will find the job by its missing heartbeat.
            log.warning("%s: its job is not released: %s", child.command.name, error)

    def _stop_all(self) -> None:
        """The front end first, so that nothing new comes in; then workers, each after its job under way."""
        self._manager.tell(STOPPING)
        children = [*self._children.values(), *self._leaving]
        if self._stopping.is_set():
            self._say_what_is_waited_for(children)
        self._end([child for child in children if child.command.queue is None], min(FRONT_END_S, self._grace_s))
        self._end([child for child in children if child.command.queue is not None], self._grace_s)
        with suppress(RedisError):
            forget_rounds(self._store.redis)

    def _say_what_is_waited_for(self, children: Sequence[_Child]) -> None:
        """At once, since it may take long: nobody should have to guess why nothing happens."""
        busy = self._at_work(children)
        if not busy:
            say("Stopping.")
            return
        names, more = ", ".join(busy[:MOST_NAMED]), len(busy) - MOST_NAMED
        say(
            f"Stopping: waiting for at most {self._grace_s:g} s until the workers have done "
            f"{names}{f' and {more} more' if more > 0 else ''}. "
            "Ctrl-C or SIGTERM again stops at once: what is not done is done at the next start."
        )

    def _at_work(self, children: Sequence[_Child]) -> list[str]:
        """The searches that workers are doing, and how far each is; as far as Redis answers."""
        busy: dict[str, float] = {}
        with suppress(RedisError):
            for child in children:
                if child.process is not None and (queue := child.command.queue) is not None:
                    busy |= searches_at_work(self._store, queue, worker_prefix(queue, child.process.pid))
        return [f"{search} ({progress:.0%})" for search, progress in sorted(busy.items())]

    def _end(self, children: Sequence[_Child], patience_s: float) -> None:
        """Tell them to end, and kill those that have not in time, or when we are told to stop at once."""
        running = {child.process: child for child in children if child.process is not None}
        for process in running:
            process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline and any(process.poll() is None for process in running):
            if self._at_once.wait(LOOK_S):
                break
            self._manager.tell(ALIVE)
        for process, child in running.items():
            if process.poll() is None:
                log.warning("%s has not stopped and is killed", child.command.name)
                process.kill()
                process.wait()
                self._release(child, process)
