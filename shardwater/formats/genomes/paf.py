"""PAF, minimap2's table: twelve columns and tags."""

from collections.abc import Iterator

from shardwater.formats.genomes.layout import Layout, Listed, names_of, sides
from shardwater.formats.genomes.members import strand
from shardwater.formats.genomes.replayed import AT_ONCE, cigars
from shardwater.formats.genomes.side_by_side import side_by_side
from shardwater.formats.genomes.text_cells import Cell, Choices, rows_text
from shardwater.formats.pairs.paf import NO_QUALITY
from shardwater.genomes.alignments import Alignments

TAB = b"\t"


def write_paf(listed: Listed, _: Layout) -> Iterator[str | bytes]:
    """Places count from 0 and along the records as they were given; the CIGAR goes along the subject."""
    queries, subjects = (Choices.of(names_of(genome)) for genome in (listed.query, listed.subject))

    def text(some: Alignments) -> bytes:
        cells = paf_cells(listed, some, queries, subjects)
        return rows_text([*cells, b"\tcg:Z:", cigars(listed, some), b"\n"], len(some))

    # A CIGAR takes memory for each column, however few rows there are.
    return side_by_side(text, listed.blocks(AT_ONCE))


def paf_cells(listed: Listed, some: Alignments, queries: Choices, subjects: Choices) -> list[Cell]:
    """A line up to its CIGAR."""
    query, subject = sides(listed, some)
    matches, columns = some.column("matches"), some.column("columns")
    return [
        *(queries.choose(query.records), TAB, query.sizes, TAB, query.begins, TAB, query.ends, TAB, strand(some), TAB),
        *(subjects.choose(subject.records), TAB, subject.sizes, TAB, subject.begins, TAB, subject.ends, TAB),
        *(matches, TAB, columns, b"\t%d\tNM:i:" % NO_QUALITY, columns - matches, b"\tAS:i:", some.column("score")),
    ]
