"""Tables as text: BLAST's tabular formats, 6 and 7, and CSV."""

import csv
import io
from collections.abc import Iterator, Sequence

from shardwater.formats.columns import COLUMNS, Column
from shardwater.formats.titles import query_name
from shardwater.results import Hit, Query, QueryResult, Report


def write_tab(report: Report, columns: Sequence[str], *, comments: bool = False) -> Iterator[str]:
    """BLAST's tabular format: 6, or 7 with comment lines. Columns of an alignment not made say N/A."""
    shown, queries = _shown(columns), 0
    for one in report.results:
        queries += 1
        if comments:
            yield from _comments(report, one, shown)
        for hit in one.hits:
            yield "\t".join(_cells(one.query, hit, shown)) + "\n"
    if comments:
        yield f"# Shardwater processed {queries} queries\n"


def write_csv(report: Report, columns: Sequence[str], *, header: bool = True) -> Iterator[str]:
    """The same table with commas and a header line (RFC 4180); without a header it is BLAST's format 10."""
    line, shown = io.StringIO(), _shown(columns)
    writer = csv.writer(line, lineterminator="\r\n" if header else "\n")
    if header:
        writer.writerow(columns)
    for one in report.results:
        for hit in one.hits:
            writer.writerow(_cells(one.query, hit, shown))
            yield line.getvalue()
            line.seek(0)
            line.truncate()
    yield line.getvalue()


def _shown(columns: Sequence[str]) -> list[Column]:
    return [COLUMNS[name] for name in columns]


def _cells(query: Query, hit: Hit, columns: Sequence[Column]) -> list[str]:
    return [column.text(query, hit) for column in columns]


def _comments(report: Report, one: QueryResult, columns: Sequence[Column]) -> Iterator[str]:
    yield f"# Shardwater {report.software.version}\n"
    yield f"# Query: {query_name(one.query)}\n"
    yield f"# Database: {report.database.name} {report.database.version}\n"
    if one.hits:
        yield f"# Fields: {', '.join(column.heading for column in columns)}\n"
    yield f"# {len(one.hits)} hits found\n"
