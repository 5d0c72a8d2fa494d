"""Checks of what an engine answers: each pair once, with its cells, and a sample of alignments replayed.

Only a sample, since a GPU aligns a hundred pairs while one is replayed. Each alignment is replayed when it is shown
(told.py).
"""

from collections.abc import Generator
from contextlib import closing

import numpy as np

from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.engine import Checkpoints, PairEngine
from shardwater.pairs.replay import Replay

SAMPLE = 1 << 10
"""Of alignments that come together, the first of every so many is replayed."""


def align_checked(
    engine: PairEngine, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
) -> Generator[Columns, None, None]:
    """The answers of the engine, once they are checked.

    Raises EngineError where a pair is left out or answered twice, where its cells are not the product of its lengths,
    and where an alignment in the sample is not worth its score.
    """
    cells = np.multiply(*batch.lengths)
    waiting, left = np.ones(len(batch), np.bool_), len(batch)
    with closing(engine.align_batch(batch, scheme, report, checkpoints)) as parts:
        for part in parts:
            waiting[part.numbers] = False
            left -= part.pairs
            if np.count_nonzero(waiting) != left or part.ranks.max(initial=1) > engine.most:
                raise EngineError("the engine has answered a pair twice")
            if (part.cells != np.where(part.begins, cells[part.numbers], 0)).any():
                raise EngineError("the engine has counted other cells than a pair has")
            if report == "alignment" and len(part):
                _replay(batch, part[::SAMPLE], scheme)
            yield part
    if left:
        raise EngineError(f"the engine has left out {left} of {len(batch)} pairs")


def _replay(batch: PairBatch, some: Columns, scheme: Scheme) -> None:
    letters = np.frombuffer(scheme.table.alphabet.letters.encode(), np.uint8)
    pairs = [batch[number] for number in some.numbers.tolist()]
    sides = ([letters[pair.query] for pair in pairs], [letters[pair.subject] for pair in pairs])
    Replay.of(PairBatch(*map(Joined.of, sides)), some, scheme)
