"""`shardwater verify`: whether a result is what its search finds when it is made again."""

from pathlib import Path
from typing import Annotated

import typer

from worker.cli.console import input_errors
from worker.cli.options import Data


def verify_result(
    result: Annotated[Path, typer.Argument(help="A result as JSON, plain or gzip; - reads standard input.")],
    query: Annotated[
        Path, typer.Option("-query", "-q", "--query", help="FASTA of its queries, plain or gzip: results have none.")
    ],
    data: Data = None,
    sample: Annotated[
        int | None,
        typer.Option(min=0, help="Score only its hits and so many other subjects, without the engine."),
    ] = None,
) -> None:
    """Make a finished search again and compare every value: exit code 0 where all are equal, 5 where one is not."""
    if str(result) == str(query) == "-":
        raise typer.BadParameter("standard input is either the result or the queries", param_hint="--query")
    from worker.cli.run_verify import run_verify
    from worker.settings import Settings

    with input_errors():
        settings = Settings.from_env().with_flags(data, None)
        run_verify(result, query, settings, sample)
