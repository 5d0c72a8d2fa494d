"""`shardwater compare`: two genomes from two files, compared here or by a server."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from shardwater.formats.genomes.names import GenomeFormat
from shardwater.genomes.comparison import LEAST_WORD, MOST_DROP, MOST_WORD, Extension, Sensitivity, Strands
from worker.cli.console import input_errors
from worker.cli.options import Devices, device_numbers


def compare(
    query: Annotated[Path, typer.Argument(help="DNA: FASTA or FASTQ, plain or gzip; - reads standard input.")],
    subject: Annotated[Path, typer.Argument(help="The same of the other genome.")],
    out: Annotated[
        Path | None,
        typer.Option("-out", "-o", "--out", help="Folder for hsps.<format> and summary.json; else standard output."),
    ] = None,
    outfmt: Annotated[GenomeFormat, typer.Option("-outfmt", "--outfmt", help="The format of the list.")] = "tab",
    columns: Annotated[str | None, typer.Option(help="Columns of tab, by comma.")] = None,
    spreadsheet: Annotated[
        bool, typer.Option("--spreadsheet", help="Put ' before names in tab that spreadsheets take for a formula.")
    ] = False,
    dotplot: Annotated[Path | None, typer.Option(help="Draw a dot plot: a file that ends in .svg or .png.")] = None,
    word: Annotated[
        int, typer.Option(min=LEAST_WORD, max=MOST_WORD, help="Letters of a word: seeds are equal ones.")
    ] = MOST_WORD,
    sensitivity: Annotated[
        Sensitivity, typer.Option(help="Seeds of repeated words: all, some, or still fewer.")
    ] = "sensitive",
    max_frequency: Annotated[
        int | None, typer.Option(min=1, help="Exact matches that may begin with one word; of more some are taken.")
    ] = None,
    extension: Annotated[
        Extension, typer.Option(help="Letter by letter, or in blocks of 32 as GPUGECKO does.")
    ] = "letters",
    x_drop: Annotated[
        int, typer.Option(min=0, max=MOST_DROP, help="Cut HSPs where the score falls by more (4 a letter); 0: never.")
    ] = 1000,
    strands: Annotated[Strands, typer.Option(help="Of the subject.")] = "both",
    min_length: Annotated[int, typer.Option(min=1, help="Letters of an HSP, at least.")] = 100,
    min_identity: Annotated[float, typer.Option(min=0, max=100, help="Equal letters in per cent, at least.")] = 60,
    gapped: Annotated[
        Literal["none", "exact"], typer.Option(help="exact: what is around each HSP is aligned locally, with gaps.")
    ] = "none",
    match: Annotated[int, typer.Option(min=1, help="Of --gapped: score of two equal bases.")] = 2,
    mismatch: Annotated[int, typer.Option(max=-1, help="Of --gapped: score of any other two letters.")] = -3,
    gapopen: Annotated[
        int, typer.Option("-gapopen", "--gapopen", min=0, help="Of --gapped: a gap of n costs gapopen + n gapextend.")
    ] = 5,
    gapextend: Annotated[int, typer.Option("-gapextend", "--gapextend", min=0, help="See -gapopen.")] = 2,
    query_region: Annotated[
        list[str] | None,
        typer.Option(help="Compare this part of the query alone, as chr1:1-5000 or #1:1-5000; may be repeated."),
    ] = None,
    subject_region: Annotated[list[str] | None, typer.Option(help="The same of the subject.")] = None,
    title: Annotated[str, typer.Option("-title", "--title", help="Above the dot plot; a name on a server.")] = "",
    devices: Devices = None,
    server: Annotated[str | None, typer.Option("--server", help="Have this server compare them, http://...")] = None,
) -> None:
    """Find all stretches that two genomes share: HSPs, alignments with gaps, chains, a dot plot."""
    if str(query) == str(subject) == "-":
        raise typer.BadParameter("standard input is one of the two", param_hint="SUBJECT")
    if server is not None and devices is not None:
        raise typer.BadParameter("--devices is for comparing here, without --server")
    numbers = device_numbers(devices)
    # Only now: a usage error, and every other command, is answered without loading the engine.
    from worker.cli.compare_outputs import Outputs
    from worker.cli.run_compare import asked_of, run_compare
    from worker.settings import Settings

    with input_errors():
        settings, outputs = Settings.from_env(), Outputs(out, outfmt, columns, dotplot, title, spreadsheet)
        outputs.check()
        asked = asked_of(
            {
                "word": word,
                "sensitivity": sensitivity,
                "max_frequency": max_frequency,
                "extension": extension,
                "x_drop": x_drop,
                "strands": strands,
                "min_length": min_length,
                "min_identity": min_identity,
                "gapped": gapped,
                "match": match,
                "mismatch": mismatch,
                "gap_open": gapopen,
                "gap_extend": gapextend,
            },
            {"query": query_region or [], "subject": subject_region or []},
        )
        if server is not None:
            from worker.cli.remote import Remote
            from worker.cli.remote_compare import run_compare_remotely

            run_compare_remotely((query, subject), asked, outputs, Remote(server, settings.api_key))
        else:
            run_compare((query, subject), asked, outputs, numbers)
