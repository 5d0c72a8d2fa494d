"""Where the best alignment of a long pair ends, found in a process of its own.

parasail finds it in one call, which may take minutes, tells nothing on the way and cannot be stopped. A process can be
killed when nobody wants the answer any more, and its memory and its thread are free then. Letters go through its
standard input, numbers come through its standard output.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from typing import Any

import numpy as np

from shardwater.alignment.scheme import Mode, Places, Scheme
from shardwater.alignment.watch import Watch
from shardwater.errors import EngineError
from shardwater.scoring.table import Table
from shardwater.sequences.alphabet import Codes
from shardwater.sequences.alphabets import Alphabet

LOOK_S = 0.02
"""How often it is asked whether the answer is still wanted."""
_PR_SET_PDEATHSIG = 1
_ENDS = ("query_begin", "query_end", "subject_begin", "subject_end", "local")


def found_apart(query: Places, subject: Codes, scheme: Scheme, watch: Watch) -> tuple[int, int, int]:
    """striped.end of two sequences that parasail takes. Raises Stopped, and EngineError where the process fails."""
    asked = {
        "letters": scheme.table.alphabet.letters,
        "rows": scheme.table.rows,
        "units": scheme.table.units,
        "gaps": (scheme.gap_open, scheme.gap_extend),
        "mode": [getattr(scheme.mode, end) for end in _ENDS],
        "lengths": (len(query), len(subject)),
        "parent": os.getpid(),
    }
    letters = (np.ascontiguousarray(codes, np.uint8).tobytes() for codes in (query, subject))
    # Not from the current folder, and its own session: a Ctrl-C of the terminal does not reach it.
    command = [sys.executable, "-P", "-m", "shardwater.alignment.end_process"]
    with (
        subprocess.Popen(  # noqa: S603  our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        ) as process,
        ExitStack() as stack,
    ):
        stack.callback(process.kill)
        assert process.stdin is not None and process.stdout is not None
        # Where it has ended already, its status tells.
        with suppress(BrokenPipeError):
            process.stdin.write(b"".join((json.dumps(asked).encode(), b"\n", *letters)))
            process.stdin.close()
        while process.poll() is None:
            watch.passed(0)
            with suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_S)
        answer = process.stdout.read()
    if process.returncode:
        raise EngineError(f"the process that scores a long pair ended with status {process.returncode}")
    score, rows, columns = json.loads(answer)
    return score, rows, columns


def main() -> None:
    """Answer one question."""
    # Who asked may be killed without a chance to say so.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    from shardwater.alignment.striped import end  # noqa: PLC0415  that asks this module

    asked = json.loads(sys.stdin.buffer.readline())
    if os.getppid() != asked["parent"]:
        return
    query, subject = (np.frombuffer(sys.stdin.buffer.read(length), np.uint8) for length in asked["lengths"])
    json.dump(end(query, subject, _scheme(asked)), sys.stdout)


def _scheme(asked: dict[str, Any]) -> Scheme:
    table = Table(Alphabet.of("letters", asked["letters"]), asked["rows"], asked["units"])
    gap_open, gap_extend = asked["gaps"]
    return Scheme(table, gap_open, gap_extend, Mode(**dict(zip(_ENDS, asked["mode"], strict=True))))


if __name__ == "__main__":
    main()
