"""Profiles by single letters, made by the kernel's own source on the CPU: both layouts are those of their formulas."""

import numpy as np
import pytest

from gpu.layout import AMINO_ACIDS, MATRIX_LETTERS, PARTITION, SIMT_ITEMS, STRIPED_LANES
from gpu.score.partitions import partitions
from gpu.score.strips import Strip
from shardwater.alignment.scheme import Scheme
from shardwater.scoring.scoring import Scoring
from tests.support.emulation.emulator import needs_compiler
from tests.support.emulation.searching import byte_profile

SCORING = Scoring("PAM30", 9, 1)
SCHEME = Scheme.local(SCORING)
VL, PL = STRIPED_LANES, PARTITION
LENGTHS = [1, VL - 1, VL, VL + 1, PL - 1, PL, PL + 1]

pytestmark = needs_compiler


def query_of(length):
    return np.random.default_rng(length).integers(0, MATRIX_LETTERS, length).astype(np.uint8)


def score(query, place, letter, letters):
    """s(letter, Q[place]), and 0 with what is beyond either."""
    return int(SCORING.scores[query[place], letter]) if place < len(query) and letter < letters else 0


@pytest.mark.parametrize("letters", [AMINO_ACIDS, MATRIX_LETTERS])
@pytest.mark.parametrize("length", LENGTHS)
def test_sequential_profile_is_its_formula(length, letters):
    query, blocks = query_of(length), -(-length // SIMT_ITEMS)
    profile = byte_profile(query, SCHEME, letters, Strip(0, SIMT_ITEMS, 1), blocks)
    # P_r(i) = s(r, Q[i]), cut into blocks: eight bytes for each letter.
    found = profile.view(np.int8).reshape(blocks, letters + 1, SIMT_ITEMS)
    for r in range(letters + 1):
        expected = [score(query, i, r, letters) for i in range(blocks * SIMT_ITEMS)]
        assert found[:, r].ravel().tolist() == expected


@pytest.mark.parametrize("letters", [AMINO_ACIDS, MATRIX_LETTERS])
@pytest.mark.parametrize("length", LENGTHS)
def test_striped_profile_is_its_formula(length, letters):
    query = query_of(length)
    for strip in partitions(length):
        vectors, part = strip.items, query[strip.first : strip.first + PL]
        chunks = -(-vectors // 4)
        [profile] = byte_profile(query, SCHEME, letters, strip, 1)
        # Words stand by letter, chunk of four vectors and lane: vectors come in turn when bytes go before lanes.
        found = profile.view(np.int8).reshape(letters + 1, chunks, VL, 4).swapaxes(2, 3).reshape(letters + 1, -1)
        for r in range(letters + 1):
            # Position i, from 1, has s(r, Q[((i - 1) mod VL) T + (i - 1) div VL + 1]), T vectors.
            expected = [
                score(part, (i - 1) % VL * vectors + (i - 1) // VL, r, letters) for i in range(1, vectors * VL + 1)
            ]
            assert found[r].tolist() == expected + [0] * (chunks * 4 - vectors) * VL
