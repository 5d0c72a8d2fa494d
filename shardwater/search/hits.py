"""Hits and their one order; the types here are the result's JSON, field for field.

At this border coordinates are 1-based and inclusive, as in BLAST.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import AlignedRows, Alignment
from shardwater.database.taxa import Organism
from shardwater.engines.extent import Extent
from shardwater.search.remains import Remains
from shardwater.statistics.distribution import Histogram
from shardwater.statistics.karlin_altschul import Simulated
from shardwater.statistics.length_regression import Slopes
from shardwater.statistics.shuffles import Shuffled


@dataclass(frozen=True, slots=True)
class Score:
    """The best local score of a subject; `subject` is its index in the whole database."""

    subject: int
    score: int


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumns(Sequence[Score]):
    """The same of many subjects, in two arrays of whole numbers."""

    subjects: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int64]

    @classmethod
    def of(cls, scores: Sequence[Score]) -> Self:
        """These."""
        numbers = np.array([(each.subject, each.score) for each in scores], np.int64).reshape(-1, 2)
        return cls(numbers[:, 0], numbers[:, 1])

    def __len__(self) -> int:
        return len(self.subjects)

    @overload
    def __getitem__(self, place: int) -> Score: ...
    @overload
    def __getitem__(self, place: slice) -> "ScoreColumns": ...
    def __getitem__(self, place: int | slice) -> "Score | ScoreColumns":
        if isinstance(place, slice):
            return self.select(place)
        return Score(int(self.subjects[place]), int(self.scores[place]))

    def __iter__(self) -> Iterator[Score]:
        return map(Score, self.subjects.tolist(), self.scores.tolist())

    def select(self, places: slice | npt.NDArray[Any]) -> "ScoreColumns":
        """Some, by their places or by what is true of those wanted."""
        return ScoreColumns(self.subjects[places], self.scores[places])


@dataclass(frozen=True, slots=True)
class Hsp:
    """One alignment as BLAST counts it: 1-based inclusive ends, columns by kind, its three rows, and what it is worth.

    Earlier versions have left the score out, as 0, and with it bits and E-value: it was that of the hit. Bits and
    E-value come with the whole database's statistics, and are None without any.
    """

    query_from: int
    query_to: int
    hit_from: int
    hit_to: int
    identity: int
    positive: int
    gaps: int
    align_len: int
    cigar: str
    qseq: str
    midline: str
    hseq: str
    score: int = 0
    bits: float | None = None
    evalue: float | None = None

    def worth(self, score: int, bits: float | None, evalue: float | None) -> "Hsp":
        """The same with these figures; dataclasses.replace takes ten times as long, for each of a million."""
        ends = self.query_from, self.query_to, self.hit_from, self.hit_to
        counts = self.identity, self.positive, self.gaps, self.align_len
        return Hsp(*ends, *counts, self.cigar, self.qseq, self.midline, self.hseq, score, bits, evalue)


@dataclass(frozen=True, slots=True)
class SubjectHit:
    """A subject that a shard reports for a query; hsps is empty beyond the alignments that are needed.

    subject: its number; where several databases are searched, through all of them in their order.
    remains: what is left of its score where some of it is explained; None where it is not aligned or nobody asked.
    shuffled: where it is aligned and shuffles were asked for. further_remains: as remains, of each alignment after the
    best. unseen: what no alignment scores more than that might have been asked for and is not here; 0 where there is
    none. organism: of one with a name that has a taxid.
    """

    subject: int
    accession: str
    title: str
    length: int
    score: int
    hsps: tuple[Hsp, ...]
    remains: Remains | None = None
    shuffled: Shuffled | None = None
    further_remains: tuple[Remains | None, ...] = ()
    unseen: int = 0
    organism: Organism | None = None

    def showing(self, hsps: tuple[Hsp, ...]) -> "SubjectHit":
        """The same with these alignments; dataclasses.replace takes several times as long."""
        named = self.subject, self.accession, self.title, self.length, self.score
        return SubjectHit(*named, hsps, self.remains, self.shuffled, self.further_remains, self.unseen, self.organism)


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What one shard found: the best subjects of each query, in the order of the queries.

    subjects and residues are the shard's; extents has what was scored of them, query by query. histograms has the
    counts of all subjects of each query where they were asked for, else it is empty. slopes says for which lines the
    subjects of a query are enough: any, where it has None or is empty. simulated: what it has judged its subjects by,
    under `simulated` statistics. database: the place of its database among those searched, from 0.
    """

    index: int
    subjects: int
    residues: int
    engine: str
    queries: tuple[tuple[SubjectHit, ...], ...]
    extents: tuple[Extent, ...]
    histograms: tuple[Histogram, ...] = ()
    slopes: tuple[Slopes | None, ...] = ()
    simulated: Simulated | None = None
    database: int = 0

    @property
    def cells(self) -> int:
        """Computed for all queries, as they were counted."""
        return sum(extent.cells for extent in self.extents)


def hsp(alignment: Alignment, rows: AlignedRows, query_offset: int = 0) -> Hsp:
    """An alignment at the border: 1-based inclusive; the query may be what follows so many residues of a longer one."""
    qseq, midline, hseq, cigar, identity, positive, gaps, _ = rows
    return Hsp(
        query_offset + alignment.query_start + 1,
        query_offset + alignment.query_end,
        alignment.subject_start + 1,
        alignment.subject_end,
        identity,
        positive,
        gaps,
        len(qseq),
        cigar,
        qseq,
        midline,
        hseq,
        alignment.score,
    )


def rank(hit: Score | SubjectHit) -> tuple[int, int]:
    """The total order: score descending, then subject index."""
    return -hit.score, hit.subject
