"""A worker whose engine fails as a GPU's does: `python -m tests.worker.faulty_worker FOLDER SHARD load|search`.

The worker of shard 0 fails as often as the number in FOLDER/faults says, over all its lives, and then computes as the
CPU engine does; another shard's never fails, so that no two processes count at a time.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from shardwater.database.database import Shard
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Found, Slices, Survey
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import Cut
from shardwater.sequences.fasta import Record
from worker.runner import process
from worker.settings import Settings

REASON = "CUDA: cudaErrorIllegalAddress:\nan illegal memory access was encountered"


class DeviceFault(Exception):
    """In place of gpu.device's, which needs CuPy."""


class FaultyEngine(CpuEngine):
    """Fails when it is asked for one thing, as long as there are faults left."""

    def __init__(self, faults: Path, where: str) -> None:
        super().__init__(1)
        self._faults, self._where = faults, where

    def load(self, shard: Shard) -> None:
        self._fail("load")
        super().load(shard)

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, among: Shard | None = None
    ) -> Slices[Found]:
        self._fail("search")
        return super().search(queries, scoring, top, among)

    def survey(
        self,
        queries: Sequence[Record],
        scoring: Scoring,
        cuts: Sequence[Cut],
        scores: bool = False,
        among: Shard | None = None,
    ) -> Slices[Survey]:
        self._fail("search")
        return super().survey(queries, scoring, cuts, scores, among)

    def _fail(self, where: str) -> None:
        if where != self._where:
            return
        left = int(self._faults.read_text())
        if left:
            self._faults.write_text(str(left - 1))
            raise DeviceFault(REASON)


def main() -> None:
    """Serve one shard of the database `small` in FOLDER/data."""
    folder, shard, where = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    device = ModuleType("gpu.device")
    device.DeviceFault = DeviceFault  # type: ignore[attr-defined]
    device.memory_in_use = lambda: (0, 0)  # type: ignore[attr-defined]
    sys.modules["gpu.device"] = device
    process.open_engine = lambda *_: FaultyEngine(folder / "faults", where if shard == 0 else "never")
    # There need be no such device.
    process.check_shown = lambda numbers: None
    # It would use up faults that are meant for jobs.
    process.measure_costs = lambda engine, shard, usual: usual
    process.run_worker(Settings.from_env(), process.ShardChoice("small", shard), [1])


if __name__ == "__main__":
    main()
