"""MAF, UCSC's multiple alignment format: a block of two rows for each alignment, the subject's first."""

from collections.abc import Iterator

import numpy as np

from shardwater.formats.genomes.layout import Layout, Listed, names_of, sides
from shardwater.formats.genomes.members import strand
from shardwater.formats.genomes.replayed import aligned_rows
from shardwater.formats.genomes.text_cells import Choices, rows_text

COLUMNS = 1 << 21
"""Of alignments that are held as letters together."""
_BLANK = b" "


def write_maf(listed: Listed, _: Layout) -> Iterator[str | bytes]:
    """Places count from 0; those of a reversed query along its reverse complement, as MAF has it."""
    yield "##maf version=1 scoring=shardwater\n"
    queries, subjects = (Choices.of(names_of(genome)) for genome in (listed.query, listed.subject))
    for some in listed.blocks(COLUMNS):
        query, subject = sides(listed, some)
        query_row, subject_row = aligned_rows(listed, some)
        begins = np.where(some.reverse, query.turned[0], query.begins)
        yield rows_text(
            [
                *(b"\na score=", some.column("score"), b"\ns ", subjects.choose(subject.records), _BLANK),
                *(subject.begins, _BLANK, subject.ends - subject.begins, b" + ", subject.sizes, _BLANK, subject_row),
                *(b"\ns ", queries.choose(query.records), _BLANK, begins, _BLANK, query.ends - query.begins, _BLANK),
                *(strand(some), _BLANK, query.sizes, _BLANK, query_row, b"\n"),
            ],
            len(some),
        )
