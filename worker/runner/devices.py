"""Which GPUs of the machine a process computes on, and the end of a worker when one fails."""

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from gpu import device_count
from shardwater.errors import AlignError
from worker.cli.console import Exit
from worker.jobs.worker_registry import Memory

VISIBLE = "CUDA_VISIBLE_DEVICES"

log = logging.getLogger(__name__)


class DeviceError(AlignError):
    """A GPU that this machine does not show us."""


def pin(numbers: Sequence[int]) -> None:
    """Let this process see these GPUs alone, as CUDA's numbers from 0 on; call it before anything asks CUDA."""
    visible = os.environ.get(VISIBLE)
    os.environ[VISIBLE] = ",".join(visible_device(number, visible) for number in numbers)


def check_shown(numbers: Sequence[int]) -> None:
    """Raises DeviceError where CUDA does not show all the GPUs that this process was pinned to."""
    shown = device_count()
    if shown < len(numbers):
        named = ", ".join(map(str, numbers))
        raise DeviceError(f"CUDA shows {shown} of the devices {named}" if shown else f"CUDA shows no device {named}")


def visible_device(number: int, visible: str | None) -> str:
    """The GPU of this number among those that CUDA_VISIBLE_DEVICES shows, by the name that it has there."""
    if visible is None:
        return str(number)
    shown = [name.strip() for name in visible.split(",") if name.strip()]
    if number >= len(shown):
        raise DeviceError(f"there is no device {number}: {VISIBLE} is {visible!r}")
    return shown[number]


def device_failure(error: Exception) -> str | None:
    """What CUDA gives as the reason, if this error says that the device is lost."""
    # CuPy, and with it this module, is there only where the GPU engine computes.
    device = sys.modules.get("gpu.device")
    if device is None or not isinstance(error, device.DeviceFault):
        return None
    return f"device {_pinned()} failed: {' '.join(str(error).split())}"


def end_if_device_failed(error: Exception, queue: str) -> None:
    """End the process at once when an error says that its device is lost; else do nothing.

    A CUDA context does not outlive a fault, and whatever still uses it may hang: neither RQ nor the interpreter may
    tidy up. The job stays as the death of any worker leaves it, and runs again (recovery.py).
    """
    failure = device_failure(error)
    if failure is not None:
        log.critical("the worker of %s ends: %s", queue, failure)
        os._exit(Exit.DEVICE)


def memory_in_use() -> Memory:
    """What this process takes, and its device where one computes."""
    resident_pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    process = resident_pages * os.sysconf("SC_PAGE_SIZE")
    device = sys.modules.get("gpu.device")
    if device is None:
        return Memory(process)
    try:
        used, total = device.memory_in_use()
    except device.DeviceFault:
        # The next job meets the same fault, and ends the process with its reason.
        return Memory(process)
    return Memory(process, used, total)


def _pinned() -> str:
    """The device's number on the machine, or its UUID: of several the first, which without a list CUDA takes."""
    return visible_device(0, os.environ.get(VISIBLE))
