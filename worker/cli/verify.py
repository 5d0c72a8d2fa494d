"""`shardwater verify`: whether a result is what its search finds when it is made again."""

from pathlib import Path
from typing import Annotated

import typer

from worker.cli.console import input_errors
from worker.cli.options import Data, Timeout


def verify_result(
    result: Annotated[Path, typer.Argument(help="A result as JSON, plain or gzip; - reads standard input.")],
    query: Annotated[
        Path | None,
        typer.Option(
            "-query",
            "-q",
            "--query",
            help="FASTA of its queries, plain or gzip; results have none, a server knows them.",
        ),
    ] = None,
    data: Data = None,
    server: Annotated[
        str | None, typer.Option("--server", help="Ask the server that has made it, http://..., to compute it again.")
    ] = None,
    timeout: Timeout = 3600,
    sample: Annotated[
        int | None,
        typer.Option(min=0, help="Score only its hits and so many other subjects, without the engine."),
    ] = None,
) -> None:
    """Make a finished search again and compare every value: exit code 0 where all are equal, 5 where one is not."""
    if server is not None and (query is not None or data is not None):
        raise typer.BadParameter("a server has its own queries and data", param_hint="--server")
    if server is None and query is None:
        raise typer.BadParameter("the result's queries are needed, or its server (--server)", param_hint="--query")
    if str(result) == str(query) == "-":
        raise typer.BadParameter("standard input is either the result or the queries", param_hint="--query")
    if server is not None and sample is not None:
        _check_sample(sample)
    from worker.cli.run_verify import verify_here, verify_there
    from worker.settings import Settings

    with input_errors():
        settings = Settings.from_env().with_flags(data, None)
        if server is not None:
            from worker.cli.remote import Remote

            verify_there(result, Remote(server, settings.api_key), sample, timeout)
        elif query is not None:
            verify_here(result, query, settings, sample)


def _check_sample(sample: int) -> None:
    """Refuse more subjects than a server scores."""
    from worker.kinds.verification import MOST_SUBJECTS

    if sample > MOST_SUBJECTS:
        raise typer.BadParameter(f"a server scores {MOST_SUBJECTS:,} subjects at most", param_hint="--sample")
