"""`shardwater fetch`, `cancel`, `delete`, `list`: searches, pairs, comparisons and MSAs on a server, by their ids."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from shardwater.formats.genomes.names import GENOME_FORMATS
from shardwater.formats.msas.names import MSA_NAMES
from shardwater.formats.pairs.names import PAIR_FORMATS
from worker.cli.console import input_errors, print_table, say
from worker.cli.options import OnServer, Out, Timeout
from worker.jobs.ids import ALIGNMENT, COMPARISON, MSA, SEARCH, called, kind_named

if TYPE_CHECKING:
    from worker.cli.remote import Remote

LISTS: dict[str, tuple[str, Mapping[str, str], str]] = {
    ALIGNMENT: ("pairs", {name: name for name in PAIR_FORMATS}, "tab"),
    COMPARISON: ("comparisons", {name: name for name in GENOME_FORMATS}, "tab"),
    MSA: ("MSAs", MSA_NAMES, "a3m"),
}
"""Of jobs whose result is a list: what is told, the formats by what they may be called, and which it is by default."""
SHOWN = {SEARCH: ["database"], ALIGNMENT: ["report"], COMPARISON: ["gapped"], MSA: []}
"""What tells them apart in a table, besides their titles."""
JobId = Annotated[str, typer.Argument(metavar="ID", help="The job's id, as `list` shows it.")]


def fetch(
    job: JobId,
    server: OnServer,
    out: Out = None,
    outfmt: Annotated[
        str | None,
        typer.Option(
            "-outfmt",
            "--outfmt",
            help="As of `search` (default 0), of `align` or `compare` (default tab), or one of `msa` (default a3m; of "
            "several chains a tar.gz with a file for each, of json a line for each).",
        ),
    ] = None,
    timeout: Timeout = 3600,
) -> None:
    """Get the result of a search, of pairs, of a comparison or of MSAs, on a server; one that runs is waited for."""
    from worker.cli.console import search_bar
    from worker.cli.output_format import OutputFormat
    from worker.cli.remote import Remote, fetch_remotely, remote_errors
    from worker.settings import Settings

    with input_errors():
        remote = Remote(server, Settings.from_env().api_key)
        if kind_named(job) in LISTS:
            _fetch_list(remote, job, out, outfmt)
            return
        form = OutputFormat.parse(outfmt or "0", None)
        with remote_errors(), search_bar() as show:
            result = fetch_remotely(remote, job, timeout, show)
        form.write(result, out)


def _fetch_list(remote: "Remote", job: str, out: Path | None, outfmt: str | None) -> None:
    from worker.cli.console import search_bar, whole_output
    from worker.cli.remote import remote_errors
    from worker.cli.remote_align import fetch_list_remotely

    what, forms, default = LISTS[kind_named(job)]
    form = forms.get(outfmt or default)
    if form is None:
        raise typer.BadParameter(f"{what} are told as {', '.join(forms)}", param_hint="-outfmt")
    with remote_errors(), search_bar() as show, whole_output(out) as file:
        file.writelines(fetch_list_remotely(remote, job, form, show))


def cancel(job: JobId, server: OnServer) -> None:
    """End a search, an alignment of pairs, a comparison or MSAs, on a server."""
    from worker.cli.remote import Remote, cancel_remotely, remote_errors
    from worker.settings import Settings

    with input_errors(), remote_errors():
        cancel_remotely(Remote(server, Settings.from_env().api_key), job)
    say(f"{called(job)} cancelled")


def delete(job: JobId, server: OnServer) -> None:
    """Remove a search, pairs, a comparison or MSAs from a server, with all that is kept; a running one ends."""
    from worker.cli.remote import Remote, delete_remotely, remote_errors
    from worker.settings import Settings

    with input_errors(), remote_errors():
        delete_remotely(Remote(server, Settings.from_env().api_key), job)
    say(f"{called(job)} deleted")


def list_searches(
    server: OnServer,
    state: Annotated[
        Literal["queued", "running", "succeeded", "failed", "cancelled"] | None,
        typer.Option(help="Only those in this state."),
    ] = None,
    most: Annotated[int, typer.Option("--max", min=1, max=1000, help="Show at most this many, newest first.")] = 20,
    pairs: Annotated[bool, typer.Option("--pairs", help="Alignments of pairs in place of searches.")] = False,
    comparisons: Annotated[bool, typer.Option("--comparisons", help="Comparisons of genomes in their place.")] = False,
    msas: Annotated[bool, typer.Option("--msas", help="MSAs in their place.")] = False,
) -> None:
    """Show your searches, or your pairs, comparisons or MSAs, on a server, newest first."""
    if pairs + comparisons + msas > 1:
        raise typer.BadParameter("one of them", param_hint="--pairs, --comparisons, --msas")
    from worker.cli.remote import Remote, list_remotely, remote_errors
    from worker.settings import Settings

    with input_errors(), remote_errors():
        kind = ALIGNMENT if pairs else COMPARISON if comparisons else MSA if msas else SEARCH
        found = list_remotely(Remote(server, Settings.from_env().api_key), kind, state, most)
    rows = []
    for each in found:
        done, created = f"{each['progress']:.0%}", each["created_at"][:16].replace("T", " ")
        facts = {"database": each["database"]["name"]} if kind == SEARCH else each.get("parameters", {})
        rows.append((each["id"], each["state"], done, *(facts[name] for name in SHOWN[kind]), created, each["title"]))
    print_table(("id", "state", "done", *SHOWN[kind], "created", "title"), rows)
