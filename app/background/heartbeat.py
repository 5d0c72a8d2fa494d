"""Whether a process that was asked something is at work: it says so each second until it answers, or computes.

Who is at work for minutes is left alone; who is stopped, or hangs as a whole, is noticed within MOST_SILENT seconds.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection

from worker.telemetry.process_status import processor_ticks

BEAT_S = 1.0
LOOK_S = 1.0
MOST_SILENT = 15
"""Looks in a row that hear nothing. Only looks count, never the clock: a machine that was paused has missed none."""
LONGEST_S = 600
"""What takes longer hangs, however lively its heart."""
_BEAT = None


@contextmanager
def beating(asker: Connection) -> Iterator[None]:
    """Say each second that this process lives, as long as the context lasts; the answer is for afterwards."""
    over = threading.Event()

    def beat() -> None:
        # Who has asked may be gone; the next thing that is sent or read says so.
        with suppress(OSError):
            while not over.wait(BEAT_S):
                asker.send(_BEAT)

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def hear(asked: Connection, process: int, going_on: Callable[[], object] = lambda: None) -> object:
    """What a process answers, whose number is told; calls `going_on` about every second until then.

    Raises TimeoutError where the process does nothing or takes too long, EOFError or another OSError where it is gone.
    """
    began, silent, computed = time.monotonic(), 0, processor_ticks(process)
    while True:
        if asked.poll(LOOK_S):
            answer: object = asked.recv()
            if answer is not _BEAT:
                return answer
            silent = 0
        else:
            # One long call may keep the heart from beating.
            before, computed = computed, processor_ticks(process)
            silent = silent + 1 if computed == before else 0
        if silent >= MOST_SILENT:
            raise TimeoutError(f"lives but has done nothing for {MOST_SILENT} s")
        if time.monotonic() - began > LONGEST_S:
            raise TimeoutError(f"has worked at one thing for more than {LONGEST_S} s")
        going_on()
