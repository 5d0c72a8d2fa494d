"""Pairs through a real service, and searches beside them: `python benchmarks/pair_service.py FASTA --query FASTA`.

A service is started over the FASTA file (its build and start are not timed). Reads of 150 letters with 4 % errors and
what they were read from are uploaded as FASTA, both files at once; a job aligns them (match +2, mismatch -1, gaps 1 and
1) and its lines are read while its parts end. The clock covers the client's side, from the first byte of the uploads
to the last line. Then one client searches with short queries, on the idle service and while such jobs are at work.
"""

import argparse
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from latency import start
from pairs import reads
from results import RESULTS, publish
from serving import build
from turns import latency, short_queries

from shardwater.pairs.batch import Joined
from shardwater.sequences.alphabets import BASES

LETTERS = 150
PATIENCE_S = 600


@dataclass(frozen=True)
class Clock:
    """Seconds from the beginning until the uploads were there, the job was, its first line, and its last."""

    uploaded: float
    accepted: float
    first: float
    last: float


def as_fasta(sequences: Joined, name: str) -> bytes:
    """A record of two lines for each."""
    text = sequences.codes.tobytes().translate(bytes.maketrans(bytes(range(len(BASES))), BASES.encode()))
    ends = sequences.offsets.tolist()
    return b"".join(
        b">%s%d\n%s\n" % (name.encode(), number, text[ends[number] : ends[number + 1]])
        for number in range(len(sequences))
    )


def upload(url: str, content: bytes) -> str:
    """The name of an upload of one's own connection."""
    reply = httpx.post(f"{url}/v1/uploads", content=content, timeout=PATIENCE_S)
    reply.raise_for_status()
    return str(reply.json()["id"])


def align(url: str, names: list[str], report: str, mode: str) -> tuple[str, int, float, float]:
    """A new job, its lines read: its address, how many they are, when it was accepted and when the first came."""
    body = {"queries": {"upload": names[0]}, "subjects": {"upload": names[1]}, "mode": mode, "report": report}
    reply = httpx.post(f"{url}/v1/alignments", json=body, headers={"Cache-Control": "no-cache"}, timeout=PATIENCE_S)
    reply.raise_for_status()
    accepted, first, lines = time.perf_counter(), 0.0, 0
    path = urlsplit(reply.headers["Location"]).path
    with httpx.stream("GET", f"{url}{path}/results?format=ndjson", timeout=PATIENCE_S) as results:
        results.raise_for_status()
        for piece in results.iter_raw(1 << 20):
            first = first or time.perf_counter()
            lines += piece.count(b"\n")
    return path, lines, accepted, first


def whole(url: str, texts: tuple[bytes, bytes], report: str, mode: str) -> tuple[Clock, list[str]]:
    """From uploads to the last line, and the uploads' names."""
    began = time.perf_counter()
    with ThreadPoolExecutor(2) as uploads:
        names = list(uploads.map(lambda text: upload(url, text), texts))
    uploaded = time.perf_counter()
    path, lines, accepted, first = align(url, names, report, mode)
    last = time.perf_counter()
    if lines != texts[0].count(b">"):
        raise SystemExit(f"{lines} lines came of {texts[0].count(b'>')}")
    httpx.delete(f"{url}{path}").raise_for_status()
    return Clock(*(each - began for each in (uploaded, accepted, first, last))), names


@contextmanager
def at_work(url: str, names: list[str], mode: str) -> Iterator[list[float]]:
    """Job after job of the same uploads; gives the seconds of those that have ended."""
    stopped, took = threading.Event(), list[float]()

    def work() -> None:
        while not stopped.is_set():
            began = time.perf_counter()
            path, *_ = align(url, names, "alignment", mode)
            took.append(time.perf_counter() - began)
            if httpx.delete(f"{url}{path}").status_code != HTTPStatus.NO_CONTENT:
                raise SystemExit("a job could not be deleted")

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield took
    finally:
        stopped.set()
        worker.join()


def main() -> None:
    """Build, serve, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path, help="the database")
    parser.add_argument("--query", type=Path, required=True, help="FASTA; its records are cut into short queries")
    parser.add_argument("--length", type=int, default=144, help="residues of a short query")
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--report", choices=("score", "ends", "alignment"), default="ends")
    parser.add_argument("--mode", default="global")
    parser.add_argument("--searches", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    pairs = reads(LETTERS, options.pairs)
    texts = as_fasta(pairs.queries, "query"), as_fasta(pairs.subjects, "subject")
    queries = short_queries(options.query, options.length)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        build(options.fasta, data, 1)
        process, url = start(data)
        try:
            clocks = [whole(url, texts, options.report, options.mode) for _ in range(options.repeats)]
            latency(url, queries, 5)
            idle = latency(url, queries, options.searches)
            with at_work(url, clocks[-1][1], options.mode) as jobs:
                busy = latency(url, queries, options.searches)
        finally:
            process.terminate()
            process.wait()
    best = min((clock for clock, _ in clocks), key=lambda clock: clock.last)
    row = "| {} | {:.1f} | {:.1f} |".format
    lines = [
        f"{options.pairs:,} pairs of {LETTERS} letters, {options.mode}, {options.report}; best of {options.repeats}:",
        "",
        "| uploaded (s) | accepted | first line | last line |",
        "|---|---|---|---|",
        f"| {best.uploaded:.2f} | {best.accepted:.2f} | {best.first:.2f} | {best.last:.2f} |",
        "",
        f"| queries of {options.length} residues | p50 (ms) | p95 (ms) |",
        "|---|---|---|",
        row("alone", idle.quantile(0.5), idle.quantile(0.95)),
        row(f"beside such jobs (alignments; {len(jobs)} ended)", busy.quantile(0.5), busy.quantile(0.95)),
    ]
    publish("Pairs through the service", lines, options.out)


if __name__ == "__main__":
    main()
