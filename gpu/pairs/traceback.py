"""Best local alignments of pairs, in batches on the device: one kernel records the moves and walks them back.

The alignments are those of shardwater/alignment/gotoh.py to the last run. What the host does for a pair is what costs
here, so a batch goes over packed: all residues in one buffer, a row of numbers for each pair, and back the same way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.device import free_bytes
from gpu.family import PAIRS
from gpu.layout import FOUND_WORDS, KIND_BITS, MATRIX_LETTERS, PAIR_BURST, PAIR_STRIP, PAIR_WARPS, RUN_KINDS, WARP
from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.gotoh import align_local
from shardwater.engines.engine import Pair, Slice, Slices
from shardwater.scoring.scoring import Scoring, load_matrix
from shardwater.sequences.alphabet import CODE_TABLE, encode

MEMORY = 2 << 30
"""Bytes of moves on the device at a time, half a byte a cell; never more than a quarter of what is free."""

SMALL = 64 << 20
"""Bytes of moves that are taken without a look at what is free."""

SLICE_PAIRS = 16
"""Pairs whose alignments are made on the host in one slice."""

PROFILE_BYTES = MATRIX_LETTERS * PAIR_STRIP

USUAL_RUNS = 64
"""Runs of a pair, on average, that are fetched before their number is known."""

Numbers = npt.NDArray[np.int64]


def align_pairs(pairs: Sequence[Pair], scoring: Scoring) -> Slices[Alignment | None]:
    """The best local alignment of each pair, on the current stream; None where no letters score above 0.

    Pairs whose moves alone do not fit are aligned on the host.
    """
    shapes = _Shapes.of(pairs)
    yield Slice(answers=[(number, None) for number in np.flatnonzero(shapes.cells == 0).tolist()])
    memory = _memory(4 * int(shapes.moves.sum()))
    for number in shapes.larger_than(memory):
        pair = pairs[number]
        [alignment] = align_local(encode(pair.query), [encode(pair.subject)], scoring)
        yield Slice(len(pair.query) * len(pair.subject), [(number, alignment)])
    for batch in shapes.batches(memory):
        numbers = batch.tolist()
        results = _align_batch([pairs[number] for number in numbers], shapes.select(batch), scoring)
        for start in range(0, len(numbers), SLICE_PAIRS):
            part = numbers[start : start + SLICE_PAIRS]
            made = [(number, results.alignment(index)) for index, number in enumerate(part, start)]
            yield Slice(int(shapes.cells[part].sum()), made)


def _memory(wanted: int) -> int:
    """Bytes that moves may take at a time. The driver is asked only for what is large: its answer takes a while."""
    if wanted <= min(SMALL, MEMORY):
        return wanted
    return min(MEMORY, free_bytes() // 4)


@dataclass(frozen=True, slots=True)
class _Shapes:
    """The lengths of pairs, and what follows from them: one number a pair."""

    queries: Numbers
    subjects: Numbers

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> "_Shapes":
        queries = np.fromiter((len(pair.query) for pair in pairs), np.int64, len(pairs))
        return cls(queries, np.fromiter((len(pair.subject) for pair in pairs), np.int64, len(pairs)))

    def select(self, chosen: Numbers) -> "_Shapes":
        return _Shapes(self.queries[chosen], self.subjects[chosen])

    @property
    def cells(self) -> Numbers:
        return self.queries * self.subjects

    @property
    def strips(self) -> Numbers:
        return -(-self.queries // PAIR_STRIP)

    @property
    def moves(self) -> Numbers:
        """Words of moves: whole bursts of rows, the last lane being WARP - 1 rows behind the first."""
        bursts = -(-(self.subjects + WARP - 1) // PAIR_BURST)
        return self.strips * bursts * (PAIR_BURST * WARP)

    @property
    def scratch(self) -> Numbers:
        """Words for two numbers a row, then for as many runs as an alignment can have; even, for the numbers' sake."""
        words = self.subjects + np.maximum(self.queries, self.subjects)
        return words + words % 2

    def larger_than(self, memory: int) -> list[int]:
        """The pairs that have cells, and more moves than fit so many bytes."""
        chosen: list[int] = np.flatnonzero((self.cells > 0) & (4 * self.moves > memory)).tolist()
        return chosen

    def batches(self, memory: int) -> Iterator[Numbers]:
        """The other pairs that have cells, longest first, as many together as fit: blocks start in that order."""
        order = np.argsort(-self.moves, kind="stable")
        order = order[(self.cells[order] > 0) & (4 * self.moves[order] <= memory)]
        ends = np.cumsum(4 * self.moves[order])
        start, before = 0, 0
        while start < len(order):
            end = int(np.searchsorted(ends, before + memory, side="right"))
            yield order[start:end]
            start, before = end, int(ends[end - 1])


