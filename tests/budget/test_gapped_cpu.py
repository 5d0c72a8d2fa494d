"""Boxes around HSPs on a CPU: few of their cells are filled where two genomes are alike."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.band import LAST, align_band, lanes_for
from shardwater.alignment.outside import Costs, Pair
from shardwater.alignment.watch import Watch
from shardwater.genomes.boxes import cells_of
from shardwater.genomes.compare import compare
from shardwater.genomes.gapped import GappedScoring, align_boxes
from shardwater.genomes.genome import Genome
from shardwater.pairs import alike, cpu
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.cpu import CpuPairs
from shardwater.sequences.named import Letters
from shardwater.steps import finish


def genomes() -> tuple[Genome, Genome]:
    """150,000 letters and a copy: 4 % of the letters are others, and each 2,500 letters a few are missing."""
    rng = np.random.default_rng(1)
    one = rng.integers(0, 4, 150_000, np.uint8)
    other = np.where(rng.random(len(one)) < 0.04, rng.integers(0, 4, len(one), np.uint8), one)
    other = np.delete(other, (np.arange(1, 60)[:, None] * 2_500 + np.arange(20)).ravel())
    query, subject = (
        Genome.of([Letters("x", np.frombuffer(b"ACGT", np.uint8)[codes].tobytes())]) for codes in (one, other)
    )
    return query, subject


def test_a_tenth_of_the_cells_of_boxes_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    filled, lines, whole = list[int](), list[int](), cpu._whole

    def banded(
        pairs: Sequence[Pair], costs: Costs, last: int = LAST, watch: Watch | None = None, kept: int | None = None
    ) -> list[Alignment | None]:
        sizes = [max(map(len, pair)) for pair in pairs]
        lanes = lanes_for(max(sizes), last)
        lanes.places(sizes)
        filled.append(2 * lanes.longest * (last + 1) * len(lanes))
        lines.append(lanes.longest)
        return align_band(pairs, costs, last, watch, kept)

    def all_cells(pair: CodedPair, *rest: Any) -> Alignment | None:
        filled.append(pair.cells)
        return whole(pair, *rest)

    monkeypatch.setattr(alike, "align_band", banded)
    monkeypatch.setattr(cpu, "_whole", all_cells)
    query, subject = genomes()
    hsps = compare(query, subject).hsps
    alignments = finish(align_boxes(query, subject, hsps, GappedScoring(), CpuPairs(1)))
    assert len(alignments.rows) == len(hsps) > 50
    assert sum(filled) < 0.06 * cells_of(query, subject, hsps)
    # A line costs numpy's calls besides its cells: one band of all pairs, as long as the longest of them.
    assert sum(lines) < 3_000
