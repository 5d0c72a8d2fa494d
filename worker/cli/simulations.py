"""Simulated statistics on the command line: simulated once for each scoring, and kept in the user's cache folder."""

import os
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from gpu import open_pair_engine, open_simulator
from shardwater.scoring.scoring import Scoring
from shardwater.statistics.karlin_altschul import Simulated
from shardwater.statistics.simulated import fit
from shardwater.statistics.simulation import BLOCK_CELLS, BLOCKS, content_of
from shardwater.steps import finish
from worker.cli.console import progress_bar

_SIMULATED = TypeAdapter(Simulated)


def simulated_here(scoring: Scoring, threads: int | None) -> Simulated:
    """The parameters of a scoring, as they were simulated before, or now; raises ScoringError where it has none."""
    kept = _folder() / f"{content_of(scoring)}.json"
    # What cannot be read is simulated anew.
    with suppress(OSError, ValidationError):
        return _SIMULATED.validate_json(kept.read_bytes())
    found = _simulate(scoring, threads)
    # Without a folder to write into it is simulated each time.
    with suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(_SIMULATED.dump_json(found))
        unfinished.replace(kept)
    return found


def _simulate(scoring: Scoring, threads: int | None) -> Simulated:
    simulator, done = open_simulator(open_pair_engine(threads), threads), 0
    with progress_bar("Simulating") as show:

        def add(cells: int) -> None:
            nonlocal done
            done += cells
            show(min(done, BLOCKS * BLOCK_CELLS), BLOCKS * BLOCK_CELLS)

        blocks = [finish(simulator.block(scoring, number), add) for number in range(BLOCKS)]
    return fit(scoring, blocks)


def _folder() -> Path:
    """As the XDG Base Directory Specification has it."""
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(base) / "shardwater" / "simulated"
