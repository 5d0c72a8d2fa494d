"""Numbers that Python and CUDA share stand once, in gpu/layout.py."""

import ast
import re
from pathlib import Path

import pytest

from gpu import layout
from gpu.compile import KERNELS, names, options

ROOT = Path(layout.__file__).parent
NUMBERS = {name for name in vars(layout) if name.isupper()} - {"MACROS", "LETTERS"}


def constants(source):
    """The names that a module defines in its outermost lines."""
    assigned = (node for node in ast.parse(source).body if isinstance(node, ast.Assign))
    return {target.id for node in assigned for target in node.targets if isinstance(target, ast.Name)}


def test_no_other_module_has_a_number_of_its_own_for_them():
    others = [path for path in ROOT.rglob("*.py") if path.name != "layout.py"]
    found = {path.name: NUMBERS & constants(path.read_text()) for path in others}
    assert {name: own for name, own in found.items() if own} == {}


def test_constants_of_a_module_are_seen():
    assert constants("WARP = 32\nA = B = 1\ndef f():\n    C = 2\n") == {"WARP", "A", "B"}


@pytest.mark.parametrize("room", layout.MACROS)
def test_kernels_of_a_room_use_its_macros(room):
    headers = [path for folder in (room, "core", "database") for path in (KERNELS / folder).glob("*.cu*")]
    words = set(re.findall(r"\w+", " ".join(path.read_text() for path in headers)))
    assert set(layout.MACROS[room]) - words == set()


def test_every_kernel_gets_the_macros_of_its_room():
    assert {path.parent.name for path in KERNELS.glob("*/*.cu")} == set(layout.MACROS)
    assert all("-DWARP=32" in options(name, {}) for name in names())
