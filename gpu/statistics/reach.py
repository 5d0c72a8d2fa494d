"""Samples drawn and followed on a CUDA device: what shardwater/statistics/prefixes.py does, to the last bit."""

from collections.abc import Sequence

import cupy
import numpy as np

from gpu.ahead import compile_all
from gpu.compile import kernel
from gpu.device import faults
from gpu.layout import REACH_THREADS
from gpu.statistics.model import model_of
from gpu.variants import statistics_variants
from shardwater.statistics.chance import Words
from shardwater.statistics.importance import BAND, Reached, Trial


class GpuReach:
    """importance.Reach on the first device that this process may see."""

    def __init__(self) -> None:
        """Take the device into use, and compile."""
        compile_all(statistics_variants())

    def __call__(self, trial: Trial, streams: Words, levels: Sequence[int]) -> Reached:
        """Where samples reach each level. Takes some 3 kB of the device for each."""
        blocks, threads, rows = (len(streams),), (REACH_THREADS,), np.int32(trial.rows)
        with faults():
            model = cupy.asarray(model_of(trial, levels[-1]).view(np.uint8))
            sides = [cupy.empty((len(streams), length), np.uint8) for length in (trial.rows, trial.rows + BAND)]
            kernel("draw")(blocks, threads, (model, cupy.asarray(streams), rows, *sides))
            found = cupy.zeros((4, len(streams), len(levels)))
            wanted = cupy.asarray(np.array(levels, np.int32)), np.int32(len(levels))
            kernel("reach")(blocks, threads, (model, *sides, rows, *wanted, *found))
            return Reached(*found.get())
