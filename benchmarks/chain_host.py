"""What a worker does for a chain in a round while its engine waits: `python benchmarks/chain_host.py FOLDER`.

FOLDER is what families.py has written, of some hundred proteins with --copies 600. An engine's answers are computed
once, on the CPU, and given again while the clock runs: what is left is to choose hits, to read their sequences, and to
pack their paths. What a GPU's own engine does on the host is not in it.
"""

import argparse
import hashlib
import tempfile
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt
from results import RESULTS, publish

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Shard
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Pair, Slice, Slices, Survey
from shardwater.engines.extent import Extent
from shardwater.pairs.columns import Columns
from shardwater.profiles.iterated import Iterated, ended
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import Cut, best_scores
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Searched
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, trace_all_hits
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.statistics.distribution import Counts
from shardwater.steps import finish
from worker.jobs.results.traced_parts import pack_traced

ASKED = Parameters(
    iterations=2, evalue=0.1, inclusion_evalue=0.1, max_target_seqs=10_000, alignments=10_000, composition="adjusted"
)
REPEATS = 20

Scored = tuple[npt.NDArray[np.int64], Counts, Extent]


class Replayed(CpuEngine):
    """Computes each answer once."""

    def __init__(self, shard: Shard) -> None:
        super().__init__()
        self.load(shard)
        self._shard, self._numbers = shard, shard.numbers(np.arange(len(shard)))
        self._scored: dict[str, Scored] = {}
        self._surveys: dict[tuple[str, bytes], Survey] = {}
        self._aligned: dict[bytes, list[Columns]] = {}

    def survey(
        self,
        queries: Sequence[Record],
        scoring: Scoring,
        cuts: Sequence[Cut],
        scores: bool = False,
        among: Shard | None = None,
    ) -> Slices[Survey]:
        """The cut is asked each time, as engines do."""
        [query], [cut] = queries, cuts
        if (name := _name(query)) not in self._scored:
            self._scored[name] = self._score_once(query, scoring)
        every, counts, extent = self._scored[name]
        least = cut(counts)
        if (key := (name, least.tobytes())) not in self._surveys:
            lengths = self._shard.lengths
            self._surveys[key] = Survey.among(self._numbers, lengths, every, extent, counts, least)
        yield Slice(extent.cells, [(0, self._surveys[key])])

    def _score_once(self, query: Record, scoring: Scoring) -> Scored:
        slices = list(super().survey([query], scoring, [best_scores(1)], True))
        [(_, found)] = [answer for each in slices for answer in each.answers]
        runs = [run.scores for each in slices for run in each.scores]
        return np.concatenate(runs).astype(np.int64), found.counts, found.extent

    def align(self, pairs: Sequence[Pair], scoring: Scoring) -> Generator[Columns, None, None]:
        """All pairs of a query in one answer, as a GPU has them."""
        letters = b"".join([pair.subject for pair in pairs])
        key = hashlib.blake2b(letters + (pairs[0].pssm.scores.tobytes() if pairs and pairs[0].pssm else b"")).digest()
        if key not in self._aligned:
            self._aligned[key] = [Columns.joined(True, list(super().align(pairs, scoring)))]
        yield from self._aligned[key]


def _name(query: Record) -> str:
    return f"{query.header} {query.pssm.digest if query.pssm else ''}"


def rounds(engine: Replayed, shard: Shard, chain: Record) -> list[ShardSearch]:
    """What is asked of a shard in each round of a chain."""
    searched = Searched("", (SearchedDatabase.of(shard.database.manifest),), ASKED, [chain])
    now, asked = Iterated.first([chain]), []
    while True:
        asked.append(now.asked(ASKED))
        [traced] = finish(trace_all_hits(engine, shard, asked[-1:]))
        now, result = ended(now, searched, [traced.written(shard.database, 0, now.records, ASKED)])
        if result is not None:
            return asked


def milliseconds(engine: Replayed, shard: Shard, asked: ShardSearch) -> tuple[float, int]:
    """Of a processor for one round of a chain, and its hits."""
    took = []
    for _ in range(REPEATS):
        began = time.process_time()
        [traced] = finish(trace_all_hits(engine, shard, [asked]))
        pack_traced(traced)
        took.append(1000 * (time.process_time() - began))
    return median(took), len(traced.queries[0])


def main() -> None:
    """Measure, print and append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chains", type=int, default=10)
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        build_database([options.folder / "families.fasta"], Path(data), name="families")
        shard = Catalog(Path(data)).current("families").shard(0, 1)
        chains = read_fasta((options.folder / "chains.fasta").read_bytes())[: options.chains]
        engine, lines = Replayed(shard), [f"{len(shard):,} sequences; {len(chains)} chains.", ""]
        each = [rounds(engine, shard, chain) for chain in chains]
        for number in range(ASKED.iterations):
            measured = [milliseconds(engine, shard, asked[number]) for asked in each if number < len(asked)]
            times, hits = zip(*measured, strict=True)
            lines.append(f"- round {number + 1}: **{median(times):.2f} ms**, {median(hits):.0f} hits (medians)")
    publish("A worker's own work for a chain and round", lines, options.results)


if __name__ == "__main__":
    main()
