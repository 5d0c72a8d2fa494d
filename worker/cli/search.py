"""`shardwater search` and `shardwater format`: BLAST+'s flags, with the engine here, through a server, or none."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from worker.cli.console import input_errors
from worker.cli.options import Data, Out, Outfmt, Server, Timeout, show_version


class Task(StrEnum):
    """What is searched for, as BLAST+ names it: defaults of other parameters."""

    BLASTP = "blastp"
    FAST = "blastp-fast"
    SHORT = "blastp-short"


def _defaults(task: Task) -> dict[str, object]:
    from shardwater.search.warnings import SHORT_EVALUE, SHORT_MATRIX

    # The gap costs are those of the matrix: 9 and 1. In the order of E-values a short subject with a mismatch would
    # come before a long one with the very query.
    return {"matrix": SHORT_MATRIX, "evalue": SHORT_EVALUE, "order": "score"} if task is Task.SHORT else {}


def search(
    query: Annotated[
        Path | None, typer.Option("-query", "-q", "--query", help="FASTA, plain or gzip; - reads standard input.")
    ] = None,
    db: Annotated[
        str | None,
        typer.Option("-db", "-d", "--db", help="Name of the database, or of several as -db 'a b': searched as one."),
    ] = None,
    data: Data = None,
    server: Server = None,
    subject: Annotated[
        Path | None, typer.Option("-subject", "--subject", help="FASTA file to search, in place of a database.")
    ] = None,
    seqidlist: Annotated[
        Path | None,
        typer.Option("-seqidlist", "--seqidlist", help="File of accessions, one a line: search these of --data alone."),
    ] = None,
    taxids: Annotated[
        str | None,
        typer.Option("-taxids", "--taxids", help="Search sequences of these taxa alone, by comma, as 9606,10090."),
    ] = None,
    taxidlist: Annotated[
        Path | None, typer.Option("-taxidlist", "--taxidlist", help="File of taxids, one a line: as -taxids.")
    ] = None,
    negative_taxids: Annotated[
        str | None, typer.Option("-negative_taxids", "--negative_taxids", help="Leave out the sequences of these taxa.")
    ] = None,
    negative_taxidlist: Annotated[
        Path | None,
        typer.Option("-negative_taxidlist", "--negative_taxidlist", help="File of taxids, one a line, to leave out."),
    ] = None,
    query_loc: Annotated[
        str | None, typer.Option("-query_loc", "--query_loc", help="Part of each query to search, as 5-40.")
    ] = None,
    in_pssm: Annotated[
        Path | None,
        typer.Option("-in_pssm", "--in_pssm", help="A profile, in place of -query: ASN.1, table or JSON."),
    ] = None,
    num_iterations: Annotated[
        int,
        typer.Option("-num_iterations", "--num_iterations", help="Rounds at most; with profiles after the first."),
    ] = 1,
    inclusion_ethresh: Annotated[
        float | None,
        typer.Option("-inclusion_ethresh", "--inclusion_ethresh", help="Largest E-value for a profile; default 0.002."),
    ] = None,
    out_pssm: Annotated[
        Path | None,
        typer.Option("-out_pssm", "--out_pssm", help="File for profiles of the last round: ASN.1, or JSON."),
    ] = None,
    out_ascii_pssm: Annotated[
        Path | None, typer.Option("-out_ascii_pssm", "--out_ascii_pssm", help="File for the same as tables.")
    ] = None,
    out: Out = None,
    outfmt: Outfmt = "0",
    evalue: Annotated[float | None, typer.Option("-evalue", "--evalue", help="Largest E-value; default 10.")] = None,
    task: Annotated[
        Task,
        typer.Option("-task", "--task", help="blastp-short: PAM30, E-values to 20000, highest scores first."),
    ] = Task.BLASTP,
    matrix: Annotated[
        str | None,
        typer.Option(
            "-matrix",
            "--matrix",
            help="Substitution matrix by name, or a file of your own in NCBI's form (BLAST+ takes names alone), with "
            "-gapopen and -gapextend. Default BLOSUM62.",
        ),
    ] = None,
    gapopen: Annotated[
        int | None, typer.Option("-gapopen", "--gapopen", help="A gap of n costs gapopen + n gapextend.")
    ] = None,
    gapextend: Annotated[int | None, typer.Option("-gapextend", "--gapextend", help="See -gapopen.")] = None,
    max_target_seqs: Annotated[
        int, typer.Option("-max_target_seqs", "--max_target_seqs", help="Subjects to report for each query.")
    ] = 100,
    statistics: Annotated[
        str,
        typer.Option(
            "-statistics", "--statistics", help="fitted, table, karlin-altschul, simulated, shuffled, or none."
        ),
    ] = "fitted",
    composition: Annotated[
        str | None,
        typer.Option(
            "-composition", "--composition", help="adjusted (default; changes fitted E-values alone), or none."
        ),
    ] = None,
    mask: Annotated[
        str | None,
        typer.Option(
            "-mask", "--mask", help="none (default), soft, seg or tantan: what counts as X in E-values, not in scores."
        ),
    ] = None,
    shuffles: Annotated[
        int | None,
        typer.Option(
            "-shuffles", "--shuffles", help="Z-values of the aligned hits, from so many shuffles: 100 to 1000."
        ),
    ] = None,
    shuffle: Annotated[
        str | None,
        typer.Option("-shuffle", "--shuffle", help="uniform (default), or windows: letters stay near their places."),
    ] = None,
    shuffle_seed: Annotated[
        int | None, typer.Option("-shuffle_seed", "--shuffle_seed", help="Another seed gives other shuffles.")
    ] = None,
    order: Annotated[
        str | None, typer.Option("-order", "--order", help="evalue (default), or score: what comes first.")
    ] = None,
    score_distribution: Annotated[
        bool, typer.Option("-score_distribution", "--score_distribution", help="Count all subjects' scores (json).")
    ] = False,
    scores: Annotated[
        Path | None,
        typer.Option(
            "-scores",
            "--scores",
            help="File for the score of every subject: .tsv, .parquet, or .int32 for numbers alone.",
        ),
    ] = None,
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
    max_hsps: Annotated[
        int | None,
        typer.Option("-max_hsps", "--max_hsps", help="Alignments of each hit, at most; default 1, most 100."),
    ] = None,
    dbsize: Annotated[
        int | None,
        typer.Option(
            "-dbsize", "--dbsize", min=0, help="Residues that E-values take the database to have; 0: its own number."
        ),
    ] = None,
    title: Annotated[str | None, typer.Option("-title", "--title", help="A name for the search on a server.")] = None,
    num_threads: Annotated[
        int | None,
        typer.Option("-num_threads", "--num_threads", min=1, help="Threads of the CPU engine here. Default: all."),
    ] = None,
    timeout: Timeout = 3600,
    version: Annotated[
        bool,
        typer.Option(
            "-version", "--version", callback=show_version, is_eager=True, help="Show the version (and commit)."
        ),
    ] = False,
) -> None:
    """Search a database with the queries of a FASTA file."""
    # Only now: a usage error, and every other command, is answered without loading the engine and HTTP.
    here = {"--data": data, "-num_threads": num_threads, "-seqidlist": seqidlist, "-subject": subject}
    _check_place(db, server, here)
    if (query is None) == (in_pssm is None):
        raise typer.BadParameter("name either -query or -in_pssm")
    from worker.cli.output_format import OutputFormat
    from worker.cli.pssm_output import PssmOutput
    from worker.cli.run_search import Asked, Destination, Outputs, run_search
    from worker.cli.score_output import ScoreOutput
    from worker.cli.subjects import NAME, Subjects
    from worker.cli.taxid_lists import named_taxids
    from worker.settings import Settings

    given = {
        "evalue": evalue,
        "matrix": matrix,
        "gap_open": gapopen,
        "gap_extend": gapextend,
        "max_target_seqs": max_target_seqs,
        "alignments": max_target_seqs if alignments is None else alignments,
        "max_hsps": max_hsps,
        "statistics": statistics,
        "composition": composition,
        "mask": mask,
        "shuffles": shuffles,
        "shuffle": shuffle,
        "shuffle_seed": shuffle_seed,
        "order": order,
        "score_distribution": score_distribution or None,
        "scores": "all" if scores else None,
        "min_bits": min_bits,
        "min_identity": min_identity,
        "min_query_coverage": min_query_coverage,
        "query_loc": query_loc,
        "dbsize": dbsize or None,
        "title": title,
        "iterations": num_iterations,
        "inclusion_evalue": inclusion_ethresh,
    }
    names = [NAME] if db is None else db.split()
    fields = _defaults(task) | {name: value for name, value in given.items() if value is not None}
    with input_errors():
        fields |= named_taxids("taxids", taxids, taxidlist)
        fields |= named_taxids("negative_taxids", negative_taxids, negative_taxidlist)
        settings = Settings.from_env().with_flags(data, None)
        if server is not None:
            subjects = None
        elif subject is not None:
            subjects = Subjects(settings.data, file=subject)
        else:
            subjects = Subjects(settings.existing_data, tuple(names), seqidlist)
        form = OutputFormat.parse(outfmt, None if subjects is None else subjects.data)
        all_scores = None if scores is None else ScoreOutput.parse(scores, here=subjects is not None)
        signer = settings.signer() if server is None else None
        place = Destination(server, timeout, subjects, num_threads or settings.threads, signer)
        flags = {"-out_pssm": out_pssm, "-out_ascii_pssm": out_ascii_pssm}
        profiles = tuple(each for flag in flags.items() if (each := PssmOutput.parse(*flag)))
    outputs = Outputs(form, out, all_scores, profiles)
    named = {"databases": names} if len(names) > 1 else {"database": names[0]}
    run_search(Asked(query, in_pssm, {**named, **fields}), place, outputs)


def _check_place(db: str | None, server: str | None, here: Mapping[str, object]) -> None:
    """Refuse flags that contradict each other; some are for searches here alone."""
    if (db is None) == (here["-subject"] is None):
        raise typer.BadParameter("name either -db or -subject")
    if db is not None and not db.strip():
        raise typer.BadParameter("-db names no database")
    if db is not None and len(db.split()) > 1 and here["-seqidlist"] is not None:
        raise typer.BadParameter("-seqidlist is for one database, not for several")
    if here["-subject"] is not None and here["-seqidlist"] is not None:
        raise typer.BadParameter("-seqidlist is for a database, not for -subject")
    given = [flag for flag, value in here.items() if value is not None]
    if server is not None and given:
        raise typer.BadParameter(f"{given[0]} is for a search here, without --server")


def format_result(
    result: Annotated[Path, typer.Argument(help="A result as JSON, of this command line or of a server; - reads it.")],
    out: Out = None,
    outfmt: Outfmt = "0",
    query: Annotated[int | None, typer.Option("--query", min=1, help="Only this query's part, from 1.")] = None,
    hits: Annotated[str | None, typer.Option("--hits", help="Only the hits of these ranks, as 1,5,9-12.")] = None,
    data: Data = None,
    verify_with: Annotated[
        Path | None, typer.Option("--verify-with", help="A public key as PEM: its owner must have signed the result.")
    ] = None,
) -> None:
    """Write a finished search's result in another format, unless it was changed since it was made."""
    from worker.cli.format import Part, run_format
    from worker.cli.output_format import OutputFormat

    with input_errors():
        form = OutputFormat.parse(outfmt, data)
    run_format(result, form, Part(query, hits), out, verify_with)
