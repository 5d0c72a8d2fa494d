"""A shard on the device: parts of it, each a run of subjects packed for the kernels.

What fits stays. Of a shard beyond the memory's budget only the plan stays: its codes wait in pinned memory of the host,
from where the copy engine brings one part while the one before is searched. A part is the same either way, and so are
the results.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any, Self

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.database.packing import PackClass, Packs, plan
from gpu.database.staging import Staging
from gpu.device import device, free_bytes, tuned
from gpu.layout import PAD_ROWS, ROW_BYTES, SUBJECTS, THREADS, WARP
from gpu.memory import PART_RESIDUES, RESERVED_BYTES, SPARE_BYTES, Memory
from shardwater.database.database import Shard
from shardwater.database.runs import cuts
from shardwater.sequences.alphabet import CODE_TABLE

STREAMED_BYTES = 22
"""For each residue of a part that is streamed: itself, the one that comes meanwhile, letters while packing, borders; as
much again as it streams for two searches between the slices of others.
"""
LETTERS = 1 << 28
"""Letters on the device at a time while a part is loaded: of a shard among many, most belong to the others."""


@dataclass(frozen=True, slots=True)
class Part:
    """Subjects first, first + 1, ... of a shard, packed on the device."""

    first: int
    lengths: Any
    packs: Packs
    codes: Any
    """Pair codes, uint16 (rows, GROUPS): on the device, or in pinned memory while a streamed part waits."""
    residues: tuple[int, ...]
    """Of each class."""
    orders: dict[tuple[PackClass, ...], Any]
    """For classes that are launched together, their packs with the longest first."""
    ordered_residues: dict[tuple[PackClass, ...], int]
    """Of the subjects in those packs."""
    long_subjects: npt.NDArray[np.int32]
    """Slot, length and subject of each long one: (subjects, 3)."""

    longest: int
    """Residues of the longest subject."""

    def __len__(self) -> int:
        return len(self.lengths)


@dataclass(frozen=True, slots=True)
class _Subjects:
    """A part's subjects before they are packed: uint32 lengths, the int64 ends of their residues, whose codes are
    uint8, and which of them have ambiguous ones.
    """

    lengths: Any
    ends: Any
    residues: Any
    ambiguous: Any

    @classmethod
    def of(cls, lengths: Any, ends: Any) -> Self:
        """Subjects of these lengths, whose codes are still to be made."""
        return cls(lengths, ends, cupy.empty(int(ends[-1]), cupy.uint8), cupy.empty(len(lengths), cupy.bool_))


class ResidentShard:
    """A shard's parts: all on the device where they fit into the budget (bytes), else their codes in pinned memory.

    part_residues: of a part, at most; room: bytes of the budget that are left for some of its subjects by themselves.
    """

    def __init__(
        self,
        shard: Shard,
        budget: int | None = None,
        longest: int | None = None,
        whole: "ResidentShard | None" = None,
    ) -> None:
        """longest: longer subjects are LONG; those of long_rows when None. whole: of chosen subjects, for which there
        is room, the shard that they are of.
        """
        self.shard = shard
        self._longest: int | None = longest if whole is None else whole._longest
        self._code_of = cupy.asarray(np.frombuffer(CODE_TABLE, np.uint8))
        cupy.cuda.get_current_stream().synchronize()
        budget = budget or free_bytes()
        total = Memory.of_shard(shard.residues, len(shard)).total
        self.streams, self.room = whole is None and total > budget, max(0, budget - total)
        self.part_residues = min(PART_RESIDUES, max(1, shard.residues))
        if whole is not None:
            # Scratch is for parts of its size.
            self.part_residues = whole.part_residues
        elif self.streams:
            most = (budget - min(RESERVED_BYTES, budget // 2)) // STREAMED_BYTES
            self.part_residues = min(self.part_residues, max(1, most))
            self.room = SPARE_BYTES if budget >= 2 * RESERVED_BYTES else 0
        self._parts = self._load_all(self._cut(self.part_residues))

    def __len__(self) -> int:
        return len(self._parts)

    def parts(self) -> Iterator[Part]:
        """The parts in order, each to be done with before the next is asked for.

        When they are streamed, the copy engine brings the next one while this one is used.
        """
        if not self.streams:
            yield from self._parts
            return
        stream = cupy.cuda.Stream(non_blocking=True)
        rows = max((part.packs.total_rows for part in self._parts), default=0)
        buffers = [cupy.empty((rows, ROW_BYTES // 2), cupy.uint16) for _ in range(2)]
        cupy.cuda.get_current_stream().synchronize()
        brought: list[tuple[Part, Any]] = []
        try:
            for number, part in enumerate([*self._parts, None]):
                if part is not None:
                    codes = buffers[number % 2][: part.packs.total_rows]
                    codes.set(part.codes, stream=stream)
                    brought.append((replace(part, codes=codes), stream.record()))
                if number:
                    ready, event = brought.pop(0)
                    event.synchronize()
                    yield ready
        finally:
            # A search that is given up must leave no copy under way into memory that others get.
            stream.synchronize()

    def _cut(self, residues: int) -> Sequence[range]:
        """Positions of subjects in runs of about so many residues, or with one subject."""
        shard = self.shard
        if shard.chosen is None:
            return _cut(shard.database.offsets, shard.subjects, residues * shard.count)
        return _cut_sizes(shard.lengths, residues)

    def _load_all(self, ranges: Sequence[range]) -> list[Part]:
        staging, streams, loaders = Staging(), SimpleQueue[Any](), tuned().loaders
        for _ in range(loaders):
            streams.put(cupy.cuda.Stream(non_blocking=True))

        def load(subjects: range) -> Part:
            stream = streams.get()
            try:
                with cupy.cuda.Device(0), stream:
                    return self._load(subjects, staging)
            finally:
                streams.put(stream)

        try:
            with ThreadPoolExecutor(loaders, thread_name_prefix="loader") as pool:
                return list(pool.map(load, ranges))
        finally:
            staging.close()

    def _load(self, subjects: range, staging: Staging) -> Part:
        part = self._pack(subjects, staging)
        stream = cupy.cuda.get_current_stream()
        if self.streams:
            codes = cupyx.empty_pinned(part.codes.shape, np.uint16)
            part.codes.get(stream=stream, out=codes)
            part = replace(part, codes=codes)
        stream.synchronize()
        return part

    def _pack(self, subjects: range, staging: Staging) -> Part:
        if self.shard.chosen is None:
            found = self._bring(self.shard.subjects[subjects.start : subjects.stop], staging)
        else:
            found = self._gather(subjects, staging)
        longest_packed = self._longest or long_rows(found.lengths, found.ends)
        packs = plan(cupy, found.lengths, found.ambiguous, longest_packed)
        longest = int(self.shard.lengths[subjects.stop - 1])
        return _part(subjects.start, found.lengths, packs, self._codes(packs, found), longest)

    def _bring(self, numbers: range, staging: Staging) -> _Subjects:
        """Subjects of the database to the device; what lies between them in its files comes along, and is dropped."""
        database = self.shard.database
        offsets = database.offsets
        all_lengths = staging.send(database.lengths[numbers[0] : numbers[-1] + 1])
        lengths = cupy.ascontiguousarray(all_lengths[:: numbers.step])
        starts = (cupy.cumsum(all_lengths, dtype=cupy.int64) - all_lengths)[:: numbers.step]
        starts, ends = cupy.ascontiguousarray(starts), cupy.cumsum(lengths, dtype=cupy.int64)
        found = _Subjects.of(lengths, ends)
        for piece in _cut(offsets, numbers, LETTERS):
            begin, end = (int(offsets[subject]) for subject in (numbers[piece.start], numbers[piece.stop - 1] + 1))
            letters, first = staging.send(database.residues[begin:end]), int(begin - offsets[numbers[0]])
            self._encode(letters, starts, first, found, piece)
        return found

    def _gather(self, subjects: range, staging: Staging) -> _Subjects:
        """Chosen subjects to the device: their letters are put together before, since most are of others."""
        shard = self.shard
        own = shard.lengths[subjects.start : subjects.stop]
        lengths = staging.send(own)
        found = _Subjects.of(lengths, cupy.cumsum(lengths, dtype=cupy.int64))
        starts, first = found.ends - lengths, 0
        numbers = shard.numbers(np.arange(subjects.start, subjects.stop)).tolist()
        for piece in _cut_sizes(own, LETTERS):
            letters = b"".join(shard.database.sequences(numbers[piece.start : piece.stop]))
            self._encode(staging.send(np.frombuffer(letters, np.uint8)), starts, first, found, piece)
            first += len(letters)
        return found

    def _encode(self, letters: Any, starts: Any, first: int, found: _Subjects, piece: range) -> None:
        """Queue what makes codes of some subjects' letters, which begin at their `starts`, all of them at `first`."""
        own = slice(piece.start, piece.stop)
        arguments = (
            letters, self._code_of, starts[own], np.int64(first), found.lengths[own], found.ends[own],
            np.int32(len(piece)), found.residues, found.ambiguous[own],
        )  # fmt: skip
        kernel("encode")((-(-len(piece) * WARP // THREADS),), (THREADS,), arguments)

    def _codes(self, packs: Packs, subjects: _Subjects) -> Any:
        """The pair codes of all packs; what no pack writes is padding, which differs by the number of letters."""
        codes = cupy.empty((packs.total_rows, ROW_BYTES // 2), cupy.uint16)
        arguments = (subjects.residues, subjects.ends, subjects.lengths, packs.slots, packs.starts, packs.rows)
        for classes in ((PackClass.EVEN, PackClass.UNEVEN), (PackClass.AMBIGUOUS, PackClass.LONG)):
            span, alphabet = packs.span(*classes), classes[0].letters
            if not span:
                continue
            codes[int(packs.starts[span.start]) - PAD_ROWS :] = alphabet**2
            kernel("pack", LETTERS=alphabet)((len(span),), (THREADS,), (*arguments, np.int32(span.start), codes))
        return codes


def long_rows(lengths: Any, ends: Any) -> int:
    """Longer subjects of a part would set the pace of its launches; the few longest at most, of lengths ascending.

    A warp of sw_score that takes a subject longer than its even share ends after the others. sw_wide costs more for a
    residue: where all subjects are long, warps are busy enough without it.
    """
    residues, measured = int(ends[-1]), tuned()
    share = residues / (SUBJECTS * device().multiprocessors * measured.warps)
    few = int(lengths[int(cupy.searchsorted(ends, cupy.array([int((1 - measured.long_share) * residues)]))[0])])
    return max(measured.least_long, int(measured.even_share * share), few)


def _cut(offsets: npt.NDArray[np.int64], numbers: range, letters: int) -> Sequence[range]:
    """Places in `numbers`, subjects of a database, in runs that span so many of its letters each, or one subject."""
    ranges, first = [], 0
    while first < len(numbers):
        last = int(offsets[numbers[first]]) + letters
        stop = max(first + 1, bisect_right(numbers, last, lo=first, key=lambda subject: int(offsets[subject + 1])))
        ranges.append(range(first, stop))
        first = stop
    return ranges


def _cut_sizes(lengths: npt.NDArray[np.uint32], letters: int) -> Sequence[range]:
    """Places of subjects of these lengths, in runs of so many letters each, or one subject."""
    return [range(first, stop) for first, stop in cuts(lengths.astype(np.int64), letters, len(lengths))]


def _part(first: int, lengths: Any, packs: Packs, codes: Any, longest: int) -> Part:
    slots = packs.slots.reshape(-1)
    residues = []
    for pack_class in PackClass:
        span = packs.span(pack_class)
        subjects = slots[SUBJECTS * span.start : SUBJECTS * span.stop]
        residues.append(int(lengths[subjects[subjects >= 0]].sum(dtype=cupy.int64)))
    orders: dict[tuple[PackClass, ...], Any] = {}
    ordered_residues: dict[tuple[PackClass, ...], int] = {}
    for classes in (
        (PackClass.EVEN, PackClass.UNEVEN),
        (PackClass.EVEN,),
        (PackClass.UNEVEN,),
        (PackClass.AMBIGUOUS,),
    ):
        span = packs.span(*classes)
        order = cupy.argsort(-packs.rows[span.start : span.stop])
        orders[classes] = (order + span.start).astype(cupy.int32)
        subjects = packs.slots[orders[classes]]
        ordered_residues[classes] = int(lengths[subjects[subjects >= 0]].sum(dtype=cupy.int64))
    long_subjects = _long_subjects(packs, lengths)
    return Part(first, lengths, packs, codes, tuple(residues), orders, ordered_residues, long_subjects, longest)


def _long_subjects(packs: Packs, lengths: Any) -> npt.NDArray[np.int32]:
    span = packs.span(PackClass.LONG)
    slots = np.arange(SUBJECTS * span.start, SUBJECTS * span.stop, dtype=np.int32)
    subjects = packs.slots[span.start : span.stop].reshape(-1).get()
    slots, subjects = slots[subjects >= 0], subjects[subjects >= 0]
    rows = lengths[cupy.asarray(subjects)].get().astype(np.int32) if len(subjects) else np.zeros(0, np.int32)
    return np.stack([slots, rows, subjects], axis=1)
