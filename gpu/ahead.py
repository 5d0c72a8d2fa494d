"""Kernels compiled before they are needed, which takes seconds where CuPy has not kept them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import cupy

from gpu.compile import kernel
from gpu.device import DeviceFault, faults
from gpu.variants import Variant

COMPILERS = 8


def compile_all(variants: Iterator[Variant]) -> None:
    """Compile these kernels for this process's device, several at a time; CuPy keeps them on disk.

    Raises DeviceFault where one does not compile.
    """
    with faults(), ThreadPoolExecutor(COMPILERS, thread_name_prefix="compiler") as compilers:
        try:
            list(compilers.map(lambda variant: kernel(variant.name, variant.ptxas, **variant.parameters), variants))
        except (RuntimeError, cupy.cuda.compiler.CompileException) as error:
            raise DeviceFault(f"the kernels do not compile: {error}") from error
