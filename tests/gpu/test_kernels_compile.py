"""Kernels compile for every architecture, and cost what the table says: no device is needed for that."""

from functools import cache

import pytest

pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-bindings is not installed")
pytest.importorskip("cuda.pathfinder", reason="cuda-bindings is not installed")

from cuda.pathfinder import DynamicLibNotFoundError, load_nvidia_dynamic_lib

from gpu.compile import names
from gpu.variants import takes_short_pairs
from tests.gpu import kernel_table
from tests.gpu.kernel_table import MEASURED, SHARED_BYTES, Compiled, Row, key_of, sample
from tests.gpu.sass import disassembler, longest_loop

REWRITE = "python -m tests.gpu.kernel_table"

try:
    load_nvidia_dynamic_lib("nvrtc")
except DynamicLibNotFoundError:
    pytest.skip("no NVRTC is installed", allow_module_level=True)


# What is compiled for 8.9 are the same lines as for 8.0; each takes ten seconds of a processor.
@pytest.fixture(
    scope="module",
    params=[
        pytest.param(each, marks=() if each == MEASURED else pytest.mark.thorough)
        for each in SHARED_BYTES
        if each != 89
    ],
)
def architecture(request: pytest.FixtureRequest) -> int:
    return request.param


@cache
def compiled_for(architecture: int) -> list[Compiled]:
    return kernel_table.compile_for(architecture, sample)


@pytest.fixture(scope="module")
def compiled(architecture: int) -> list[Compiled]:
    return compiled_for(architecture)


def changed(now: dict[str, Row], before: dict[str, Row]) -> dict[str, tuple[Row | None, Row]]:
    """Kernels whose rows differ: what they were and what they are, as far as `now` has these columns."""
    known = {key: {column: before[key].get(column, 0) for column in row} for key, row in now.items() if key in before}
    return {key: (known.get(key), row) for key, row in now.items() if known.get(key) != row}


def test_every_kernel_compiles_without_a_warning(compiled: list[Compiled]) -> None:
    assert {line for each in compiled for line in each.cubin.log.splitlines() if "warning #" in line} == set()


def test_every_source_is_compiled(architecture: int, compiled: list[Compiled]) -> None:
    short = set() if takes_short_pairs(architecture) else {"short_fill", "short_walk", "band_fill", "band_walk"}
    assert {each.variant.name for each in compiled} == set(names()) - short


@pytest.mark.parametrize("each", SHARED_BYTES)
def test_every_kernel_has_a_row_of_its_own(each: int) -> None:
    keys = [key_of(variant) for variant in kernel_table.variants(each)]
    assert len(set(keys)) == len(keys)
    assert set(keys) == set(kernel_table.read()[f"sm_{each}"]), f"if it is meant: {REWRITE}"


def test_kernels_take_what_the_table_says(architecture: int, compiled: list[Compiled]) -> None:
    before = kernel_table.read()[f"sm_{architecture}"]
    assert changed(kernel_table.taken(compiled), before) == {}, f"if it is meant: {REWRITE}"


def test_main_loops_are_those_of_the_table() -> None:
    if disassembler() is None:
        pytest.skip("nvidia-cuda-nvdisasm is not installed")
    before = kernel_table.read()[f"sm_{MEASURED}"]
    assert changed(kernel_table.loops(compiled_for(MEASURED)), before) == {}, f"if it is meant: {REWRITE}"


SASS = """
        /*0000*/                   S2R R0, SR_TID.X ;
.L_x_1:
        /*0010*/                   VIADD R1, R1, 0x1 ;
.L_x_2:
        /*0020*/               @P0 BRA.DIV UR4, `(.L_x_9) ;
.L_x_3:
        /*0030*/                   VIMNMX3.S16x2.RELU R1, R2, R3, R4 ;
        /*0040*/              @!P1 BRA `(.L_x_2) ;
        /*0050*/                   VIADD R1, R1, 0x1 ;
        /*0060*/               @P0 BRA `(.L_x_1) ;
        /*0070*/                   EXIT ;
.L_x_9:
        /*0080*/                   WARPSYNC.COLLECTIVE R1, `(.L_x_10) ;
.L_x_10:
        /*0090*/                   BRA `(.L_x_3) ;
.L_x_11:
        /*00a0*/                   BRA `(.L_x_11);
"""


def test_main_loop_is_the_innermost_one() -> None:
    assert longest_loop(SASS) == {"BRA.DIV": 1, "VIMNMX3.S16x2.RELU": 1, "BRA": 1}
