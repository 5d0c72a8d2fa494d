"""`shardwater jackhmmer`: the command line by which AlphaFold calls HMMER's jackhmmer, with our search behind it."""

from pathlib import Path
from typing import Annotated

import typer

from worker.cli.console import input_errors
from worker.cli.options import Data, Timeout

MOST = 100_000
_PASSED_OVER = "Passed over: every sequence is compared, and E-values are by the database's own size."


def jackhmmer(
    query: Annotated[Path, typer.Argument(help="FASTA with one protein.")],
    database: Annotated[
        Path,
        typer.Argument(
            help="The FASTA file that jackhmmer would search: its name without endings is the database's, unless a "
            "file NAME.shardwater beside it has another. It is not read and need not be there."
        ),
    ],
    data: Data = None,
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            envvar="SHARDWATER_SERVER",
            help="Ask this server, http://..., instead of a data folder, with the key in SHARDWATER_API_KEY.",
        ),
    ] = None,
    alignment: Annotated[Path | None, typer.Option("-A", help="File for the MSA, as Stockholm.")] = None,
    table: Annotated[Path | None, typer.Option("--tblout", help="File for the table of hits.")] = None,
    out: Annotated[Path | None, typer.Option("-o", help="File for the same table; default standard output.")] = None,
    rounds: Annotated[int, typer.Option("-N", min=1, max=20, help="Rounds at most.")] = 5,
    evalue: Annotated[float, typer.Option("-E", help="Largest E-value of the table.")] = 10.0,
    inclusion: Annotated[float, typer.Option("--incE", help="Largest E-value of the MSA, and of a profile.")] = 0.001,
    limit: Annotated[
        int, typer.Option("--seq_limit", min=1, max=MOST + 1, help="Rows of the MSA at most, with the query.")
    ] = MOST + 1,
    cpu: Annotated[int | None, typer.Option("--cpu", min=0, help="Threads of the CPU engine here.")] = None,
    noali: Annotated[bool, typer.Option("--noali", help=_PASSED_OVER)] = False,
    f1: Annotated[float | None, typer.Option("--F1", help=_PASSED_OVER)] = None,
    f2: Annotated[float | None, typer.Option("--F2", help=_PASSED_OVER)] = None,
    f3: Annotated[float | None, typer.Option("--F3", help=_PASSED_OVER)] = None,
    z: Annotated[float | None, typer.Option("-Z", help=_PASSED_OVER)] = None,
    dom_z: Annotated[float | None, typer.Option("--domZ", help=_PASSED_OVER)] = None,
    dom_e: Annotated[float | None, typer.Option("--domE", help=_PASSED_OVER)] = None,
    timeout: Timeout = 3600,
) -> None:
    """Search as jackhmmer is told to by AlphaFold: exact Smith-Waterman, in rounds of profiles."""
    # Only now: what AlphaFold asks first, whether `-h --seq_limit 1` will do, is answered at once.
    from worker.cli.run_jackhmmer import Files, Question, database_name, run_jackhmmer
    from worker.cli.run_search import Destination
    from worker.cli.subjects import Subjects
    from worker.settings import Settings

    with input_errors():
        settings = Settings.from_env().with_flags(data, None)
        name = database_name(database)
        subjects = Subjects(settings.existing_data, (name,)) if server is None else None
        place = Destination(server, timeout, subjects, cpu or settings.threads)
        question = Question(query, name, rounds, evalue, inclusion, limit - 1)
        run_jackhmmer(question, place, Files(alignment, table, out))
