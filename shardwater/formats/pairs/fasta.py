"""Aligned rows as FASTA: two records a pair, of the same length. A pair without an alignment has none."""

from collections.abc import Iterable, Iterator

from shardwater.formats.fasta import fasta_text
from shardwater.formats.pairs.answer import Answer, Layout
from shardwater.formats.titles import one_line


def write_fasta(answers: Iterable[Answer], layout: Layout) -> Iterator[str]:
    """Names are followed by the places of the alignment, and by (-) where the reverse complement was aligned."""
    for answer in answers:
        if answer.found is None:
            continue
        pair, rows = layout.pair(answer), layout.rows(answer, answer.found)
        reverse = "(-)" if answer.strand == "-" else ""
        query = f"{one_line(pair.query)} {pair.query_from}-{pair.query_to}{reverse}"
        subject = f"{one_line(pair.subject)} {pair.subject_from}-{pair.subject_to}"
        yield fasta_text(query, rows.query.encode()) + fasta_text(subject, rows.subject.encode())
