"""Which scores, costs and lengths score_pairs.cu does exactly in 16 bits, and the numbers that it works with.

Alignments from end to end are scored in potential form: each value is H + p * row + q * column + base. With q the cost
of a gap's further letters that letter costs nothing along the query; p is the least, from that cost on, with which no
score of two letters plus p + q is negative. A mismatch dearer than two gaps of one letter counts as these: they end in
the same cell. With all of it no value is ever negative, and one addition of a word adds both halves.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpu.layout import MATRIX_LETTERS, SLOT_BURST
from shardwater.alignment.scheme import Scheme
from shardwater.sequences.alphabets import BASES, DNA

MOST = (1 << 15) - 1
MOST_BYTE = (1 << 7) - 1
TABLE_BYTES = 32
MOST_LETTERS = 1 << 15
"""No longer sequence is scored here; the work of a warp is bounded so."""


@dataclass(frozen=True, slots=True)
class Form:
    """A scheme as the kernel has it: its parts, both halves of its gap costs, the scores, and scored.cuh's Free.

    scores: for each letter of the columns' sequence, signed bytes for each letter of the rows'. No value passes `room`
    where a letter adds `each`, and a column of padding `padding`.
    """

    recurrence: str
    mode: str
    observer: str
    gap_first: int
    gap_next: int
    scores: tuple[bytes, ...]
    free: tuple[int, ...]
    room: int
    each: int
    padding: int

    @property
    def of_bases(self) -> bool:
        """Whether it is for A, C, G and T alone."""
        return len(self.scores) == len(BASES)

    @property
    def letter_words(self) -> int:
        """Words of four letters of two sequences."""
        return 1 if self.of_bases else 2

    @property
    def table(self) -> npt.NDArray[np.uint8]:
        """The scores as letters.cuh has them: of bases a word for each letter of a row, else 32 bytes for each of a
        column, padding last.
        """
        if self.of_bases:
            return np.array([*zip(*self.scores, strict=True)], np.uint8)
        padded = np.zeros((MATRIX_LETTERS + 1, TABLE_BYTES), np.uint8)
        padded[: len(self.scores), : len(self.scores)] = [[*row] for row in self.scores]
        return padded

    @property
    def affine(self) -> bool:
        """Whether opening a gap costs more than going on."""
        return self.recurrence.startswith("Affine")

    @property
    def words(self) -> int:
        """Words of 16 bytes that cross from strip to strip in a burst: H, and E where gaps are affine."""
        return 2 if self.affine else 1

    def letters(self, width: int) -> int:
        """It is exact in strips of this width for pairs that need no more."""
        return max(0, (self.room - self.padding * width) // self.each)

    def needed(self, lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """What pairs need it to be exact for, of so many letters, those of queries and of subjects."""
        # A local alignment has no more pairs of letters than the shorter sequence.
        letters: npt.NDArray[np.int64] = np.minimum(*lengths) if self.mode == "Local" else np.maximum(*lengths)
        return letters

    def holds(self, lengths: npt.NDArray[np.int64], width: int) -> npt.NDArray[np.bool_]:
        """Which of these pairs it is exact for in strips of this width."""
        if lengths.max(initial=0) <= min(self.letters(width), MOST_LETTERS):
            return np.ones(lengths.shape[1], np.bool_)
        proven = self.needed(lengths) <= self.letters(width)
        held: npt.NDArray[np.bool_] = proven & (np.maximum(*lengths) <= MOST_LETTERS)
        return held


def form(scheme: Scheme, *, bases: bool = True) -> Form | None:
    """How a scheme is scored; None where it is not for 16 bits, or has too many letters.

    bases: whether DNA has no letters but A, C, G and T.
    """
    letters = len(BASES) if bases and scheme.table.alphabet is DNA else len(scheme.table.rows)
    if letters > MATRIX_LETTERS or (letters == len(BASES) and scheme.table.alphabet is not DNA):
        return None
    scores = scheme.table.scores[:letters, :letters].astype(np.int64)
    return _local(scheme, scores) if scheme.mode.local else _ends(scheme, scores)


def _local(scheme: Scheme, scores: npt.NDArray[np.int64]) -> Form | None:
    best = max(1, int(scores.max()))
    if scheme.gap_first + scheme.gap_extend + MOST_BYTE > MOST or not bytes_of(scores):
        return None
    # S wraps only from a cell above MOST - best, and no cell is worth more than best for each letter.
    if scheme.gap_open == 0 and bytes_of(scores + scheme.gap_extend):
        table = _rows(scores + scheme.gap_extend)
        return Form("Linear", "Local", "Best", 0, _both(-scheme.gap_extend), table, (0,) * 9, MOST - best, best, 0)
    gaps = _both(-scheme.gap_first), _both(-scheme.gap_extend)
    return Form("AffinePairs", "Local", "Best", *gaps, _rows(scores), (0,) * 9, MOST - best, best, 0)


def _ends(scheme: Scheme, scores: npt.NDArray[np.int64]) -> Form | None:
    mode, gap_open, q = scheme.mode, scheme.gap_open, scheme.gap_extend
    scores = np.maximum(scores, -2 * scheme.gap_first)
    p = max(q, -int(scores.min()) - q)
    if not bytes_of(scores + p + q):
        return None
    # H is never less than two gaps, and what opens a third one in it is not negative either.
    base = 3 * gap_open
    # Padding is worth -p - q in a diagonal step: there only rows, of a burst, and columns, of a strip, still add.
    room, each = MOST - base - SLOT_BURST * p, p + q + max(0, int(scores.max()))
    left = (base, p) if mode.subject_begin else (base - gap_open, p - q)
    top = (base, q) if mode.query_begin else (base - gap_open, 0)
    free = (base, *left, *top, p, q, int(mode.query_end), int(mode.subject_end))
    # A clamped mismatch is worth two gaps, so that p is q where gaps are linear.
    recurrence = "AffinePotential" if gap_open else "LinearPotential"
    gaps, table = (_both(-gap_open), _both(p - q)), _rows(scores + p + q)
    return Form(recurrence, "Ends", "Unseen", *gaps, table, free, room, max(1, each), q)


def bytes_of(scores: npt.NDArray[np.int64]) -> bool:
    """Whether signed bytes hold these scores."""
    return bool(scores.max() <= MOST_BYTE and scores.min() >= -MOST_BYTE)


def _rows(scores: npt.NDArray[np.int64]) -> tuple[bytes, ...]:
    return tuple(row.astype(np.int8).tobytes() for row in scores)


def _both(number: int) -> int:
    """A number in both halves of a register."""
    return (number & 0xFFFF) * 0x10001
