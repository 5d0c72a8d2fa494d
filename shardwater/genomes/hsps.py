"""HSPs: shared stretches without gaps, in one array of rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from mmap import mmap
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError

Numbers = npt.NDArray[np.int64]
ROW = np.dtype(
    [("query", "<i4"), ("subject", "<i4"), ("length", "<i4"), ("matches", "<i4"), ("reverse", "?")], align=False
)
"""An HSP: where it begins in both genomes, forward, its letters, the equal ones, and whether it is a reverse one."""
MATCH = 4
"""What two equal letters score; others score -MATCH, as in GECKO."""


class UnreadableHsps(AlignError):
    """Bytes that Hsps.pack did not write."""


@dataclass(frozen=True, slots=True, eq=False)
class Hsps:
    """HSPs as rows of ROW; places are those of Genome: joined, from 0, on the forward strand, also of reverse HSPs.

    A reverse HSP pairs query letter query + t with the complement of subject letter subject + length - 1 - t.
    """

    rows: npt.NDArray[np.void]

    @classmethod
    def of(cls, query: Numbers, subject: Numbers, length: Numbers, matches: Numbers, reverse: bool) -> Self:
        """HSPs of one strand, by columns."""
        rows = np.zeros(len(query), ROW)
        for name, column in (("query", query), ("subject", subject), ("length", length), ("matches", matches)):
            rows[name] = column
        rows["reverse"] = reverse
        return cls(rows)

    @classmethod
    def joined(cls, several: Sequence["Hsps"]) -> "Hsps":
        """All rows of several."""
        return cls(np.concatenate([np.zeros(0, ROW), *(each.rows for each in several)]))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, rows: slice | npt.NDArray[np.bool_] | Numbers) -> "Hsps":
        if isinstance(rows, slice):
            return Hsps(self.rows[rows])
        # Rows are taken by number in a twentieth of the time that an index of another kind needs.
        numbers = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return Hsps(self.rows.take(numbers))

    def _column(self, name: str) -> Numbers:
        column: Numbers = self.rows[name].astype(np.int64)
        return column

    @property
    def query(self) -> Numbers:
        """Where each begins in the query."""
        return self._column("query")

    @property
    def subject(self) -> Numbers:
        """Where each begins in the subject, forward."""
        return self._column("subject")

    @property
    def length(self) -> Numbers:
        """Letters of each."""
        return self._column("length")

    @property
    def matches(self) -> Numbers:
        """Equal letters of each."""
        return self._column("matches")

    @property
    def reverse(self) -> npt.NDArray[np.bool_]:
        """Which are on the reverse strand of the subject."""
        reverse: npt.NDArray[np.bool_] = self.rows["reverse"]
        return reverse

    @property
    def score(self) -> Numbers:
        """MATCH for each equal letter, -MATCH for each other one."""
        return MATCH * (2 * self.matches - self.length)

    @property
    def identity(self) -> npt.NDArray[np.float64]:
        """Equal letters in per cent."""
        return 100.0 * self.matches / self.length

    @property
    def diagonal(self) -> Numbers:
        """What HSPs of a strand have in common that continue each other: subject - query; reverse, the sum of both."""
        ends = self.subject + self.length
        diagonal: Numbers = np.where(self.reverse, ends + self.query, self.subject - self.query)
        return diagonal

    def pack(self) -> bytes:
        """As bytes: the rows, little-endian, with nothing around them."""
        return self.rows.tobytes()

    @classmethod
    def read(cls, packed: bytes | mmap) -> Self:
        """What `pack` wrote; raises UnreadableHsps."""
        if len(packed) % ROW.itemsize:
            raise UnreadableHsps("its size is not that of whole rows")
        return cls(np.frombuffer(packed, ROW))
