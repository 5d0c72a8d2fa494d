"""What an engine answers, counted: each pair once, and with the cells that it has."""

from collections.abc import Generator
from contextlib import closing

import numpy as np

from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.columns import BatchEngine, Columns
from shardwater.pairs.engine import Report


def align_checked(
    engine: BatchEngine, batch: PairBatch, scheme: Scheme, report: Report
) -> Generator[Columns, None, None]:
    """What the engine finds.

    Raises EngineError for a pair left out or answered twice, and for cells that a pair does not have.
    """
    cells = np.multiply(*batch.lengths)
    waiting, left = np.ones(len(batch), np.bool_), len(batch)
    with closing(engine.align_batch(batch, scheme, report)) as parts:
        for part in parts:
            waiting[part.numbers] = False
            left -= len(part)
            if np.count_nonzero(waiting) != left:
                raise EngineError("the engine has answered a pair twice")
            if (part.cells != cells[part.numbers]).any():
                raise EngineError("the engine has counted other cells than a pair has")
            yield part
    if left:
        raise EngineError(f"the engine has left out {left} of {len(batch)} pairs")
