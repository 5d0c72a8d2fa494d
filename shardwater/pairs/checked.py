"""What an engine answers, checked: each pair once, with the cells that it has, and a sample of alignments replayed.

All alignments are replayed where they are told (told.py): that takes as long as a GPU takes for a hundred of them.
"""

from collections.abc import Generator
from contextlib import closing

import numpy as np

from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.columns import BatchEngine, Columns
from shardwater.pairs.engine import Report
from shardwater.pairs.replay import Replay

SAMPLE = 1 << 10
"""One alignment of so many that come together is replayed, the first one in any case."""


def align_checked(
    engine: BatchEngine, batch: PairBatch, scheme: Scheme, report: Report
) -> Generator[Columns, None, None]:
    """What the engine finds.

    Raises EngineError for a pair left out or answered twice, for cells that a pair does not have, and where one of the
    alignments in the sample is not worth its score.
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
