"""What a search asks for beyond its queries, with BLAST's defaults."""

from dataclasses import dataclass, field, replace
from typing import Literal, Self, get_args

from shardwater.scoring.scoring import Rows, Scoring
from shardwater.sequences.masking.masks import Mask
from shardwater.statistics.evalue import FINITE_SIZE, Method, SearchSpace, Statistics, published_row
from shardwater.statistics.karlin_altschul import KarlinAltschul, Simulated
from shardwater.statistics.length_regression import Fit
from shardwater.statistics.shuffles import Shuffle, Shuffling

Order = Literal["evalue", "score"]
ORDERS: tuple[Order, ...] = get_args(Order)
Composition = Literal["adjusted", "none"]


def _is_none(value: object) -> bool:
    return value is None


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a search asks for beyond its queries; identity and coverage in per cent.

    query_loc, as "5-40", is the part of each query that is searched, its ends from 1 and both in it, or up to the
    query's end where that comes before. The filters apply to the max_target_seqs best subjects in the order asked for;
    None asks for no filter. composition: whether fitted E-values are adjusted to it; results of earlier versions do not
    say that theirs were not. mask: which letters count as X when bits and E-values are made of the scores of hits.
    Hits that are aligned have Z-values of so many shuffles (shuffles.py), if there are any. iterations: rounds, in each
    but the first of which queries are profiles of what the one before has found with E-values up to inclusion_evalue.
    matrix_scores: those of a user's own matrix, in the order of residue codes; None where `matrix` is a published one.
    max_hsps: alignments of each hit that is aligned, at most. taxids: only subjects of these taxa are searched, of all
    where there are none, and none of negative_taxids; both ascend. dbsize: the residues that E-values take the searched
    database to have; None, which no result writes, for those that it has.
    """

    matrix: str = "BLOSUM62"
    gap_open: int = 11
    gap_extend: int = 1
    evalue: float = 10.0
    max_target_seqs: int = 100
    min_bits: float | None = None
    min_identity: float | None = None
    min_query_coverage: float | None = None
    statistics: Method = "fitted"
    order: Order = "evalue"
    alignments: int = 100
    score_distribution: bool = False
    query_loc: str | None = None
    composition: Composition = "none"
    mask: Mask = "none"
    shuffles: int = 0
    shuffle: Shuffle = "uniform"
    shuffle_seed: int = 0
    iterations: int = 1
    inclusion_evalue: float = 0.002
    matrix_scores: Rows | None = None
    max_hsps: int = 1
    taxids: tuple[int, ...] = ()
    negative_taxids: tuple[int, ...] = ()
    dbsize: int | None = field(default=None, metadata={"exclude_if": _is_none})
    # What `simulated` statistics go by, once that is known. It follows from the scoring and is not asked for: what is
    # asked for is written without it, and the statistics of a result say it.
    simulated: Simulated | None = field(default=None, repr=False, metadata={"exclude": True})

    def searched_length(self, query: int) -> int:
        """How many residues are searched of a query of so many."""
        if self.query_loc is None:
            return query
        first, last = map(int, self.query_loc.split("-"))
        return min(last, query) - first + 1

    @property
    def scoring(self) -> Scoring:
        """The matrix and gap costs."""
        return Scoring(self.matrix, self.gap_open, self.gap_extend, self.matrix_scores)

    @property
    def aligned(self) -> int:
        """How many subjects need their alignment: all of them where a filter, the adjustment or a mask looks at it."""
        return self.max_target_seqs if self.adjusted or self.mask != "none" else self.shown

    @property
    def shown(self) -> int:
        """How many hits have their alignment in the result."""
        looks = self.min_identity is not None or self.min_query_coverage is not None
        return self.max_target_seqs if looks else min(self.alignments, self.max_target_seqs)

    @property
    def further(self) -> int:
        """How many alignments a subject may have besides its best, where some are shown."""
        return self.max_hsps - 1 if self.shown else 0

    @property
    def adjusted(self) -> bool:
        """Whether E-values are adjusted to composition, where a fit can be made."""
        return self.composition == "adjusted" and self.statistics == "fitted"

    @property
    def shuffling(self) -> Shuffling | None:
        """How sequences are shuffled, if they are."""
        return Shuffling(self.shuffles, self.shuffle, self.shuffle_seed) if self.shuffles else None

    @property
    def surveyed(self) -> bool:
        """Whether the result needs the counts of all subjects' scores."""
        return self.statistics == "fitted" or self.score_distribution

    @property
    def by_length(self) -> bool:
        """Whether a subject's length, too, decides on its place: else a better score is a better E-value."""
        return self.order == "evalue" and self.statistics in (*FINITE_SIZE, "fitted")

    @property
    def chooses_taxa(self) -> bool:
        """Whether a part of the database is searched."""
        return bool(self.taxids or self.negative_taxids)

    @property
    def kind(self) -> tuple[Scoring, bool]:
        """What searches of one part of a database must have in common to be made in one pass: the scoring, and whether
        engines count.
        """
        return self.scoring, self.surveyed or self.by_length

    @property
    def row(self) -> KarlinAltschul | None:
        """The parameters that E-values by length go by, or may: simulated or published; None where there are none."""
        if self.simulated is not None:
            return self.simulated.row
        return published_row(self.scoring)

    def by_table(self) -> Self | None:
        """The same with published statistics; None where there are none for the gap costs."""
        known = published_row(self.scoring) is not None
        return replace(self, statistics="table", simulated=None) if known else None

    def space(self, query_length: int, residues: int, subjects: int) -> SearchSpace:
        """What E-values of a query go by, where so many residues of so many subjects are searched."""
        if self.dbsize is None:
            return SearchSpace(query_length, residues, subjects)
        return SearchSpace(query_length, self.dbsize, subjects, self.dbsize / max(1, residues))

    def statistics_of(self, space: SearchSpace, fit: Fit | None = None) -> Statistics:
        """The statistics of one query against the whole database; `fitted` needs the fit, `simulated` its field."""
        return Statistics.of(self.statistics, self.scoring, space, fit, self.simulated)

    def admit(self, bits: float | None, evalue: float | None) -> bool:
        """Whether a hit's bit score and E-value will do, which are known before it is aligned."""
        enough = self.min_bits is None or (bits is not None and bits >= self.min_bits)
        return enough and (evalue is None or evalue <= self.evalue)
