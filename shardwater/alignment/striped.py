"""The alignments of gotoh.py, a pair at a time, from what parasail's SIMD computes.

parasail (https://github.com/jeffdaily/parasail) fills matrices several times as fast as numpy. Its own alignments break
ties by other rules than ours. So it gives us the first cell with the best score, and trace bits; the way back through
them is ours (trace.py).

Its kernels go along the reference. They note the first position with the best score, and the first row in that column.
We want the smallest query end, then the smallest subject end. The end that comes with trace bits is that one where it
lies in the last column. Otherwise a call without trace bits finds it, with the query as reference.

A reference has no scores by position. A query that has such is given to it as its query: how many letters of that are
enough for the best score is asked again then, and only of so many is the smallest subject end the right one. In other
modes parasail gives the last row and the last column of H, where alignments end.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.checkpoint import Checkpoint
from shardwater.alignment.end_process import found_apart
from shardwater.alignment.ends import EndPoint
from shardwater.alignment.gotoh import MEMORY, align_batch, align_ends, score_batch
from shardwater.alignment.scheme import Mode, Places, Scheme
from shardwater.alignment.spelling import MOST_LETTERS, matrix, of_places, spelled, turned, unspelled
from shardwater.alignment.trace import Pair, TooManySteps, way_back
from shardwater.alignment.watch import Watch
from shardwater.ranges import ranges_of
from shardwater.sequences.alphabet import Codes

try:
    import parasail
except ModuleNotFoundError:  # it has wheels for x86-64 alone
    parasail = None

MOST_TABLE = 64 << 20
"""Bytes of trace bits, 2 or 4 a cell, beyond which gotoh.py aligns in less memory."""
MOST = {16: 30_000, 32: 1 << 30}
"""What the numbers in kernels of so many bits may come near to. There are kernels of 64, but all answers have 32."""
MOST_OF_8 = 64
"""What scores and costs are less than in kernels of 8 bits."""
BATCH_COLUMNS = 1 << 16
"""Columns of one row over a batch of subjects: what stays in a core's cache."""
PADDING = 64
"""More positions than the kernels add to a sequence for their lanes."""
APART_CELLS = 1 << 31
"""Of a call that takes a second and more: it is made in a process of its own, which can be stopped."""

_KERNELS = {(False, False): "nw", (True, False): "sg_qb", (False, True): "sg_db", (True, True): "sg_qb_db"}
"""By which of the beginnings of query and subject are free: the ends change no H."""


def align_pair(
    query: Places,
    subject: Codes,
    scheme: Scheme,
    memory: int = MEMORY,
    watch: Watch | None = None,
    checkpoint: Checkpoint | None = None,
) -> Alignment | None:
    """The best alignment of two sequences; None where no letters score above 0 in a local one.

    memory, watch, checkpoint: as align_batch has them, for what does not fit MOST_TABLE. Raises Stopped.
    """
    pair = _Pair.of(query, subject, scheme)
    if pair is None:
        return align_batch(query, [subject], scheme, memory, watch, checkpoint)[0]
    if pair.fits(len(query), len(subject)):
        (score, rows, columns), bits = pair.end_and_bits(watch)
    else:
        (score, rows, columns), bits = _kept_end(pair, query, subject, scheme, watch, checkpoint), None
    if scheme.mode.local and score <= 0:
        return None
    found = pair.aligned(score, rows, columns, bits)
    if found is None:
        found = align_batch(query[:rows], [subject[:columns]], _ending_there(scheme), memory, watch, checkpoint)[0]
    return found


def _kept_end(
    pair: "_Pair", query: Places, subject: Codes, scheme: Scheme, watch: Watch | None, checkpoint: Checkpoint | None
) -> tuple[int, int, int]:
    """_end, or what somebody else has found it to be."""
    if checkpoint is not None and "end" in checkpoint.arrays:
        score, rows, columns = checkpoint.arrays["end"].tolist()
        return score, rows, columns
    end = _end(pair, query, subject, scheme, watch)
    if checkpoint is not None:
        checkpoint.save({"end": np.array(end)})
    return end


