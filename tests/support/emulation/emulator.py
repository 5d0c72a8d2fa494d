"""Kernels on the CPU: `kernel(name, **macros)` gives what gpu.compile.kernel gives, for arrays of numpy.

The kernel's own source is compiled by g++ (source.py puts its PTX in other words, cuda.h stands for CUDA's own words)
and called through ctypes. Threads of a block are fibres that run in turn, so what a kernel does is the same each time;
`backwards` lets the last thread run first, which shows where one relies on the order. The results are exact; of time,
memory's order and lanes that part it says nothing.
"""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from gpu.compile import options
from gpu.layout import WARP
from tests.support.emulation.source import write_translated

HERE = Path(__file__).parent
ARCHITECTURE = 90
FLAGS = ("-O1", "-w", "-shared", "-fPIC", "-U_FORTIFY_SOURCE")
"""Fortified jumps would refuse to leave a fibre's stack for another's."""
COMPILER = shutil.which("g++")
_OUTCOMES = ("", "arguments of other sizes or of another number", "threads that wait for others for ever")

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no g++ is installed")

Argument = npt.NDArray[np.generic] | np.generic


class LaunchError(Exception):
    """A launch that the kernel cannot end, or that is not for it."""


@dataclass(frozen=True)
class EmulatedKernel:
    """An entry point, called as CuPy's are: (columns[, rows]) of the grid, (threads,) of a block, and arguments."""

    name: str
    library: ctypes.CDLL

    def __call__(
        self,
        grid: tuple[int, ...],
        block: tuple[int],
        arguments: Sequence[Argument],
        *,
        shared_mem: int = 0,
        backwards: bool = False,
    ) -> None:
        """Run all blocks to their end. Arrays are contiguous, and are written in place; numbers are numpy's."""
        for each in arguments:
            assert not isinstance(each, np.ndarray) or each.flags.c_contiguous
        # A number's bytes are kept by its array; an array is a pointer to its data.
        values = [
            np.array([each.ctypes.data], np.uintp) if isinstance(each, np.ndarray) else np.array([each])
            for each in arguments
        ]
        pointers = (ctypes.c_void_p * len(values))(*(value.ctypes.data for value in values))
        sizes = (ctypes.c_size_t * len(values))(*(value.itemsize for value in values))
        assert block[0] % WARP == 0
        shared = np.zeros(shared_mem + 16, np.uint8)
        columns, rows = (*grid, 1)[:2]
        outcome = self.library.launch(
            columns, rows, block[0], ctypes.c_void_p(shared.ctypes.data), backwards, pointers, sizes,
            ctypes.c_size_t(len(values)),
        )  # fmt: skip
        if outcome:
            raise LaunchError(f"{self.name}: {_OUTCOMES[outcome]}")


def kernel(name: str, ptxas: str = "", /, **parameters: int | str) -> EmulatedKernel:
    """The entry point of that name, compiled for these macros; `ptxas` means nothing here."""
    return _compiled(name, tuple(sorted(parameters.items())))


_numbers = count()


@cache
def _compiled(name: str, parameters: tuple[tuple[str, int | str], ...]) -> EmulatedKernel:
    folder = Path(_sources().name)
    [source] = folder.glob(f"*/{name}.cu")
    unit, library = (folder / f"{name}_{next(_numbers)}{suffix}" for suffix in (".cpp", ".so"))
    unit.write_text(f'#include "cuda.h"\n#include "{source}"\n#define KERNEL {name}\n#include "launch.h"\n')
    macros = [option for option in options(name, dict(parameters)) if option.startswith("-D")]
    macros.append(f"-D__CUDA_ARCH__={10 * ARCHITECTURE}")
    command = [str(COMPILER), "-std=c++17", *FLAGS, f"-I{HERE}", f"-I{folder}", *macros, str(unit), "-o", str(library)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
    return EmulatedKernel(name, ctypes.CDLL(str(library)))


@cache
def _sources() -> "tempfile.TemporaryDirectory[str]":
    """A folder for what is compiled, which goes with the process."""
    folder = tempfile.TemporaryDirectory(prefix="emulated-")
    write_translated(Path(folder.name))
    return folder
