"""How a process that runs for long gives memory back to the system."""

import ctypes
import sys

LARGE_BLOCK = 1 << 20
"""glibc's malloc raises this bound by itself, up to 32 MB, as large blocks are freed. Blocks below the bound stay with
the threads that used them. A worker starts threads for each job: it came to hold 300 MB, and used 20 MB of them."""

_M_MMAP_THRESHOLD = -3


def give_memory_back() -> None:
    """Have glibc return blocks of LARGE_BLOCK bytes or more as soon as they are free; elsewhere do nothing."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK)