def align_end(
    query: Places, subject: Codes, scheme: Scheme, score: int, memory: int = MEMORY, watch: Watch | None = None
) -> Alignment:
    """The best local alignment that ends where both sequences end, and scores so much, more than 0.

    memory, watch: as align_pair has them. Raises Stopped.
    """
    assert scheme.mode.local
    pair = _Pair.of(query, subject, scheme)
    found = None if pair is None else pair.aligned(score, len(query), len(subject))
    if found is None:
        ends = [EndPoint(score, len(query), len(subject))]
        [found] = align_ends(query, subject, scheme, ends, memory, watch)
    return found


def is_available() -> bool:
    """Whether parasail is here; without it align_pair and score_pair do as gotoh.py does."""
    return parasail is not None


def score_pair(query: Places, subject: Codes, scheme: Scheme, watch: Watch | None = None) -> int:
    """The score of that alignment, 0 where there is none. watch: as align_pair has it; raises Stopped."""
    pair = _Pair.of(query, subject, scheme)
    if pair is not None and scheme.mode == Mode.SEMI_GLOBAL and len(query) * len(subject) < APART_CELLS:
        return pair.semi_global_score()
    if pair is not None:
        return _end(pair, query, subject, scheme, watch)[0]
    [scores] = deque(score_batch(query, [subject], scheme, watch), maxlen=1)
    return int(scores[0])


