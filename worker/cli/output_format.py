"""What `-outfmt` asks for: BLAST+'s numbers, and the names that the service has for its formats."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from shardwater.database.catalog import Catalog
from shardwater.database.joined import Joined
from shardwater.database.verified import verify_once
from shardwater.errors import UnknownColumn
from shardwater.formats.anchored import ANCHORED, write_anchored
from shardwater.formats.chunks import in_chunks
from shardwater.formats.fasta import write_fasta_hits
from shardwater.formats.parquet import MISSING, ParquetMissing, installed
from shardwater.formats.table import DELIMITERS, PLAIN, Style
from shardwater.formats.writers import FORMAT_NAMES, NUMBERS, TABLES, WRITERS, FormatName, columns_of
from shardwater.search.merge import SearchResult
from shardwater.sequences.fasta import Record
from worker.cli.console import output
from worker.jobs.results.digested import RESULT_JSON, digested

Writer = Callable[[SearchResult, tuple[str, ...], Style], Iterator[str | bytes]]


def _json(result: SearchResult, *_: object) -> Iterator[bytes]:
    yield RESULT_JSON.dump_json(result, indent=2) + b"\n"


def _lines(result: SearchResult, *_: object) -> Iterator[bytes]:
    for one in result.results:
        yield RESULT_JSON.dump_json(digested(replace(result, results=(one,)))) + b"\n"


_OWN: dict[FormatName, Writer] = {"json": _json, "ndjson": _lines}
_NAMES: dict[str, FormatName] = {name: NUMBERS.get(name, name) for name in FORMAT_NAMES} | {"xml2": "16"}
"""Formats by what they may be called here."""
_DELIMITER = "delim="


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """How to write a result: the format's name and the columns of a table; FASTA needs the folder of databases."""

    name: FormatName
    columns: tuple[str, ...]
    data: Path | None
    style: Style = PLAIN

    @classmethod
    def parse(cls, text: str, data: Path | None) -> "OutputFormat":
        """The format that -outfmt names; a wrong one, or a wrong column of it, is a usage error."""
        called, _, columns = text.strip().partition(" ")
        if called not in _NAMES:
            raise typer.BadParameter(f"{text!r} is none of {', '.join(_NAMES)}", param_hint="-outfmt")
        name = _NAMES[called]
        if columns and name not in TABLES:
            raise typer.BadParameter(f"format {called} has no columns", param_hint="-outfmt")
        if name == "fasta" and data is None:
            raise typer.BadParameter("fasta needs --data, where the sequences are", param_hint="-outfmt")
        try:
            names = shlex.split(columns)
        except ValueError as error:
            raise typer.BadParameter(f"{text!r}: {error}", param_hint="-outfmt") from None
        style = PLAIN
        if names and names[0].startswith(_DELIMITER):
            style = _style(name, names.pop(0).removeprefix(_DELIMITER))
        # Before a search that may take an hour, not after it.
        if name == "parquet" and not installed():
            raise ParquetMissing(MISSING)
        try:
            return cls(name, columns_of(name, " ".join(names)), data, style)
        except UnknownColumn as error:
            raise typer.BadParameter(str(error), param_hint="-outfmt") from None

    def write(
        self,
        result: SearchResult,
        out: Path | None,
        databases: Joined | None = None,
        queries: Sequence[Record] = (),
    ) -> None:
        """Write the result to a file, or to standard output.

        databases, queries: those searched and sent, where these are at hand.
        """
        pieces = in_chunks(self._pieces(result, databases, queries))
        with output(out) as file:
            file.writelines(pieces)

    def _pieces(
        self, result: SearchResult, databases: Joined | None, queries: Sequence[Record]
    ) -> Iterable[str | bytes]:
        if self.name in ANCHORED:
            return write_anchored(self.name, result, queries)
        if self.name != "fasta":
            return (_OWN | WRITERS)[self.name](result, self.columns, self.style)
        if databases is None:
            assert self.data is not None
            catalog = Catalog(self.data)
            databases = Joined.of([catalog.open(used.name, used.version) for used in result.each_database])
            for part in databases.parts:
                verify_once(part.database)
        return write_fasta_hits(result, databases)


def _style(name: str, delimiter: str) -> Style:
    """BLAST+'s `delim=`; a blank or a tab needs quotes."""
    if name == "parquet" or len(delimiter) != 1 or delimiter not in DELIMITERS:
        known = f"one of {' '.join(DELIMITERS[2:])}, a tab or a blank"
        raise typer.BadParameter(f"delim={delimiter}: 6, 7, 10, tab and csv take {known}", param_hint="-outfmt")
    return Style(delimiter)
