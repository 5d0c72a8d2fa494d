"""What Biopython's readers find in MAF, PSL, chain and BED is what was written, on both strands."""

from io import StringIO

import numpy as np
import pytest
from Bio import Align

from shardwater.formats.genomes.names import GenomeFormat
from tests.support.genome_lists import GAPPED, QUERY, SUBJECT, UNGAPPED, Row, letters, text_of

ROWS = pytest.mark.parametrize("rows", [UNGAPPED, GAPPED], ids=["ungapped", "gapped"])


def read(name: GenomeFormat, rows: list[Row]) -> list[Align.Alignment]:
    return [*Align.parse(StringIO(text_of(name, rows)), name)]


@ROWS
@pytest.mark.parametrize("name", ["maf", "psl", "chain"])
def test_places_are_those_of_each_run(name: GenomeFormat, rows: list[Row]) -> None:
    for found, row in zip(read(name, rows), rows, strict=True):
        assert (found.target.id, found.query.id) == (row.subject, row.query)
        assert len(found.target.seq) == len(letters(SUBJECT, row.subject))
        assert len(found.query.seq) == len(letters(QUERY, row.query))
        assert np.array_equal(found.coordinates.T, row.corners), row


@ROWS
def test_letters_are_those_of_maf(rows: list[Row]) -> None:
    found = read("maf", rows)
    assert [(each[1], each[0]) for each in found] == [row.texts for row in rows]
    assert [each.score for each in found] == [88, 72, 28] if rows == UNGAPPED else [88, 80, 0]


@ROWS
def test_counts_are_those_of_psl(rows: list[Row]) -> None:
    for found, row in zip(read("psl", rows), rows, strict=True):
        matches, columns = row.columns.count("="), row.columns
        assert (found.matches, found.misMatches) == (matches, columns.count("X"))
        fields = text_of("psl", [row]).splitlines()[-1].split("\t")
        inserted, deleted = ([length for length, kind in row.operations if kind == each] for each in "ID")
        assert fields[4:8] == [str(each) for each in (len(inserted), sum(inserted), len(deleted), sum(deleted))]


@ROWS
def test_bed_has_the_subject_and_names_the_query(rows: list[Row]) -> None:
    for found, row in zip(read("bed", rows), rows, strict=True):
        assert (found.target.id, *found.coordinates[0]) == (row.subject, row.begin, row.end)
        assert found.query.id == f"{row.query}:{row.query_begin + 1}-{row.query_end}"
        assert (found.coordinates[1][0] > found.coordinates[1][1]) == (row.strand == "-")
        assert found.score == 1000 * row.columns.count("=") // len(row.columns)


def test_a_chain_ends_with_its_last_block_and_an_empty_line() -> None:
    assert text_of("chain", GAPPED[2:]) == "chain 100 s2 22 + 5 22 q2 34 - 13 30 1\n4\t1\t0\n3\t0\t2\n5\t1\t0\n3\n\n"
