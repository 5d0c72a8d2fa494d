"""Long calls of parasail in a process of its own: the same answers, and nothing left when nobody wants them."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from shardwater.alignment import end_process, striped
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.watch import Stopped, Watch
from shardwater.errors import EngineError
from shardwater.scoring.table import Table, match_table, matrix_table
from shardwater.sequences.alphabets import Alphabet
from tests.support.pairs import random_pair

pytest.importorskip("parasail", reason="parasail has wheels for x86-64 alone")

ROOT = Path(__file__).parents[3]
MODES = [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL, Mode.free(["query_end", "subject_begin"])]
UNEVEN = Table(Alphabet.of("uneven", "xyz"), ((20, -10, 5), (-30, 40, -5), (0, -15, 30)), 10)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_the_same_numbers(monkeypatch: pytest.MonkeyPatch, mode: Mode) -> None:
    rng = np.random.default_rng(1)
    for table, letters in ((match_table(2, -1), 4), (matrix_table("BLOSUM62"), 24), (UNEVEN, 3)):
        pair, scheme = random_pair(rng, letters, 90, 120), Scheme(table, 30, 10, mode)
        found = []
        for most in (1 << 40, 1):
            monkeypatch.setattr(striped, "APART_CELLS", most)
            score = striped.score_pair(pair.query, pair.subject, scheme, Watch())
            found.append((score, striped.align_pair(pair.query, pair.subject, scheme, watch=Watch())))
        assert found[0] == found[1]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started."""
    processes, popen = [], subprocess.Popen

    def recorded(*args, **kwargs):
        processes.append(popen(*args, **kwargs))
        return processes[-1]

    monkeypatch.setattr(end_process.subprocess, "Popen", recorded)
    return processes


def test_a_call_that_nobody_wants_any_more_is_killed(started: list[subprocess.Popen[bytes]]) -> None:
    long = np.random.default_rng(2).integers(0, 4, 1_000_000, np.uint8)
    watch = Watch()
    watch.stop()
    with pytest.raises(Stopped):
        # It would take minutes.
        end_process.found_apart(long, long, Scheme(match_table(2, -3), 5, 2, Mode.GLOBAL), watch)
    assert [process.returncode for process in started] == [-signal.SIGKILL]


def test_a_process_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(end_process.sys, "executable", "/bin/false")
    few = np.zeros(10, np.uint8)
    with pytest.raises(EngineError, match="ended with status 1"):
        end_process.found_apart(few, few, Scheme(match_table(2, -3), 5, 2, Mode.GLOBAL), Watch())


ASKING = """
import subprocess
import numpy as np
from shardwater.alignment import end_process
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.watch import Watch
from shardwater.scoring.table import match_table

popen = subprocess.Popen

def told(*args, **kwargs):
    process = popen(*args, **kwargs)
    print(process.pid, flush=True)
    return process

subprocess.Popen = told
long = np.random.default_rng(2).integers(0, 4, 1_000_000, np.uint8)
end_process.found_apart(long, long, Scheme(match_table(2, -3), 5, 2, Mode.GLOBAL), Watch())
"""


def test_it_ends_with_who_has_asked() -> None:
    with subprocess.Popen([sys.executable, "-c", ASKING], cwd=ROOT, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        process = os.pidfd_open(int(asking.stdout.readline()))
        asking.kill()
    try:
        ended, _, _ = select.select([process], [], [], 60)
        assert ended
    finally:
        os.close(process)
