"""The formats of compared genomes by name, and what each is given."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from shardwater.errors import AlignError
from shardwater.formats.genomes.bed import write_bed
from shardwater.formats.genomes.chain import write_chain
from shardwater.formats.genomes.gecko_csv import write_csv
from shardwater.formats.genomes.json_text import write_json, write_ndjson
from shardwater.formats.genomes.layout import Layout, Listed
from shardwater.formats.genomes.maf import write_maf
from shardwater.formats.genomes.names import GenomeFormat
from shardwater.formats.genomes.paf import write_paf
from shardwater.formats.genomes.psl import write_psl
from shardwater.formats.genomes.tab import table_columns, write_tab


class UnfitColumns(AlignError):
    """Columns of a format that has none."""


@dataclass(frozen=True, slots=True)
class GenomeWriter:
    """What writes a format, and what it shows: `hsps` are always without gaps, even where gaps were asked for."""

    write: Callable[[Listed, Layout], Iterator[str | bytes]]
    shows: Literal["alignments", "hsps", "chains"] = "alignments"


WRITERS: dict[GenomeFormat, GenomeWriter] = {
    "json": GenomeWriter(write_json),
    "ndjson": GenomeWriter(write_ndjson),
    "csv": GenomeWriter(write_csv, shows="hsps"),
    "paf": GenomeWriter(write_paf),
    "maf": GenomeWriter(write_maf),
    "psl": GenomeWriter(write_psl),
    "chain": GenomeWriter(write_chain, shows="chains"),
    "bed": GenomeWriter(write_bed),
    "tab": GenomeWriter(write_tab),
}


def columns_for(name: GenomeFormat, columns: str | None) -> tuple[str, ...]:
    """The columns of a table, none of other formats. Raises UnknownColumn and UnfitColumns."""
    if columns is not None and name != "tab":
        raise UnfitColumns(f"format {name} has no columns; tab has")
    return table_columns(columns or "") if name == "tab" else ()
