"""Measure which launch suits each strip width on this device, and write gpu/tuning: `tune_tiles.py DATABASE`.

DATABASE is a folder of shardwater makedb, best of mixed lengths and at least as large as Swiss-Prot: the choice of
threads and of ptxas's option is a cliff on real lengths, not a slope. Each candidate scores the amino acids' packs of
the first part, or those of a few random subjects; strips of longer queries are timed as a middle one, which reads and
writes its border. The clock is CUDA's events around one launch, the best of three.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cupy
import numpy as np
from random_database import random_database

from gpu.arithmetic import Choice
from gpu.compile import kernel
from gpu.database.resident import Part, ResidentShard
from gpu.device import device, tuned
from gpu.family import strips
from gpu.launch.workspace import Workspace
from gpu.layout import AMINO_ACIDS, GROUP, SUBJECTS, WARP
from gpu.score.query import DeviceQuery
from gpu.score.schedules import PLAIN
from gpu.score.strips import (
    MORE_LANES,
    Strip,
    Table,
    bordered_items,
    kind_of,
)
from gpu.tuning import MEASURED, Launch, path_of, with_strips
from shardwater.database.database import Database
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record

CANDIDATES = [
    Launch(threads, bursts, ptxas) for threads in (640, 768, 896) for bursts in (1, 2, 4) for ptxas in ("", "-O1")
]
SCORING = Scoring("BLOSUM62", 11, 1)
REPEATS = 3
FEW_LENGTH = 16_000


class Bench:
    """One part of a shard, with scratch."""

    def __init__(self, part: Part) -> None:
        self.part, self.space = part, Workspace()
        self.packed = Choice.of(device().capability).packed
        rng = np.random.default_rng(1)
        letters = np.frombuffer(b"ARNDCQEGHILKMFPSTWYV", np.uint8)
        self.residues = letters[rng.integers(0, 20, 256)].tobytes()

    def compiled(self, table: Table, items: int, border: bool, how: Launch) -> cupy.RawKernel:
        """The kernel of a candidate."""
        family = strips(self.packed, table, items, border, how, SCORING)
        return kernel(family.schedule, family.ptxas, **family.macros)

    def milliseconds(self, table: Table, items: int, border: bool, how: Launch) -> float:
        """The time of one launch over the amino acids' packs."""
        score, space, part = self.compiled(table, items, border, how), self.space, self.part
        if score.local_size_bytes > 64 or how.threads * score.num_regs > 65536:
            return float("inf")
        score.max_dynamic_shared_size_bytes = table.bytes(items)
        order = part.orders[PLAIN[:1] if table.even else PLAIN]
        times = []
        for _ in range(REPEATS):
            space.use(part, 1)
            with space.stream:
                query = DeviceQuery(Record("", self.residues[: table.lanes * items]), SCORING)
                [profile] = query.profiles(self.packed.ops, table, [Strip(0, items, table.lanes)])
                arguments = (
                    part.codes, part.packs.starts, part.packs.rows, order, np.int32(len(order)), profile,
                    np.uint32(1), space.border, np.int32(border), np.int32(border), space.best, space.counter(),
                )  # fmt: skip
                begin, end = cupy.cuda.Event(), cupy.cuda.Event()
                begin.record()
                score((device().multiprocessors,), (how.threads,), arguments, shared_mem=table.bytes(items))
                end.record()
                end.synchronize()
                times.append(cupy.cuda.get_elapsed_time(begin, end))
        return min(times)


def candidates(lanes: int) -> list[Launch]:
    """The launches to try."""
    return [how for how in CANDIDATES if lanes == GROUP or how.threads == WARP * tuned().few_warps]


def few_packs() -> Part:
    """Half as many packs as MORE_LANES are chosen for at most, all of one length."""
    subjects = SUBJECTS * device().multiprocessors * tuned().few_warps // 4
    shard = random_database(np.full(subjects, FEW_LENGTH, np.uint32)).shard(0, 1)
    return next(ResidentShard(shard).parts())


def shapes_of(lanes: int, shared: int) -> list[tuple[Table, int, bool]]:
    """The table, items and border of each kernel for so many lanes."""
    plain, even = Table(AMINO_ACIDS, lanes=lanes), Table(AMINO_ACIDS, even=True, lanes=lanes)
    most = plain.most_items(shared)
    shapes = [(plain, items, False) for items in range(1, most + 1)]
    shapes += [(even, items, False) for items in range(most + 1, even.most_items(shared) + 1)]
    return shapes + [(plain, items, True) for items in bordered_items(most)]


def tune(bench: Bench, table: Table, items: int, border: bool) -> Launch:
    """The fastest candidate, with its rate."""
    times = {how: bench.milliseconds(table, items, border, how) for how in candidates(table.lanes)}
    best = min(times, key=times.__getitem__)
    residues = sum(bench.part.residues[number] for number in (PLAIN[:1] if table.even else PLAIN))
    for how, time in sorted(times.items(), key=lambda entry: entry[1])[:4]:
        print(f"  {how.threads} threads, {how.bursts} bursts {how.ptxas}: {time:.3f} ms", flush=True)
    return replace(best, tcups=round(residues * table.lanes * items / times[best] / 1e9, 2))


def main() -> None:
    """Tune all widths and write the tables of this device's compute capability."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", type=Path)
    arguments = parser.parse_args()
    shard = Database.open(arguments.database).shard(0, 1)
    bench = Bench(next(ResidentShard(shard).parts()))
    few = Bench(few_packs())
    shared = device().shared_bytes
    shapes = [shape for lanes in (GROUP, MORE_LANES) for shape in shapes_of(lanes, shared)]
    with ThreadPoolExecutor(8) as compilers:
        wanted = [(*shape, how) for shape in shapes for how in candidates(shape[0].lanes)]
        list(compilers.map(lambda one: bench.compiled(*one), wanted))
    measured: dict[str, dict[int, Launch]] = {}
    for table, items, border in shapes:
        best = tune(few if table.lanes == MORE_LANES else bench, table, items, border)
        print(f"items {items:2} {kind_of(border, table.lanes)} {best}", flush=True)
        measured.setdefault(kind_of(border, table.lanes), {})[items] = best
    path = path_of(device().capability)
    before = path if path.is_file() else path_of(MEASURED)
    path.write_text(with_strips(before.read_text(encoding="utf-8"), measured), encoding="utf-8")


if __name__ == "__main__":
    main()
