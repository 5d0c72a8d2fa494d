"""What was measured on a kind of device, and decides how work is shared out there: sm_90.toml for capability 9.0.

The tables of strips are written by benchmarks/tune_tiles.py, the numbers before them by hand. A device without a file
takes the numbers of sm_90, and the defaults of Launch for every strip.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
MEASURED = 90
_STRIPS = "[strips."


@dataclass(frozen=True, slots=True)
class Launch:
    """Threads of a block, bursts of rows to the loop's body, an option for ptxas (or none), and the rate measured."""

    threads: int = 512
    bursts: int = 2
    ptxas: str = ""
    tcups: float = 1.0


@dataclass(frozen=True, slots=True)
class Crew:
    """Threads of a block, its blocks on a multiprocessor, and the longest subject that is not left to sw_wide."""

    threads: int
    blocks: int
    longest: int

    @property
    def macros(self) -> dict[str, int]:
        """The macros of a kernel that is launched so."""
        return {"THREADS": self.threads, "BLOCKS": self.blocks}


Strips = Mapping[str, Mapping[int, Launch]]
"""By kind of kernel, then by items."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The numbers of a kind of device; what each means stands beside it in its file."""

    cells_under_way: int
    wide_launch_cells: int
    side_cost: float
    long_cost: float
    least_piece: int
    least_long: int
    long_share: float
    even_share: float
    warps: int
    few_warps: int
    more_strips: int
    loaders: int
    copiers: int
    copied_bytes: int
    simt: Crew
    striped: Crew
    simt_cells: int
    strips: Strips


def path_of(capability: int) -> Path:
    """The file of a compute capability, 90 for 9.0; there need be none."""
    return FOLDER / f"sm_{capability}.toml"


@cache
def tuning(capability: int) -> Tuning:
    """What was measured on devices of this compute capability."""
    path = path_of(capability)
    if not path.is_file():
        return parse(_numbers(path_of(MEASURED).read_text(encoding="utf-8")))
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> Tuning:
    """The contents of a file."""
    numbers = tomllib.loads(text)
    tables = numbers.pop("strips", {})
    strips = {
        kind: {int(items): Launch(**entry) for items, entry in entries.items()} for kind, entries in tables.items()
    }
    simt, striped = (Crew(**numbers.pop(kind)) for kind in ("simt", "striped"))
    return Tuning(strips=strips, simt=simt, striped=striped, **numbers)


def with_strips(text: str, strips: Strips) -> str:
    """A file's text with these tables in place of its own; what was measured by hand stays."""
    lines = [_numbers(text).rstrip()]
    for kind, entries in strips.items():
        lines += ["", f"{_STRIPS}{kind}]"]
        for items, entry in entries.items():
            fields = ", ".join(f"{key} = {json.dumps(value)}" for key, value in asdict(entry).items())
            lines.append(f"{items} = {{ {fields} }}")
    return "\n".join(lines) + "\n"


def _numbers(text: str) -> str:
    """What stands before the first table."""
    return text.partition(f"\n{_STRIPS}")[0] + "\n"
