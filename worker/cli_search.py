"""`shardwater search` and `shardwater format`: BLAST+'s flags, with the engine here, through a server, or none."""

from pathlib import Path
from typing import Annotated

import typer

OUTFMT_HELP = (
    '0 pairwise, 5 XML, "6 ..." table, "7 ..." with comments, "10 ..." CSV, 15 BLAST JSON, 17 SAM, '
    "or json, ndjson, csv, parquet, fasta. Columns of a table follow its name."
)
Out = Annotated[Path | None, typer.Option("-out", "-o", "--out", help="File to write; default standard output.")]
Outfmt = Annotated[str, typer.Option("-outfmt", "--outfmt", help=OUTFMT_HELP)]


def search(
    query: Annotated[Path, typer.Option("-query", "-q", "--query", help="FASTA file; - reads standard input.")],
    db: Annotated[str, typer.Option("-db", "-d", "--db", help="Name of the database.")],
    data: Annotated[Path | None, typer.Option("--data", help="Data folder: search here, without a server.")] = None,
    server: Annotated[str | None, typer.Option("--server", help="Search through this server, http://...")] = None,
    out: Out = None,
    outfmt: Outfmt = "0",
    evalue: Annotated[float | None, typer.Option("-evalue", "--evalue", help="Largest E-value; default 10.")] = None,
    matrix: Annotated[str, typer.Option("-matrix", "--matrix", help="Substitution matrix.")] = "BLOSUM62",
    gapopen: Annotated[
        int | None, typer.Option("-gapopen", "--gapopen", help="A gap of n costs gapopen + n gapextend.")
    ] = None,
    gapextend: Annotated[int | None, typer.Option("-gapextend", "--gapextend", help="See -gapopen.")] = None,
    max_target_seqs: Annotated[
        int, typer.Option("-max_target_seqs", "--max_target_seqs", help="Subjects to report for each query.")
    ] = 100,
    statistics: Annotated[
        str, typer.Option("-statistics", "--statistics", help="fitted, table, karlin-altschul, or none.")
    ] = "fitted",
    score_distribution: Annotated[
        bool, typer.Option("-score_distribution", "--score_distribution", help="Count all subjects' scores (json).")
    ] = False,
    timeout: Annotated[float, typer.Option(min=0, help="Seconds to wait for a server.")] = 3600,
) -> None:
    """Search a database with the queries of a FASTA file."""
    if (data is None) == (server is None):
        raise typer.BadParameter("name either --data or --server")
    # Only now: a usage error, and every other command, is answered without loading the engine and HTTP.
    from worker.searching import Place, run_search

    given = {
        "evalue": evalue,
        "matrix": matrix,
        "gap_open": gapopen,
        "gap_extend": gapextend,
        "max_target_seqs": max_target_seqs,
        "alignments": max_target_seqs,
        "statistics": statistics,
        "score_distribution": score_distribution or None,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    run_search(query, {"database": db, **fields}, Place(data, server, timeout), outfmt, out)


def format_result(
    result: Annotated[Path, typer.Argument(help="A result as JSON, of this command line or of a server; - reads it.")],
    out: Out = None,
    outfmt: Outfmt = "0",
    query: Annotated[int | None, typer.Option("--query", min=1, help="Only this query's part, from 1.")] = None,
    hits: Annotated[str | None, typer.Option("--hits", help="Only the hits of these ranks, as 1,5,9-12.")] = None,
    data: Annotated[Path | None, typer.Option("--data", help="Data folder, which fasta takes sequences from.")] = None,
) -> None:
    """Write a finished search's result in another format."""
    from worker.formatting import run_format
    from worker.outfmt import OutputFormat

    run_format(result, OutputFormat.parse(outfmt, data), query, hits, out)
