"""MSAs by the service: `python benchmarks/msa_service.py DATA --chains chains.fasta`.

DATA is a data folder, whose first database is searched. A real service with a queue of its own is measured: one chain
after the other by ColabFold's interface, from sending the POST to its answer, which must say COMPLETE, and the
download; then all other chains in one request of `POST /v1/msas`, from sending it to seeing that it has succeeded. The
cells of that are what its rounds had, and stand beside those a second of the engine alone, which searches for some of
the chains in this process once the service has stopped.
"""

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode

from latency import Timings
from results import RESULTS, publish
from serving import Connection, fasta, running

from gpu import open_engine
from shardwater.database.catalog import Catalog
from shardwater.engines.engine import gather
from shardwater.search.parameters import Parameters
from shardwater.sequences.fasta import Record, read_fasta

LOOK_S = 0.25
"""Between two looks at how far a job is."""
WARMING = 3


@dataclass(frozen=True)
class Alone:
    """One chain by ticket: seconds to the answer, seconds of the download, its bytes."""

    answer: float
    download: float
    size: int


@dataclass(frozen=True)
class Together:
    """All chains in one request: seconds to its end, and of the download, its bytes, rounds, rows that were found."""

    seconds: float
    download: float
    size: int
    rounds: list[int]
    rows: list[int]
    cells: int


def by_ticket(service: Connection, chain: Record) -> Alone:
    """Ask as ColabFold does."""
    body = urlencode({"q": fasta([chain]), "mode": "all"}).encode()
    began = time.perf_counter()
    reply = service.send("POST", "/ticket/msa", body, {"Content-Type": "application/x-www-form-urlencoded"})
    answered = time.perf_counter()
    ticket = json.loads(reply.body)
    if ticket["status"] != "COMPLETE":
        raise SystemExit(f"the POST's answer says {ticket['status']}")
    download = service.send("GET", f"/result/download/{ticket['id']}")
    return Alone(answered - began, time.perf_counter() - answered, len(download.body))


def in_one_request(service: Connection, database: str, residues: int, chains: Sequence[Record]) -> Together:
    """Ask for all, and wait."""
    body = json.dumps({"queries": fasta(chains), "databases": [database]}).encode()
    began = time.perf_counter()
    reply = service.send("POST", "/v1/msas", body, {"Content-Type": "application/json"})
    if reply.status != HTTPStatus.ACCEPTED:
        raise SystemExit(reply.body.decode())
    path = reply.headers.get("Location", "")
    while (state := json.loads(service.send("GET", path).body))["state"] in ("queued", "running"):
        print(f"{time.perf_counter() - began:.1f} s: {state['progress']:.3f}", flush=True)
        time.sleep(LOOK_S)
    ended = time.perf_counter()
    if state["state"] != "succeeded":
        raise SystemExit(json.dumps(state["error"]))
    download = service.send("GET", f"{path}/results?format=a3m")
    stages = [each["stages"][0] for each in state["chains"]]
    rounds = [len(stage["rounds"]) for stage in stages]
    cells = sum(residues * len(chain.residues) * number for chain, number in zip(chains, rounds, strict=True))
    rows = [stage["found"] for stage in stages]
    return Together(ended - began, time.perf_counter() - ended, len(download.body), rounds, rows, cells)


def report(alone: Sequence[Alone], together: Together, engine: str, rate: float) -> list[str]:
    """What is published."""
    answers = Timings([each.answer for each in alone])
    quantiles = ", ".join(f"p{share:.0f} {answers.quantile(share / 100):.0f} ms" for share in (50, 90, 100))
    download = 1000 * statistics.median(each.download for each in alone)
    size = statistics.median(each.size for each in alone)
    own = together.cells / together.seconds / 1e12
    rows = Timings([each / 1000 for each in together.rows])
    return [
        f"One chain by ticket, POST to COMPLETE in its answer, {len(alone)} chains: {quantiles}; download of "
        f"{size / 1e3:,.0f} kB {download:.0f} ms (medians).",
        "",
        f"{len(together.rounds):,} chains in one request: **{together.seconds:.2f} s**, "
        f"{sum(together.rounds):,} rounds; {statistics.mean(together.rows):,.0f} rows a chain "
        f"(p50 {rows.quantile(0.5):.0f}, p90 {rows.quantile(0.9):.0f}, most {rows.quantile(1):.0f}); "
        f"{together.cells:,} cells, {own:.2f} TCUPS; {engine} alone: {rate:.2f} TCUPS; **{100 * own / rate:.1f} %**. "
        f"Download of {together.size / 1e6:.1f} MB as A3M: {together.download:.2f} s.",
    ]


def measure(data: Path, chains: Sequence[Record], single: int) -> list[str]:
    """All measurements of a data folder's first database."""
    name = Catalog(data).names()[0]
    manifest = Catalog(data).current(name).manifest
    with running(data) as service:
        alone = [by_ticket(service, chain) for chain in chains[: WARMING + single]][WARMING:]
        print([round(each.answer, 3) for each in alone], flush=True)
        together = in_one_request(service, name, manifest.residues, chains[WARMING + single :])
    engine, some = open_engine(), list(chains[:100])
    engine.load(Catalog(data).current(name).shard(0, 1))
    seconds = []
    for _ in range(2):
        began = time.perf_counter()
        gather(engine.search(some, Parameters().scoring, 100))
        seconds.append(time.perf_counter() - began)
    rate = manifest.residues * sum(len(each.residues) for each in some) / seconds[-1] / 1e12
    head = f"{manifest.subjects:,} sequences, {manifest.residues:,} residues, {manifest.shards} shard(s)."
    return [head, "", *report(alone, together, engine.name, rate)]


def main() -> None:
    """Measure, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--chains", type=Path, required=True, help="FASTA")
    parser.add_argument("--single", type=int, default=20, help="chains that are asked for alone")
    parser.add_argument("--most", type=int, default=1000, help="chains of the one request")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    chains = read_fasta(options.chains.read_bytes())[: WARMING + options.single + options.most]
    publish("MSAs by the service", measure(options.data, chains, options.single), options.results)


if __name__ == "__main__":
    main()
