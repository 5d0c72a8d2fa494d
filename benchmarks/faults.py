"""What is accepted is answered, whatever is killed: `python benchmarks/faults.py --searches 200 --seed 1`.

Each kind of harm of tests/faults/ is done again and again to a service of its own, at moments by chance, while clients
run searches on a small part of the demo, and one client sends jobs of every kind and deletes them. Each harm is
followed by one tiny search, whose time is that of the recovery. Results are compared with those of a calm run, byte by
byte.
"""

import argparse
import gzip
import re
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from results import RESULTS, publish

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from shardwater.sequences.fasta import read_fasta  # noqa: E402
from tests.faults.campaign import Outcome, calm_run, run_campaign, until_ready  # noqa: E402
from tests.faults.harms import MORE_FAULTS  # noqa: E402
from tests.faults.killing import PROCESS_FAULTS  # noqa: E402
from tests.faults.places import NotHere, plain  # noqa: E402
from tests.faults.searches import make_searches  # noqa: E402
from tests.faults.service import Service  # noqa: E402

FAULTS = (*PROCESS_FAULTS, *MORE_FAULTS)
SUBJECTS = 150


def row(outcome: Outcome, seconds: float) -> str:
    """A line of the table."""
    recoveries = sorted(outcome.recoveries)
    median, worst = (recoveries[len(recoveries) // 2], recoveries[-1]) if recoveries else (0.0, 0.0)
    counts = (len(outcome.told), len(recoveries), outcome.struck, len(outcome.failed), len(outcome.lost))
    more = (len(outcome.wrong), len(outcome.surprises), len(outcome.leaked), len(outcome.orphans))
    deleted = (outcome.deleted.total(), len(outcome.back), len(outcome.interrupted))
    cells = [outcome.fault, *map(str, counts + more + deleted), f"{median:.1f}", f"{worst:.1f}", f"{seconds:.0f}"]
    return f"| {' | '.join(cells)} |"


def measure(options: argparse.Namespace) -> list[str]:
    """The table of all faults, or of those whose names have the word that was asked for."""
    records = read_fasta(gzip.decompress((ROOT / "demo" / "proteins.fasta.gz").read_bytes()))[:SUBJECTS]
    searches = make_searches(records, options.seed, options.searches)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        with plain(Path(folder) / "calm", records) as service:
            until_ready(service)
            calm = calm_run(service, searches)
        for number, fault in enumerate(fault for fault in FAULTS if re.search(options.only, fault.name)):
            random = Random(f"{options.seed} {fault.name}")
            started = time.monotonic()
            try:
                with fault.place(Path(folder) / str(number), records) as service:
                    outcome = run_campaign(fault, service, searches, calm, random)
                    lines.append(row(outcome, time.monotonic() - started))
                    tell(outcome, service)
            except NotHere as reason:
                lines.append(f"| {fault.name} | not done: {reason} {'| ' * 15}|")
            print(lines[-1], flush=True)
    head = "| harm | searches | times | processes | failed | lost | wrong | 5xx | keys, folders left | processes left |"
    return [
        f"{SUBJECTS} proteins, two shards; {options.searches} searches of seed {options.seed}, and one a harm.",
        "",
        f"{head} deleted | back | folders for an hour | median recovery, s | worst, s | in all, s |",
        f"|---{'|---' * 15}|",
        *lines,
    ]


def tell(outcome: Outcome, service: Service) -> None:
    """Show what must not be; what a service with such a fault has said is kept."""
    for line in outcome.faults + outcome.failed + outcome.interrupted:
        print(line, flush=True)
    print("deleted:", "; ".join(f"{number} {what}" for what, number in sorted(outcome.deleted.items())), flush=True)
    if outcome.faults:
        kept = Path(tempfile.gettempdir()) / f"faults-{service.port}.log"
        kept.write_bytes(service.log.read_bytes())
        print(f"its log: {kept}", flush=True)


def main() -> None:
    """Run the matrix, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--searches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only harm whose name this regular expression finds")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    publish("Faults", measure(options), options.results)


if __name__ == "__main__":
    main()
