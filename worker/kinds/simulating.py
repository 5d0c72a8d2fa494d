"""Simulated statistics within a search: whoever needs them first simulates them, and all who need them share that.

Workers of several shards need the same parameters at a time. None waits for another: each does the next block that
nobody has done, from its own place on, until there are all of them.
"""

from shardwater.scoring.scoring import Scoring
from shardwater.search.step import Step, Steps
from shardwater.statistics.karlin_altschul import Simulated
from shardwater.statistics.simulated import fit
from shardwater.statistics.simulation import BLOCKS, Block, content_of
from shardwater.steps import mapped
from worker.kinds.kind import Workplace


def simulated_for(place: Workplace, scoring: Scoring) -> Steps[Simulated]:
    """The parameters of a scoring; raises ScoringError where it has none."""
    simulations, content = place.store.simulations, content_of(scoring)
    first = BLOCKS * place.shard.index // place.shard.count
    own: dict[int, Block] = {}
    while (known := simulations.known(content)) is None:
        # What was done here counts also where the store has lost it: there is an end.
        done = {**simulations.blocks(content), **own}
        left = [number for number in range(BLOCKS) if number not in done]
        if not left:
            simulations.keep(content, fit(scoring, [done[number] for number in range(BLOCKS)]))
            continue
        number = min(left, key=lambda each: (each - first) % BLOCKS)
        block = yield from mapped(place.simulator.block(scoring, number), Step)
        own[number] = block
        simulations.keep_block(content, number, block)
    return known
