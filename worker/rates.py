"""An engine's rate, measured before its first job, so that the first search has an estimate too."""

import time
from itertools import cycle, islice

from shardwater.alphabet import LETTERS
from shardwater.database import Shard
from shardwater.engine import Engine
from shardwater.fasta import Record
from shardwater.scoring import Scoring

LENGTHS = (16, 64, 256, 1024, 4096)
ENOUGH_S = 0.1
"""A shorter measurement says little, and a longer one keeps the shard from being searched."""


def measure_rate(engine: Engine, shard: Shard) -> float:
    """Cells per second of an engine that has loaded a shard: the best of queries up to one that takes long enough."""
    best = 0.0
    for length in LENGTHS:
        query = Record("rate", "".join(islice(cycle(LETTERS), length)).encode())
        started = time.perf_counter()
        engine.search([query], Scoring.recommended("BLOSUM62"), 1)
        seconds = time.perf_counter() - started
        best = max(best, length * shard.residues / seconds)
        if seconds > ENOUGH_S:
            break
    return best
