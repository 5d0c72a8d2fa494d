"""Chains as they are kept: read back as they were, or refused."""

import numpy as np
import pytest

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.chain_list import ChainList, UnreadableChains
from shardwater.genomes.chains import chains_of
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.sequences.named import Letters

GENOME = Genome.of([Letters("a", b"A" * 9000)])
PLACES, LENGTHS = np.array([0, 500, 7000]), np.array([400, 300, 100])
FOUND = ChainList.of(
    chains_of(GENOME, GENOME, Alignments.of_hsps(Hsps.of(PLACES, PLACES + 10, LENGTHS, LENGTHS, False)))
)


def test_a_list_is_read_as_it_was_kept() -> None:
    packed = FOUND.pack()
    found = ChainList.read(packed)
    assert found.rows.tolist() == [(4 * 700 - 4 * 200 // 20, 2, False), (400, 1, False)]
    assert found.stretches.tolist() == [(0, 10, 400), (500, 510, 300), (7000, 7010, 100)]
    assert found.firsts.tolist() == [0, 2, 3]
    assert found.pack() == packed


def test_other_bytes_are_refused() -> None:
    packed = FOUND.pack()
    for damaged in (b"", packed[:-1], b"SWGENOM1" + packed[8:], miscounted(3, 1), miscounted(3, 0)):
        with pytest.raises(UnreadableChains):
            ChainList.read(damaged)


def miscounted(*stretches: int) -> bytes:
    rows = FOUND.rows.copy()
    rows["stretches"] = stretches
    return ChainList(rows, FOUND.stretches).pack()
