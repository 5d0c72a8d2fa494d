"""What sharing a worker's turn brings: `python benchmarks/turns.py FASTA [--shards N]`.

A real service is started over the FASTA file (its build and start are not timed). First many clients send short queries
without a pause, each a search of its own, and the searches answered in a second are counted. Then one client measures
the latency of short queries, on the idle service and while 40 queries of 40,000 residues are searched. Every search is
run anew; every client has one connection that stays open. The clock covers the client's side, from sending to the
whole result.
"""

import argparse
import itertools
import json
import tempfile
import threading
import time
from pathlib import Path

from latency import Timings
from results import RESULTS, publish
from serving import Connection, ask, build, fasta, start

from shardwater.sequences.fasta import Record, read_fasta

LONG = [Record(f"long_{number}", b"MKVLCAGWDERTYHIPSNQF" * 2000) for number in range(40)]


def short_queries(path: Path, length: int) -> "itertools.cycle[Record]":
    """Pieces of real proteins, again and again."""
    records = read_fasta(path.read_bytes())
    pieces = [
        Record(f"{record.id}/{start}", record.residues[start : start + length])
        for record in records
        for start in range(0, len(record.residues) - length, length)
    ]
    return itertools.cycle(pieces)


def flood(url: str, queries: "itertools.cycle[Record]", clients: int, seconds: float) -> tuple[float, Timings]:
    """Searches answered in a second by many clients, and how long each took."""
    took: list[float] = []
    ends = time.perf_counter() + seconds

    def keep_asking() -> None:
        service = Connection(url)
        while (began := time.perf_counter()) < ends:
            ask(service, "bench", [next(queries)], max_target_seqs=10)
            took.append(time.perf_counter() - began)
        service.close()

    started = time.perf_counter()
    threads = [threading.Thread(target=keep_asking) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(took) / (time.perf_counter() - started), Timings(took)


def latency(url: str, queries: "itertools.cycle[Record]", repeats: int) -> Timings:
    """How long short searches take, one after another."""
    service = Connection(url)
    answers = [ask(service, "bench", [next(queries)], max_target_seqs=10) for _ in range(repeats)]
    service.close()
    return Timings([answer.received - answer.sent for answer in answers])


def beside_a_long_one(url: str, queries: "itertools.cycle[Record]", repeats: int) -> Timings:
    """The same while a long search is at work, which is given up in the end."""
    service = Connection(url)
    body = json.dumps({"sequence": fasta(LONG), "database": "bench"}).encode()
    place = service.send("POST", "/v1/searches", body, {"Content-Type": "application/json"}).headers["Location"]
    while json.loads(service.send("GET", place).body)["state"] == "queued":
        pass
    service.close()
    timings = latency(url, queries, repeats)
    # The server hangs up on who says nothing for some seconds.
    service = Connection(url)
    state = json.loads(service.send("GET", place).body)["state"]
    service.send("DELETE", place)
    service.close()
    if state != "running":
        raise SystemExit(f"the long search was {state} before the short ones had ended")
    return timings


def main() -> None:
    """Build, serve, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path, help="the database")
    parser.add_argument("--query", type=Path, required=True, help="FASTA; its records are cut into short queries")
    parser.add_argument("--length", type=int, default=40, help="residues of a short query")
    parser.add_argument("--shards", type=int, default=2)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    queries = short_queries(options.query, options.length)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        build(options.fasta, data, options.shards)
        process, url = start(data)
        try:
            latency(url, queries, 5)
            rate, flooded = flood(url, queries, options.clients, options.seconds)
            idle = latency(url, queries, options.repeats)
            busy = beside_a_long_one(url, queries, options.repeats)
        finally:
            process.terminate()
            process.wait()
    row = "| {} | {:.1f} | {:.1f} |".format
    asked = f"queries of {options.length} residues, {options.shards} shards, {options.clients} clients"
    lines = [
        f"{rate:.1f} searches/s: {asked}.",
        "",
        "| short queries | p50 (ms) | p99 (ms) |",
        "|---|---|---|",
        row("in the flood", flooded.quantile(0.5), flooded.quantile(0.99)),
        row("alone", idle.quantile(0.5), idle.quantile(0.99)),
        row("beside 40 queries of 40,000 residues", busy.quantile(0.5), busy.quantile(0.99)),
    ]
    publish("Turns", lines, options.out)


if __name__ == "__main__":
    main()
