"""`shardwater msa`: MSAs of many proteins or complexes, made here or by a server, into a folder or as lines of JSON."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from worker.cli.console import input_errors
from worker.cli.options import Data, Server

ENDINGS = (".a3m", ".sto", ".stockholm", ".fasta", ".fa", ".m8", ".json", ".jsonl", ".gz")
"""Of files: nobody means a folder by such a name."""


def msa(
    db: Annotated[
        str,
        typer.Option("-db", "-d", "--db", help="Name of the database, or of several as -db 'a b': searched as one."),
    ],
    query: Annotated[
        Path | None,
        typer.Option(
            "-query",
            "-q",
            "--query",
            help="FASTA, plain or gzip; - reads standard input. A record is a query: a chain, or the chains of a "
            "complex with ':' between them.",
        ),
    ] = None,
    complexes: Annotated[
        Path | None,
        typer.Option(
            "-complexes",
            "--complexes",
            help='In place of -query: a complex a line, as {"id": "x", "chains": ["MKV...", ">b\\nMKL..."]}.',
        ),
    ] = None,
    then: Annotated[
        str,
        typer.Option("-then", "--then", help="More databases: searched once with the profiles, for MSAs of their own."),
    ] = "",
    data: Data = None,
    server: Server = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-out",
            "-o",
            "--out",
            help="Folder for a file of each MSA and format, or a file that ends in .ndjson: a line a query. The same "
            "command goes on with what is not there yet. Default: lines on standard output.",
        ),
    ] = None,
    outfmt: Annotated[
        str,
        typer.Option(
            "-outfmt", "--outfmt", help="a3m, stockholm (sto), fasta, m8 or json; several as -outfmt 'a3m m8'."
        ),
    ] = "a3m",
    num_iterations: Annotated[int, typer.Option("-num_iterations", "--num_iterations", help="Rounds at most.")] = 3,
    evalue: Annotated[float, typer.Option("-evalue", "--evalue", help="Largest E-value of a row.")] = 0.1,
    inclusion_ethresh: Annotated[
        float,
        typer.Option("-inclusion_ethresh", "--inclusion_ethresh", help="Largest E-value of a row for a profile."),
    ] = 0.002,
    max_target_seqs: Annotated[
        int,
        typer.Option("-max_target_seqs", "--max_target_seqs", help="Rows of an MSA at most, before the filter."),
    ] = 10_000,
    row_filter: Annotated[
        Literal["diverse", "none"],
        typer.Option("-filter", "--filter", help="diverse: of many rows those that are unlike each other."),
    ] = "diverse",
    pairing: Annotated[
        Literal["none", "greedy", "complete"],
        typer.Option(
            "-pairing",
            "--pairing",
            help="Of complexes, MSAs of paired rows besides: of each organism that two chains have, or that all have.",
        ),
    ] = "none",
    num_threads: Annotated[
        int | None,
        typer.Option("-num_threads", "--num_threads", min=1, help="Threads of the CPU engine here. Default: all."),
    ] = None,
) -> None:
    """Make MSAs of many proteins, or of complexes, by rounds of an exact search."""
    if (query is None) == (complexes is None):
        raise typer.BadParameter("name either -query or -complexes")
    for flag, value in (("--data", data), ("-num_threads", num_threads)):
        if server is not None and value is not None:
            raise typer.BadParameter(f"{flag} is for MSAs made here, without --server")
    if out is not None and out.exists() and out.is_dir() == (out.suffix == ".ndjson"):
        raise typer.BadParameter(f"{out} is {'a' if out.is_dir() else 'no'} folder", param_hint="-out")
    if out is not None and not out.exists() and (ending := out.suffix) in ENDINGS:
        why = f"{out} would be a folder with a file of each MSA: name it without {ending}"
        raise typer.BadParameter(why, param_hint="-out")
    # Only now: a usage error, and every other command, is answered without loading the engine and HTTP.
    from worker.cli.msa_queries import COMPLEXES, FASTA
    from worker.cli.run_msa import Asked, formats_of, request_of, run_msa
    from worker.cli.run_search import Destination
    from worker.cli.subjects import Subjects
    from worker.settings import Settings

    formats = formats_of(outfmt)
    request = request_of(
        {
            "databases": db,
            "then": then,
            "iterations": num_iterations,
            "evalue": evalue,
            "inclusion_evalue": inclusion_ethresh,
            "max_sequences": max_target_seqs,
            "filter": row_filter,
            "pairing": pairing,
        }
    )
    with input_errors():
        settings = Settings.from_env().with_flags(data, None)
        subjects = Subjects(settings.existing_data, request.databases) if server is None else None
        place = Destination(server, 0, subjects, num_threads or settings.threads)
        file, form = (complexes, COMPLEXES) if query is None else (query, FASTA)
        assert file is not None
        run_msa(Asked(file, form, request, formats), place, out)
