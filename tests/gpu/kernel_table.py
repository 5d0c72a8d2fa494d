"""What each kernel takes and does, as the compiler says: `python -m tests.gpu.kernel_table` writes kernels.toml anew.

The table tells at review what an edit costs, without a device. All kernels are compiled for the architecture that we
measure on; for others the first and the last shape of each, which find what does not compile there.
"""

import os
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from gpu.family import PARTS
from gpu.variants import Variant, all_variants, genome_variants, pair_variants, statistics_variants
from shardwater.scoring.scoring import Scoring
from tests.gpu.sass import Cubin, compile_cubin, main_loop, resources

TABLE = Path(__file__).with_name("kernels.toml")
SHARED_BYTES = {80: 166_912, 89: 101_376, 90: 232_448, 100: 232_448}
"""Shared memory of a block at most, for each architecture that kernels are compiled for."""
MEASURED = 90
"""The architecture whose main loops are counted: the one with a device to measure on."""
SAMPLED = 8
"""Tests look at each so-many-th kernel, which takes an eighth of two minutes; the table has all."""

_SCORING = Scoring("BLOSUM62", 11, 1)
_NOT_SHOWN = ("GAP_FIRST", "GAP_NEXT", "TABLE_BYTES")

Row = dict[str, int | float]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A kernel and what became of it."""

    variant: Variant
    cubin: Cubin

    @property
    def key(self) -> str:
        """The kernel's row in the table."""
        return key_of(self.variant)


def key_of(variant: Variant) -> str:
    """A kernel's row in the table."""
    macros = variant.parameters
    # `finish` and `profile` have an arithmetic alone, and show it with the others.
    whole = PARTS if set(PARTS) <= set(macros) else ()
    title = f"{variant.name}<{', '.join(str(macros[part]) for part in whole)}>" if whole else variant.name
    shape = sorted(f"{name}={value}" for name, value in macros.items() if name not in (*whole, *_NOT_SHOWN))
    return " ".join((title, *shape))


def variants(architecture: int) -> list[Variant]:
    """Every kernel for the measured architecture, some of each for the others."""
    searching = all_variants(architecture, SHARED_BYTES[architecture], _SCORING)
    # Some kernels of pairs serve searches too.
    of_pairs = list(pair_variants(architecture))
    known = {key_of(variant) for variant in of_pairs}
    found = [*(variant for variant in searching if key_of(variant) not in known), *of_pairs]
    found += [*genome_variants(), *statistics_variants()]
    if architecture == MEASURED:
        return found
    return [variant for of_one in _by_kind(found) for variant in of_one[:: max(1, len(of_one) - 1)]]


def sample(found: list[Variant]) -> list[Variant]:
    """One of each kind of kernel, and of many each so-many-th: they share their source."""
    return [variant for of_one in _by_kind(found) for variant in of_one[::SAMPLED]]


def _by_kind(found: list[Variant]) -> list[list[Variant]]:
    kinds: dict[tuple[str, object, bool], list[Variant]] = {}
    for variant in found:
        marked = str(variant.parameters.get("SCORES")).startswith("Untaken")
        kinds.setdefault((variant.name, variant.parameters.get("OPS"), marked), []).append(variant)
    return list(kinds.values())


def compile_for(architecture: int, chosen: Callable[[list[Variant]], list[Variant]] = list) -> list[Compiled]:
    """Every kernel that is chosen, compiled for an architecture, on all cores."""

    def compiled(variant: Variant) -> Compiled:
        return Compiled(variant, compile_cubin(variant.name, variant.parameters, architecture, variant.ptxas))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(compiled, chosen(variants(architecture))))


def taken(kernels: list[Compiled]) -> dict[str, Row]:
    """Registers and bytes of each kernel."""
    rows: dict[str, Row] = {}
    for each in kernels:
        found = resources(each.cubin)
        rows[each.key] = {"registers": found.registers, "spilt": found.spilt, "shared": found.shared}
    return rows


def loops(kernels: list[Compiled]) -> dict[str, Row]:
    """Instructions for each packed cell in the main loop of the kernels that score pairs of subjects."""
    counted = [each for each in kernels if each.variant.name == "sw_score"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(pool.map(lambda each: (each.key, _per_cell(each)), counted))


def _per_cell(kernel: Compiled) -> Row:
    loop = main_loop(kernel.cubin)
    # H is one maximum with 0 in each cell, and nothing else is.
    cells = loop["VIMNMX3.S16x2.RELU"]
    assert cells and cells % int(kernel.variant.parameters["ITEMS"]) == 0, f"{kernel.key}: {cells} cells, {loop}"
    shares = {
        "viadd": sum(count for name, count in loop.items() if name.startswith("VIADD.")),
        "viaddmnmx": sum(count for name, count in loop.items() if name.startswith("VIADDMNMX.")),
        "vimnmx3": sum(count for name, count in loop.items() if name.startswith("VIMNMX3.")),
        "instructions": sum(loop.values()),
    }
    return {name: round(count / cells, 2) for name, count in shares.items()}


def read() -> dict[str, dict[str, Row]]:
    """The table as it was committed, by architecture and kernel."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def _lines(architecture: int) -> list[str]:
    kernels = compile_for(architecture)
    rows = taken(kernels)
    if architecture == MEASURED:
        for key, row in loops(kernels).items():
            rows[key] |= row
    lines = [f"\n[sm_{architecture}]"]
    for key, row in rows.items():
        cells = ", ".join(f"{name} = {value}" for name, value in row.items())
        lines.append(f'"{key}" = {{ {cells} }}')
    return lines


def main() -> None:
    """Write the table."""
    lines = [
        "# Written by `python -m tests.gpu.kernel_table`. The last four columns: instructions for each packed cell."
    ]
    for architecture in SHARED_BYTES:
        lines += _lines(architecture)
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
