"""What `-outfmt` asks for: BLAST+'s numbers, and the names that the service has for its formats."""

import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import typer
from pydantic import TypeAdapter

from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.verified import verify_once
from shardwater.formats.blast_json import write_blast_json
from shardwater.formats.blast_xml import write_xml
from shardwater.formats.blast_xml2 import write_xml2
from shardwater.formats.chunks import in_chunks
from shardwater.formats.columns import COMMENTED_COLUMNS, STANDARD_COLUMNS, UnknownColumn, parse_columns
from shardwater.formats.fasta import write_fasta_hits
from shardwater.formats.pairwise import write_pairwise
from shardwater.formats.parquet import MISSING, ParquetMissing, installed, write_parquet
from shardwater.formats.sam import write_sam
from shardwater.formats.table import DELIMITERS, PLAIN, Style, write_csv, write_tab
from shardwater.search.merge import SearchResult
from worker.cli.console import output
from worker.jobs.results.digested import digested

Columns = tuple[str, ...]
Writer = Callable[[SearchResult, Columns, Style], Iterable[str | bytes]]

_RESULT = TypeAdapter(SearchResult)


def _json(result: SearchResult, *_: object) -> Iterator[bytes]:
    yield _RESULT.dump_json(result, indent=2) + b"\n"


def _lines(result: SearchResult, *_: object) -> Iterator[bytes]:
    for one in result.results:
        yield _RESULT.dump_json(digested(replace(result, results=(one,)))) + b"\n"


def _pairwise(result: SearchResult, *_: object) -> Iterator[str]:
    return write_pairwise(result)


def _xml(result: SearchResult, *_: object) -> Iterator[str]:
    return write_xml(result)


def _xml2(result: SearchResult, *_: object) -> Iterator[str]:
    return write_xml2(result)


def _blast_json(result: SearchResult, *_: object) -> Iterator[str]:
    return write_blast_json(result)


def _sam(result: SearchResult, *_: object) -> Iterator[str]:
    return write_sam(result)


_WRITERS: dict[str, Writer] = {
    "0": _pairwise,
    "5": _xml,
    "6": write_tab,
    "7": lambda result, columns, style: write_tab(result, columns, style, comments=True),
    "10": lambda result, columns, style: write_csv(result, columns, style, header=False),
    "15": _blast_json,
    "16": _xml2,
    "17": _sam,
    "json": _json,
    "ndjson": _lines,
    "pairwise": _pairwise,
    "xml": _xml,
    "xml2": _xml2,
    "tab": write_tab,
    "csv": write_csv,
    "blast-json": _blast_json,
    "sam": _sam,
    "parquet": lambda result, columns, _: write_parquet(result, columns),
}
_TABLES = {"6", "7", "10", "tab", "csv", "parquet"}
_DELIMITER = "delim="
FASTA = "fasta"


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """How to write a result: the format's name and the columns of a table; FASTA needs the folder of databases."""

    name: str
    columns: Columns
    data: Path | None
    style: Style = PLAIN

    @classmethod
    def parse(cls, text: str, data: Path | None) -> "OutputFormat":
        """The format that -outfmt names; a wrong one, or a wrong column of it, is a usage error."""
        name, _, columns = text.strip().partition(" ")
        if name not in (*_WRITERS, FASTA):
            raise typer.BadParameter(f"{text!r} is none of {', '.join((*_WRITERS, FASTA))}", param_hint="-outfmt")
        if columns and name not in _TABLES:
            raise typer.BadParameter(f"format {name} has no columns", param_hint="-outfmt")
        if name == FASTA and data is None:
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
            standard = COMMENTED_COLUMNS if name == "7" else STANDARD_COLUMNS
            return cls(name, parse_columns(" ".join(names), standard), data, style)
        except UnknownColumn as error:
            raise typer.BadParameter(str(error), param_hint="-outfmt") from None

    def write(self, result: SearchResult, out: Path | None, database: Database | None = None) -> None:
        """Write the result to a file, or to standard output; the database is the one searched, where it is open."""
        pieces = in_chunks(self._pieces(result, database))
        with output(out) as file:
            file.writelines(pieces)

    def _pieces(self, result: SearchResult, database: Database | None) -> Iterable[str | bytes]:
        if self.name != FASTA:
            return _WRITERS[self.name](result, self.columns, self.style)
        used = result.database
        if database is None:
            assert self.data is not None
            database = Catalog(self.data).open(used.name, used.version)
            verify_once(database)
        return write_fasta_hits(result, database)


def _style(name: str, delimiter: str) -> Style:
    """BLAST+'s `delim=`; a blank or a tab needs quotes."""
    if name == "parquet" or len(delimiter) != 1 or delimiter not in DELIMITERS:
        known = f"one of {' '.join(DELIMITERS[2:])}, a tab or a blank"
        raise typer.BadParameter(f"delim={delimiter}: 6, 7, 10, tab and csv take {known}", param_hint="-outfmt")
    return Style(delimiter)
