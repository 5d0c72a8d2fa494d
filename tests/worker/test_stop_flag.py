"""A word to stop, from a handler of signals above all."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

from worker.stop_flag import StopFlag

ROUNDS = """
import signal
from worker.stop_flag import StopFlag

flag = StopFlag()
signal.signal(signal.SIGALRM, lambda *_: flag.set())
for number in range(3000):
    flag = StopFlag()
    # At another moment of the wait each time.
    signal.setitimer(signal.ITIMER_REAL, 1e-6 * (number % 300 + 1))
    while not flag.is_set():
        flag.wait(2e-5)
print("done")
"""


def test_handler_may_set_what_its_thread_waits_for() -> None:
    command = [sys.executable, "-c", ROUNDS]
    folder = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder, check=False)
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_all_who_wait_go_on() -> None:
    flag = StopFlag()
    told: list[bool] = []
    threads = [threading.Thread(target=lambda: told.append(flag.wait(60))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert not flag.is_set()
    flag.set()
    flag.set()
    for thread in threads:
        thread.join(60)
    assert told == [True] * 4
    assert flag.wait(60)


def test_wait_ends_without_a_word() -> None:
    flag = StopFlag()
    assert not flag.wait(0.001)
    assert not flag.is_set()


def test_signal_wakes_at_once() -> None:
    flag = StopFlag()
    before = signal.signal(signal.SIGUSR1, lambda *_: flag.set())
    try:
        signal.raise_signal(signal.SIGUSR1)
        assert flag.wait(60)
    finally:
        signal.signal(signal.SIGUSR1, before)
