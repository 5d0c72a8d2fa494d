"""Scores of pairs of DNA, without their alignments: score_pairs.cu does two pairs at a time in each thread.

Letters go over a byte each and are packed on the device: to join a chunk's sequences costs the host more than the bus
needs for them, and to pack them there would cost it as much again. Two chunks are under way at a time: while one is
scored the next is joined and sent.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.device import device
from gpu.family import pair_scores
from gpu.layout import BASES, NOTHING, SLOT_BURST, SLOT_THREADS, THREADS
from gpu.pairs.classes import Class, Shape, blocks, classes, narrowest
from gpu.pairs.potential import Form, form
from gpu.pairs.slots import Slots
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.engine import CodedPair

CHUNK_LETTERS = 1 << 26
CHUNK_PAIRS = 1 << 18
"""Letters and pairs of a chunk, at most: what is on the device at a time follows from them."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Pairs whose codes stand in one array, query before subject; lengths (2, pairs) of queries and subjects.

    Both in pinned memory, if scoring is not to wait for their copies.
    """

    codes: npt.NDArray[np.uint8]
    lengths: Numbers

    @classmethod
    def of(cls, pairs: Sequence[CodedPair]) -> "Batch":
        """These pairs."""
        lengths = cupyx.empty_pinned((2, len(pairs)), np.int64)
        lengths[...] = _lengths(pairs)
        codes = cupyx.empty_pinned(int(lengths.sum()), np.uint8)
        np.concatenate([part for pair in pairs for part in (pair.query, pair.subject)], out=codes)
        return cls(codes, lengths)

    def known(self) -> npt.NDArray[np.bool_]:
        """Which pairs have no letters but bases."""
        places = np.flatnonzero(self.codes >= BASES)
        known = np.ones(self.lengths.shape[1], np.bool_)
        known[np.searchsorted(np.cumsum(self.lengths.sum(axis=0)), places, side="right")] = False
        return known


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The scores of consecutive pairs, and the cells that were computed for them."""

    cells: int
    scores: Numbers


def scorable(pairs: Sequence[CodedPair], scheme: Scheme) -> npt.NDArray[np.bool_]:
    """Which pairs score_pairs takes: those of known bases alone, and short enough for 16 bits under this scheme."""
    how = form(scheme)
    if how is None or not pairs:
        return np.zeros(len(pairs), np.bool_)
    lengths = _lengths(pairs)
    known = [Batch.of(pairs[start:end]).known() for start, end in _chunks(lengths)]
    return how.holds(lengths, narrowest(how)) & np.concatenate(known)


def score_pairs(pairs: Sequence[CodedPair], scheme: Scheme) -> Generator[Scored, None, None]:
    """The score of each pair, which must be `scorable`: chunk by chunk, in the order of pairs."""
    return score_batches((Batch.of(pairs[start:end]) for start, end in _chunks(_lengths(pairs))), scheme)


def score_batches(batches: Iterable[Batch], scheme: Scheme) -> Generator[Scored, None, None]:
    """The same for pairs that are joined already: batch by batch."""
    how = form(scheme)
    assert how is not None
    streams = _streams()
    waiting: list[_UnderWay] = []
    try:
        for number, batch in enumerate(batches):
            if len(waiting) == len(streams):
                yield waiting.pop(0).scored(scheme)
            waiting.append(_UnderWay.begin(batch, how, streams[number % 2]))
        while waiting:
            yield waiting.pop(0).scored(scheme)
    finally:
        # Pinned memory must outlast the copies from it.
        for stream in streams:
            stream.synchronize()


@cache
def _streams() -> list[Any]:
    """For two batches at a time; kept, since CuPy keeps memory for each stream that it has seen."""
    return [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]


def _chunks(lengths: Numbers) -> Iterator[tuple[int, int]]:
    ends = np.cumsum(lengths.sum(axis=0))
    start, before = 0, 0
    while start < len(ends):
        most = int(np.searchsorted(ends, before + CHUNK_LETTERS, side="right"))
        end = max(start + 1, min(most, start + CHUNK_PAIRS))
        yield start, end
        start, before = end, int(ends[end - 1])


def _lengths(pairs: Sequence[CodedPair]) -> Numbers:
    """Letters of each query, and of each subject."""
    queries = np.fromiter((len(pair.query) for pair in pairs), np.int64, len(pairs))
    return np.stack((queries, np.fromiter((len(pair.subject) for pair in pairs), np.int64, len(pairs))))


