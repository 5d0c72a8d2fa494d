"""Best alignments of pairs, in batches on the device: one kernel records the moves and walks them back.

The alignments are those of shardwater/alignment/gotoh.py to the last run. What the host does for a pair is what costs
here, so a batch goes over packed: all residues in one buffer, a row of numbers for each pair, and back the same way.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.device import free_bytes
from gpu.family import pairs as family
from gpu.layout import FOUND_WORDS, FREE_BITS, MATRIX_LETTERS, PAIR_STRIP, PAIR_WARPS, WARP
from gpu.pairs.found import columns, fetched, pinned, sending, sent
from gpu.pairs.shapes import Sequences, Shapes
from gpu.pairs.taken import runs_of
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.gotoh import align_batch, align_next
from shardwater.alignment.scheme import Scheme
from shardwater.engines.engine import Pair
from shardwater.pairs.batch import Numbers
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.columns import Columns
from shardwater.scoring.pssm import Pssm, stacked
from shardwater.scoring.scoring import Scoring
from shardwater.scoring.table import Table
from shardwater.sequences.alphabet import CODE_TABLE

MEMORY = 2 << 30
"""Bytes of moves on the device at a time, half a byte a cell; never more than a quarter of what is free."""

SMALL = 64 << 20
"""Bytes of moves that are taken without a look at what is free."""

PROFILE_BYTES = MATRIX_LETTERS * PAIR_STRIP

LOW_SCORE = -128
"""Of padding: gains nothing with any letter."""

NO_ROW = -1
"""In place of a row of scores: letters have those of their codes."""

USUAL_RUNS = 64
"""Runs of a pair, on average, that are fetched before their number is known."""


def align_pairs(pairs: Sequence[Pair], scoring: Scoring) -> Generator[Columns, None, None]:
    """The best local alignment of each pair, on the current stream.

    Pairs whose moves alone do not fit are aligned on the host.
    """
    pssms, taken = [pair.pssm for pair in pairs], [pair.taken for pair in pairs]
    return _align(pairs, Scheme.local(scoring), CODE_TABLE, pssms, taken)


def align_coded(pairs: Sequence[CodedPair], scheme: Scheme) -> Generator[Columns, None, None]:
    """The same under any scheme; nothing of pairs whose moves do not fit, or whose numbers pass 32 bits."""
    return _align(pairs, scheme, None)


def _align(
    pairs: Sequence[Sequences],
    scheme: Scheme,
    codes: bytes | None,
    pssms: Sequence[Pssm | None] = (),
    taken: Sequence[Sequence[Alignment]] = (),
) -> Generator[Columns, None, None]:
    """codes: what each byte stands for, where sequences are not yet of the table's codes; there is the host, too.

    pssms: of each query, or none of any. taken: earlier alignments of each pair, or none of any.
    """
    shapes, local, rows = Shapes.of(pairs), scheme.mode.local, np.full(len(pairs), NO_ROW)
    if any(pssm is not None for pssm in pssms):
        # Places of all queries are rows of one PSSM, the letters of the alphabet its first ones.
        table, firsts = stacked(scheme.scores, pssms)
        scheme = replace(scheme, pssm=Pssm(table))
        rows[:] = [NO_ROW if first is None else first for first in firsts]
    empty, lengths = shapes.cells == 0, np.stack((shapes.queries, shapes.subjects))
    if local:
        yield Columns.of([(number, None) for number in np.flatnonzero(empty).tolist()], lengths, local)
    memory = _memory(4 * int(shapes.moves.sum()))
    fits = ~empty & (4 * shapes.moves <= memory) & shapes.exact(scheme)
    for number in np.flatnonzero(~fits & ~(empty & local)).tolist() if codes is not None else ():
        query, subject = (_codes(part, codes) for part in (pairs[number].query, pairs[number].subject))
        places = query if rows[number] == NO_ROW else rows[number] + np.arange(len(query))
        if taken and taken[number]:
            [alignment] = align_next(places, [subject], scheme, [taken[number]])
        else:
            [alignment] = align_batch(places, [subject], scheme)
        yield Columns.of([(number, alignment)], lengths, local)
    further = np.array([bool(each) for each in taken], np.bool_) if taken else np.zeros(len(pairs), np.bool_)
    for chosen in (fits & ~further, fits & further):
        for batch in shapes.batches(np.flatnonzero(chosen), memory):
            parts = [pairs[number] for number in batch.tolist()]
            letters = b"".join([part for pair in parts for part in (pair.query, pair.subject)]).translate(codes)
            earlier = [taken[number] for number in batch.tolist()] if further[batch[0]] else []
            found, runs = _align_batch(letters, shapes.select(batch), rows[batch], scheme, earlier)
            yield columns(local, batch, shapes.cells[batch], found, runs)


def _codes(letters: bytes | npt.NDArray[np.uint8], codes: bytes | None) -> npt.NDArray[np.uint8]:
    return np.frombuffer(bytes(letters).translate(codes), np.uint8)


def _memory(wanted: int) -> int:
    """Bytes that moves may take at a time. The driver is asked only for what is large: its answer takes a while."""
    if wanted <= min(SMALL, MEMORY):
        return wanted
    return min(MEMORY, free_bytes() // 4)


Words = npt.NDArray[np.int32]


def _align_batch(
    letters: bytes, shapes: Shapes, rows: Numbers, scheme: Scheme, taken: Sequence[Sequence[Alignment]]
) -> tuple[Words, Words]:
    """Pack, launch, and fetch: one copy there, and as a rule one back. Found of each pair, and the runs of all.

    rows: of each query the first of its places' in the scheme's PSSM, or NO_ROW. taken: earlier alignments of each
    pair; nothing where none has any.
    """
    stream = cupy.cuda.get_current_stream()
    descriptors = _descriptors(shapes, rows).tobytes()
    own = b"" if scheme.pssm is None else scheme.scores.astype(np.int8).tobytes()
    # Scores are read four at a time.
    letters += bytes(-len(letters) % 4)
    packed = sent([descriptors, letters, own], stream)
    moves = cupy.empty(int(shapes.moves.sum()), np.uint32)
    if taken:
        marked = pinned(runs_of(taken, shapes))
        moves.data.memset_async(0, moves.nbytes, stream)
        kernel("take")((len(marked),), (WARP,), (sending(marked), moves))
    scratch = cupy.empty(int(shapes.scratch.sum()), np.int32)
    # What is found of each pair, after them the number of runs, then these.
    before_runs = FOUND_WORDS * (len(shapes) + 1)
    answer = cupy.empty(before_runs + int((shapes.queries + shapes.subjects).sum()), np.int32)
    answer.data.memset_async(0, answer.itemsize * before_runs, stream)
    scores = _Scores("ByteScores", packed.numbers[len(descriptors) + len(letters) :]) if own else _scores(scheme.table)
    arguments = (
        packed.numbers,
        packed.numbers[len(descriptors) :],
        scores.table,
        *_gaps(shapes, scheme),
        np.int32(len(scheme.table.alphabet.letters)),
        free_bits(scheme),
        moves,
        scratch,
        answer[before_runs:],
        answer[FOUND_WORDS * len(shapes) :],
        answer,
    )
    name = f"Untaken<{scores.name}>" if taken else scores.name
    parts = family("Local" if scheme.mode.local else "Ends", name)
    warps = min(PAIR_WARPS, int(shapes.strips.max()))
    grid, block, shared_bytes = (len(shapes),), (warps * WARP,), warps * PROFILE_BYTES
    kernel(parts.schedule, **parts.macros)(grid, block, arguments, shared_mem=shared_bytes)
    start = fetched(answer[: before_runs + USUAL_RUNS * len(shapes)], stream)
    ends = before_runs + int(start[FOUND_WORDS * len(shapes)])
    words = start if ends <= len(start) else np.concatenate((start, fetched(answer[len(start) : ends], stream)))
    return words[:before_runs].reshape(-1, FOUND_WORDS)[: len(shapes)], words[before_runs:ends]


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """A table on the device, and the struct of core/scores.cuh that reads it."""

    name: str
    table: Any


@lru_cache(maxsize=64)
def _scores(table: Table) -> _Scores:
    """There before any stream may use it."""
    size = len(table.rows)
    if size <= MATRIX_LETTERS and abs(table.scores).max() < -LOW_SCORE:
        scores = np.zeros((MATRIX_LETTERS, MATRIX_LETTERS), np.int8)
        scores[:size, :size] = table.scores
        made = _Scores("ByteScores", cupy.asarray(scores))
    else:
        padded = np.full((size + 1, size + 1), LOW_SCORE, np.int32)
        padded[:size, :size] = table.scores.T
        made = _Scores("TableScores", cupy.asarray(padded))
    cupy.cuda.get_current_stream().synchronize()
    return made


def _descriptors(shapes: Shapes, rows: Numbers) -> Numbers:
    """align.cu's Pair for each pair: where its residues, moves, scratch and scores begin, and the lengths."""
    residues, moves, scratch = (
        np.cumsum(lengths) - lengths for lengths in (shapes.queries + shapes.subjects, shapes.moves, shapes.scratch)
    )
    return np.stack((residues, shapes.queries, shapes.subjects, moves, scratch, rows), axis=1)


def _gaps(shapes: Shapes, scheme: Scheme) -> tuple[np.int32, np.int32]:
    """The kernel's gap_first and gap_next; a gap dearer than any local score is never taken, however dear."""
    gap_open, gap_extend = scheme.gap_open, scheme.gap_extend
    if scheme.mode.local:
        best = int(shapes.best(scheme).max())
        gap_open, gap_extend = min(gap_open, best + 1), min(gap_extend, best + 1)
    return np.int32(-gap_open - gap_extend), np.int32(-gap_extend)


def free_bits(scheme: Scheme) -> np.int32:
    """The ends that are free, as one number."""
    return np.int32(sum(FREE_BITS[end] for end in scheme.mode.free_ends))
