"""BED of six columns: where alignments lie in the subject, named by where they lie in the query."""

from collections.abc import Iterator

from shardwater.formats.genomes.layout import Layout, Listed, names_of, sides
from shardwater.formats.genomes.members import strand
from shardwater.formats.genomes.text_cells import Choices, rows_text

_TAB = b"\t"
_FULL = 1000


def write_bed(listed: Listed, _: Layout) -> Iterator[str | bytes]:
    """The name's places count from 1, the last one included; the score is identity, 1000 at most."""
    queries, subjects = (Choices.of(names_of(genome)) for genome in (listed.query, listed.subject))
    for some in listed.blocks():
        query, subject = sides(listed, some)
        identity = _FULL * some.column("matches") // some.column("columns")
        yield rows_text(
            [
                *(subjects.choose(subject.records), _TAB, subject.begins, _TAB, subject.ends, _TAB),
                *(queries.choose(query.records), b":", query.begins + 1, b"-", query.ends, _TAB),
                *(identity, _TAB, strand(some), b"\n"),
            ],
            len(some),
        )
