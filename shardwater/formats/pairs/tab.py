"""Pairs as a table: tabs between cells, the columns' names in a first line that begins with `#`."""

from collections.abc import Iterable, Iterator, Sequence

from shardwater.errors import UnknownColumn
from shardwater.formats.number_text import NOT_AVAILABLE
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.titles import one_line
from shardwater.pairs.align import FoundPair
from shardwater.pairs.coded import Report
from shardwater.pairs.found import told_of
from shardwater.pairs.told import MEMBERS

COLUMNS = MEMBERS
_USUAL = (
    *("query", "subject", "score", "query_from", "query_to", "subject_from", "subject_to", "strand"),
    *("identity", "gaps", "align_len", "cigar"),
)
_OF_ALL = ("query", "subject", "score", "strand", "rank")
_OF_ENDS = (*_OF_ALL, "query_from", "query_to", "subject_from", "subject_to")
_OF_REPORT: dict[Report, Sequence[str]] = {"score": _OF_ALL, "ends": _OF_ENDS, "alignment": COLUMNS}


def table_columns(text: str, report: Report, *, ranked: bool = False) -> tuple[str, ...]:
    """The columns that a text names, by comma or blank; '' names all usual ones of a report. Raises UnknownColumn.

    ranked: whether pairs may have several rows; their rank is usual then.
    """
    known = _OF_REPORT[report]
    names = text.replace(",", " ").split()
    for name in names:
        if name not in COLUMNS:
            raise UnknownColumn(f"unknown column {name!r}; known are {', '.join(COLUMNS)}")
        if name not in known:
            least = "ends" if name in _OF_ENDS else "alignment"
            raise UnknownColumn(f"column {name} needs --report {least}")
    usual = (*_USUAL[:2], "rank", *_USUAL[2:]) if ranked else _USUAL
    return tuple(names or (name for name in usual if name in known))


def write_tab(pairs: Iterable[FoundPair], layout: Layout) -> Iterator[str]:
    """A line a pair. Cells are N/A where no local alignment exists."""
    yield f"#{_line(layout.columns)}"
    for told in told_of(pairs):
        for cells in zip(*(map(_cell, told[name]) for name in layout.columns), strict=True):
            yield _line(cells)


def _line(cells: Sequence[str]) -> str:
    return "\t".join(cells) + "\n"


def _cell(value: str | int | float | None) -> str:
    return NOT_AVAILABLE if value is None else one_line(str(value))
