"""Words of `mode`, and what they stand for."""

import pytest

from app.compat.colabfold.modes import AlignMode, read_pairing
from app.problems import InvalidParameterError


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("env", AlignMode(env=True, filter="diverse", templates=True)),
        ("all", AlignMode(env=False, filter="diverse", templates=True)),
        ("env-nofilter", AlignMode(env=True, filter="none", templates=True)),
        ("nofilter", AlignMode(env=False, filter="none", templates=True)),
        ("notemplates-env-taxonomy", AlignMode(env=True, filter="diverse", templates=False)),
        ("", AlignMode(env=False, filter="diverse", templates=True)),
    ],
)
def test_words_of_msas(text: str, mode: AlignMode) -> None:
    assert AlignMode.read(text) == mode


@pytest.mark.parametrize("text", ["pairgreedy", "ENV", "env-x", "env-" * 9 + "env", "all " * 1000])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        AlignMode.read(text)
    assert caught.value.parameter == "mode"
    assert "nofilter" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "pairing"),
    [
        ("pairgreedy", "greedy"),
        ("paircomplete", "complete"),
        ("pairgreedy-env", "greedy"),
        ("env", "greedy"),
        ("", "greedy"),
    ],
)
def test_words_of_pairs(text: str, pairing: str) -> None:
    assert read_pairing(text) == pairing


@pytest.mark.parametrize("text", ["pairgreedy-paircomplete", "all", "pairwise"])
def test_other_words_of_pairs_are_refused(text: str) -> None:
    with pytest.raises(InvalidParameterError):
        read_pairing(text)
