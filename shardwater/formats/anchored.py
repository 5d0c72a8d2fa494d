"""The hits of a query as an alignment in the query's columns: its row first, then one for each alignment, best first.

The rows are written as those of MSAs are; what hits have between two of the query's positions stands as it does there.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, get_args

from shardwater.formats.msas.a3m import write_a3m
from shardwater.formats.msas.aligned_fasta import write_aligned_fasta
from shardwater.formats.msas.stockholm import row_names, write_stockholm
from shardwater.formats.titles import joined, one_line
from shardwater.msa.msa import Msa
from shardwater.msa.provenance import Provenance
from shardwater.msa.stacking import organisms_of, rows_of, stacked
from shardwater.search.merge import QueryResult, Report
from shardwater.sequences.fasta import Record

AnchoredName = Literal["aligned-fasta", "stockholm", "a3m"]
ANCHORED: tuple[AnchoredName, ...] = get_args(AnchoredName)
CELLS = 1 << 17
"""Letters that are looked at together: far fewer than of MSAs, since many results may be written at once."""
UNKNOWN = b"X"
"""A letter of the query that nobody has told."""


def write_anchored(name: AnchoredName, report: Report, queries: Sequence[Record] = ()) -> Iterator[bytes]:
    """An alignment of each query and its hits, one after another.

    queries: those of the report, whole and in its order, for a result has only those letters of a query that are
    aligned. Without them, or where one is another than the result says, X stands for its other letters.
    """
    provenance = Provenance.of(report, diverse=False)
    for number, one in enumerate(report.results):
        known = queries[number] if number < len(queries) else None
        if number and name != "stockholm":
            # These have no sign that ends an alignment.
            yield b"\n"
        msa = stacked(_query(one, known), rows_of(one.hits), organisms_of(one.hits), provenance)
        yield from _WRITERS[name](msa)
        # One is gone before the next is made.
        del msa


def _query(one: QueryResult, known: Record | None) -> Record:
    """The query as far as its letters are known: from itself, or from its alignments."""
    told, header = one.query, joined(one.query.id, one.query.title)
    if known is not None and (known.id, len(known.residues)) == (told.id, told.length):
        return Record(header, known.residues)
    letters = bytearray(UNKNOWN * told.length)
    for hsp in (hsp for hit in one.hits for hsp in hit.hsps):
        letters[hsp.query_from - 1 : hsp.query_to] = hsp.qseq.replace("-", "").encode("ascii")
    return Record(header, bytes(letters))


def _headers(msa: Msa) -> Iterator[str]:
    """A header for each row: its name, which has its place in the subject and is no other row's, and its title."""
    names = row_names(msa)
    next(names)
    for row, name in zip(msa, names, strict=True):
        yield joined(name.decode("ascii"), one_line(row.title))


_WRITERS: dict[AnchoredName, Callable[[Msa], Iterator[bytes]]] = {
    "aligned-fasta": lambda msa: write_aligned_fasta(msa, _headers(msa), CELLS),
    "stockholm": lambda msa: write_stockholm(msa, CELLS),
    "a3m": write_a3m,
}