@dataclass(frozen=True, slots=True, eq=False)
class _UnderWay:
    """A batch whose launches are queued, and where its scores will be."""

    batch: Batch
    scores: npt.NDArray[np.int32]
    done: Any

    @classmethod
    def begin(cls, batch: Batch, how: Form, stream: Any) -> "_UnderWay":
        with stream:
            queries, subjects = _sent(batch.lengths)
            ends = cupy.cumsum(queries + subjects)
            starts = cupy.stack((ends - queries - subjects, ends - subjects))
            scores = cupy.full(len(queries), NOTHING, cupy.int32)
            arranged = []
            for each in classes(batch.lengths, how):
                chosen = cupy.flatnonzero((queries > each.above) & (queries <= each.most) & (subjects > 0))
                arranged.append((each, chosen, Slots.of(queries[chosen], subjects[chosen], each.shape)))
            # Only now: Slots.of waits for the stream, and letters take longest.
            codes = _sent(batch.codes)
            for each, chosen, slots in arranged:
                found = Packed.of(slots, each.shape, codes, starts[:, chosen]).score(each, how)
                taken = slots.pairs >= 0
                scores[chosen[slots.pairs[taken]]] = found[taken]
            fetched = cupyx.empty_pinned(scores.shape, np.int32)
            scores.get(stream=stream, out=fetched, blocking=False)
        return cls(batch, fetched, stream.record())

    def scored(self, scheme: Scheme) -> Scored:
        self.done.synchronize()
        lengths = self.batch.lengths
        return Scored(int(np.dot(*lengths)), _with_borders(self.scores.astype(np.int64), lengths, scheme))


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Slots and the words of their letters, on the device."""

    slots: Slots
    letters: Any

    @classmethod
    def of(cls, slots: Slots, shape: Shape, codes: Any, starts: Any) -> "Packed":
        """Packed on the current stream from codes, where queries and subjects begin at `starts`."""
        places = (cupy.where(slots.pairs < 0, 0, each[slots.pairs]) for each in starts)
        letters = cupy.empty(slots.words, np.uint32)
        arguments = (slots.sets, codes, *places, slots.queries, slots.subjects, letters)
        kernel("pack_pairs", LANES=shape.lanes)((len(slots.sets),), (THREADS,), arguments)
        return cls(slots, letters)

    def score(self, each: Class, how: Form) -> Any:
        """The scores in the order of slots, on the current stream."""
        slots, shape = self.slots, each.shape
        count, bursts = len(slots.sets), -(-each.border_rows // SLOT_BURST)
        grid = blocks(shape, how, count, each.border_rows, device().multiprocessors)
        border = cupy.empty(max(1, grid * shape.warps * bursts * how.words * shape.slots) * 4, np.uint32)
        taken, scores = cupy.zeros(1, np.int32), cupy.empty(len(slots.pairs), np.int32)
        letters = (self.letters, slots.queries, slots.subjects)
        numbers = _by_value(np.array(how.table, np.uint32)), _by_value(np.array(how.free, np.int32))
        family = pair_scores(how, shape)
        arguments = (slots.sets, np.int32(count), *letters, *numbers, border, np.int32(bursts), taken, scores)
        kernel(family.schedule, **family.macros)((grid,), (SLOT_THREADS,), arguments)
        return scores


def _by_value(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """As a kernel's argument that is a struct: CuPy passes an array of one thing so."""
    return numbers.view(f"V{numbers.nbytes}")


def _sent(numbers: npt.NDArray[Any]) -> Any:
    """Where numbers will be on the device once the current stream has come so far."""
    there = cupy.empty(numbers.shape, numbers.dtype)
    there.set(numbers, cupy.cuda.get_current_stream())
    return there


def _with_borders(found: Numbers, lengths: Numbers, scheme: Scheme) -> Numbers:
    """The best of what was found and of the cells before the first letters, where they too may be an end."""
    mode = scheme.mode
    if mode.local:
        return np.maximum(found, 0)
    queries, subjects = lengths
    # All of the subject, or of the query, against nothing.
    left, top = (_gaps(subjects, scheme, mode.subject_begin), _gaps(queries, scheme, mode.query_begin))
    nothing = np.zeros(len(found), np.int64)
    ends = (
        (left, mode.query_end | (queries == 0)),
        (top, mode.subject_end | (subjects == 0)),
        (nothing, (mode.subject_end & (queries == 0)) | (mode.query_end & (subjects == 0))),
    )
    for cells, allowed in ends:
        found = np.where(allowed, np.maximum(found, cells), found)
    return found


def _gaps(letters: Numbers, scheme: Scheme, free: bool) -> Numbers:
    """H of a border after so many letters."""
    return np.zeros_like(letters) if free else -(scheme.gap_open * (letters > 0) + scheme.gap_extend * letters)
