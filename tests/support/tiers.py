"""Marks some values of a parametrized test as thorough."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def mostly_thorough(kept: Iterable[object], others: Iterable[object]) -> list[ParameterSet]:
    """Values for pytest.mark.parametrize; the others are thorough."""
    return [*map(pytest.param, kept), *(pytest.param(each, marks=pytest.mark.thorough) for each in others)]
