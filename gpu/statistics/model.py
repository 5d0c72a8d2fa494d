"""What the kernels that draw samples and follow them are told of a trial law."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.statistics.background import RESIDUES, background
from shardwater.statistics.chance import thresholds
from shardwater.statistics.importance import Trial
from shardwater.statistics.prefixes import WIDTH, Best, Paths

PAIRS = RESIDUES**2
MODEL = np.dtype(
    [
        *(("letters", np.float64, RESIDUES - 1), ("chosen", np.float64, PAIRS - 1)),
        *(("opened", np.float64, 2), ("extended", np.float64), ("ratios", np.float64, PAIRS + 1)),
        *(("match", np.float64, WIDTH), ("other", np.float64, (2, WIDTH))),
        *(("rising", np.float64, WIDTH), ("falling", np.float64, (2, WIDTH))),
        *(("scores", np.int32, PAIRS + 1), ("open", np.int32), ("extend", np.int32)),
        *(("best", np.int32, WIDTH + 1), ("ramp", np.int32, WIDTH)),
    ]
)
"""model.cuh's Model."""


def model_of(trial: Trial, most: int) -> npt.NDArray[Any]:
    """One MODEL, of a trial law and the highest level."""
    best = Best(trial, 1, most)
    model = np.zeros(1, MODEL)
    model["letters"], model["chosen"] = thresholds(background()), thresholds(trial.matches.ravel())
    model["ratios"], model["opened"], model["extended"] = (
        np.append(trial.ratios.ravel(), 0.0),
        trial.opened,
        trial.extended,
    )
    for law, opened in enumerate(trial.opened):
        paths = Paths(opened, trial.extended, 1)
        model["match"], model["rising"] = paths.match[:, :WIDTH], paths.rising
        model["other"][:, law], model["falling"][:, law, 1:] = paths.other, paths.falling
    model["scores"], model["open"], model["extend"] = best.table, best.open, best.extend
    model["best"], model["ramp"] = best.any, best.ramp
    return model
