"""Alignments shortened to some columns: what is left is counted column by column."""

import numpy as np

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.gapped import GappedScoring
from shardwater.genomes.shortening import shortened
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS
from tests.support.genome_lists import GAPPED, QUERY, SUBJECT, Row, alignments

SCORING = GappedScoring(4, -4, 0, 1)
"""What the rows of these lists are scored by."""


def expected(row: Row, begin: int, end: int) -> tuple[list[int], list[str]]:
    """Places, score, matches and columns of some columns, and these by their kinds."""
    columns = row.columns
    kinds = columns.replace("=", "M").replace("X", "M")
    taken = [len(kinds[first:last].replace(gap, "")) for gap in "DI" for first, last in ((0, begin), (0, end))]
    [own] = alignments([row]).rows
    query = [own["query"] + taken[0], own["query"] + taken[1]]
    if row.strand == "-":
        query = [own["query_end"] - taken[1], own["query_end"] - taken[0]]
    score = sum({"=": 4, "X": -4}.get(each, -1) for each in columns[begin:end])
    counted = [score, columns[begin:end].count("="), end - begin]
    return [*query, own["subject"] + taken[2], own["subject"] + taken[3], *counted], list(kinds[begin:end])


def kinds(found: Alignments, row: int) -> list[str]:
    runs = found.runs[found.firsts[row] : found.firsts[row + 1]].tolist()
    return [kind for run in runs for kind in RUN_KINDS[run % (1 << KIND_BITS)] * (run >> KIND_BITS)]


def test_what_is_left_is_counted_from_the_letters() -> None:
    cuts = [
        (number, begin, end)
        for number, row in enumerate(GAPPED)
        for begin in range(len(row.columns))
        for end in range(begin + 1, len(row.columns) + 1)
        if not {row.columns[begin], row.columns[end - 1]} & {"I", "D"}
    ]
    rows, begins, ends = np.array(cuts).T
    found = shortened(QUERY, SUBJECT, alignments(GAPPED).select(rows), begins, ends, SCORING)
    names = ("query", "query_end", "subject", "subject_end", "score", "matches", "columns")
    table = np.stack([found.column(name) for name in names], axis=1).tolist()
    for place, (number, begin, end) in enumerate(cuts):
        assert (table[place], kinds(found, place)) == expected(GAPPED[number], begin, end)


def test_whole_alignments_stay_as_they_are() -> None:
    whole = alignments(GAPPED)
    assert shortened(QUERY, SUBJECT, whole, np.zeros(3, np.int64), whole.column("columns"), SCORING) is whole
