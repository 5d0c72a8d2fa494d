"""Scores of pairs, without their alignments: score_pairs.cu does two pairs at a time in each thread.

Letters go over a byte each and are packed on the device: to pack them on the host would cost it twice as much as to
copy them to where the bus can take them. What pairs share which threads is worked out on the device for all chunks
before the first is scored: after that, small kernels would have to wait for large ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.database.staging import Staging
from gpu.device import device
from gpu.family import Family, pair_scores
from gpu.layout import NOTHING, SLOT_BURST, SLOT_THREADS, THREADS
from gpu.pairs.budgets import chunks
from gpu.pairs.chunks import Letters, UnderWay
from gpu.pairs.classes import Class, blocks, classes, narrowest, shapes
from gpu.pairs.found import fetching
from gpu.pairs.potential import Form, form
from gpu.pairs.slots import Slots
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.columns import Columns


@dataclass(frozen=True, slots=True, eq=False)
class Launch:
    """Pairs of a chunk that are scored together; all but `each` on the device.

    starts: where queries and subjects begin, and `targets`: where scores belong, both in the order of slots.
    """

    each: Class
    slots: Slots
    starts: tuple[Any, Any]
    targets: Any

    def run(self, words: int, codes: Any, how: Form, scores: Any) -> None:
        """Pack the letters, of which so many words become, score the pairs and store that, on the current stream."""
        packed, slots = cupy.empty(words, np.uint32), self.slots
        arguments = (slots.sets, codes, *self.starts, slots.queries, slots.subjects, packed)
        pack = kernel("pack_pairs", LANES=self.each.shape.lanes, WORDS=how.letter_words)
        pack((len(slots.sets),), (THREADS,), arguments)
        scores[self.targets] = _score(slots, packed, self.each, how)


class ScoreWork:
    """The scores of those pairs of a batch that 16 bits are proved for; letters are another matter."""

    def __init__(
        self, batch: PairBatch, scheme: Scheme, wanted: npt.NDArray[np.bool_], how: Form, staging: Staging
    ) -> None:
        """Which of the pairs that are wanted, in which chunks."""
        self._batch, self._scheme, self._how, self._staging = batch, scheme, how, staging
        self._lengths = batch.lengths
        self.letters = len(how.scores)
        self.taken = wanted & how.holds(self._lengths, narrowest(shapes(how)))
        self.chunks = [part for part in chunks(batch) if self.taken[part.start : part.stop].any()]
        self._launches = list[list[Launch]]()
        self._words = list[list[int]]()

    @classmethod
    def of(cls, batch: PairBatch, scheme: Scheme, wanted: npt.NDArray[np.bool_], staging: Staging) -> Self | None:
        """None where the scheme is not for 16 bits."""
        how = form(scheme)
        return None if how is None else cls(batch, scheme, wanted, how, staging)

    def prepare(self) -> None:
        """Plan all chunks; waits for the plans."""
        offsets = [self._staging.send(side.offsets) for side in (self._batch.queries, self._batch.subjects)]
        taken = self._staging.send(self.taken)
        self._launches = [self._planned(part, offsets, taken) for part in self.chunks]
        totals = [each.slots.words for launches in self._launches for each in launches]
        words = iter(cupy.stack(totals).get().tolist() if totals else ())
        self._words = [[next(words) for _ in launches] for launches in self._launches]

    def _planned(self, part: range, offsets: Sequence[Any], taken: Any) -> list[Launch]:
        chosen = slice(part.start, part.stop)
        queries, subjects = (each[part.start + 1 : part.stop + 1] - each[chosen] for each in offsets)
        starts = [each[chosen] - each[part.start] for each in offsets]
        starts[1] += queries.sum()
        lengths = np.where(self.taken[chosen], self._lengths[:, chosen], 0)
        wanted = taken[chosen] & (subjects > 0)
        found = []
        for each in classes(lengths, self._how, shapes(self._how)):
            some = cupy.flatnonzero(wanted & (queries > each.above) & (queries <= each.most))
            slots = Slots.of(queries[some], subjects[some], each.shape, self._how.letter_words)
            places = slots.placed(starts[0][some], 0), slots.placed(starts[1][some], 0)
            found.append(Launch(each, slots, places, slots.placed(some, len(part))))
        return found

    def plan(self, number: int) -> None:
        """Nothing: the device has planned all chunks."""

    def launch(self, number: int, plan: None, letters: Letters) -> UnderWay:
        """Score a chunk."""
        part = self.chunks[number]
        # One more: the score of no pair goes there.
        scores = cupy.full(len(part) + 1, NOTHING, cupy.int32)
        for each, words in zip(self._launches[number], self._words[number], strict=True):
            each.run(words, letters.codes, self._how, scores)
        stream = cupy.cuda.get_current_stream()
        return _Scored(self, part, letters, fetching(scores, stream), stream.record())

    def columns(self, part: range, known: npt.NDArray[np.bool_], found: npt.NDArray[np.int32]) -> Columns:
        """What was found of a chunk."""
        lengths = self._lengths[:, part.start : part.stop]
        scores = with_borders(found.astype(np.int64), lengths, self._scheme)
        numbers = np.arange(part.start, part.stop)
        scored = Columns.scored(self._scheme.mode.local, numbers, np.multiply(*lengths), scores)
        right = known & self.taken[part.start : part.stop]
        return scored if right.all() else scored.select(right)


@dataclass(frozen=True, slots=True, eq=False)
class _Scored:
    """A chunk whose launches are queued, and where its scores will be."""

    work: ScoreWork
    part: range
    letters: Letters
    scores: npt.NDArray[np.int32]
    done: Any

    def columns(self) -> Columns:
        self.done.synchronize()
        return self.work.columns(self.part, self.letters.known(), self.scores[: len(self.part)])

    def next(self) -> None:
        """Nothing."""


def _score(slots: Slots, letters: Any, each: Class, how: Form) -> Any:
    """The scores in the order of slots, on the current stream."""
    shape = each.shape
    count, bursts = len(slots.sets), -(-each.border_rows // SLOT_BURST)
    grid = blocks(shape, how, count, each.border_rows, device().multiprocessors)
    border = cupy.empty(max(1, grid * shape.warps * bursts * how.words * shape.slots) * 4, np.uint32)
    taken, scores = cupy.zeros(1, np.int32), cupy.empty(len(slots.pairs), np.int32)
    numbers = scores_of(how), by_value(np.array(how.free, np.int32))
    family = pair_scores(how, shape)
    before = (slots.sets, np.int32(count), letters, slots.queries, slots.subjects)
    arguments = (*before, *numbers, border, np.int32(bursts), taken, scores)
    run_blocks(family, grid, arguments, shape.profile_bytes(how))
    return scores


def run_blocks(family: Family, grid: int, arguments: Sequence[Any], shared_bytes: int) -> None:
    """So many blocks of a kernel of pairs, on the current stream."""
    compiled = kernel(family.schedule, **family.macros)
    compiled.max_dynamic_shared_size_bytes = max(compiled.max_dynamic_shared_size_bytes, shared_bytes)
    compiled((grid,), (SLOT_THREADS,), tuple(arguments), shared_mem=shared_bytes)


def scores_of(how: Form) -> Any:
    """The scores of a form on the current device, there before any stream may use them."""
    return _scores_on(cupy.cuda.Device().id, how)


@lru_cache(maxsize=64)
def _scores_on(_: int, how: Form) -> Any:
    return resident(how.table)


def resident(table: npt.NDArray[Any]) -> Any:
    """The same on the device, there before any stream may use it."""
    made = cupy.asarray(table)
    cupy.cuda.get_current_stream().synchronize()
    return made


def by_value(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """As a kernel's argument that is a struct: CuPy passes an array of one thing so."""
    return numbers.view(f"V{numbers.nbytes}")


def with_borders(found: Numbers, lengths: Numbers, scheme: Scheme) -> Numbers:
    """The best of what was found and of the cells before the first letters, where they too may be an end."""
    mode, (queries, subjects) = scheme.mode, lengths
    if mode.local:
        return np.maximum(found, 0)
    no_query, no_subject = np.flatnonzero(queries == 0), np.flatnonzero(subjects == 0)
    # All of the subject, or of the query, against nothing; then nothing at all.
    for letters, free, empty, all_end, empty_ends in (
        (subjects, mode.subject_begin, no_query, mode.query_end, mode.subject_end),
        (queries, mode.query_begin, no_subject, mode.subject_end, mode.query_end),
    ):
        ends = slice(None) if all_end else empty
        found[ends] = np.maximum(found[ends], _gaps(letters[ends], scheme, free))
        if empty_ends:
            found[empty] = np.maximum(found[empty], 0)
    return found


def _gaps(letters: Numbers, scheme: Scheme, free: bool) -> Numbers | int:
    """H of a border after so many letters."""
    return 0 if free else -(scheme.gap_open * (letters > 0) + scheme.gap_extend * letters)
