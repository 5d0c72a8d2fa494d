"""The targets of coverage-guided fuzzing (benchmarks/fuzz_bytes.py) with bytes by chance, and with all that we kept."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.cases import cases
from tests.fuzz.targets import TARGETS

SEEDS = Path(__file__).parent / "seeds"
KEPT = sorted(SEEDS.glob("*/*"))


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@given(data=st.binary(max_size=200))
@cases(100)
def test_any_bytes_are_read_rightly_or_refused(target: Callable[[bytes], None], data: bytes) -> None:
    target(data)


@pytest.mark.parametrize("seed", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_kept_is_read_rightly_or_refused(seed: Path) -> None:
    TARGETS[seed.parent.name](seed.read_bytes())


def test_each_target_has_seeds() -> None:
    assert {seed.parent.name for seed in KEPT} == set(TARGETS)
