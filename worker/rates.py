"""What scoring costs an engine, measured before its first job, so that the first search has an estimate too."""

import time
from dataclasses import replace
from itertools import cycle, islice

from shardwater.alphabet import LETTERS
from shardwater.database import Shard
from shardwater.engine import Engine
from shardwater.fasta import Record
from shardwater.scoring import Scoring
from worker.costs import Costs

# The first one twice: what happens only once is not to be measured.
LENGTHS = (16, 16, 64, 256, 1024, 4096)
ENOUGH_S = 0.1
"""A shorter measurement says little, and a longer one keeps the shard from being searched."""
LEAST = 1e-4
"""A query costs no less than this part of the longest one measured: what costs nothing would never learn."""


def measure_costs(engine: Engine, shard: Shard, usual: Costs) -> Costs:
    """The costs of an engine that has loaded a shard: of scoring as measured, the others as usual."""
    lengths, seconds = [], []
    for length in LENGTHS:
        query = Record("rate", "".join(islice(cycle(LETTERS), length)).encode())
        started = time.perf_counter()
        engine.search([query], Scoring.recommended("BLOSUM62"), 1)
        lengths.append(length)
        seconds.append(time.perf_counter() - started)
        if seconds[-1] > ENOUGH_S and len(seconds) > 1:
            break
    return scoring_costs(usual, (lengths[0], min(seconds[:2])), (lengths[-1], seconds[-1]))


def scoring_costs(usual: Costs, short: tuple[int, float], long: tuple[int, float]) -> Costs:
    """Costs of a query and a residue from what a short and a long query (residues, seconds) have taken."""
    (residues, seconds), (more_residues, more_seconds) = short, long
    # As far as one measurement goes, in the usual proportion.
    factor = more_seconds / (usual.query + more_residues * usual.residue)
    residue = factor * usual.residue
    if more_residues > residues and more_seconds > seconds:
        residue = (more_seconds - seconds) / (more_residues - residues)
    query = max(seconds - residue * residues, LEAST * more_seconds)
    return replace(usual, query=query, residue=residue)
