"""CUDA source as C++: what a compiler for the CPU cannot read is put in other words, and nothing else is changed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gpu.compile import KERNELS

PTX = {
    "add.s16x2 %0, %1, %2;": "%0 = __vadd2(%1, %2)",
    "prmt.b32 %0, %1, %2, %3;": "%0 = ptx::prmt(%1, %2, %3)",
    "cvt.rn.f16.s32 %0, %1;": "%0 = ptx::cvt_half(%1)",
    "cvt.rni.s32.f16 %0, %1;": "%0 = ptx::cvt_whole(%1)",
    "add.rn.f16x2 %0, %1, %2;": "%0 = ptx::add_halves(%1, %2)",
    "max.f16x2 %0, %1, %2;": "%0 = ptx::max_halves(%1, %2)",
    "bar.sync %0, %1;": "fibres::wait_at(%0, %1)",
    "ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];": (
        "%0 = ptx::shared(%4), %1 = ptx::shared(%4, 1), %2 = ptx::shared(%4, 2), %3 = ptx::shared(%4, 3)"
    ),
    "ld.shared.v2.u32 {%0, %1}, [%2];": "%0 = ptx::shared(%2), %1 = ptx::shared(%2, 1)",
    "ld.shared.u32 %0, [%1];": "%0 = ptx::shared(%1)",
    "ld.global.nc.u16 %0, [%1];": "%0 = *(%1)",
    "ld.global.nc.L2::256B.u16 %0, [%1];": "%0 = *(%1)",
    "{.reg .pred on; setp.ne.s32 on, %5, 0; @on ld.global.v4.u32 {%0, %1, %2, %3}, [%4];}": (
        "if (%5) %0 = (%4)->x, %1 = (%4)->y, %2 = (%4)->z, %3 = (%4)->w"
    ),
    "{.reg .pred on; setp.ne.s32 on, %5, 0; @on st.global.v4.u32 [%0], {%1, %2, %3, %4};}": (
        "if (%5) *(%0) = uint4{%1, %2, %3, %4}"
    ),
    "{.reg .pred on; setp.ne.s32 on, %1, 0; @on prefetch.global.L2 [%0];}": "",
}
"""What stands for the PTX of `asm`. Where a line is missing, who includes it is told by the compiler."""

_ASM = re.compile(r"\basm\b\s*(?:volatile)?\s*\(")
_STRING = re.compile(r'\s*"((?:[^"\\]|\\.)*)"')
_DYNAMIC = re.compile(r"\bextern\s+__shared__\s+(\w+)\s+(\w+)\[\];")


def translated(text: str) -> str:
    """A source text for the CPU; each line stays where it is."""
    text = _DYNAMIC.sub(r"\1* const \2 = (\1*)fibres::shared;", text)
    # One block runs at a time: what it shares may be what there is of it.
    text = re.sub(r"\b__shared__\b", "static", text)
    parts, place = [], 0
    for asm in _statements(text):
        parts += [text[place : asm.begin], asm.cpp, "\n" * text.count("\n", asm.begin, asm.end)]
        place = asm.end
    return "".join([*parts, text[place:]])


def write_translated(folder: Path) -> None:
    """All kernels for the CPU, in rooms as they are."""
    for path in KERNELS.glob("*/*.cu*"):
        to = folder / path.relative_to(KERNELS)
        to.parent.mkdir(exist_ok=True)
        to.write_text(translated(path.read_text(encoding="utf-8")), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Asm:
    """A statement's place in a text, and what stands for it, which its semicolon ends."""

    begin: int
    end: int
    cpp: str


def _statements(text: str) -> Iterator[_Asm]:
    for match in _ASM.finditer(text):
        end = _closing(text, match.end())
        yield _Asm(match.start(), end, _in_cpp(text[match.end() : end - 1]))


def _in_cpp(statement: str) -> str:
    """What stands for the inside of asm(...): its PTX in one piece, then operands, as "=r"(name), by colons."""
    [ptx, place] = _joined_strings(statement)
    operands = []
    while match := re.compile(r'[^"]*"[^"]*"\s*\(').match(statement, place):
        place = _closing(statement, match.end())
        operands.append(statement[match.end() : place - 1])
    if ptx not in PTX:
        return f'static_assert(false, R"(nothing stands for the PTX {ptx})")'
    return re.sub(r"%(\d)", lambda number: operands[int(number[1])], PTX[ptx])


def _joined_strings(statement: str) -> tuple[str, int]:
    pieces, place = [], 0
    while match := _STRING.match(statement, place):
        pieces.append(match[1])
        place = match.end()
    return "".join(pieces), place


def _closing(text: str, place: int) -> int:
    """The place behind the bracket that closes one opened just before."""
    depth = 1
    while depth:
        # A string has brackets of its own kind only: those of PTX are [] and {}.
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        place += 1
    return place
