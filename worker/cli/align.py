"""`shardwater align`: pairs of sequences from two files, aligned here or by a server."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from shardwater.errors import ScoringError
from shardwater.formats.pairs.names import PairFormat
from worker.cli.console import input_errors
from worker.cli.options import Devices, Out, device_numbers


def align(
    query: Annotated[
        Path, typer.Option("-query", "-q", "--query", help="FASTA or FASTQ, plain or gzip; - reads standard input.")
    ],
    subject: Annotated[Path, typer.Option("-subject", "--subject", help="The same of the other sequences.")],
    out: Out = None,
    pairing: Annotated[
        Literal["zip", "all"], typer.Option(help="zip: first with first, second with second; all: each with each.")
    ] = "zip",
    mode: Annotated[
        Literal["local", "global", "semi-global"] | None,
        typer.Option(help="What is aligned; semi-global: all four ends are free. Default: local."),
    ] = None,
    free_ends: Annotated[
        str | None,
        typer.Option(help="In place of a mode: which ends may be left out, as query_begin,query_end."),
    ] = None,
    alphabet: Annotated[
        Literal["protein", "dna"] | None, typer.Option(help="Default: by the letters of the first 100 records.")
    ] = None,
    matrix: Annotated[
        str | None, typer.Option("-matrix", "--matrix", help="Of proteins: substitution matrix; default BLOSUM62.")
    ] = None,
    match: Annotated[int | None, typer.Option(help="Of DNA: score of two bases that are the same; default 2.")] = None,
    mismatch: Annotated[int | None, typer.Option(help="Of DNA: score of any other two letters; default -1.")] = None,
    table: Annotated[
        Path | None, typer.Option(help="Of DNA: scores of 4 or 15 letters, in a file as NCBI's matrices are.")
    ] = None,
    gapopen: Annotated[
        float | None,
        typer.Option("-gapopen", "--gapopen", help="A gap of n costs gapopen + n gapextend; of DNA 1 and 1."),
    ] = None,
    gapextend: Annotated[
        float | None, typer.Option("-gapextend", "--gapextend", help="See -gapopen; one digit after the point at most.")
    ] = None,
    report: Annotated[
        Literal["score", "ends", "alignment"], typer.Option(help="What to find of a pair; the less, the faster.")
    ] = "alignment",
    strand: Annotated[
        Literal["forward", "both"], typer.Option(help="Of DNA, both: the query's reverse complement too, if better.")
    ] = "forward",
    best: Annotated[
        int, typer.Option(min=1, max=1000, help="Of local pairs: so many alignments of each at most, best first.")
    ] = 1,
    query_apart: Annotated[
        int | None,
        typer.Option(min=0, help="With --best: letters of the query between two alignments' ends; default 5."),
    ] = None,
    subject_apart: Annotated[int | None, typer.Option(min=0, help="The same of the subject.")] = None,
    outfmt: Annotated[
        PairFormat,
        typer.Option("-outfmt", "--outfmt", help="All but json, ndjson and tab show alignments."),
    ] = "tab",
    columns: Annotated[str | None, typer.Option(help="Columns of tab, by comma.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads of the CPU engine. Default: all.")] = None,
    devices: Devices = None,
    method: Annotated[
        Literal["tiles", "row-scan"],
        typer.Option(help="row-scan: local pairs one by one, row after row, as a reference; the answers are the same."),
    ] = "tiles",
    server: Annotated[str | None, typer.Option("--server", help="Have this server align them, http://...")] = None,
) -> None:
    """Align pairs of sequences exactly: locally, globally, or with any ends free."""
    if str(query) == str(subject) == "-":
        raise typer.BadParameter("standard input is either the queries or the subjects", param_hint="-subject")
    if mode is not None and free_ends is not None:
        raise typer.BadParameter("free ends are given in place of a mode", param_hint="--free-ends")
    if server is not None and (threads is not None or devices is not None or method != "tiles"):
        raise typer.BadParameter("--threads, --devices and --method are for aligning here, without --server")
    if method == "row-scan" and (mode not in (None, "local") or free_ends is not None):
        raise typer.BadParameter("row-scan is for local pairs", param_hint="--method")
    numbers = device_numbers(devices)
    # Only now: a usage error, and every other command, is answered without loading the engine.
    from shardwater.pairs.by_end_points import selection_of
    from shardwater.pairs.scores import Scores
    from worker.cli.run_align import Choice, Inputs, Means, run_align
    from worker.settings import Settings

    try:
        selection = selection_of(best, query_apart, subject_apart)
    except ScoringError as error:
        raise typer.BadParameter(str(error), param_hint="--best") from None
    with input_errors():
        text = table.read_text(encoding="utf-8", errors="replace") if table else None
        scores = Scores(alphabet, matrix, match, mismatch, text, gapopen, gapextend)
        choice = Choice(scores, table, mode or "local", free_ends, report, strand, outfmt, columns, selection)
        inputs, settings = Inputs(query, subject, pairing), Settings.from_env()
        if server is not None:
            from worker.cli.remote import Remote
            from worker.cli.remote_align import run_align_remotely

            run_align_remotely(inputs, choice, out, Remote(server, settings.api_key))
        else:
            run_align(inputs, choice, out, Means(threads or settings.threads or None, numbers, method))