@dataclass(frozen=True, slots=True)
class _Results:
    """What the kernel found: align.cu's Found for each pair, and the runs of all, a word each."""

    found: list[list[int]]
    runs: list[int]

    def alignment(self, index: int) -> Alignment | None:
        score, query_start, query_end, subject_start, subject_end, start, end, _ = self.found[index]
        if score == 0:
            return None
        runs = tuple(map(_run, self.runs[start:end]))
        return Alignment(score, query_start, query_end, subject_start, subject_end, runs)


@lru_cache(maxsize=1 << 14)
def _run(word: int) -> Run:
    # Most alignments are made of the same few runs: looking one up costs a tenth of making it.
    return Run(RUN_KINDS[word % (1 << KIND_BITS)], word >> KIND_BITS)


def _align_batch(pairs: Sequence[Pair], shapes: _Shapes, scoring: Scoring) -> _Results:
    """Pack, launch, and fetch: one copy there, and as a rule one back.

    Through pinned memory: a copy from or to any other keeps all threads from launching until it has ended.
    """
    stream = cupy.cuda.get_current_stream()
    residues = b"".join([part for pair in pairs for part in (pair.query, pair.subject)]).translate(CODE_TABLE)
    descriptors = _descriptors(shapes).tobytes()
    sending = cupyx.empty_pinned(len(descriptors) + len(residues), np.uint8)
    sending.data[:] = descriptors + residues
    sent = cupy.empty(len(sending), np.uint8)
    sent.set(sending, stream)
    moves = cupy.empty(int(shapes.moves.sum()), np.uint32)
    scratch = cupy.empty(int(shapes.scratch.sum()), np.int32)
    # What is found of each pair, after them the number of runs, then these.
    before_runs = FOUND_WORDS * (len(pairs) + 1)
    answer = cupy.empty(before_runs + int((shapes.queries + shapes.subjects).sum()), np.int32)
    answer.data.memset_async(0, answer.itemsize * before_runs, stream)
    arguments = (
        sent,
        sent[len(descriptors) :],
        _scores(scoring.matrix),
        *_gaps(shapes, scoring),
        moves,
        scratch,
        answer[before_runs:],
        answer[FOUND_WORDS * len(pairs) :],
        answer,
    )
    warps = min(PAIR_WARPS, int(shapes.strips.max()))
    grid, block, shared_bytes = (len(pairs),), (warps * WARP,), warps * PROFILE_BYTES
    kernel(PAIRS.schedule, **PAIRS.macros)(grid, block, arguments, shared_mem=shared_bytes)
    start = _fetched(answer[: before_runs + USUAL_RUNS * len(pairs)], stream)
    ends = before_runs + int(start[FOUND_WORDS * len(pairs)])
    words = start if ends <= len(start) else np.concatenate((start, _fetched(answer[len(start) : ends], stream)))
    return _Results(words[:before_runs].reshape(-1, FOUND_WORDS).tolist(), words[before_runs:ends].tolist())


def _fetched(numbers: Any, stream: Any) -> npt.NDArray[np.int32]:
    """Numbers of the device, once they are there."""
    fetched: npt.NDArray[np.int32] = cupyx.empty_pinned(numbers.shape, np.int32)
    numbers.get(stream=stream, out=fetched, blocking=False)
    stream.record().synchronize()
    return fetched


@cache
def _scores(matrix: str) -> Any:
    """A matrix on the device, int8 (24, 24); there before any stream may use it."""
    scores = cupy.asarray(load_matrix(matrix).scores.astype(np.int8))
    cupy.cuda.get_current_stream().synchronize()
    return scores


def _descriptors(shapes: _Shapes) -> Numbers:
    """align.cu's Pair for each pair: where its residues, moves and scratch begin, and the lengths."""
    residues, moves, scratch = (
        np.cumsum(lengths) - lengths for lengths in (shapes.queries + shapes.subjects, shapes.moves, shapes.scratch)
    )
    return np.stack((residues, shapes.queries, shapes.subjects, moves, scratch), axis=1)


def _gaps(shapes: _Shapes, scoring: Scoring) -> tuple[np.int32, np.int32]:
    """The kernel's gap_first and gap_next; a gap dearer than any score is never taken, however dear."""
    best = max(1, int(scoring.scores.max())) * int(np.minimum(shapes.queries, shapes.subjects).max())
    gap_open, gap_extend = min(scoring.gap_open, best + 1), min(scoring.gap_extend, best + 1)
    return np.int32(-gap_open - gap_extend), np.int32(-gap_extend)
