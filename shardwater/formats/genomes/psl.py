"""PSL, BLAT's table of 21 columns, with its header; the subject is the target.

Blocks are the stretches without gaps. Those of a reversed query begin where they do on its reverse complement, its ends
stay forward, as UCSC has it. Equal letters are all `matches`, unknown ones mismatches.
"""

from collections.abc import Iterator

import numpy as np

from shardwater.formats.genomes.layout import InRecords, Layout, Listed, names_of, sides
from shardwater.formats.genomes.members import strand
from shardwater.formats.genomes.replayed import DELETED, INSERTED, PlacedRuns
from shardwater.formats.genomes.text_cells import Cell, Choices, rows_text
from shardwater.genomes.alignments import MATCHING, Alignments
from shardwater.genomes.hsps import Numbers

_COMMAS = Choices.of([b",", b",\n"])
_HEADINGS = (
    (
        *("match", "mis-", "rep.", "N's", "Q gap", "Q gap", "T gap", "T gap", "strand", "Q", "Q", "Q", "Q"),
        *("T", "T", "T", "T", "block", "blockSizes", "qStarts", "tStarts"),
    ),
    (
        *("", "match", "match", "", "count", "bases", "count", "bases", "", "name", "size", "start", "end"),
        *("name", "size", "start", "end", "count", "", "", ""),
    ),
)
_HEADER = "psLayout version 3\n\n" + "".join("\t".join(line) + "\n" for line in _HEADINGS) + "-" * 159 + "\n"


def write_psl(listed: Listed, _: Layout) -> Iterator[str | bytes]:
    """Places count from 0."""
    yield _HEADER
    queries, subjects = (Choices.of(names_of(genome)) for genome in (listed.query, listed.subject))
    for some in listed.blocks():
        query, subject = sides(listed, some)
        fields: list[Cell] = [
            *_counts(some),
            strand(some),
            *(queries.choose(query.records), query.sizes, query.begins, query.ends),
            *(subjects.choose(subject.records), subject.sizes, subject.begins, subject.ends),
            *_blocks(some, query, subject),
        ]
        yield rows_text([*[cell for field in fields for cell in (field, b"\t")][:-1], b"\n"], len(some))


def _counts(some: Alignments) -> Iterator[Cell]:
    runs = PlacedRuns.of(some)
    matches = some.column("matches")
    paired, inserted, deleted = (runs.kinds == kind for kind in (MATCHING, INSERTED, DELETED))
    sums = [
        np.bincount(runs.owners[which], runs.lengths[which], len(some)).astype(np.int64)
        for which in (paired, inserted, deleted)
    ]
    counts = [np.bincount(runs.owners[which], minlength=len(some)) for which in (inserted, deleted)]
    yield from (matches, sums[0] - matches, b"0", b"0", counts[0], sums[1], counts[1], sums[2])


def _blocks(some: Alignments, query: InRecords, subject: InRecords) -> Iterator[Cell]:
    """Their number, and their sizes and places with a comma after each."""
    runs = PlacedRuns.of(some).paired
    owners = runs.owners
    # Where they begin on the strand that is aligned, from the alignment's own begin.
    begins = np.where(some.reverse, query.turned[0], query.begins)
    firsts = np.where(some.reverse, some.column("query_end") - 1, some.column("query"))
    query_places = begins[owners] + np.abs(runs.query - firsts[owners])
    subject_places = subject.begins[owners] + runs.subject - some.column("subject")[owners]
    yield np.bincount(owners, minlength=len(some))
    yield from (_listed(values, owners) for values in (runs.lengths, query_places, subject_places))


def _listed(values: Numbers, owners: Numbers) -> list[bytes]:
    last = np.append(np.diff(owners) != 0, np.ones(1, np.bool_))
    return rows_text([values, _COMMAS.choose(last.astype(np.int64))], len(values)).split(b"\n")[:-1]
