"""The Engine protocol: what a CPU or a GPU must do, and the small types that pass through it.

An engine is chosen once (gpu.open_engine); after that nobody asks which one it is. Two engines given the
same input answer with the same bytes: scores are exact, the order is total (score descending, then subject
index), and gotoh.py states the one alignment that counts as best.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment
from shardwater.database.database import Shard
from shardwater.engines.extent import Extent
from shardwater.pairs.columns import Columns
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import Cut, LeastScores
from shardwater.search.hits import Score, ScoreColumns
from shardwater.sequences.alphabet import Codes
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Counts, rows_of
from shardwater.statistics.shuffles import Shuffling

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRun:
    """The scores of subjects that follow one another in a shard, for the query of this number: int32, from position
    `first` on.
    """

    query: int
    first: int
    scores: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Slice(Generic[Made]):
    """What an engine has done since the slice before: cells (query residues x subject residues), and the answers that
    are ready, each with the number of its query or pair.

    scores: those handed out of a survey that was asked for all of them.
    """

    cells: int = 0
    answers: Sequence[tuple[int, Made]] = ()
    scores: Sequence[ScoreRun] = ()


Slices = Generator[Slice[Made], None, None]
"""Work done slice by slice. Between two of them the engine may do other work, which has to end before these go on; to
close them ends the work.
"""


def gather(slices: Slices[Made]) -> list[Made]:
    """All answers, by their numbers."""
    answers = dict(answer for each in slices for answer in each.answers)
    return [answers[number] for number in range(len(answers))]


@dataclass(slots=True)
class Pair:
    """Two sequences to align: ASCII letters of either case, one byte per residue.

    pssm: what the query's positions score, where it is not what a matrix says. taken: earlier alignments of the two,
    whose pairs of letters a new one may not have.
    """

    # Nobody changes one. A frozen one takes three times as long to make, and a chain's search makes hundreds.
    query: bytes
    subject: bytes
    pssm: Pssm | None = None
    taken: Sequence[Alignment] = ()


NOT_SCORED = -1
"""In place of the score of a shuffle that was not."""


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """Sequences, as codes, each of which is scored with all shuffles of another one; of a letter at least.

    An engine makes the shuffles itself, where it scores them. It need not know which of a pair is the query: scores of
    letters are symmetric.
    """

    ones: Sequence[Codes]
    shuffled: Codes
    shuffling: Shuffling


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found for one query: its best subjects, and how much was scored to find them.

    An engine counts the extent by what it has computed, never by what it was asked for: the certificate rests on it.
    """

    best: list[Score]
    extent: Extent


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The counts of all subjects (distribution.py) for one query, and those that its cut wants of them (cuts.py).

    subjects are the database's numbers, best scores first, in the total order; extent is counted as in Found.
    """

    subjects: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int64]
    extent: Extent
    counts: Counts

    @classmethod
    def among(
        cls,
        subjects: npt.NDArray[np.int64],
        lengths: npt.NDArray[np.integer],
        scores: npt.NDArray[np.int64],
        extent: Extent,
        counts: Counts,
        least: LeastScores,
    ) -> Self:
        """The survey of a shard by these subjects, who are all that its cut wants, or more; least is what it says."""
        wanted = np.flatnonzero((scores > 0) & (scores >= least[rows_of(lengths)]))
        order = wanted[np.lexsort((subjects[wanted], -scores[wanted]))]
        return cls(subjects[order], scores[order], extent, counts)

    @property
    def ranked(self) -> ScoreColumns:
        """The subjects in their order."""
        return ScoreColumns(self.subjects, self.scores)


class Engine(Protocol):
    """Exact local alignment of queries against one resident shard.

    A query that has a PSSM is scored by it, with the gap costs of the scoring; the matrix scores the others.
    One thread may search while another aligns; only align and score may be called by several at a time.
    """

    @property
    def name(self) -> str:
        """What computes, for a result's certificate: `cpu`, or the device's name."""
        ...

    def load(self, shard: Shard) -> None:
        """Make the shard resident; replaces one loaded before."""
        ...

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, among: Shard | None = None
    ) -> Slices[Found]:
        """The best `top` subjects of each query that score above 0, best first, in the total order.

        among: a part of the resident shard, in place of all of it. What is found and counted is then that of a shard
        with these subjects alone.
        """
        ...

    def survey(
        self,
        queries: Sequence[Record],
        scoring: Scoring,
        cuts: Sequence[Cut],
        scores: bool = False,
        among: Shard | None = None,
    ) -> Slices[Survey]:
        """How many subjects of the shard have each score, by length, and the subjects that each query's cut wants.

        Those are all that score above 0 and at least what the cut says of the counts for their length; scored once.
        With `scores` the slices hand out the scores of all subjects: of each query in the order of the shard, each
        once, and before the query is answered. among: as of a search.
        """
        ...

    def align(self, pairs: Sequence[Pair], scoring: Scoring) -> Generator[Columns, None, None]:
        """The best local alignment of each pair, a row of each; in steps, as Slices are.

        Of what is left where some is taken: gotoh.py's align_next.
        """
        ...

    def score(self, crowds: Sequence[Crowd], scoring: Scoring) -> Slices[npt.NDArray[np.int32]]:
        """The best local scores of each crowd, (ones, shuffles); below 0 where something was not scored."""
        ...
