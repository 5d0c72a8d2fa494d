"""HSPs or alignments of genomes as a table: tabs between cells, the columns' names in a first line after a `#`."""

from collections.abc import Iterator

from shardwater.errors import UnknownColumn
from shardwater.formats.columns import MOST_COLUMNS
from shardwater.formats.formulas import as_text
from shardwater.formats.genomes.layout import Layout, Listed, names_of
from shardwater.formats.genomes.members import MEMBERS, Members
from shardwater.formats.genomes.text_cells import Cell, Choices, rows_text
from shardwater.formats.number_text import NOT_AVAILABLE
from shardwater.genomes.genome import Genome

COLUMNS = MEMBERS


def table_columns(text: str) -> tuple[str, ...]:
    """The columns that a text names, by comma or blank; '' names all of them. Raises UnknownColumn."""
    names = text.replace(",", " ").split()
    if len(names) > MOST_COLUMNS:
        raise UnknownColumn(f"{len(names):,} columns are asked for; at most {MOST_COLUMNS} are written")
    for name in names:
        if name not in COLUMNS:
            raise UnknownColumn(f"unknown column {name!r}; known are {', '.join(COLUMNS)}")
    return tuple(names) or COLUMNS


def write_tab(listed: Listed, layout: Layout) -> Iterator[str | bytes]:
    """A line each. A CIGAR is N/A where gaps were not asked for."""
    yield "#" + "\t".join(layout.columns) + "\n"
    names = (Choices.of(_names(genome, layout)) for genome in (listed.query, listed.subject))
    for count, known in Members(listed, *names).blocks(layout.columns):
        cells: list[Cell] = []
        for name in layout.columns:
            cells += [b"\t" if cells else b"", known.get(name, NOT_AVAILABLE.encode())]
        yield rows_text([*cells, b"\n"], count)


def _names(genome: Genome, layout: Layout) -> list[bytes]:
    names = names_of(genome)
    return [as_text(name.decode()).encode() for name in names] if layout.for_spreadsheets else names
