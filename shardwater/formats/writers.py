"""The formats of a result by name, for the service and the command line, and what writes them.

JSON is written where pydantic is, FASTA where the database is, and alignments to a query where that is (anchored.py).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, get_args

from shardwater.formats.blast_json import write_blast_json
from shardwater.formats.blast_xml import write_xml
from shardwater.formats.blast_xml2 import write_xml2
from shardwater.formats.columns import COMMENTED_COLUMNS, STANDARD_COLUMNS, parse_columns
from shardwater.formats.pairwise import write_pairwise
from shardwater.formats.parquet import write_parquet
from shardwater.formats.sam import write_sam
from shardwater.formats.table import Style, write_csv, write_tab
from shardwater.search.merge import Report

FormatName = Literal[
    "json", "ndjson", "tab", "csv", "pairwise", "fasta", "xml", "blast-json", "sam",
    "aligned-fasta", "stockholm", "a3m", "parquet",
    "0", "5", "6", "7", "10", "15", "16", "17",
]  # fmt: skip
FORMAT_NAMES: tuple[FormatName, ...] = get_args(FormatName)
NUMBERS: dict[FormatName, FormatName] = {"0": "pairwise", "5": "xml", "6": "tab", "15": "blast-json", "17": "sam"}
"""BLAST+'s numbers for formats that have names here; 7, 10 and 16 have none."""
TEXT_TABLES = ("tab", "csv", "7", "10")
TABLES = (*TEXT_TABLES, "parquet")
"""What has columns."""

Writer = Callable[[Report, Sequence[str], Style], Iterator[str | bytes]]
"""Raises what is wrong before it yields anything; only tables heed the columns, only those of text the style."""

WRITERS: dict[FormatName, Writer] = {
    "tab": write_tab,
    "csv": write_csv,
    "pairwise": lambda report, *_: write_pairwise(report),
    "xml": lambda report, *_: write_xml(report),
    "blast-json": lambda report, *_: write_blast_json(report),
    "sam": lambda report, *_: write_sam(report),
    "parquet": lambda report, columns, _: write_parquet(report, columns),
    "7": lambda report, columns, style: write_tab(report, columns, style, comments=True),
    "10": lambda report, columns, style: write_csv(report, columns, style, header=False),
    "16": lambda report, *_: write_xml2(report),
}


def columns_of(name: FormatName, text: str) -> tuple[str, ...]:
    """The columns that a text names for a format; none for what is no table. Raises UnknownColumn."""
    if name not in TABLES:
        return ()
    return parse_columns(text, COMMENTED_COLUMNS if name == "7" else STANDARD_COLUMNS)
