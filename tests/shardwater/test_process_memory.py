"""What a process has freed goes back to the system, whichever thread used it."""

import subprocess
import sys

import pytest

from worker.runner import process
from worker.settings import Settings

# Threads that are alive at once free large blocks, and keep a small one above them; then malloc tells what it holds.
HELD = """
import ctypes, sys, threading
from shardwater.process_memory import give_memory_back
class Told(ctypes.Structure):
    names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in names.split()]
libc = ctypes.CDLL(None)
if not hasattr(libc, "mallinfo2"):
    sys.exit(77)
if sys.argv[1] == "given back":
    give_memory_back()
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
together = threading.Barrier(4)
def use():
    together.wait()
    # The first one that is freed raises glibc's bound.
    for size in (24 << 20, 20 << 20):
        block = libc.malloc(size)
        libc.malloc(100_000)
        libc.free(block)
    together.wait()
threads = [threading.Thread(target=use) for _ in range(4)]
for each in threads: each.start()
for each in threads: each.join()
libc.mallinfo2.restype = Told
print(libc.mallinfo2().fordblks >> 20)
"""


def held(how: str) -> int:
    """The freed MB that a process keeps."""
    done = subprocess.run([sys.executable, "-P", "-c", HELD, how], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip("not glibc")
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="a setting of glibc")
def test_large_blocks_are_given_back() -> None:
    assert held("given back") < 4
    assert held("kept") >= 20


def test_workers_give_memory_back_before_they_start_any_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    class Done(Exception):
        pass

    def given_back() -> None:
        raise Done

    monkeypatch.setattr(process, "give_memory_back", given_back)
    with pytest.raises(Done):
        process.run_worker(Settings(), None)
