"""Simulated statistics within a search: whoever needs them first simulates them, and all who need them share that.

Workers of several shards need the same parameters at a time. None waits for another: each does the next block that
nobody has done, its own first, until there are all of them.
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
    first, stop = (BLOCKS * index // place.shard.count for index in (place.shard.index, place.shard.index + 1))
    # Its own, then those of others from their ends on: two meet in one block at most.
    order = [*range(first, stop), *range(first - 1, -1, -1), *range(BLOCKS - 1, stop - 1, -1)]
    own: dict[int, Block] = {}
    while (known := simulations.known(content)) is None:
        # What was done here counts also where the store has lost it: there is an end.
        done = {**simulations.blocks(content), **own}
        number = next((each for each in order if each not in done), None)
        if number is None:
            simulations.keep(content, fit(scoring, [done[each] for each in range(BLOCKS)]))
            continue
        block = yield from mapped(place.simulator.block(scoring, number), Step)
        own[number] = block
        simulations.keep_block(content, number, block)
    return known
