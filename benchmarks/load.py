"""The service under load: `make load`, then `python benchmarks/load.py --clients 1000 [--burst] [--soak RATE]`.

A real service over the demo's proteins, or those of --fasta, and as many clients at a time as are asked for (see
load_clients.py), whose queries are real proteins of all lengths. Steady: clients think between their searches so long
that --rate searches a second arrive. Burst: all come in one second, and search again as soon as they have an answer.
Soak: as many searches as an hour of that rate brings, as fast as they go, while results expire after seconds; then no
process and no Redis may hold more than before, but for what a warm process keeps.
"""

import argparse
import csv
import gzip
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from redis import Redis
from results import RESULTS, publish

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.server import Server, make_database, running  # noqa: E402

LOCUST = Path(sys.prefix, "load", "bin", "locust")
LOOK_S = 0.5
SHARES = ("50%", "99%", "99.9%", "100%")
SOAK_RETENTION_S = 20
GROWTH, SLACK_KIB = 1.25, 32 << 10
"""What a process may hold at the end of a soak: so many times what it held after a tenth of it, and so much more."""


@dataclass
class Memory:
    """KiB that a process, or Redis for its data, holds: at the start, after a tenth of the run, at most, at the end."""

    start: int
    warm: int = 0
    peak: int = 0
    end: int = 0

    @property
    def bounded(self) -> bool:
        """Whether the end is not far above what there was early on."""
        return self.end <= GROWTH * self.warm + SLACK_KIB


@dataclass
class Watch:
    """Looks at a service's memory."""

    server: Server
    held: dict[str, Memory] = field(default_factory=dict)

    def look(self) -> None:
        """Take the figures of this moment."""
        for name, kibibytes in self._now().items():
            one = self.held.setdefault(name, Memory(kibibytes))
            one.peak, one.end = max(one.peak, kibibytes), kibibytes

    def keep_warm(self) -> None:
        """Take the figures of this moment for those of a warm service."""
        for one in self.held.values():
            one.warm = one.end

    def _now(self) -> dict[str, int]:
        found = {"front end": sum(map(_resident, self.server.pids("app")))}
        for number, process in enumerate(self.server.pids("worker.cli")):
            found[f"worker {number}"] = _resident(process)
        found["Valkey"] = sum(map(_resident, self.server.pids("valkey")))
        with self.server.redis as redis:
            found["data in Valkey"] = redis.info("memory")["used_memory"] >> 10
        return found


