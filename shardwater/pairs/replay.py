"""Many alignments replayed at once over their letters: what each column shows, what is counted, and each score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import KINDS, cigars
from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs.batch import Joined, Numbers, PairBatch
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS, Columns
from shardwater.sequences.alphabets import PROTEIN

_I, _D = RUN_KINDS.index("I"), RUN_KINDS.index("D")
_GAP = ord("-")
Bools = npt.NDArray[np.bool_]


class UnsoundAlignment(EngineError):
    """An alignment that contradicts itself: `row` is its row, `what` the message without its sequences."""

    def __init__(self, row: int, what: str) -> None:
        super().__init__(f"the sequences of an alignment {what}")
        self.row, self.what = row, what

    def of_pair(self, query: str, subject: str) -> EngineError:
        """The same error with the names of its sequences."""
        return EngineError(f"{query} and {subject} {self.what}")


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """The columns of alignments, one after another; the arrays have an element for each column.

    ends (alignments + 1): where the columns of each begin, and where the last ones end; query and subject: letters as
    they were written, `-` in gaps; identical: the same letters, whatever they score; positive: the same letters, or
    letters that score above 0; worth: of each alignment what its columns score together.
    """

    ends: Numbers
    query: npt.NDArray[np.uint8]
    subject: npt.NDArray[np.uint8]
    identical: Bools
    positive: Bools
    gap: Bools
    worth: Numbers

    @classmethod
    def of(cls, letters: PairBatch, columns: Columns, scheme: Scheme) -> "Replay":
        """Replay the alignments of `columns`. letters: of the same pairs in order, queries as they were aligned.

        Raises UnsoundAlignment where a path does not lead from its begin to its end, where the mode does not let it
        begin or end there, and where its columns do not add up to its score.
        """
        replay = cls.of_parts(letters, columns, scheme)
        wrong = np.flatnonzero((replay.worth != columns.scores) & columns.found)
        if len(wrong):
            row = int(wrong[0])
            raise UnsoundAlignment(row, f"scored {columns.scores[row]}, but {replay.worth[row]} in their alignment")
        return replay

    @classmethod
    def of_parts(cls, letters: PairBatch, columns: Columns, scheme: Scheme) -> "Replay":
        """The same of parts of alignments, which may be worth something else than their scores."""
        runs, counts = columns.row_runs, columns.lasts - columns.firsts
        kinds, lengths = runs & (1 << KIND_BITS) - 1, runs >> KIND_BITS
        run_ends = _behind(counts)
        spans = [_sums(lengths * (kinds != left_out), run_ends) for left_out in (_D, _I)]
        _check_places(letters, columns, spans, scheme)
        column_kinds = np.repeat(kinds.astype(np.uint8), lengths)
        rows = [
            _row(side, columns.places[:, place], span, column_kinds != left_out)
            for side, place, span, left_out in zip(
                (letters.queries, letters.subjects), (0, 2), spans, (_D, _I), strict=True
            )
        ]
        gap = (column_kinds == _I) | (column_kinds == _D)
        same, codes = _looks(scheme), np.frombuffer(scheme.table.alphabet.codes, np.uint8)
        identical = (same[rows[0]] == same[rows[1]]) & ~gap
        paired = [np.where(gap, 0, codes[row]).astype(np.intp) for row in rows]
        table = scheme.table.scores
        scores = np.where(gap, 0, table.take(table.shape[1] * paired[0] + paired[1]))
        gap_costs = scheme.gap_open + scheme.gap_extend * lengths.astype(np.int64)
        costs = np.where((kinds == _I) | (kinds == _D), gap_costs, 0)
        ends = _behind(_sums(lengths, run_ends))
        worth = _sums(scores, ends) - _sums(costs, run_ends)
        return cls(ends, rows[0], rows[1], identical, identical | (scores > 0), gap, worth)

    def sums(self, which: Bools) -> list[int]:
        """How many columns of each alignment are true in `which`."""
        return list(_sums(which, self.ends).tolist())

    @property
    def lengths(self) -> list[int]:
        """The number of columns of each alignment."""
        return list(np.diff(self.ends).tolist())

    @property
    def cigars(self) -> list[str]:
        """The CIGAR of each alignment: = and X, I for letters of the query alone, D of the subject alone."""
        kinds = np.where(self.identical, KINDS.index("="), KINDS.index("X")).astype(np.uint8)
        kinds[self.subject == _GAP], kinds[self.query == _GAP] = KINDS.index("I"), KINDS.index("D")
        rows = np.flatnonzero(np.diff(self.ends))
        texts = [""] * (len(self.ends) - 1)
        for row, text in zip(rows.tolist(), cigars(kinds, self.ends[rows]) if len(rows) else (), strict=True):
            texts[row] = text
        return texts


def _check_places(letters: PairBatch, columns: Columns, taken: Sequence[Numbers], scheme: Scheme) -> None:
    """Raise UnsoundAlignment; taken: how many letters of each query, and of each subject, the paths take."""
    wholes, mode = letters.lengths, scheme.mode
    begins, ends = columns.places[:, [0, 2]].T.astype(np.int64), columns.places[:, [1, 3]].T.astype(np.int64)
    right = ((begins >= 0) & (ends <= wholes) & (begins + taken == ends)).all(axis=0)
    if not mode.local:
        for left_out, free in (
            (begins, (mode.query_begin, mode.subject_begin)),
            (wholes - ends, (mode.query_end, mode.subject_end)),
        ):
            query, subject = left_out
            # Letters of one sequence alone may be left out, and only where its end is free.
            right &= (query == 0) | ((subject == 0) & free[0])
            right &= (subject == 0) | ((query == 0) & free[1])
    wrong = np.flatnonzero(~right & columns.found)
    if len(wrong):
        raise UnsoundAlignment(int(wrong[0]), "have an alignment that is not from where to where it says")


def _row(side: Joined, starts: npt.NDArray[np.integer], spans: Numbers, takes: Bools) -> npt.NDArray[np.uint8]:
    """The letters of one side in all columns, and `-` where the column is a gap of it."""
    first = side.offsets[:-1] + starts - _behind(spans)[:-1]
    row = np.full(len(takes), _GAP, np.uint8)
    row[takes] = side.codes[np.repeat(first, spans) + np.arange(int(spans.sum()))]
    return row


def _behind(counts: npt.NDArray[np.integer]) -> Numbers:
    """0, and where each of some stretches that follow each other ends."""
    ends = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=ends[1:])
    return ends


def _sums(values: npt.NDArray[Any], ends: Numbers) -> Numbers:
    """The sum of each stretch between two ends."""
    sums: Numbers = np.diff(_behind(values)[ends])
    return sums


def _looks(scheme: Scheme) -> npt.NDArray[np.uint8]:
    """By byte, a number that is equal for the same letters. In proteins, letters that score as X stay different."""
    alphabet = scheme.table.alphabet
    return np.frombuffer(bytes(range(256)).upper() if alphabet is PROTEIN else alphabet.codes, np.uint8)
