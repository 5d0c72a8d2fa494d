"""CUDA source to kernels: the only place that compiles.

Each kernels/<room>/<name>.cu holds one entry point of the same name; its templates are fixed by macros, which are the
keyword arguments here, and the numbers of gpu/layout.py.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from gpu.layout import MACROS

KERNELS = Path(__file__).with_name("kernels")
OPTIONS = {"statistics": ("-fmad=false",)}
"""Of a room's kernels: those of statistics round as numpy does, each product by itself."""


def names() -> list[str]:
    """The names of all entry points."""
    return sorted(path.stem for path in KERNELS.glob("*/*.cu"))


def source(name: str) -> str:
    """The text of kernels/<room>/<name>.cu, with line numbers that a compiler's message will name."""
    path = _path(name)
    return f'#line 1 "{path.name}"\n{path.read_text(encoding="utf-8")}'


def _path(name: str) -> Path:
    [path] = KERNELS.glob(f"*/{name}.cu")
    return path


def options(name: str, parameters: Mapping[str, int | str]) -> tuple[str, ...]:
    """The compiler's options for an entry point with these macros.

    CuPy keys its disk cache by the options and by the text of the .cu file, but does not see what that includes:
    without the headers' digest an edited header would run stale.
    """
    room = _path(name).parent.name
    macros = {**MACROS[room], **parameters}
    defines = (f"-D{key}={value}" for key, value in sorted(macros.items()))
    return ("-std=c++17", f"-I{KERNELS}", f"-DHEADERS=0x{_headers_digest()}", *OPTIONS.get(room, ()), *defines)


def kernel(name: str, ptxas: str = "", /, **parameters: int | str) -> Any:
    """The entry point of that name, compiled for these macros (and for ptxas with this option, as `-O1`)."""
    return compiled(name, ptxas, tuple(sorted(parameters.items())))


@cache
def compiled(name: str, ptxas: str, parameters: tuple[tuple[str, int | str], ...]) -> Any:
    """What kernel() gives, once for each process."""
    import cupy  # noqa: PLC0415  what compiles needs a device; what reads options does not

    extra = (f"-Xptxas={ptxas}",) if ptxas else ()
    module = cupy.RawModule(code=source(name), options=(*options(name, dict(parameters)), *extra))
    return module.get_function(name)


@cache
def _headers_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(KERNELS.glob("*/*.cuh")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