def _resident(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@dataclass(frozen=True)
class Run:
    """What Locust was told to do, and where it writes its tables."""

    options: argparse.Namespace
    folder: Path
    server: Server

    def start(self) -> "subprocess.Popen[str]":
        """The clients."""
        options = self.options
        spawn = options.clients if options.burst else max(1, options.clients // 10)
        think = 0 if options.burst or options.soak else options.clients / options.rate
        queries = self.folder / "queries.fasta"
        text = options.fasta.read_bytes()
        queries.write_bytes(gzip.decompress(text) if options.fasta.suffix == ".gz" else text)
        clients = Path(__file__).with_name("load_clients.py")
        end = f"--searches={self.searches}" if options.soak else f"--run-time={60 * options.minutes:.0f}s"
        return subprocess.Popen(
            [
                *(options.locust, "--headless", "--only-summary", "-f", clients, f"--csv={self.folder / 'load'}"),
                *(
                    f"--host={self.server.url}",
                    f"--users={options.clients}",
                    f"--spawn-rate={spawn}",
                    f"--think={think}",
                ),
                *(f"--queries={queries}", "--stop-timeout=300", "--exit-code-on-error=0", end),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @property
    def searches(self) -> int:
        """How many a soak sends: an hour's."""
        return round(3600 * self.options.soak)

    def rows(self, name: str) -> list[dict[str, str]]:
        """A table that Locust has written, nothing where it has not yet."""
        if not (self.folder / f"load_{name}.csv").is_file():
            return []
        with (self.folder / f"load_{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    @property
    def ended(self) -> int:
        """Searches that have ended by now."""
        return sum(int(row["Request Count"]) for row in self.rows("stats") if row["Type"] == "search")


def report(run: Run, seconds: float, watch: Watch, keys: Counter[str]) -> list[str]:
    """What is published of a run."""
    searches = [row for row in run.rows("stats") if row["Type"] == "search"]
    sent, refused = (sum(int(row[column]) for row in searches) for column in ("Request Count", "Failure Count"))
    reasons = Counter[str]()
    for row in run.rows("failures"):
        reasons[row["Error"]] += int(row["Occurrences"])
    named = "".join(f"; {number:,} x {reason}" for reason, number in reasons.items())
    return [
        f"{sent:,} searches in {seconds:.0f} s, {sent / seconds:.1f} a second; {refused:,} without a result "
        f"({100 * refused / max(1, sent):.2f} %){named}.",
        "",
        "| residues of the query | searches | p50 ms | p99 ms | p999 ms | longest ms |",
        "|---|---|---|---|---|---|",
        *(
            f"| {row['Name']} | {int(row['Request Count']):,} | {' | '.join(row[share] for share in SHARES)} |"
            for row in searches
        ),
        "",
        "| MiB | start | warm | peak | end |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {' | '.join(f'{part / 1024:.1f}' for part in (one.start, one.warm, one.peak, one.end))} |"
            for name, one in watch.held.items()
        ),
        "",
        "Keys in Valkey at the end: "
        + (", ".join(f"{number:,} {kind}" for kind, number in sorted(keys.items())) or "none"),
    ]


def kinds_of_keys(redis: Redis) -> Counter[str]:
    """How many keys there are of each kind: the first two parts of a name."""
    return Counter(":".join(key.decode().split(":")[:2]) for key in redis.scan_iter(count=1000))


def follow(run: Run, clients: "subprocess.Popen[str]", watch: Watch) -> str:
    """Look at memory until the clients have gone, a tenth of their work counting as warming up; what they said."""
    started, total = time.monotonic(), run.searches or 60 * run.options.minutes
    told: list[str] = []
    reader = threading.Thread(target=lambda: told.append(clients.communicate()[0]))
    reader.start()
    warm = False
    while reader.is_alive():
        reader.join(LOOK_S)
        watch.look()
        done = run.ended if run.searches else time.monotonic() - started
        if not warm and done > total / 10:
            warm = True
            watch.keep_warm()
    return told[0]


def measure(options: argparse.Namespace) -> tuple[list[str], bool]:
    """One run; its report, and whether memory stayed within bounds."""
    # All clients have one address.
    environment = {"SHARDWATER_MAX_STREAMS_PER_OWNER": "0"}
    environment |= {"SHARDWATER_RETENTION_S": str(SOAK_RETENTION_S)} if options.soak else {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_database(options.fasta, folder / "data")
        with running(Server(folder / "data", environment=environment)) as server:
            watch = Watch(server)
            watch.look()
            run, started = Run(options, folder, server), time.monotonic()
            clients = run.start()
            told = follow(run, clients, watch)
            seconds = time.monotonic() - started
            if clients.returncode:
                raise SystemExit(f"Locust ended with {clients.returncode}: {told}")
            if options.soak:
                # What the last searches left is to expire; what is known of an id does after twice the time.
                time.sleep(2 * SOAK_RETENTION_S + 5)
                watch.look()
            with server.redis as redis:
                keys = kinds_of_keys(redis)
            lines = report(run, seconds, watch, keys)
            said = [line.rstrip() for line in server.lines if not line.startswith(("Loading", "Ready"))]
        lines += ["", f"Lines in the service's log: {len(said)}.", *(f"    {line}" for line in said[:5])]
        return lines, all(one.bounded for one in watch.held.values())


def main() -> None:
    """Measure, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=100, help="at a time")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--rate", type=float, default=5, help="searches a second that arrive, of all clients together")
    parser.add_argument("--burst", action="store_true", help="all clients at once, without a pause")
    parser.add_argument("--soak", type=float, default=0, metavar="RATE", help="an hour's searches at RATE a second")
    parser.add_argument("--fasta", type=Path, default=ROOT / "demo" / "proteins.fasta.gz", help="database and queries")
    parser.add_argument("--locust", type=Path, default=LOCUST)
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    lines, bounded = measure(options)
    kind = "soak" if options.soak else "burst" if options.burst else "steady"
    publish(f"Load, {kind}", [f"{options.clients:,} clients.", "", *lines], options.results)
    if options.soak and not bounded:
        sys.exit("memory has grown")


if __name__ == "__main__":
    main()
