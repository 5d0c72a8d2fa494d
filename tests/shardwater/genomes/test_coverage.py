"""Coverage: each letter once, by record; and GECKO's."""

import numpy as np
import pytest

from shardwater.genomes import coverage
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.coverage import Coverage, RecordCoverage, SideCoverage, coverage_of
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.sequences.named import Letters

QUERY = Genome.of([Letters("q1", b"A" * 400), Letters("q2", b"A" * 600)])
SUBJECT = Genome.of([Letters("s", b"A" * 800)])


def covered(*rows: tuple[int, int, int, int]) -> Coverage:
    """By HSPs: places in the query and in the subject, letters, equal ones."""
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    return coverage_of(QUERY, SUBJECT, Alignments.of_hsps(Hsps.of(*columns, False)))


def test_letters_count_once_and_geckos_as_often_as_they_are_aligned() -> None:
    found = covered((350, 0, 50, 50), (400, 100, 100, 80), (450, 500, 100, 79), (460, 620, 20, 20))
    assert found.query == SideCoverage(200, 20.0, (RecordCoverage("q2", 600, 150), RecordCoverage("q1", 400, 50)))
    assert found.subject == SideCoverage(270, 33.75, (RecordCoverage("s", 800, 270),))
    assert found.gecko == 15.0


def test_only_the_longest_records_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "MOST_RECORDS", 1)
    assert [each.name for each in covered().query.records] == ["q2"]


def test_nothing_covers_nothing() -> None:
    assert covered().query == SideCoverage(0, 0.0, (RecordCoverage("q2", 600, 0), RecordCoverage("q1", 400, 0)))
    empty = Genome.of([])
    none = Alignments.joined([])
    assert coverage_of(empty, empty, none) == Coverage(SideCoverage(0, 0.0, ()), SideCoverage(0, 0.0, ()), 0.0)
