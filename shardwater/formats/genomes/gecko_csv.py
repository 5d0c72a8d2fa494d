"""GECKO's CSV of HSPs, with true values: what its own programs and viewers read.

Places count from 0, the last one included, in records joined with one N between two of them. A reverse HSP goes down in
the subject's forward places.
"""

from collections.abc import Iterator

from shardwater.formats.genomes.layout import Layout, Listed
from shardwater.formats.genomes.members import hundredths
from shardwater.formats.genomes.text_cells import Choices, Hundredths, rows_text
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import MATCH, Numbers

COLUMNS = "Type,xStart,yStart,xEnd,yEnd,strand(f/r),block,length,score,ident,similarity,%ident,SeqX,SeqY"
HEADER_LINES = 16
_RULE = "=" * 56
_STRANDS = Choices.of([b"f", b"r"])


def write_csv(listed: Listed, layout: Layout) -> Iterator[str | bytes]:
    """HSPs without gaps: each alignment must be one run."""
    yield from (f"{line}\n" for line in _header(listed, layout))
    yield f"{COLUMNS}\n"
    for some in listed.blocks():
        yield _lines(listed, some)


def joined_letters(genome: Genome) -> int:
    """The letters of all records and of what GECKO puts between them."""
    return len(genome) + max(0, len(genome.names) - 1)


def _header(listed: Listed, layout: Layout) -> Iterator[str]:
    yield "All by-Identity Ungapped Fragments (Hits based approach)"
    yield "Shardwater"
    yield from (f"Seq{side} {what} : undef" for what in ("filename", "name") for side in "XY")
    for side, genome in (("X", listed.query), ("Y", listed.subject)):
        yield f"Seq{side} length : {joined_letters(genome)}"
    yield f"Min.fragment.length : {layout.comparison.min_length}"
    yield f"Min.Identity : {layout.comparison.min_identity:g}"
    yield "Tot Hits (seeds) : undef"
    yield "Tot Hits (seeds) used: undef"
    yield f"Total fragments : {len(listed.alignments)}"
    yield from (_RULE, "Total CSB: 0", _RULE)


def _lines(listed: Listed, some: Alignments) -> bytes:
    (x_begin, x_last, x), (y_begin, y_last, y) = (
        _joined(genome, some.column(side), some.column(f"{side}_end"))
        for side, genome in (("query", listed.query), ("subject", listed.subject))
    )
    y_start, y_end = y_begin.copy(), y_last.copy()
    y_start[some.reverse], y_end[some.reverse] = y_last[some.reverse], y_begin[some.reverse]
    length, score, matches = (some.column(name) for name in ("columns", "score", "matches"))
    strand = _STRANDS.choose(some.reverse.astype(int))
    similarity, identity = hundredths(100 * score, MATCH * length), hundredths(matches, length)
    return rows_text(
        [
            *(b"Frag,", x_begin, b",", y_start, b",", x_last, b",", y_end, b",", strand, b",0,", length, b",", score),
            *(b",", matches, b",", Hundredths(similarity), b",", Hundredths(identity), b",", x, b",", y, b"\n"),
        ],
        len(some),
    )


def _joined(genome: Genome, begins: Numbers, ends: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """First and last place in GECKO's joined sequence, and the record's number."""
    records = genome.records(begins)
    return begins + records, ends - 1 + records, records
