"""An MSA: a query, and rows that are each aligned to it, best first.

A row is kept as A3M writes it (Remmert, Biegert, Hauser and Soeding 2012, Nature Methods 9:173), between its first and
its last column: a capital letter or `-` for each position of the query, small letters for what it has in between.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shardwater.msa.provenance import Provenance
from shardwater.msa.texts import Texts
from shardwater.sequences.encoding import decoded
from shardwater.sequences.fasta import Record

GAP = ord("-")
CELLS = 1 << 22
"""Letters that are looked at together: what is computed of each takes some 20 bytes."""
FIGURES = np.dtype(
    [
        ("bits", np.float64),
        ("evalue", np.float64),
        ("query_start", np.int32),
        ("query_end", np.int32),
        ("subject_start", np.int32),
        ("subject_end", np.int32),
        ("length", np.int32),
        ("columns", np.int32),
        ("identical", np.int32),
        ("gaps", np.int32),
        ("gap_opens", np.int32),
        ("score", np.int32),
        ("taxid", np.int64),
    ]
)
"""What is known of a row. Places are from 0, half-open; length: the subject's residues; columns: of its alignment, also
those with a gap; bits and evalue: NaN where there are none; taxid: 0 where it is not known."""
CAPITALS = bytes(letter if chr(letter).isalpha() else ord("X") for letter in bytes(range(128)).upper()) + b"X" * 128
"""For bytes.translate: any letter in upper case, anything else (a stop, too) X, as predictors of structures read it."""

Letters = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of a row beside its letters. The places are from 0, half-open; header: as it is in the database.

    bits and evalue are None where there are none; taxid and length are 0 where they are not known, subject_end where
    the subject's places are not. representative: as in Msa.
    """

    header: str
    bits: float | None
    evalue: float | None
    query_start: int
    query_end: int
    subject_start: int
    subject_end: int
    length: int
    columns: int
    identical: int
    gaps: int
    gap_opens: int
    score: int
    taxid: int
    representative: str = ""

    @property
    def name(self) -> str:
        """The first word of the header, '' if there is none."""
        return Record(self.header, b"").id

    @property
    def title(self) -> str:
        """The header after its first word."""
        return Record(self.header, b"").title

    @property
    def identity(self) -> float:
        """The share of identical columns among all of the alignment, 0 to 1."""
        return self.identical / self.columns if self.columns else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Msa:
    """A query and the rows that are aligned to it.

    figures: (rows,) of FIGURES; headers: UTF-8; letters: of each row, in A3M, from column query_start to query_end.
    organisms: the scientific names of taxids. The query's letters are capitals. representatives: of each row that is a
    member of a cluster the name of the subject that stands for it, empty for others; None where all are subjects.
    """

    query: Record
    figures: npt.NDArray[Any]
    headers: Texts
    letters: Texts
    organisms: Mapping[int, str] = field(default_factory=dict)
    provenance: Provenance | None = field(default=None, kw_only=True)
    representatives: Texts | None = field(default=None, kw_only=True)

    def __len__(self) -> int:
        """Rows, without the query."""
        return len(self.figures)

    @property
    def columns(self) -> int:
        """Positions of the query."""
        return len(self.query.residues)

    def __iter__(self) -> Iterator[Row]:
        for number in range(len(self)):
            yield self.row(number)

    def row(self, number: int) -> Row:
        """What is known of a row."""
        header = decoded(self.headers[number])
        bits, evalue, *numbers = self.figures[number].item()
        return Row(header, _known(bits), _known(evalue), *(*numbers, self.representative(number)))

    def representative(self, number: int) -> str:
        """The subject that stands for a row's cluster, of which it is a member; empty for a subject."""
        return "" if self.representatives is None else decoded(self.representatives[number])

    def a3m(self, number: int) -> bytes:
        """A row as A3M writes it, with all columns."""
        start, end = (int(self.figures[place][number]) for place in ("query_start", "query_end"))
        return b"-" * start + self.letters[number] + b"-" * (self.columns - end)

    def first(self, most: int) -> Self:
        """The best rows, so many at most; nothing is copied."""
        return replace(
            self,
            figures=self.figures[:most],
            headers=self.headers.first(most),
            letters=self.letters.first(most),
            representatives=None if self.representatives is None else self.representatives.first(most),
        )

    def take(self, numbers: Iterable[int]) -> Self:
        """The rows of these numbers, in this order; -1 is a row of gaps, without a name, bits and an E-value."""
        chosen = np.fromiter(numbers, np.int64)
        nobody = np.zeros(1, FIGURES)
        nobody["bits"] = nobody["evalue"] = np.nan
        figures = np.concatenate((self.figures, nobody))[chosen]
        taken = self.headers.take(chosen), self.letters.take(chosen)
        named = None if self.representatives is None else self.representatives.take(chosen)
        return type(self)(
            self.query, figures, *taken, self.organisms, provenance=self.provenance, representatives=named
        )

    def aligned(self, first: int, last: int) -> Letters:
        """The letters of the rows from first to last (without it) in the query's columns: (rows, columns), else GAP."""
        begin, end = self.letters.offsets[first], self.letters.offsets[last]
        letters = self.letters.joined[begin:end]
        rows = np.repeat(np.arange(last - first), self.letters.lengths[first:last])
        inside = (letters < ord("a")) | (letters > ord("z"))
        # Along all rows at once: each column of a row is one further than the one before.
        steps = np.cumsum(inside)
        starts = self.letters.offsets[first:last] - begin
        before = np.concatenate(([0], steps))[starts]
        columns = (
            steps - 1 - np.repeat(before - self.figures["query_start"][first:last], self.letters.lengths[first:last])
        )
        found = np.full((last - first, self.columns), GAP, np.uint8)
        found[rows[inside], columns[inside]] = letters[inside]
        return found

    def batches(self, cells: int = CELLS) -> Iterator[tuple[int, int]]:
        """Ranges of rows that have at most so many cells each, but one row at least."""
        step = max(1, cells // max(1, self.columns))
        for first in range(0, len(self), step):
            yield first, min(first + step, len(self))


def capitals(residues: bytes) -> bytes:
    """The letters that an MSA shows for a sequence: capitals, and X for what is no letter."""
    return residues.translate(CAPITALS)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value
