"""The columns of a table of hits: BLAST+'s that have a meaning for a protein search, and our own.

A column has a value, typed, and a way to write it as BLAST does. A row is a hit with one of its alignments.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from shardwater.errors import UnknownColumn
from shardwater.formats.number_text import NOT_AVAILABLE, bits_text, evalue_text, percent_text
from shardwater.formats.titles import names_of, one_line
from shardwater.search.hits import Hsp
from shardwater.search.judging import Evalues
from shardwater.search.merge import Hit, Query, QueryResult
from shardwater.statistics.shuffles import Shuffled

Cell = str | int | float | None
"""None where there is no alignment, or no statistics."""


class Row(NamedTuple):
    """A hit of a query, and one of its alignments; None where it has none."""

    query: Query
    hit: Hit
    hsp: Hsp | None


def rows_of(one: QueryResult) -> Iterator[Row]:
    """A query's hits, each with one alignment after the other."""
    return (Row(one.query, hit, hsp) for hit in one.hits for hsp in hit.hsps or (None,))


@dataclass(frozen=True, slots=True)
class Column:
    """A column: BLAST's heading for it, the type of its values, the value in a row, and how it is written."""

    heading: str
    kind: type[str] | type[int] | type[float]
    value: Callable[[Row], Cell]
    written: Callable[[Any], str] = str

    def text(self, row: Row) -> str:
        """The cell in a table of text; one without a value says N/A."""
        value = self.value(row)
        return NOT_AVAILABLE if value is None else self.written(value)


def whole(percent: float) -> str:
    """Rounded half up, but never to 100 what is less: as BLAST has it."""
    return "100" if percent >= 100 else str(min(99, int(percent + 0.5)))


def btop(hsp: Hsp) -> str:
    """BLAST's trace-back operations: counts of identical columns, and the two letters of each other one."""
    parts = []
    pairs_of_letters = zip(hsp.qseq.upper(), hsp.hseq.upper(), strict=True)
    for same, columns in groupby(pairs_of_letters, key=lambda pair: pair[0] == pair[1]):
        pairs = list(columns)
        parts.append(str(len(pairs)) if same else "".join(query + subject for query, subject in pairs))
    return "".join(parts)


def _table_evalue(evalue: float) -> str:
    return evalue_text(evalue, table=True)


def _table_bits(bits: float) -> str:
    return bits_text(bits).strip()


def _of_query(heading: str, value: Callable[[Query], str]) -> Column:
    return Column(heading, str, lambda row: value(row.query), one_line)


def _of_hit(heading: str, value: Callable[[Hit], str]) -> Column:
    return Column(heading, str, lambda row: value(row.hit), one_line)


def _of_shuffles(heading: str, value: Callable[[Shuffled], float | None], written: Callable[[float], str]) -> Column:
    """None too where shuffles were all alike."""
    return Column(heading, float, lambda row: value(row.hit.shuffled) if row.hit.shuffled else None, written)


def _of_fit(heading: str, value: Callable[[Evalues], float | None], written: Callable[[float], str]) -> Column:
    """What a hit has only where a fit was made."""
    return Column(heading, float, lambda row: value(row.hit.evalues) if row.hit.evalues else None, written)


def _count(heading: str, value: Callable[[Hsp], int]) -> Column:
    return Column(heading, int, lambda row: value(row.hsp) if row.hsp else None)


def _letters(heading: str, value: Callable[[Hsp], str]) -> Column:
    return Column(heading, str, lambda row: value(row.hsp) if row.hsp else None)


def _share(heading: str, count: Callable[[Hsp], int], written: Callable[[float], str]) -> Column:
    """Of an alignment's columns, in per cent."""
    return Column(heading, float, lambda row: 100 * count(row.hsp) / row.hsp.align_len if row.hsp else None, written)


def _covered(row: Row, hsps: Sequence[Hsp]) -> float | None:
    """How much of a query some alignments cover, in per cent; what several cover counts once."""
    covered, end = 0, 0
    for hsp in sorted(hsps, key=lambda hsp: hsp.query_from):
        covered += max(0, hsp.query_to - max(end, hsp.query_from - 1))
        end = max(end, hsp.query_to)
    return 100 * covered / row.query.length if hsps else None


