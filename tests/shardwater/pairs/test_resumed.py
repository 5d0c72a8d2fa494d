"""Long pairs that go on where somebody was interrupted: the same alignment, wherever that was."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from shardwater.alignment import striped
from shardwater.alignment.checkpoint import Arrays
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.striped import align_pair
from shardwater.pairs.coded import CodedPair
from shardwater.scoring.table import match_table
from tests.support.pairs import random_pair

MEMORY = 4_000
"""For some twenty rows at a time."""


class Interrupted(Exception):
    """A worker is killed."""


@dataclass
class Kept:
    """A checkpoint that keeps something whenever it may, and is interrupted once it has, so many times later."""

    arrays: Arrays = field(default_factory=dict)
    left: int = 1 << 30
    due: bool = True
    kinds: set[str] = field(default_factory=set)

    def save(self, arrays: Arrays) -> None:
        self.arrays = {**self.arrays, **{name: each.copy() for name, each in arrays.items()}}
        self.kinds.add("end" if "end" in arrays else "back" if arrays["path"].size else "down")
        self.left -= 1
        if self.left == 0:
            raise Interrupted


@pytest.fixture(autouse=True)
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    """No matrix is small."""
    monkeypatch.setattr(striped, "MOST_TABLE", 0)


MODES = [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL, Mode(query_begin=True, subject_end=True)]


@pytest.mark.parametrize("with_parasail", [True, False])
@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("gaps", [(3, 2), (0, 1)])
def test_from_wherever_it_was_left(
    monkeypatch: pytest.MonkeyPatch, mode: Mode, gaps: tuple[int, int], with_parasail: bool
) -> None:
    if not with_parasail:
        monkeypatch.setattr(striped, "parasail", None)
    rng = np.random.default_rng(80)
    scheme = Scheme(match_table(2, -3), *gaps, mode)
    letters = rng.integers(0, 4, 140, np.uint8)
    wrong = np.where(rng.random(140) < 0.05, 0, letters).astype(np.uint8)
    with_gap = np.delete(wrong, slice(60, 71))
    for pair in (CodedPair(letters, with_gap), CodedPair(with_gap, letters)):
        expected = align_pair(pair.query, pair.subject, scheme)
        whole = Kept()
        assert align_pair(pair.query, pair.subject, scheme, MEMORY, checkpoint=whole) == expected
        assert whole.kinds == ({"end", "down", "back"} if with_parasail else {"down", "back"})
        saves = (1 << 30) - whole.left
        for stop in range(1, saves, 7):
            kept = Kept(left=stop)
            with pytest.raises(Interrupted):
                align_pair(pair.query, pair.subject, scheme, MEMORY, checkpoint=kept)
            kept.left = 1 << 30
            assert align_pair(pair.query, pair.subject, scheme, MEMORY, checkpoint=kept) == expected
            assert (1 << 30) - kept.left <= saves - stop


def test_interrupted_again_and_again() -> None:
    pair = random_pair(np.random.default_rng(81), 4, 60, 70, related=1)
    scheme, kept, times = Scheme(match_table(2, -3), 3, 2, Mode.GLOBAL), Kept(), 0
    while True:
        kept.left, times = 1, times + 1
        try:
            found = align_pair(pair.query, pair.subject, scheme, MEMORY, checkpoint=kept)
            break
        except Interrupted:
            assert times < 100
    assert found == align_pair(pair.query, pair.subject, scheme)
    assert times > 60


@pytest.mark.parametrize("wrong", ["h", "index", "best"])
def test_what_is_of_another_matrix_is_as_nothing(wrong: str) -> None:
    rng = np.random.default_rng(82)
    scheme = Scheme(match_table(2, -3), 3, 2, Mode.GLOBAL)
    pair, other = (random_pair(rng, 4, *size, related=1) for size in [(90, 80), (100, 81)])
    kept = Kept(left=95)
    with pytest.raises(Interrupted):
        align_pair(other.query, other.subject, scheme, MEMORY, checkpoint=kept)
    arrays = {name: each for name, each in kept.arrays.items() if name != "end"}
    if wrong == "index":
        arrays |= {name: arrays[name][:, :81] for name in "he"}
    if wrong == "best":
        del arrays["best"]
    found = align_pair(pair.query, pair.subject, scheme, MEMORY, checkpoint=Kept(arrays))
    assert found == align_pair(pair.query, pair.subject, scheme)
