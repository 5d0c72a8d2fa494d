"""Kernels compiled and read without a device: what NVRTC and ptxas make of them, down to the instructions of a loop."""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gpu.compile import options, source

CUPYS_OWN = ("-ftz=true", "--device-as-default-execution-space")
"""The options that CuPy's RawModule adds to ours."""


class CompileError(Exception):
    """NVRTC's log."""


@dataclass(frozen=True, slots=True)
class Cubin:
    """Machine code, and what the compiler said on the way."""

    code: bytes
    log: str


@dataclass(frozen=True, slots=True)
class Resources:
    """What a kernel takes: a thread's registers, the bytes it spills, a block's static shared bytes."""

    registers: int
    spilt: int
    shared: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """A line of a disassembly: where it stands, its operation with modifiers, and where it may jump to."""

    place: int
    operation: str
    target: int | None


def compile_cubin(name: str, parameters: dict[str, int | str], architecture: int, ptxas: str = "") -> Cubin:
    """A kernel compiled as gpu.compile.kernel does, for an architecture such as 90."""
    flags = (f"-arch=sm_{architecture}", "-Xptxas=-v", *([f"-Xptxas={ptxas}"] if ptxas else []))
    return _compile(source(name), (*options(name, parameters), *CUPYS_OWN, *flags))


def _compile(text: str, flags: Sequence[str]) -> Cubin:
    from cuda.bindings import nvrtc

    done = nvrtc.nvrtcResult.NVRTC_SUCCESS
    error, program = nvrtc.nvrtcCreateProgram(text.encode(), b"kernel.cu", 0, [], [])
    assert error == done
    (compiled,) = nvrtc.nvrtcCompileProgram(program, len(flags), [flag.encode() for flag in flags])
    _, size = nvrtc.nvrtcGetProgramLogSize(program)
    log = bytearray(size)
    nvrtc.nvrtcGetProgramLog(program, log)
    if compiled != done:
        raise CompileError(log.decode())
    _, size = nvrtc.nvrtcGetCUBINSize(program)
    code = bytearray(size)
    nvrtc.nvrtcGetCUBIN(program, code)
    nvrtc.nvrtcDestroyProgram(program)
    return Cubin(bytes(code), log.decode())


def resources(cubin: Cubin) -> Resources:
    """What ptxas says that the kernel takes."""
    return Resources(
        registers=_number(r"Used (\d+) registers", cubin.log),
        spilt=_number(r"(\d+) bytes spill stores", cubin.log),
        shared=_number(r"(\d+) bytes smem", cubin.log),
    )


def _number(pattern: str, log: str) -> int:
    found = re.search(pattern, log)
    return int(found[1]) if found else 0


def disassembler() -> Path | None:
    """nvdisasm of the wheel nvidia-cuda-nvdisasm, None without it."""
    programs = (Path(folder) / "nvidia" / "cu13" / "bin" / "nvdisasm" for folder in sys.path)
    return next((program for program in programs if program.is_file()), None)


def main_loop(cubin: Cubin) -> Counter[str]:
    """How often each operation stands in the kernel's main loop: the longest that holds no other loop."""
    return longest_loop(_disassemble(cubin))


def longest_loop(text: str) -> Counter[str]:
    """How often each operation stands in the longest innermost loop of a disassembly."""
    instructions = _parse(text)
    # Where lanes have parted they go through code behind the kernel's end, and return by jumps that are no loops.
    apart = min((each.target for each in instructions if each.operation == "BRA.DIV" and each.target), default=None)
    loops: dict[int, int] = {}
    for each in instructions:
        behind = apart is not None and each.place >= apart
        if each.target is not None and each.target < each.place and not behind:
            loops[each.target] = max(each.place, loops.get(each.target, 0))
    inner = [
        (start, end)
        for start, end in loops.items()
        if not any(start <= other and loops[other] <= end for other in loops if other != start)
    ]
    start, end = max(inner, key=lambda loop: loop[1] - loop[0])
    return Counter(each.operation for each in instructions if start <= each.place <= end)


def _disassemble(cubin: Cubin) -> str:
    program = disassembler()
    assert program is not None
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin.code)
        file.flush()
        return subprocess.run([program, "-c", file.name], check=True, capture_output=True, text=True).stdout


_LABEL = re.compile(r"^(\.L_\w+):$")
_INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)$")
_TARGET = re.compile(r"`\((\.L_\w+)\)")
_BRANCHES = ("BRA", "BRX", "JMP")


def _parse(text: str) -> list[Instruction]:
    places: dict[str, int] = {}
    found: list[tuple[int, str, str]] = []
    waiting: list[str] = []
    for line in text.splitlines():
        if label := _LABEL.match(line):
            waiting.append(label[1])
        elif instruction := _INSTRUCTION.match(line):
            place = int(instruction[1], 16)
            places.update(dict.fromkeys(waiting, place))
            waiting = []
            found.append((place, instruction[2], instruction[3]))
    return [Instruction(place, operation, _target(operation, rest, places)) for place, operation, rest in found]


def _target(operation: str, rest: str, places: dict[str, int]) -> int | None:
    label = _TARGET.search(rest)
    return places.get(label[1]) if label and operation.partition(".")[0] in _BRANCHES else None
