"""Each test has a process of its own for the supervisor: it adopts orphans from then on."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from worker.supervision.service_plan import PRELOADED_MODULES

PROGRAM = """
import atexit, json, os, signal, sys

def main():
    [what, *arguments] = sys.argv[1:]
    if what == "tell":
        told = {"argv": sys.argv[1:], "environment": dict(os.environ), "parent": os.getppid(), "leads": os.getsid(0)}
        told["file"] = os.read(int(arguments[0]), 99).decode()
        print(json.dumps(told), flush=True)
    elif what == "exit":
        sys.exit(int(arguments[0]))
    elif what == "at exit":
        atexit.register(print, what)
    elif what == "raise":
        raise ValueError("a fault")
    elif what == "leave":
        if os.fork():
            os._exit(0)
        os.read(int(arguments[0]), 1)
    else:
        signal.pause()
"""
FULL = """
import errno, os

def fork():
    raise OSError(errno.ENOMEM, "no room")

os.fork = fork
"""
SUPERVISOR = """
import errno, json, os, signal
from worker.supervision.fork_server import ForkServer

def title(pid):
    return open(f"/proc/{pid}/cmdline", "rb").read()

def children():
    return open(f"/proc/self/task/{os.getpid()}/children").read().split()

forks = ForkServer(["program.__main__"])
"""


def supervised(folder: Path, code: str) -> "subprocess.CompletedProcess[str]":
    """What a supervisor with a fork server prints."""
    (folder / "program").mkdir()
    (folder / "program" / "__main__.py").write_text(PROGRAM)
    return subprocess.run(
        [sys.executable, "-P", "-c", SUPERVISOR + code],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def test_a_program_gets_its_arguments_its_environment_and_its_files(tmp_path: Path) -> None:
    done = supervised(
        tmp_path,
        """
there, here = os.pipe()
os.write(here, b"letters")
process = forks.start(["-m", "program", "tell", str(there)], {"ONE": "1"}, [there])
print(json.dumps([process.wait(), process.pid, os.getpid()]))
""",
    )
    told, [status, pid, supervisor] = map(json.loads, done.stdout.splitlines())
    assert status == 0
    assert told["argv"][0] == "tell"
    assert told["environment"] == {"ONE": "1"}
    assert (told["parent"], told["leads"], told["file"]) == (supervisor, pid, "letters")


@pytest.mark.parametrize(
    ("arguments", "status"), [(["exit", "0"], 0), (["exit", str(os.EX_CONFIG)], os.EX_CONFIG), (["raise"], 1)]
)
def test_its_end_is_heard_of(tmp_path: Path, arguments: list[str], status: int) -> None:
    done = supervised(tmp_path, f"print(forks.start(['-m', 'program', *{arguments}], {{}}).wait())")
    assert done.stdout == f"{status}\n"
    assert ("ValueError: a fault" in done.stderr) == (arguments == ["raise"])


def test_a_killed_process_tells_of_the_signal(tmp_path: Path) -> None:
    code = """
process = forks.start(["-m", "program", "stay"], {})
print(process.poll(), title(process.pid).split(b" -P ")[1].rstrip(b" \\0").decode())
process.kill()
print(process.wait(), process.poll())
process.kill()
"""
    assert supervised(tmp_path, code).stdout == f"None -m program stay\n{-signal.SIGKILL} {-signal.SIGKILL}\n"


def test_the_end_of_the_fork_server_harms_none(tmp_path: Path) -> None:
    code = """
first = forks.start(["-m", "program", "stay"], {})
# The first has begun once the fork server does something else.
forks.start(["-m", "program", "exit", "0"], {}).wait()
[server] = set(children()) - {str(first.pid)}
held = open("/dev/null")
os.kill(int(server), signal.SIGKILL)
os.waitid(os.P_PID, int(server), os.WEXITED | os.WNOWAIT)
second = forks.start(["-m", "program", "exit", "3"], {})
print(first.poll(), second.wait(), server in children())
third = forks.start(["-m", "program", "stay"], {})
forks.start(["-m", "program", "exit", "0"], {}).wait()
print([os.readlink(f"/proc/{third.pid}/fd/{n}") for n in os.listdir(f"/proc/{third.pid}/fd") if int(n) > 2])
for process in (first, third):
    process.kill()
    print(process.wait())
"""
    done = supervised(tmp_path, code)
    # Nothing that the supervisor has opened since the first fork server began is open in what the second forks.
    assert done.stdout.splitlines() == ["None 3 False", "[]", *2 * [str(-signal.SIGKILL)]]
    assert "the fork server has ended; starting another" in done.stderr


def test_a_refused_fork_is_told_with_its_reason_and_leaves_the_fork_server(tmp_path: Path) -> None:
    (tmp_path / "full.py").write_text(FULL)
    code = """
full = ForkServer(["full"])
before = children()
try:
    full.start(["-m", "program", "exit", "0"], {})
except OSError as error:
    print(errno.errorcode[error.errno], children() == before)
"""
    done = supervised(tmp_path, code)
    assert (done.stdout, done.stderr) == ("ENOMEM True\n", "")


def test_modules_that_cannot_be_loaded_are_told(tmp_path: Path) -> None:
    code = """
from worker.supervision import fork_server
broken = ForkServer(["no_such_module"])
try:
    broken.start(["-m", "program", "exit", "0"], {})
except OSError as error:
    print("not started")
"""
    done = supervised(tmp_path, code)
    assert done.stdout == "not started\n"
    assert done.stderr.count("the fork server ends: ModuleNotFoundError") == 2


def test_what_ends_in_order_runs_its_exit_handlers(tmp_path: Path) -> None:
    assert supervised(tmp_path, "forks.start(['-m', 'program', 'at exit'], {}).wait()").stdout == "at exit\n"


def test_what_a_process_leaves_behind_is_let_go_once_it_has_ended(tmp_path: Path) -> None:
    code = """
there, here = os.pipe()
process = forks.start(["-m", "program", "leave", str(there)], {}, [there])
process.wait()
[server, left] = children()
forks.reap()
print(children() == [server, left])
os.write(here, b"!")
os.waitid(os.P_PID, int(left), os.WEXITED | os.WNOWAIT)
forks.reap()
print(children() == [server])
"""
    assert supervised(tmp_path, code).stdout == "True\nTrue\n"


@pytest.mark.skipif(os.cpu_count() == 1, reason="numpy has one thread for each core")
def test_what_a_service_loads_has_one_thread_and_multiplies_in_one() -> None:
    code = f"""
import importlib, os
for name in {PRELOADED_MODULES}:
    importlib.import_module(name)
print(len(os.listdir("/proc/self/task")))
import numpy
many = numpy.ones((500, 500))
many @ many
print(len(os.listdir("/proc/self/task")))
"""
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, env=clean, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "1\n1\n"
