"""Chunks of a batch of pairs: no device is needed to cut one."""

import numpy as np
import pytest

from gpu.pairs.budgets import Budget, chunks
from shardwater.pairs.batch import Joined, PairBatch


def batch(*lengths: int) -> PairBatch:
    """Pairs of queries of so many letters and subjects of one each."""
    sides = [Joined.of([np.zeros(n, np.uint8) for n in side]) for side in (lengths, [1] * len(lengths))]
    return PairBatch(*sides)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpu.pairs.budgets.CHUNK_LETTERS", 10)
    monkeypatch.setattr("gpu.pairs.budgets.CHUNK_PAIRS", 3)


def test_a_chunk_has_as_many_letters_as_it_may() -> None:
    assert chunks(batch(4, 4, 4)) == [range(2), range(2, 3)]
    assert chunks(batch(4, 5, 4)) == [range(1), range(1, 2), range(2, 3)]


def test_a_chunk_has_no_more_pairs_than_it_may() -> None:
    assert chunks(batch(0, 0, 0, 0)) == [range(3), range(3, 4)]


def test_a_pair_too_large_for_any_chunk_is_one_of_its_own() -> None:
    assert chunks(batch(1, 99, 1)) == [range(1), range(1, 2), range(2, 3)]


def test_chunks_keep_to_every_budget() -> None:
    assert chunks(batch(1, 1, 1), Budget.of(np.array([5, 3, 3]), 8)) == [range(2), range(2, 3)]


def test_a_part_of_a_batch_is_cut_from_its_own_first_pair() -> None:
    assert chunks(batch(9, 4, 4, 4)[1:]) == [range(2), range(2, 3)]


def test_no_pairs_make_no_chunks() -> None:
    assert chunks(batch()) == []
