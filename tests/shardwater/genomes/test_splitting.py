"""Chains are split where they lose by a link, and nowhere else."""

import numpy as np

from shardwater.genomes.chaining import Sequences
from shardwater.genomes.splitting import split


def firsts(*chains: list[tuple[int, int]]) -> list[int]:
    """Where chains begin that are made of these; each member's worth where it follows another one, and alone."""
    ends = np.cumsum([0, *map(len, chains)])
    worth, whole = np.array([each for chain in chains for each in chain], np.int64).reshape(-1, 2).T
    found = split(Sequences(np.arange(len(worth)), ends), worth, whole)
    return found.firsts.tolist()


def test_links_that_gain_stay() -> None:
    assert firsts([(5, 5), (8, 10), (3, 4)], [(7, 7)]) == [0, 3, 4]
    assert firsts() == [0]


def test_what_scores_more_alone_begins_a_chain() -> None:
    assert firsts([(7, 7)], [(3, 3), (6, 10), (4, 5)]) == [0, 1, 2, 4]
    # The last one would score more alone than with what is left of the second, but not with all of it.
    assert firsts([(3, 3), (2, 10), (4, 11)]) == [0, 1, 3]


def test_what_takes_from_what_is_before_begins_a_chain() -> None:
    assert firsts([(90, 90), (-5, 20), (3, 9)]) == [0, 1, 3]
    assert firsts([(90, 90), (-5, 20), (6, 9)]) == [0, 3]
