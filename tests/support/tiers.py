"""Which tests of many alike are for every change, and which for `make test-all`."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def mostly_thorough(kept: Iterable[object], others: Iterable[object]) -> list[ParameterSet]:
    """Values for pytest.mark.parametrize: only the first are for every change."""
    return [*map(pytest.param, kept), *(pytest.param(each, marks=pytest.mark.thorough) for each in others)]
