"""Aligned rows as FASTA: two records a pair, of the same length. A pair without a column has none."""

from collections.abc import Iterable, Iterator

from shardwater.formats.fasta import fasta_text
from shardwater.formats.pairs.layout import Layout, shown
from shardwater.formats.titles import one_line
from shardwater.pairs.align import FoundPair


def write_fasta(pairs: Iterable[FoundPair], _: Layout) -> Iterator[str]:
    """Names are followed by the places of the alignment, and by (-) where the reverse complement was aligned."""
    for pair in pairs:
        rows = pair.rows
        if rows is None or shown(pair) is None:
            yield ""
            continue
        told = pair.told
        reverse = "(-)" if pair.strand == "-" else ""
        query = f"{one_line(told.query)} {told.query_from}-{told.query_to}{reverse}"
        subject = f"{one_line(told.subject)} {told.subject_from}-{told.subject_to}"
        yield fasta_text(query, rows.query.encode()) + fasta_text(subject, rows.subject.encode())