def score_each(query: Places, subjects: Sequence[bytes], scheme: Scheme) -> npt.NDArray[np.int64]:
    """The best local scores of a query with each of some subjects, as spelling.py spells them; of like length best."""
    longest = unspelled(max(subjects, key=len))
    pair = _Pair.of(query, longest, scheme)
    if pair is not None:
        return np.fromiter(pair.scores(subjects), np.int64)
    found = []
    for some in ranges_of(len(subjects), max(1, BATCH_COLUMNS // (len(longest) + 1))):
        [scores] = deque(score_batch(query, [unspelled(subjects[each]) for each in some], scheme), maxlen=1)
        found.append(scores)
    return np.concatenate(found)


def end(query: Places, subject: Codes, scheme: Scheme, watch: Watch | None = None) -> tuple[int, int, int]:
    """The best score of two sequences that parasail takes, and how many letters of each lie before its first end.

    watch: is asked whether a long call is still wanted; of a PSSM, between two calls. Raises Stopped.
    """
    pair = _Pair.of(query, subject, scheme)
    assert pair is not None
    return _end(pair, query, subject, scheme, watch)


def _end(pair: "_Pair", query: Places, subject: Codes, scheme: Scheme, watch: Watch | None) -> tuple[int, int, int]:
    if watch is not None and scheme.pssm is None and len(query) * len(subject) >= APART_CELLS:
        return found_apart(query, subject, scheme, watch)
    return pair.end(watch)


def local_end(query: Places, subject: Codes, scheme: Scheme, watch: Watch | None = None) -> tuple[int, int, int] | None:
    """The score of the best local alignment, 0 where there is none, and how many letters of each lie before its end.

    None where parasail does not take these. watch: as `end` has it. Raises Stopped.
    """
    assert scheme.mode.local
    pair = _Pair.of(query, subject, scheme)
    return None if pair is None else _end(pair, query, subject, scheme, watch)


def end_pair(
    query: Places, subject: Codes, scheme: Scheme, memory: int = MEMORY, watch: Watch | None = None
) -> Alignment:
    """That alignment without its runs, of a mode in which each begins with the first letters of both.

    memory, watch: as align_batch has them, which does what parasail does not take. Raises Stopped.
    """
    assert not (scheme.mode.local or scheme.mode.query_begin or scheme.mode.subject_begin)
    pair = _Pair.of(query, subject, scheme)
    if pair is None:
        [found] = align_batch(query, [subject], scheme, memory, watch)
        assert found is not None
        return replace(found, runs=())
    score, rows, columns = _end(pair, query, subject, scheme, watch)
    return Alignment(score, 0, rows, 0, columns, ())


def _ending_there(scheme: Scheme) -> Scheme:
    """The scheme for sequences that end where the best alignment does."""
    mode = scheme.mode
    return scheme if mode.local else replace(scheme, mode=replace(mode, query_end=False, subject_end=False))


class _Pair:
    """Two sequences, as parasail is asked of them."""

    def __init__(self, query: Places, subject: Codes, scheme: Scheme, costs: tuple[int, int], bits: int) -> None:
        self._mode, self._table, self._pssm, self._scores = scheme.mode, scheme.table, scheme.pssm, scheme.scores
        self._best, self._worst = scheme.best, scheme.worst
        self._open, self._extend = costs
        self._costs, self._bits = (self._open + self._extend, self._extend), bits
        self._query, self._subject = query, subject

    @classmethod
    def of(cls, query: Places, subject: Codes, scheme: Scheme) -> "_Pair | None":
        """None where parasail does not take these, or its numbers may not hold all that comes."""
        local, letters = scheme.mode.local, scheme.scores.shape[1]
        if parasail is None or not (len(query) and len(subject)) or letters > MOST_LETTERS:
            return None
        shorter, longer = sorted((len(query), len(subject)))
        best = max(1, scheme.best) * shorter
        # A gap dearer than any score is never part of a local alignment, however dear.
        most = best + 1 if local else scheme.gap_first
        costs = min(scheme.gap_open, most), min(scheme.gap_extend, most)
        # The scan kernels carry a gap over all positions, and take its extensions off afterwards.
        gaps = 3 * costs[0] + 2 * costs[1] * ((longer if local else shorter + longer) + PADDING)
        # They give up (`saturated`) where another letter could pass what they hold, whether there is one or not.
        carried = best + max(1, scheme.best) + gaps - min(0, scheme.worst) * (1 if local else shorter)
        bits = next((bits for bits, most in MOST.items() if carried < most), None)
        return None if bits is None else cls(query, subject, scheme, costs, bits)

    def end(self, watch: Watch | None = None) -> tuple[int, int, int]:
        """The best score, and how many letters of query and subject lie before the end of the first cell with it.

        watch: is asked between two calls whether it is still wanted. Raises Stopped.
        """
        mode = self._mode
        if mode.local:
            if self._pssm is not None:
                return self._end_by_places(watch or Watch())
            return self._end_in_8_bits() or self._local_end(self._query)
        if self.ends_are_known:
            # Without rows and columns it takes a third of the time.
            whole = self._filled("", self._query, self._subject)
            return whole.score, len(self._query), len(self._subject)
        ends = self._filled("rowcol", self._query, self._subject)
        rows, columns = len(self._query), len(self._subject)
        # The first of several best ones counts: those of the last column stand in the rows before the last one.
        last_column = np.append(self._top(columns), ends.score_col)[: rows if self._mode.query_end else 0]
        last_row = np.append(self._left(rows), ends.score_row)[0 if self._mode.subject_end else columns :]
        score = int(np.concatenate((last_column, last_row)).max())
        above = np.flatnonzero(last_column == score)
        if above.size:
            return score, int(above[0]), columns
        return score, rows, columns - len(last_row) + 1 + int(np.argmax(last_row == score))

    @property
    def _score_kernel(self) -> str:
        # Its striped kernels leave gaps out that cost nothing to open: they stop too early where F is no better than E.
        return "striped" if self._open else "scan"

    def end_and_bits(self, watch: Watch | None) -> tuple[tuple[int, int, int], Any]:
        """What `end` has, and the result of a trace kernel for all cells, which mostly tells the end too; or None.

        watch: as `end` has it.
        """
        if self.ends_are_known:
            bits = self._filled("trace", self._query, self._subject)
            return (bits.score, len(self._query), len(self._subject)), bits
        if self._mode.local:
            return self._local_end_and_bits(watch)
        if self._mode != Mode.SEMI_GLOBAL:
            return self.end(watch), None
        bits = self._filled("trace", self._query, self._subject, "sg")
        # It takes the last column only where that is better than the rest of the last row, and its first row then.
        if bits.score > 0 and bits.end_ref + 1 == len(self._subject):
            return (bits.score, bits.end_query + 1, len(self._subject)), bits
        return self.end(watch), bits

    def _local_end_and_bits(self, watch: Watch | None) -> tuple[tuple[int, int, int], Any]:
        end = self._end_in_8_bits() if self._pssm is None else None
        if end is not None:
            # Most cells lie behind the end of unrelated letters.
            return end, None
        bits = self._filled("trace", self._query, self._subject)
        end = max(0, bits.score), bits.end_query + 1, bits.end_ref + 1
        # It is the first row of the first column with the best score. Later columns may have it in an earlier row.
        if end[0] > 0 and end[2] < len(self._subject):
            end = self._local_end(self._query[: end[1]]) if self._pssm is None else self.end(watch)
        return end, bits

    def _end_in_8_bits(self) -> tuple[int, int, int] | None:
        """The local end where 8 bits hold its score: soon known where they do not.

        They do for unrelated letters where gaps are dear. Striped kernels are slow where much is related.
        """
        if self._gaps_are_dear:
            return self._local_ends("striped_8", self._query)
        return None

    @property
    def _gaps_are_dear(self) -> bool:
        return max(self._best, -self._worst) < self._costs[0] < MOST_OF_8

    def _local_end(self, query: Places) -> tuple[int, int, int]:
        end = self._local_ends(f"{'scan' if self._gaps_are_dear else self._score_kernel}_{self._bits}", query)
        assert end is not None
        return end

    def _local_ends(self, kernel: str, query: Places) -> tuple[int, int, int] | None:
        """The local end with so much of the query by a kernel; None where that does not hold its score."""
        ends = getattr(parasail, f"sw_{kernel}")(
            spelled(self._subject), spelled(query), *self._costs, matrix(self._table)
        )
        return None if ends.saturated else (max(0, ends.score), ends.end_ref + 1, ends.end_query + 1)

    def _end_by_places(self, watch: Watch) -> tuple[int, int, int]:
        def score_of(count: int) -> int:
            watch.passed(0)
            return self._first_column(count)[0]

        score, rows, columns = self._first_column(len(self._query))
        if score > 0 and score_of(rows - 1) == score:
            rows = bisect_left(range(rows - 1), score, key=score_of)
            _, rows, columns = self._first_column(rows)
        return score, rows, columns

    def _first_column(self, count: int) -> tuple[int, int, int]:
        """The best score with so many letters of the query, and where it ends: the smallest subject end comes first."""
        if count == 0:
            return 0, 0, 0
        kernel = getattr(parasail, f"sw_{self._score_kernel}_{self._bits}")
        query, scores = self._looked_up(self._query[:count])
        ends = kernel(query, spelled(self._subject), *self._costs, scores)
        assert not ends.saturated
        return max(0, ends.score), ends.end_query + 1, ends.end_ref + 1

    def _looked_up(self, query: Places) -> tuple[bytes, Any]:
        """A query that comes first in calls, and the scores for these."""
        if self._pssm is None:
            return spelled(query), turned(self._table)
        return b"A" * len(query), of_places(self._scores[query])

    def scores(self, subjects: Sequence[bytes]) -> Iterator[int]:
        """Of the query with each of these, spelled, none of which is longer than the pair's own subject."""
        assert self._mode.local
        profile = getattr(parasail, f"profile_create_{self._bits}")(*self._looked_up(self._query))
        kernel = getattr(parasail, f"sw_{self._score_kernel}_profile_{self._bits}")
        for subject in subjects:
            found = kernel(profile, subject, *self._costs)
            assert not found.saturated
            yield max(0, found.score)

    def semi_global_score(self) -> int:
        """The best score where all ends are free: it needs no last row and column of H."""
        query, scores = self._looked_up(self._query)
        kernel = getattr(parasail, f"sg_{self._score_kernel}_{self._bits}")
        found = kernel(query, spelled(self._subject), *self._costs, scores)
        assert not found.saturated
        return max(0, int(found.score))

    def _filled(self, kept: str, query: Places, subject: Codes, kernel: str | None = None) -> Any:
        if kernel is None:
            kernel = "sw" if self._mode.local else _KERNELS[self._mode.query_begin, self._mode.subject_begin]
        name = "_".join(filter(None, (kernel, kept, "scan", str(self._bits))))
        query_letters, scores = self._looked_up(query)
        filled = getattr(parasail, name)(query_letters, spelled(subject), *self._costs, scores)
        assert not filled.saturated
        return filled

    def _left(self, row: int) -> int:
        """H left of the matrix."""
        free = self._mode.local or self._mode.query_begin or row == 0
        return 0 if free else -(self._open + row * self._extend)

    def _top(self, column: int) -> int:
        """H above the matrix."""
        free = self._mode.local or self._mode.subject_begin or column == 0
        return 0 if free else -(self._open + column * self._extend)

    def _ungapped(self, query: Places, subject: Codes, score: int) -> tuple[Run, ...] | None:
        """The alignment, where the diagonal from its end is worth the score by itself; else None."""
        steps = min(len(query), len(subject))
        if steps == 0:
            return None
        worth = np.cumsum(self._scores[query[::-1][:steps], subject[::-1][:steps]])
        if not self._mode.local:
            free = self._mode.begins_at(len(query) - steps, len(subject) - steps)
            return (Run("M", steps),) if free and worth[-1] == score else None
        whole = worth == score
        return (Run("M", int(np.argmax(whole)) + 1),) if whole.any() else None

    def aligned(self, score: int, rows: int, columns: int, bits: Any = None) -> Alignment | None:
        """The best alignment that ends after so many letters of both; None where gotoh.py is to find it.

        bits: the result of a trace kernel for all cells.
        """
        if bits is None:
            query, subject = self._query[:rows], self._subject[:columns]
            runs = self._ungapped(query, subject, score)
            if runs is not None:
                length = runs[0].length
                return Alignment(score, rows - length, rows, columns - length, columns, runs)
            if not self.fits(rows, columns):
                return None
            bits = self._filled("trace", query, subject) if rows and columns else None
        return self._traced(score, rows, columns, bits)

    def fits(self, rows: int, columns: int) -> bool:
        """Whether there is memory for the trace bits of so many cells."""
        return rows * columns * self._bits // 8 <= MOST_TABLE

    @property
    def ends_are_known(self) -> bool:
        """Whether the alignment has the last letters of both."""
        return not (self._mode.local or self._mode.query_end or self._mode.subject_end)

    def _traced(self, score: int, rows: int, columns: int, bits: Any) -> Alignment | None:
        row, column, runs = rows, columns, list[Run]()
        if row and column:
            letters = self._query[:rows], self._subject[:columns]
            pair = Pair(*letters, self._scores, self._open, self._extend, self._left, self._top, self._mode.local)
            try:
                way = way_back(bits, pair, score, self._bits)
            except TooManySteps:
                if 4 * row * column > MOST_TABLE:
                    return None
                table = self._filled("table", *letters)
                way = way_back(bits, pair, score, self._bits, table.score_table)
            row, column, runs = way.row, way.column, way.runs
        if not (self._mode.local or self._mode.begins_at(row, column)):
            runs.append(Run("I", row) if row else Run("D", column))
            row = column = 0
        return Alignment(score, row, rows, column, columns, tuple(runs[::-1]))
