"""Sections of the rows of a long pair, each filled by itself for its stretch of the way back: where they begin and end,
and what room they take. sections.py walks through them.

A section begins before a round of all strips. It ends with the first tile of the one after it: a tile needs the row
above its first, which is whole only where all places have passed it. What is filled of it is more than its rows, since
the last place of a strip is PLACES - 1 rows behind the first: a kept row and two rounds before it, and six rounds
(PLACES - 1 rows and the first tile's) behind it.
"""

from dataclasses import dataclass

import numpy as np

from gpu.layout import KEPT_COLUMNS, KEPT_ROWS, PLACE_WORDS, PLACES, WARP
from gpu.pairs.classes import Shape
from gpu.pairs.plan import rounds_of
from shardwater.pairs.batch import Numbers

MOST_ROUNDS, LEAST_ROUNDS = 1 << 12, 1 << 7
"""Of WARP rows, of a section: where there are few, strips wait for each other most of the time."""
ROWS_BEFORE, ROUNDS_BEFORE = 1, -(-PLACES // WARP)
ROUNDS_BEHIND = -(-(PLACES - 1 + KEPT_ROWS) // WARP)
WORD = 4
"""Bytes."""
STRIPS_APART = 16
HANDED_ON_BYTES = 8 << 30
"""What the last of so many strips hands on, or of twice as many and so on, is stored of all rows, in so much memory."""
EDGE_BYTES = 8
"""Of what a strip hands on in a row."""
SPARE = 1 << 15
"""Columns that a way through a section goes to the left, beside one for each row: more than that seldom. Two tiles at
least: a way's end is known by the columns of a place."""


@dataclass(frozen=True, slots=True)
class Sections:
    """Those of so many rounds, each filled from behind a group of so many strips on."""

    rounds: int
    group: int = STRIPS_APART

    def __post_init__(self) -> None:
        assert min(self.rounds, self.group) > 0
        assert self.rounds * WARP % KEPT_ROWS == 0

    def of(self, row: int) -> int:
        """The section that has the tile of a row."""
        return max(0, row - KEPT_ROWS) // (self.rounds * WARP)

    def first_row(self, section: int) -> int:
        """The first row of its first tile."""
        return section * self.rounds * WARP + KEPT_ROWS if section else 0

    def first_round(self, section: int) -> int:
        """The round that it begins before."""
        return section * self.rounds

    def first_strip(self, column: int, width: int) -> int:
        """From which one on a section is filled for a way that enters it in a column; width: columns of a strip."""
        return max(0, column - self.rounds * WARP - SPARE) // width // self.group * self.group

    def stored(self, rows: int) -> int:
        """How often strips of so many rows are stored: before each round that may begin a section."""
        return (int(rounds_of(np.array(rows))) - 1) // self.rounds

    @property
    def kept_rows(self) -> int:
        """Rows of which there is room for what is kept."""
        return self.rounds * WARP // KEPT_ROWS + ROWS_BEFORE + 1

    @property
    def kept_rounds(self) -> int:
        """Rounds of a kept column for which there is."""
        return ROUNDS_BEFORE + self.rounds + ROUNDS_BEHIND

    def rows_shift(self, section: int) -> int:
        """Where row 0 of the pair would stand among those kept: before the first, but for that of section 0."""
        return ROWS_BEFORE - self.first_round(section) * WARP // KEPT_ROWS

    def rounds_shift(self, section: int) -> int:
        """The same of round 0."""
        return ROUNDS_BEFORE - self.first_round(section)

    def bytes_of(self, columns: int, rows: int, shape: Shape) -> int:
        """What strips that are stored and what is kept of a section take."""
        width, strips = strip_columns(columns, shape), strip_columns(columns, shape) // (2 * shape.width)
        stored = self.stored(rows) * strips * state_words(shape)
        of_rows = self.kept_rows * (width + width // shape.items)
        of_columns = kept_columns(columns) * self.kept_rounds * (WARP + 1)
        return WORD * (stored + of_rows + of_columns) + EDGE_BYTES * (strips // self.group) * rows


def sections_for(lengths: Numbers, shape: Shape, memory: int) -> Sections | None:
    """Those of a pair of so many letters, in columns and rows; None where not even the shortest have room."""
    columns, rows = lengths.tolist()
    rounds, group = MOST_ROUNDS, STRIPS_APART
    while EDGE_BYTES * (strip_columns(columns, shape) // (2 * shape.width) // group) * rows > HANDED_ON_BYTES:
        group *= 2
    while rounds >= LEAST_ROUNDS:
        sections = Sections(rounds, group)
        if sections.bytes_of(columns, rows, shape) <= memory:
            return sections
        rounds //= 2
    return None


def strip_columns(columns: int, shape: Shape) -> int:
    """Columns of all strips."""
    return -(-columns // (2 * shape.width)) * 2 * shape.width


def state_words(shape: Shape) -> int:
    """Of a strip between rounds."""
    return (2 * shape.items + PLACE_WORDS) * WARP


def kept_columns(columns: int) -> int:
    """Columns that are kept of so many, all but what stands right of the last."""
    return max(0, columns - 1) // KEPT_COLUMNS
