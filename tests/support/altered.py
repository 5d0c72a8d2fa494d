"""What an engine answers for pairs, altered: for engines that err."""

from collections.abc import Callable, Sequence

import numpy as np

from shardwater.alignment.alignment import Alignment
from shardwater.engines.engine import Pair
from shardwater.pairs.columns import Columns

Change = Callable[[int, Alignment | None], Alignment | None]


def altered(columns: Columns, pairs: Sequence[Pair], change: Change) -> Columns:
    """The same with what a change makes of each alignment, by the number of its pair."""
    lengths = np.array([[len(pair.query), len(pair.subject)] for pair in pairs]).T
    return Columns.of([(number, change(number, found)) for number, found in columns], lengths, local=True)
