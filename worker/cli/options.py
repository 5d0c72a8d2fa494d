"""What several commands share: options of the same name, and how words with one dash are read."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from shardwater.engines.schedules import ScheduleName
from worker.cli.blast_flags import RefusedFlag, in_our_words

NUMBER_LETTERS = 6
"""Of a device's number, fewer than that."""
OUTFMT_HELP = (
    '0 pairwise, 5 XML, "6 ..." table, "7 ..." with comments, "10 ..." CSV, 15 BLAST JSON, 16 XML2, 17 SAM, '
    "or json, ndjson, csv, parquet, fasta. Columns of a table follow its name."
)
Out = Annotated[Path | None, typer.Option("-out", "-o", "--out", help="File to write; default standard output.")]
Outfmt = Annotated[str, typer.Option("-outfmt", "--outfmt", help=OUTFMT_HELP)]
Db = Annotated[str, typer.Option("-db", "-d", "--db", help="Name of the database.")]
Data = Annotated[
    Path | None,
    typer.Option("--data", help="Data folder, read here without a server. Default: SHARDWATER_DATA, or ./data."),
]
Server = Annotated[str | None, typer.Option("--server", help="Ask this server, http://..., instead of a data folder.")]
OnServer = Annotated[str, typer.Option("--server", help="The server, http://...")]
Devices = Annotated[
    str | None,
    typer.Option(
        "--device", "--devices", help="Numbers of the GPUs to use, as 0,1: a long pair goes over all of them."
    ),
]
Schedule = Annotated[
    ScheduleName | None,
    typer.Option(help="How GPUs score a shard; all find the same. Default: SHARDWATER_SCHEDULE, or strips."),
]
Timeout = Annotated[float, typer.Option(min=0, help="Seconds to wait for a server.")]


def show_version(wanted: bool) -> None:
    """Print the version (and commit) of the program, and end it, if that is wanted."""
    if wanted:
        from shardwater.software import software

        typer.echo(f"shardwater {software()}")
        raise typer.Exit


def device_numbers(given: str | None) -> tuple[int, ...]:
    """The numbers of an option; wrong usage where they are none, or one comes twice."""
    words = () if given is None else tuple(word.strip() for word in given.split(","))
    if not all(word.isascii() and word.isdigit() and len(word) < NUMBER_LETTERS for word in words):
        raise typer.BadParameter(f"numbers from 0 on, by comma, not {given!r}", param_hint="--devices")
    numbers = tuple(map(int, words))
    if len(set(numbers)) < len(numbers):
        raise typer.BadParameter(f"a device comes twice in {given!r}", param_hint="--devices")
    return numbers


class PlainErrors(TyperGroup):
    """Commands whose wrong values are told in our sentences, not in those of the library that reads them."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is asked for."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            from pydantic import ValidationError

            from worker.jobs.sentences import sentence

            if isinstance(error.__cause__, ValidationError):
                error.message = sentence(error.__cause__.errors()[0])
            raise


class WordOptions(TyperCommand):
    """A command whose words with one dash are whole, as BLAST+'s are: `-query_loc` is no `-q` of `uery_loc`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse words with a dash that are no options, before any is taken for a letter and its value."""
        unknown = _unknown_word(args, {name: option for option in self.get_params(ctx) for name in option.opts})
        if unknown is not None:
            ctx.fail(unknown)
        return super().parse_args(ctx, args)


class BlastOptions(WordOptions):
    """The same for a command that also accepts flags of BLAST+ under other names, or without use."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Translate BLAST+'s flags into our options first."""
        try:
            args = in_our_words(args, {name: option for option in self.get_params(ctx) for name in option.opts})
        except RefusedFlag as refused:
            ctx.fail(str(refused))
        return super().parse_args(ctx, args)


def _unknown_word(args: Sequence[str], options: dict[str, Any]) -> str | None:
    """What is wrong with the first word that has one dash and is no option; what follows an option is its value."""
    words = iter(args)
    for word in words:
        name, equals, _ = word.partition("=")
        if word == "--":
            break
        option = options.get(name)
        if option is None and len(name) > 1 and name.startswith("-") and not name.startswith("--"):
            close = get_close_matches(name, options, 1)
            return f"No such option: {name}{f' (did you mean {close[0]}?)' if close else ''}"
        if option is not None and equals and len(name) == 2:
            return f"The value of {name} is a word of its own"
        if option is not None and not equals and name.startswith("-") and not option.is_flag:
            next(words, None)
    return None
