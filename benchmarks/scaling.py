"""A database cut over 1, 2 and 4 GPUs of one machine: `python benchmarks/scaling.py FASTA --queries queries20.fasta`.

Each cut is served by real workers, one to a GPU (on a machine with none, by the CPU engine with equal threads each).
The clock covers one request with copies of all queries of at least LEAST residues, from sending it to having the
result; it is run with scores alone, then with alignments, whose number does not shrink with a shard's size.
"""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from results import RESULTS, publish
from serving import Connection, ask, build, running

from gpu import device_count
from shardwater.sequences.fasta import Record, read_fasta

LEAST = 375
"""Shorter queries are over before the service's own time counts for nothing."""
UNEVEN = 0.01


@dataclass(frozen=True)
class Cut:
    """What was measured of one number of shards."""

    residues: list[int]
    digest: str
    scores: float
    alignments: float


def digest(result: dict[str, Any]) -> str:
    """The sha256 of what was found: without the search's name and the certificate, which names the shards."""
    found = {name: result[name] for name in ("database", "parameters", "results")}
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()


def rate(service: Connection, queries: Sequence[Record], repeats: int, **options: int) -> float:
    """The best of some searches, in cells a second."""
    best = 0.0
    for _ in range(repeats):
        answer = ask(service, "bench", queries, **options)
        best = max(best, answer.result["certificate"]["cells"] / (answer.received - answer.sent))
    return best


def measure(source: Path, queries: Sequence[Record], shards: int, repeats: int) -> Cut:
    """Build, serve and search one cut."""
    with tempfile.TemporaryDirectory() as folder:
        build(source, Path(folder), shards)
        with running(Path(folder)) as service:
            result = ask(service, "bench", queries).result
            return Cut(
                [shard["residues"] for shard in result["certificate"]["shards"]],
                digest(result),
                rate(service, queries, repeats, alignments=0),
                rate(service, queries, repeats),
            )


def report(cuts: dict[int, Cut]) -> list[str]:
    """The table of all cuts, by their number of shards."""
    one = next(iter(cuts.values()))
    lines = [
        "| shards | residues of each | 10^9 cells/s, scores | efficiency | with alignments | efficiency | sha256 |",
        "|---|---|---|---|---|---|---|",
    ]
    for shards, cut in cuts.items():
        scores, alignments = cut.scores / one.scores / shards, cut.alignments / one.alignments / shards
        lines.append(
            f"| {shards} | {', '.join(f'{residues:,}' for residues in cut.residues)} | {cut.scores / 1e9:.1f} | "
            f"{scores:.3f} | {cut.alignments / 1e9:.1f} | {alignments:.3f} | {cut.digest[:16]} |"
        )
    return lines


def check(cuts: dict[int, Cut]) -> None:
    """Stop where cuts answer differently, or a shard holds more than its share."""
    if len({cut.digest for cut in cuts.values()}) != 1:
        raise SystemExit(f"the results differ: {cuts}")
    for cut in cuts.values():
        if max(cut.residues) > (1 + UNEVEN) * sum(cut.residues) / len(cut.residues):
            raise SystemExit(f"the shards are uneven: {cut.residues}")


def main() -> None:
    """Measure each cut, compare, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path, help="the database")
    parser.add_argument("--queries", type=Path, required=True, help="FASTA")
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 2, 4], help="those that devices are there for")
    parser.add_argument("--copies", type=int, default=10, help="copies of each query in a request")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    asked = [record for record in read_fasta(options.queries.read_bytes()) if len(record.residues) >= LEAST]
    queries = [replace(each, header=f"{each.header} copy {copy}") for copy in range(options.copies) for each in asked]
    most = device_count() or 2
    cuts = {
        shards: measure(options.fasta, queries, shards, options.repeats) for shards in options.shards if shards <= most
    }
    check(cuts)
    residues = sum(len(query.residues) for query in queries)
    what = f"{len(queries)} queries, {residues:,} residues; best of {options.repeats}."
    publish("Shards over GPUs", [what, "", *report(cuts)], options.results)


if __name__ == "__main__":
    main()
