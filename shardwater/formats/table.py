"""Tables as text: BLAST's tabular formats, 6 and 7, and CSV."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from shardwater.formats.columns import COLUMNS, Column, Row, rows_of
from shardwater.formats.formulas import as_text
from shardwater.formats.titles import query_name
from shardwater.search.merge import QueryResult, Report

DELIMITERS = "\t ,;:|!$&/@^~"
"""What may stand between cells: nothing that is part of a number, begins a comment or quotes a cell."""


@dataclass(frozen=True, slots=True)
class Style:
    """How cells are written: one of DELIMITERS between them, the format's own if there is none here, and text that a
    spreadsheet would take for a formula as it is, or with an apostrophe before it.
    """

    delimiter: str = ""
    for_spreadsheets: bool = False


PLAIN = Style()


def write_tab(report: Report, columns: Sequence[str], style: Style = PLAIN, *, comments: bool = False) -> Iterator[str]:
    """BLAST's tabular format: 6, or 7 with comment lines. Columns of an alignment not made say N/A.

    A cell never has a tab in it; with another delimiter it is quoted where need be.
    """
    shown, queries = _shown(columns, style), 0
    row = _quoted(style.delimiter, "\n") if style.delimiter else _plain
    for one in report.results:
        queries += 1
        if comments:
            yield from _comments(report, one, shown)
        for each in rows_of(one):
            yield row(_cells(each, shown))
    if comments:
        yield f"# Shardwater processed {queries} queries\n"


def write_csv(report: Report, columns: Sequence[str], style: Style = PLAIN, *, header: bool = True) -> Iterator[str]:
    """The same table with commas and a header line (RFC 4180); without a header it is BLAST's format 10."""
    shown = _shown(columns, style)
    row = _quoted(style.delimiter or ",", "\r\n" if header else "\n")
    if header:
        yield row(columns)
    for one in report.results:
        for each in rows_of(one):
            yield row(_cells(each, shown))


def _plain(cells: Sequence[str]) -> str:
    return "\t".join(cells) + "\n"


def _quoted(delimiter: str, line_end: str) -> Callable[[Sequence[str]], str]:
    """What writes a line whose cells have quotes around them where they hold a delimiter."""
    line = io.StringIO()
    writer = csv.writer(line, delimiter=delimiter, lineterminator=line_end)

    def row(cells: Sequence[str]) -> str:
        line.seek(0)
        line.truncate()
        writer.writerow(cells)
        return line.getvalue()

    return row


def _shown(columns: Sequence[str], style: Style) -> list[Column]:
    shown = [COLUMNS[name] for name in columns]
    return [_for_spreadsheets(column) for column in shown] if style.for_spreadsheets else shown


def _for_spreadsheets(column: Column) -> Column:
    """The column whose text is no formula; numbers stay numbers."""
    return replace(column, written=lambda value: as_text(column.written(value))) if column.kind is str else column


def _cells(row: Row, columns: Sequence[Column]) -> list[str]:
    return [column.text(row) for column in columns]


def _comments(report: Report, one: QueryResult, columns: Sequence[Column]) -> Iterator[str]:
    yield f"# Shardwater {report.software.version}\n"
    if one.rounds:
        yield f"# Iteration: {one.rounds[-1].number}\n"
    yield f"# Query: {query_name(one.query)}\n"
    yield f"# Database: {report.database.name} {report.database.version}\n"
    if one.hits:
        yield f"# Fields: {', '.join(column.heading for column in columns)}\n"
    yield f"# {sum(1 for _ in rows_of(one))} hits found\n"
