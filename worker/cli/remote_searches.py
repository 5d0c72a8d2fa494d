"""`shardwater fetch`, `cancel`, `delete` and `list`: searches on a server, by their ids."""

from typing import Annotated, Literal

import typer

from worker.cli.console import input_errors, print_table, say
from worker.cli.options import OnServer, Out, Outfmt, Timeout

SearchId = Annotated[str, typer.Argument(metavar="ID", help="The search's id, as `list` shows it.")]


def fetch(search: SearchId, server: OnServer, out: Out = None, outfmt: Outfmt = "0", timeout: Timeout = 3600) -> None:
    """Get the result of a search on a server; one that runs is waited for."""
    from worker.cli.console import search_bar
    from worker.cli.output_format import OutputFormat
    from worker.cli.remote import Remote, fetch_remotely, remote_errors
    from worker.settings import Settings

    with input_errors():
        form = OutputFormat.parse(outfmt, None)
        with remote_errors(), search_bar() as show:
            result = fetch_remotely(Remote(server, Settings.from_env().api_key), search, timeout, show)
        form.write(result, out)


def cancel(search: SearchId, server: OnServer) -> None:
    """End a search on a server."""
    from worker.cli.remote import Remote, cancel_remotely, remote_errors
    from worker.settings import Settings

    with input_errors(), remote_errors():
        cancel_remotely(Remote(server, Settings.from_env().api_key), search)
    say(f"search {search} cancelled")


def delete(search: SearchId, server: OnServer) -> None:
    """Remove a search from a server, with its queries and its result; a running one ends."""
    from worker.cli.remote import Remote, delete_remotely, remote_errors
    from worker.settings import Settings

    with input_errors(), remote_errors():
        delete_remotely(Remote(server, Settings.from_env().api_key), search)
    say(f"search {search} deleted")


def list_searches(
    server: OnServer,
    state: Annotated[
        Literal["queued", "running", "succeeded", "failed", "cancelled"] | None,
        typer.Option(help="Only those in this state."),
    ] = None,
    most: Annotated[int, typer.Option("--max", min=1, max=1000, help="Show at most this many, newest first.")] = 20,
) -> None:
    """Show your searches on a server, newest first."""
    from worker.cli.remote import Remote, list_remotely, remote_errors
    from worker.settings import Settings

    with input_errors(), remote_errors():
        found = list_remotely(Remote(server, Settings.from_env().api_key), state, most)
    rows = []
    for each in found:
        done, created = f"{each['progress']:.0%}", each["created_at"][:16].replace("T", " ")
        rows.append((each["id"], each["state"], done, each["database"]["name"], created, each["title"]))
    print_table(("id", "state", "done", "database", "created", "title"), rows)
