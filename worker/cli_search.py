"""`shardwater search` and `shardwater format`: BLAST+'s flags, with the engine here, through a server, or none."""

from pathlib import Path
from typing import Annotated

import typer

from worker.cli_options import Data, Db, Out, Outfmt, Server, Timeout
from worker.console import input_errors


def search(
    query: Annotated[
        Path, typer.Option("-query", "-q", "--query", help="FASTA, plain or gzip; - reads standard input.")
    ],
    db: Db,
    data: Data = None,
    server: Server = None,
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
    min_bits: Annotated[float | None, typer.Option("-min_bits", "--min_bits", help="Least bit score.")] = None,
    min_identity: Annotated[
        float | None, typer.Option("-min_identity", "--min_identity", help="Least identity of the alignment, in %.")
    ] = None,
    min_query_coverage: Annotated[
        float | None,
        typer.Option(
            "-min_query_coverage",
            "--min_query_coverage",
            "-qcov_hsp_perc",
            help="Least part of the query, in %.",
        ),
    ] = None,
    alignments: Annotated[
        int | None,
        typer.Option(
            "-alignments", "--alignments", "-num_alignments", help="Alignments for each query. Default: all reported."
        ),
    ] = None,
    title: Annotated[str | None, typer.Option("-title", "--title", help="A name for the search on a server.")] = None,
    num_threads: Annotated[
        int | None,
        typer.Option("-num_threads", "--num_threads", min=1, help="Threads of the CPU engine here. Default: all."),
    ] = None,
    timeout: Timeout = 3600,
) -> None:
    """Search a database with the queries of a FASTA file."""
    if data is not None and server is not None:
        raise typer.BadParameter("name either --data or --server")
    if num_threads is not None and server is not None:
        raise typer.BadParameter("-num_threads is for searches here, not on a server")
    # Only now: a usage error, and every other command, is answered without loading the engine and HTTP.
    from worker.outfmt import OutputFormat
    from worker.searching import Place, run_search

    given = {
        "evalue": evalue,
        "matrix": matrix,
        "gap_open": gapopen,
        "gap_extend": gapextend,
        "max_target_seqs": max_target_seqs,
        "alignments": max_target_seqs if alignments is None else alignments,
        "statistics": statistics,
        "score_distribution": score_distribution or None,
        "min_bits": min_bits,
        "min_identity": min_identity,
        "min_query_coverage": min_query_coverage,
        "title": title,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    with input_errors():
        place = Place.of(data, server, timeout, num_threads)
        form = OutputFormat.parse(outfmt, place.data)
    run_search(query, {"database": db, **fields}, place, form, out)


def format_result(
    result: Annotated[Path, typer.Argument(help="A result as JSON, of this command line or of a server; - reads it.")],
    out: Out = None,
    outfmt: Outfmt = "0",
    query: Annotated[int | None, typer.Option("--query", min=1, help="Only this query's part, from 1.")] = None,
    hits: Annotated[str | None, typer.Option("--hits", help="Only the hits of these ranks, as 1,5,9-12.")] = None,
    data: Data = None,
) -> None:
    """Write a finished search's result in another format."""
    from worker.formatting import run_format
    from worker.outfmt import OutputFormat

    with input_errors():
        form = OutputFormat.parse(outfmt, data)
    run_format(result, form, query, hits, out)
