"""Pairs of sequences for tests."""

import numpy as np

from shardwater.pairs.engine import CodedPair


def random_pair(rng, letters, rows, columns, related=0.7):
    """Related more often than not: a copy with edits and long gaps, cut or filled up to the length."""
    query, subject = (rng.integers(0, letters, length, np.uint8) for length in (rows, columns))
    if rng.random() < related:
        copy = np.delete(query, np.flatnonzero(rng.random(rows) < 0.03))
        copy = np.insert(copy, rng.integers(0, len(copy) + 1, rows // 40), rng.integers(0, letters))
        place, cut = rng.integers(0, len(copy) + 1), rng.integers(0, 60)
        copy = np.concatenate((copy[:place], copy[place + cut :]))
        subject[: len(copy)] = copy[:columns]
    return CodedPair(query, subject)
