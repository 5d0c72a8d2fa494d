"""The device of this process: what it is, what it can hold, and how its faults are told."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import cupy

from gpu.tuning import Tuning, tuning


class DeviceFault(Exception):
    """CUDA failed: whatever the device held is lost, and this process can use it no more."""


@dataclass(frozen=True, slots=True)
class Device:
    """A CUDA device: compute capability as 90 for 9.0, sizes in bytes."""

    name: str
    capability: int
    multiprocessors: int
    shared_bytes: int
    memory: int


@cache
def device() -> Device:
    """The first device that this process may see."""
    with faults():
        return _described(0)


@cache
def tuned() -> Tuning:
    """What was measured on such devices."""
    return tuning(device().capability)


def _described(number: int) -> Device:
    properties = cupy.cuda.runtime.getDeviceProperties(number)
    return Device(
        name=properties["name"].decode(),
        capability=10 * properties["major"] + properties["minor"],
        multiprocessors=properties["multiProcessorCount"],
        shared_bytes=properties["sharedMemPerBlockOptin"],
        memory=properties["totalGlobalMem"],
    )


def free_bytes() -> int:
    """Bytes of the device that nobody holds, and those that this process keeps to use again."""
    free: int = cupy.cuda.runtime.memGetInfo()[0] + cupy.get_default_memory_pool().free_bytes()
    return free


def devices() -> list[Device]:
    """All devices that this process may see; asking takes none of them into use."""
    with faults():
        return [_described(number) for number in range(cupy.cuda.runtime.getDeviceCount())]


def cuda_version() -> int:
    """The newest CUDA that the driver knows: 13000 for 13.0."""
    with faults():
        return int(cupy.cuda.runtime.driverGetVersion())


def memory_in_use() -> tuple[int, int]:
    """Bytes of the device that somebody holds, and all that it has."""
    with faults():
        free, total = cupy.cuda.runtime.memGetInfo()
    return total - free, total


@contextmanager
def faults() -> Iterator[None]:
    """Turns CUDA's errors into DeviceFault."""
    try:
        yield
    except (
        cupy.cuda.runtime.CUDARuntimeError,
        cupy.cuda.driver.CUDADriverError,
        cupy.cuda.memory.OutOfMemoryError,
    ) as error:
        raise DeviceFault(f"CUDA: {error}") from error
