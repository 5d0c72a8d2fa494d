"""Simulated statistics within a search: whoever needs them first simulates them, and all who need them share that.

Workers of several shards need the same parameters at a time. None waits for another: each does the next block that
nobody has begun, and where there is none, one that is not done, until there are all of them.
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
    order = [*range(first, BLOCKS), *range(first)]
    own: dict[int, Block] = {}
    while (known := simulations.known(content)) is None:
        # What was done here counts also where the store has lost it: there is an end.
        done = {**simulations.blocks(content), **own}
        missing = [each for each in order if each not in done]
        if not missing:
            simulations.keep(content, fit(scoring, [done[each] for each in range(BLOCKS)]))
            continue
        begun = simulations.begun(content)
        # Who has begun a block may have died.
        number = next((each for each in missing if each not in begun), missing[0])
        simulations.begin(content, number)
        block = yield from mapped(place.simulator.block(scoring, number), _step)
        own[number] = block
        simulations.keep_block(content, number, block)
    return known


def _step(cells: int) -> Step:
    return Step(simulated=cells)
