"""Samples that kernels draw and follow are numpy's to the last bit: on the CPU by their source, and on a device."""

from dataclasses import replace

import numpy as np
import pytest

from gpu import device_count
from gpu.compile import options
from gpu.layout import REACH_THREADS
from gpu.statistics.model import model_of
from shardwater.scoring.scoring import Scoring
from shardwater.statistics.background import WithoutGaps
from shardwater.statistics.chance import streams
from shardwater.statistics.importance import BAND, Reached, Trial
from shardwater.statistics.prefixes import reach
from shardwater.statistics.simulation import levels_of
from tests.support.emulation.emulator import kernel, needs_compiler

SCORINGS = [
    *(Scoring("BLOSUM62", *gaps) for gaps in ((11, 1), (9, 1), (0, 5), (100_000, 0), (1000, 1000))),
    *(Scoring(*each) for each in (("PAM30", 9, 1), ("PAM250", 13, 2), ("BLOSUM45", 14, 2))),
]
SAMPLES, ROWS = 9, 120


def trial_of(scoring):
    """Its trial law, and levels: one that nearly all letters reach, and those that are used."""
    plain = WithoutGaps.of(scoring.scores)
    return Trial.of(scoring, plain), [1, *levels_of(plain)]


def emulated(name, arguments, backwards):
    kernel(name)((SAMPLES,), (REACH_THREADS,), arguments, backwards=backwards)


def bits(reached):
    return [each.tobytes() for each in (reached.weights, reached.rows, reached.columns, reached.scores)]


@needs_compiler
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("scoring", SCORINGS[:4], ids=str)
def test_kernels_draw_the_same_letters_and_find_the_same_bits(scoring, backwards):
    trial, levels = trial_of(scoring)
    trial, model = replace(trial, rows=ROWS), model_of(trial, levels[-1])
    drawn = [np.full((SAMPLES, length), 77, np.uint8) for length in (ROWS, ROWS + BAND)]
    rows = np.int32(ROWS)
    emulated("draw", (model, streams(SAMPLES, 3), rows, *drawn), backwards)
    assert [each.tolist() for each in drawn] == [each.tolist() for each in trial.draw(streams(SAMPLES, 3))]
    found = np.zeros((4, SAMPLES, len(levels)))
    wanted = np.array(levels, np.int32), np.int32(len(levels))
    emulated("reach", (model, *drawn, rows, *wanted, *found), backwards)
    same = reach(trial, streams(SAMPLES, 3), levels)
    assert (same.weights[:, 0] > 0).any()
    assert bits(Reached(*found)) == bits(same)


@needs_compiler
def test_kernel_draws_paths_along_the_border_of_the_band():
    trial, _ = trial_of(SCORINGS[0])
    # test_importance.py shows that some of these go along it.
    trial = replace(trial, opened=(0.15, 0.1), extended=0.97, rows=300)
    drawn = [np.full((60, length), 77, np.uint8) for length in (300, 300 + BAND)]
    arguments = (model_of(trial, 60), streams(60, 1), np.int32(300), *drawn)
    kernel("draw")((60,), (REACH_THREADS,), arguments)
    assert [each.tolist() for each in drawn] == [each.tolist() for each in trial.draw(streams(60, 1))]


def test_kernels_fuse_no_products():
    assert all("-fmad=false" in options(name, {}) for name in ("draw", "reach"))
    assert "-fmad=false" not in options("shuffle", {})


@pytest.mark.gpu
@pytest.mark.parametrize("scoring", SCORINGS, ids=str)
def test_device_finds_the_same_bits(scoring):
    if not device_count():
        pytest.skip("no CUDA device")
    from gpu.statistics.reach import GpuReach

    trial, levels = trial_of(scoring)
    assert bits(GpuReach()(trial, streams(300, 3), levels)) == bits(reach(trial, streams(300, 3), levels))
