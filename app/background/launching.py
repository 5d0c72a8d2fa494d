"""The process that a front end's merge processes are forked off: `python -P -m app.background.launching FD`.

It has loaded all that they need: a dozen of them start in the time of one. It answers each file descriptor that it is
sent with the number of a process that serves it, or with the negative error number where there is none.
"""

import ctypes
import errno
import gc
import logging
import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from typing import TYPE_CHECKING

from app.background.heartbeat import beating
from worker.telemetry.safe_traceback import outline

if TYPE_CHECKING:
    from collections.abc import Callable

    from worker.settings import Settings

_PR_SET_PDEATHSIG = 1

log = logging.getLogger(__name__)


def main() -> None:
    """Fork until the front end is gone."""
    _end_with_parent()
    front_end = Connection(int(sys.argv[1]))
    with beating(front_end):
        from app.background.merge_serving import serve  # noqa: PLC0415  it takes seconds, of which the heart tells

        settings: Settings = front_end.recv()
    # What is loaded stays: no collector need look through it, nor unshare its pages.
    gc.freeze()
    # Nobody asks how they have ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            with Connection(recv_handle(front_end)) as asker:
                front_end.send(_forked(front_end, asker, settings, serve))


def _end_with_parent() -> None:
    """Have Linux kill this process when its parent ends, however that comes, also where this one is stopped."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _forked(
    front_end: Connection, asker: Connection, settings: "Settings", serve: "Callable[[Connection, Settings], None]"
) -> int:
    launcher = os.getpid()
    try:
        process = os.fork()
    except OSError as error:
        return -(error.errno or errno.EAGAIN)
    if process:
        return process
    try:
        _end_with_parent()
        if os.getppid() == launcher:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            front_end.close()
            serve(asker, settings)
    except Exception as error:
        log.error("a process that merges ends: %s", outline(error))
    finally:
        # Nothing of the launcher's own end is done here.
        os._exit(0)


if __name__ == "__main__":
    main()