# A header's first word is all the accession there is, as for BLAST where it does not parse identifiers.
COLUMNS: dict[str, Column] = {
    "qseqid": _of_query("query id", lambda query: query.id),
    "qacc": _of_query("query acc.", lambda query: query.id),
    "qaccver": _of_query("query acc.ver", lambda query: query.id),
    "qlen": Column("query length", int, lambda row: row.query.length),
    "qtitle": _of_query("query title", lambda query: query.title),
    "sseqid": _of_hit("subject id", lambda hit: hit.accession),
    "sacc": _of_hit("subject acc.", lambda hit: hit.accession),
    "saccver": _of_hit("subject acc.ver", lambda hit: hit.accession),
    "sallseqid": _of_hit("subject ids", lambda hit: ";".join(name.id for name in names_of(hit))),
    "sallacc": _of_hit("subject accs.", lambda hit: ";".join(name.id for name in names_of(hit))),
    "sdb": Column("subject database", str, lambda row: row.hit.database, one_line),
    "slen": Column("subject length", int, lambda row: row.hit.length),
    "stitle": _of_hit("subject title", lambda hit: hit.title),
    "salltitles": _of_hit("subject titles", lambda hit: "<>".join(name.title for name in names_of(hit))),
    "staxid": Column("subject tax id", int, lambda row: row.hit.taxid),
    "staxids": Column("subject tax ids", str, lambda row: None if row.hit.taxid is None else str(row.hit.taxid)),
    "ssciname": Column("subject sci name", str, lambda row: row.hit.organism, one_line),
    "sscinames": Column("subject sci names", str, lambda row: row.hit.organism, one_line),
    "qstart": _count("q. start", lambda hsp: hsp.query_from),
    "qend": _count("q. end", lambda hsp: hsp.query_to),
    "sstart": _count("s. start", lambda hsp: hsp.hit_from),
    "send": _count("s. end", lambda hsp: hsp.hit_to),
    "qseq": _letters("query seq", lambda hsp: hsp.qseq),
    "sseq": _letters("subject seq", lambda hsp: hsp.hseq),
    "evalue": Column("evalue", float, lambda row: (row.hsp or row.hit).evalue, _table_evalue),
    "bitscore": Column("bit score", float, lambda row: (row.hsp or row.hit).bits, _table_bits),
    "score": Column("score", int, lambda row: (row.hsp or row.hit).score),
    "table_evalue": _of_fit("evalue by table", lambda evalues: evalues.table, _table_evalue),
    "fitted_evalue": _of_fit("evalue by fit", lambda evalues: evalues.fitted, _table_evalue),
    "scale": _of_fit("scale", lambda evalues: evalues.scale, "{:.4f}".format),
    "zscore": _of_fit("z-score", lambda evalues: evalues.zscore, "{:.1f}".format),
    "shuffled_z": _of_shuffles("z-value by shuffles", lambda shuffled: shuffled.z, "{:.2f}".format),
    "shuffled_p": _of_shuffles("p-value by shuffles", lambda shuffled: shuffled.pvalue, "{:.2e}".format),
    "masked_score": Column("score left by mask", int, lambda row: row.hit.masked.score if row.hit.masked else None),
    "length": _count("alignment length", lambda hsp: hsp.align_len),
    "pident": _share("% identity", lambda hsp: hsp.identity, percent_text),
    "nident": _count("identical", lambda hsp: hsp.identity),
    "mismatch": _count("mismatches", lambda hsp: hsp.align_len - hsp.identity - hsp.gaps),
    "positive": _count("positives", lambda hsp: hsp.positive),
    "gapopen": _count("gap opens", lambda hsp: sum(hsp.cigar.count(kind) for kind in "ID")),
    "gaps": _count("gaps", lambda hsp: hsp.gaps),
    "ppos": _share("% positives", lambda hsp: hsp.positive, "{:.2f}".format),
    "frames": _letters("query/sbjct frames", lambda _: "1/1"),
    "qframe": _count("query frame", lambda _: 1),
    "sframe": _count("sbjct frame", lambda _: 1),
    "btop": _letters("BTOP", btop),
    "cigar": _letters("CIGAR", lambda hsp: hsp.cigar),
    "qcovs": Column("% query coverage per subject", float, lambda row: _covered(row, row.hit.hsps), whole),
    "qcovhsp": Column(
        "% query coverage per hsp", float, lambda row: _covered(row, [row.hsp] if row.hsp else ()), whole
    ),
}
STANDARD_COLUMNS = (
    "qseqid",
    "sseqid",
    "pident",
    "length",
    "mismatch",
    "gapopen",
    "qstart",
    "qend",
    "sstart",
    "send",
    "evalue",
    "bitscore",
)
COMMENTED_COLUMNS = ("qaccver", "saccver", *STANDARD_COLUMNS[2:])
"""The same as BLAST+ from 2.6 on takes them, which shows in the comments of format 7 alone; headers of CSV stay."""

MOST_COLUMNS = 100
"""Any of them may be asked for twice, but not so often that a short request writes a table without end."""


def parse_columns(text: str, standard: Sequence[str] = STANDARD_COLUMNS) -> tuple[str, ...]:
    """Column names separated by commas or blanks; `std` is BLAST's twelve, and nothing at all means `std`."""
    columns: list[str] = []
    names = text.replace(",", " ").split() or ["std"]
    if len(names) > MOST_COLUMNS:
        raise UnknownColumn(f"{len(names):,} columns are asked for; at most {MOST_COLUMNS} are written")
    for name in names:
        if name != "std" and name not in COLUMNS:
            raise UnknownColumn(f"unknown column {name!r}; known are std, {', '.join(COLUMNS)}")
        columns.extend(standard if name == "std" else [name])
    return tuple(columns)
