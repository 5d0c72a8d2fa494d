"""The demo, as a user would do it: build a database, serve it, post FASTA over HTTP, read the hits, stop.

Run by `make demo`; everything it makes goes into a temporary folder.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table
from rich.text import Text

HERE = Path(__file__).parent
COMMAND = [sys.executable, "-P", "-m", "worker.cli"]

console = Console(highlight=False)


def build(data: Path) -> None:
    """Make the demo database, in two shards."""
    console.print("[bold]1.[/] Building the database from demo/proteins.fasta.gz, in two shards")
    source, title = str(HERE / "proteins.fasta.gz"), "3,183 proteins of UniProtKB/Swiss-Prot"
    arguments = [source, "--name", "demo", "--out", str(data), "--shards", "2", "--title", title]
    subprocess.run([*COMMAND, "makedb", *arguments], check=True)


@contextmanager
def served(data: Path):
    """The address of a server on a free port: queue, one worker a shard, API; all is stopped at the end."""
    console.print("[bold]2.[/] Starting the queue, two workers and the API")
    server = subprocess.Popen(
        [*COMMAND, "serve", "--data", str(data), "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    try:
        address = None
        while address is None:
            line = server.stderr.readline()
            if not line:
                sys.exit(f"the server ended with status {server.wait()}")
            sys.stderr.write(line)
            found = re.search(r"Ready: (http://\S+)", line)
            address = found[1] if found else None
        threading.Thread(target=lambda: [sys.stderr.write(line) for line in server.stderr], daemon=True).start()
        yield address
    finally:
        console.print("[bold]4.[/] Stopping everything")
        server.send_signal(signal.SIGTERM)
        server.wait()


def search(address: str) -> tuple[str, dict[str, Any]]:
    """Post the demo's queries; the URL of the result and the result."""
    console.print("[bold]3.[/] Posting demo/queries.fasta to", Text(f"{address}/v1/searches"))
    response = httpx.post(
        f"{address}/v1/searches",
        params={"database": "demo", "max_target_seqs": 5},
        content=(HERE / "queries.fasta").read_bytes(),
        headers={"Content-Type": "text/x-fasta", "Prefer": "wait=60"},
        timeout=90,
    )
    if response.status_code != httpx.codes.OK:
        sys.exit(f"the search gave {response.status_code}: {response.text}")
    return f"{address}{response.headers['Location']}/results", response.json()


def show(url: str, result: dict[str, Any]) -> None:
    """Print the hits as a table, with the certificate and the result's URL."""
    table = Table(title="Best hits")
    table.add_column("Query")
    table.add_column("Accession")
    for name in ("Score", "Bits", "E-value", "Identity %", "Coverage %"):
        table.add_column(name, justify="right")
    for one in result["results"]:
        for hit in one["hits"]:
            first = hit is one["hits"][0]
            figures = (f"{hit['bits']:.1f}", f"{hit['evalue']:.2g}", f"{hit['identity']:.1f}")
            coverage = f"{hit['query_coverage']:.1f}"
            name = one["query"]["id"] if first else ""
            # As they are: brackets in a name are no markup.
            table.add_row(Text(name), Text(hit["accession"]), str(hit["score"]), *figures, coverage)
        table.add_section()
    console.print(table)
    certificate = result["certificate"]
    console.print(
        f"Exact: all {certificate['subjects']:,} sequences ({certificate['residues']:,} residues) were scored, "
        f"{certificate['cells']:,} cells in {len(certificate['shards'])} shards."
    )
    console.print(f"Result: {url}", soft_wrap=True, markup=False)


def main() -> None:
    """Run the demo."""
    os.environ.setdefault("COLUMNS", "110")
    with tempfile.TemporaryDirectory(prefix="shardwater-demo-") as folder:
        build(Path(folder))
        with served(Path(folder)) as address:
            show(*search(address))
    console.print("Done. `make serve DATA=folder` keeps a server up.")


if __name__ == "__main__":
    main()
