"""The alignments of gotoh.py, a pair at a time, from scores that parasail's SIMD computes.

parasail (https://github.com/jeffdaily/parasail) fills matrices several times as fast as numpy. Its own alignments break
ties by other rules than ours. So it is asked for numbers alone, which are the same whoever computes them: where the
best score first stands, and H up to there; the way back through H is ours.

The query is given to it as its reference: its kernels go along the reference, note the first position with the best
score, and of that column the first row: the smallest query end, then the smallest subject end.
"""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import parasail

from shardwater.alignment.alignment import Alignment, Run, merge_runs
from shardwater.alignment.gotoh import align_local
from shardwater.scoring.scoring import Scoring, load_matrix
from shardwater.sequences.alphabet import LETTERS, Codes

MOST_TABLE = 64 << 20
"""Bytes of H, 4 a cell, beyond which gotoh.py aligns in less memory."""
MOST = {16: 30_000, 32: 1 << 30, 64: 1 << 62}
"""What the numbers in kernels of so many bits may come near to."""
PADDING = 64
"""More positions than the kernels add to a sequence for their lanes."""

_SPELLED = np.frombuffer(bytes(range(ord("A"), ord("A") + len(LETTERS))), np.uint8)


def align_pair(query: Codes, subject: Codes, scoring: Scoring) -> Alignment | None:
    """The best local alignment of two sequences; None where no letters score above 0."""
    if len(query) == 0 or len(subject) == 0:
        return None
    pair = _Pair(query, subject, scoring)
    score, rows, columns = pair.end()
    if score <= 0:
        return None
    query, subject = query[:rows], subject[:columns]
    runs = pair.ungapped(query, subject, score)
    if runs is None and 4 * rows * columns > MOST_TABLE:
        return align_local(query, [subject], scoring)[0]
    if runs is None:
        runs = merge_runs(pair.way_back(query, subject, score)[::-1])
    along_query = sum(run.length for run in runs if run.kind != "D")
    along_subject = sum(run.length for run in runs if run.kind != "I")
    return Alignment(score, rows - along_query, rows, columns - along_subject, columns, runs)


class _Pair:
    """Two sequences, as parasail is asked of them."""

    def __init__(self, query: Codes, subject: Codes, scoring: Scoring) -> None:
        self._scores, self._matrix = scoring.scores, _matrix(scoring.matrix)
        best = max(1, int(self._scores.max())) * min(len(query), len(subject))
        # A gap dearer than any score is never taken, however dear.
        self._open, self._extend = min(scoring.gap_open, best + 1), min(scoring.gap_extend, best + 1)
        self._costs = self._open + self._extend, self._extend, self._matrix
        # Its striped kernels leave gaps out that cost nothing to open: they stop too early where F is no better than E.
        self._kernel = "striped" if self._open else "scan"
        # The scan kernels carry a gap over all positions, and take its extensions off afterwards.
        carried = best + self._open + self._extend * (max(len(query), len(subject)) + PADDING)
        self._bits = min(bits for bits, most in MOST.items() if carried < most)
        self._spelled = _spelled(query), _spelled(subject)

    def end(self) -> tuple[int, int, int]:
        """The best score, and how many residues of query and subject lie before the end of the first cell with it."""
        query, subject = self._spelled
        ends = getattr(parasail, f"sw_{self._kernel}_{self._bits}")(subject, query, *self._costs)
        return ends.score, ends.end_ref + 1, ends.end_query + 1

    def ungapped(self, query: Codes, subject: Codes, score: int) -> tuple[Run, ...] | None:
        """The alignment, where the diagonal from its end is worth the score by itself; else None."""
        steps = min(len(query), len(subject))
        worth = np.cumsum(self._scores[query[::-1][:steps], subject[::-1][:steps]])
        whole = worth == score
        return (Run("M", int(np.argmax(whole)) + 1),) if whole.any() else None

    def way_back(self, query: Codes, subject: Codes, score: int) -> list[Run]:
        """The runs from the end of both to where H is 0: by the diagonal where it may, else by the shortest gap."""
        ours = _spelled(query), _spelled(subject)
        # As long as it lives, so does the table.
        answer = getattr(parasail, f"sw_table_scan_{self._bits}")(*ours, *self._costs)
        h = answer.score_table.reshape(-1)
        runs, row, column, value = [], len(query), len(subject), score
        while value > 0:
            steps = self._diagonal(h, query[:row], subject[:column], len(subject))
            if steps:
                runs.append(Run("M", steps))
                row, column = row - steps, column - steps
                value = int(h[(row - 1) * len(subject) + column - 1]) if row and column else 0
            if value > 0:
                gap, value = self._gap(h, row, column, len(subject), value)
                runs.append(gap)
                row, column = (row - gap.length, column) if gap.kind == "I" else (row, column - gap.length)
        return runs

    def _diagonal(self, h: npt.NDArray[np.int32], query: Codes, subject: Codes, width: int) -> int:
        """How far the diagonal explains H from the ends of these on."""
        steps = min(len(query), len(subject))
        values = h[(len(query) - 1) * width + len(subject) - 1 :: -width - 1][:steps]
        before = np.append(values[1:], 0)
        scores = self._scores[query[::-1][:steps], subject[::-1][:steps]]
        stays = (values > 0) & (values == before + scores)
        return steps if stays.all() else int(np.argmin(stays))

    def _gap(self, h: npt.NDArray[np.int32], row: int, column: int, width: int, value: int) -> tuple[Run, int]:
        """The shortest gap that explains `value`, I before D, and H where it begins."""
        place = (row - 1) * width + column - 1
        for kind, cells in (("I", h[place::-width][1:row]), ("D", h[place - column + 1 : place][::-1])):
            opened = np.flatnonzero(cells == value + self._open + self._extend * np.arange(1, len(cells) + 1))
            if opened.size:
                return Run(kind, int(opened[0]) + 1), int(cells[opened[0]])
        raise AssertionError("no gap explains a cell of H")


def _spelled(codes: Codes) -> bytes:
    return _SPELLED[codes].tobytes()


@lru_cache(maxsize=16)
def _matrix(name: str) -> Any:
    """A matrix of scores by residue codes, spelled as letters that parasail takes as they are."""
    scores = load_matrix(name).scores
    made = parasail.matrix_create(_SPELLED.tobytes().decode(), 0, 0)
    for row in range(len(scores)):
        for column in range(len(scores)):
            made.set_value(row, column, int(scores[row, column]))
    return made
