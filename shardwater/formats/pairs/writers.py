"""The formats of pairs by name, and what each needs to know of a pair."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from shardwater.errors import AlignError
from shardwater.formats.pairs.fasta import write_fasta
from shardwater.formats.pairs.json_text import write_json, write_ndjson
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.pairs.names import PairFormat
from shardwater.formats.pairs.paf import write_paf
from shardwater.formats.pairs.sam import write_sam
from shardwater.formats.pairs.srspair import write_srspair
from shardwater.formats.pairs.tab import table_columns, write_tab
from shardwater.pairs.align import FoundPair
from shardwater.pairs.coded import Report


class UnfitFormat(AlignError):
    """A format that shows more than was asked for, or columns of one that has none."""


@dataclass(frozen=True, slots=True)
class PairWriter:
    """What writes a format, and whether it shows alignments. Such a format needs --report alignment."""

    write: Callable[[Iterable[FoundPair], Layout], Iterator[str | bytes]]
    shows_alignments: bool = True


WRITERS: dict[PairFormat, PairWriter] = {
    "json": PairWriter(write_json, shows_alignments=False),
    "ndjson": PairWriter(write_ndjson, shows_alignments=False),
    "tab": PairWriter(write_tab, shows_alignments=False),
    "paf": PairWriter(write_paf),
    "sam": PairWriter(write_sam),
    "srspair": PairWriter(write_srspair),
    "fasta": PairWriter(write_fasta),
}


def columns_for(name: PairFormat, report: Report, columns: str | None, *, ranked: bool = False) -> tuple[str, ...]:
    """The columns of a table, none of other formats. Raises what does not fit together, before anything is computed.

    ranked: as table_columns has it.
    """
    if columns is not None and name != "tab":
        raise UnfitFormat(f"format {name} has no columns; tab has")
    if WRITERS[name].shows_alignments and report != "alignment":
        raise UnfitFormat(f"format {name} shows alignments, and report is {report}")
    return table_columns(columns or "", report, ranked=ranked) if name == "tab" else ()
