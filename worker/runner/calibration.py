"""What work costs an engine, measured before its first job, so that the first search has an estimate too."""

import time
from dataclasses import replace
from itertools import cycle, islice

from shardwater.database.database import Shard
from shardwater.engines.engine import Engine, Pair, gather
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import LETTERS
from shardwater.sequences.fasta import Record
from worker.jobs.costs import Costs, Work

# The first one twice: what happens only once is not to be measured.
LENGTHS = (16, 16, 64, 256, 1024, 4096)
ENOUGH_S = 0.1
"""A shorter measurement says little, and a longer one keeps the shard from being searched."""
DEFAULT = Scoring.recommended("BLOSUM62")
LEAST = 1e-4
"""A query costs no less than this part of the longest one measured: what costs nothing would never learn."""


ALIGNED, ALIGNED_LENGTH = 8, 256
"""Subjects that a query of so many residues is aligned with."""


def measure_costs(engine: Engine, shard: Shard, usual: Costs) -> Costs:
    """The costs of an engine that has loaded a shard: of scoring and alignments as measured, the others as usual."""
    costs = _measure_scoring(engine, shard, usual)
    return _measure_alignments(engine, shard, costs) if len(shard) else costs


def _measure_scoring(engine: Engine, shard: Shard, usual: Costs) -> Costs:
    lengths, seconds = [], []
    for length in LENGTHS:
        query = Record("rate", _letters(length))
        started = time.perf_counter()
        gather(engine.search([query], DEFAULT, 1))
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


def _measure_alignments(engine: Engine, shard: Shard, usual: Costs) -> Costs:
    """Those of an alignment and its query's residues, in the usual proportion: the second time that it is made."""
    subjects = list(shard.subjects)[:: -(-len(shard) // ALIGNED)]
    query = _letters(ALIGNED_LENGTH)
    pairs = [Pair(query, subject) for subject in shard.database.sequences(subjects)]
    for _ in range(2):
        started = time.perf_counter()
        alignments_of(engine.align(pairs, DEFAULT))
        seconds = time.perf_counter() - started
    return alignment_costs(usual, Work(aligned=len(pairs), aligned_residues=len(pairs) * len(query)), seconds)


def alignment_costs(usual: Costs, work: Work, seconds: float) -> Costs:
    """Costs of an alignment and its query's residues from what some have taken, without their rows."""
    # A part of what is usual is the rows', and is left.
    factor = max(0.5, seconds / usual.seconds(work))
    return replace(usual, alignment=factor * usual.alignment, aligned_residue=factor * usual.aligned_residue)


def _letters(count: int) -> bytes:
    return "".join(islice(cycle(LETTERS), count)).encode()
