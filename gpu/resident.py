"""A shard on the device: parts of it, each a run of subjects packed for the kernels.

What fits stays. Of a shard beyond the memory's budget only the plan stays: its codes wait in pinned memory of the host,
from where the copy engine brings one part while the one before is searched. A part is the same either way, and so are
the results.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any

import cupy
import cupyx
import numpy as np
import numpy.typing as npt

from gpu.device import device, free_bytes
from gpu.module import kernel
from gpu.packing import PAD_ROWS, ROW_BYTES, SUBJECTS, PackClass, Packs, plan
from gpu.staging import Staging
from shardwater.alphabet import CODE_TABLE
from shardwater.database import Shard

PART_RESIDUES = 1 << 29
"""At most so many residues to a part: a launch over it ends within 50 ms on a device of 2 TCUPS."""
BORDER_ROW_BYTES = 32
"""Scratch of sw_score for a row of packs, in each workspace."""
WORKSPACES = 2
SLACK = 1.06
"""Packed bytes for each residue: the rows of padding, and subjects that end before their pack does."""
SUBJECT_BYTES = 16
"""Slots, lengths and packs, for each subject."""
STREAMED_BYTES = 14
"""For each residue of a part that is streamed: itself, the one that comes meanwhile, letters while packing, borders."""
LOADERS = 3
WARP = 32
THREADS = 256
RESERVED_BYTES = 2 << 30
"""Left for CUDA's context, kernels, sorting and alignments."""
WARPS = 24
"""Warps of a multiprocessor under sw_score, about."""
LEAST_LONG = 3000
LONG_SHARE = 0.02
"""At most so much of a part goes to sw_wide for its length."""


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
    long_subjects: npt.NDArray[np.int32]
    """Slot, length and subject of each long one: (subjects, 3)."""

    longest: int
    """Residues of the longest subject."""

    def __len__(self) -> int:
        return len(self.lengths)


class _Lane:
    """What loads one part at a time."""

    def __init__(self) -> None:
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.staging = Staging()


@dataclass(frozen=True, slots=True)
class Memory:
    """What a shard takes on the device, in bytes: its packed subjects, and the scratch of a search."""

    packed: int
    scratch: int

    @classmethod
    def of(cls, residues: int, subjects: int, part_residues: int) -> "Memory":
        """The memory for so many residues and subjects, in parts of so many residues."""
        packed = int(residues * SLACK) + SUBJECT_BYTES * subjects
        # Letters as they come, borders, and a few words for each subject of a part.
        part_subjects = -(-subjects * part_residues // max(1, residues))
        scratch = part_residues + WORKSPACES * (part_residues * BORDER_ROW_BYTES // ROW_BYTES + 64 * part_subjects)
        return cls(packed, scratch + RESERVED_BYTES)


class ResidentShard:
    """A shard's parts: all on the device where they fit into the budget (bytes), else their codes in pinned memory."""

    def __init__(self, shard: Shard, budget: int | None = None) -> None:
        self.shard = shard
        self._code_of = cupy.asarray(np.frombuffer(CODE_TABLE, np.uint8))
        cupy.cuda.get_current_stream().synchronize()
        budget = budget or free_bytes()
        part = min(PART_RESIDUES, max(1, shard.residues))
        memory = Memory.of(shard.residues, len(shard), part)
        self.streams = memory.packed + memory.scratch > budget
        if self.streams:
            part = min(part, max(1, (budget - min(RESERVED_BYTES, budget // 2)) // STREAMED_BYTES))
        self._load_all(_ranges(shard.lengths, part))

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

    def _load_all(self, ranges: Sequence[range]) -> None:
        """Several parts at a time: one is planned while the letters of another come."""
        lanes: SimpleQueue[_Lane] = SimpleQueue()
        for _ in range(LOADERS):
            lanes.put(_Lane())

        def load(subjects: range) -> Part:
            lane = lanes.get()
            try:
                return self._load(subjects, lane)
            finally:
                lanes.put(lane)

        with ThreadPoolExecutor(LOADERS, thread_name_prefix="loader") as loaders:
            self._parts = list(loaders.map(load, ranges))

    def _load(self, subjects: range, lane: "_Lane") -> Part:
        with cupy.cuda.Device(0), lane.stream:
            part = self._pack(subjects, lane.staging)
            if self.streams:
                codes = cupyx.empty_pinned(part.codes.shape, np.uint16)
                part.codes.get(stream=lane.stream, out=codes)
                part = replace(part, codes=codes)
            lane.stream.synchronize()
        return part

    def _pack(self, subjects: range, staging: Staging) -> Part:
        shard = self.shard
        numbers = shard.subjects[subjects.start : subjects.stop]
        offsets = np.asarray(shard.database.offsets)
        begin, end = int(offsets[numbers[0]]), int(offsets[numbers[-1] + 1])
        letters = cupy.empty(end - begin, cupy.uint8)
        staging.send(shard.database.residues[begin:end], letters)
        starts = cupy.asarray(offsets[numbers.start : numbers.stop : numbers.step] - begin)
        host_lengths = np.ascontiguousarray(shard.lengths[subjects.start : subjects.stop])
        lengths = cupy.asarray(host_lengths)
        ambiguous = cupy.empty(len(lengths), cupy.bool_)
        blocks = -(-len(lengths) * WARP // THREADS)
        arguments = (letters, self._code_of, starts, lengths, np.int32(len(lengths)), ambiguous)
        kernel("classify")((blocks,), (THREADS,), arguments)
        packs = plan(cupy, lengths, ambiguous, long_rows(host_lengths))
        codes = self._codes(packs, letters, starts, lengths)
        return _part(subjects.start, lengths, packs, codes, int(host_lengths[-1]))

    def _codes(self, packs: Packs, letters: Any, starts: Any, lengths: Any) -> Any:
        """The pair codes of all packs; what no pack writes is padding, which differs by the number of letters."""
        codes = cupy.empty((packs.total_rows, ROW_BYTES // 2), cupy.uint16)
        arguments = (letters, self._code_of, starts, lengths, packs.slots, packs.starts, packs.rows)
        for classes in ((PackClass.EVEN, PackClass.UNEVEN), (PackClass.AMBIGUOUS, PackClass.LONG)):
            span, alphabet = packs.span(*classes), classes[0].letters
            if not span:
                continue
            codes[int(packs.starts[span.start]) - PAD_ROWS :] = alphabet**2
            kernel("pack", LETTERS=alphabet)((len(span),), (THREADS,), (*arguments, np.int32(span.start), codes))
        return codes


def long_rows(lengths: npt.NDArray[np.uint32]) -> int:
    """Longer subjects of a part would set the pace of its launches; the few longest at most, of lengths ascending.

    A warp of sw_score that takes a subject longer than its even share ends after the others. sw_wide costs more for a
    residue: where all subjects are long, warps are busy enough without it.
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    share = ends[-1] / (SUBJECTS * device().multiprocessors * WARPS)
    few = lengths[np.searchsorted(ends, (1 - LONG_SHARE) * ends[-1])]
    return max(LEAST_LONG, int(0.9 * share), int(few))


def _ranges(lengths: npt.NDArray[np.uint32], part_residues: int) -> Sequence[range]:
    """Runs of subjects with at most so many residues each, or one subject."""
    ends = np.cumsum(lengths, dtype=np.int64)
    ranges, first = [], 0
    while first < len(ends):
        done = int(ends[first - 1]) if first else 0
        stop = max(first + 1, int(np.searchsorted(ends, done + part_residues, side="right")))
        ranges.append(range(first, stop))
        first = stop
    return ranges


def _part(first: int, lengths: Any, packs: Packs, codes: Any, longest: int) -> Part:
    slots = packs.slots.reshape(-1)
    residues = []
    for pack_class in PackClass:
        span = packs.span(pack_class)
        subjects = slots[SUBJECTS * span.start : SUBJECTS * span.stop]
        residues.append(int(lengths[subjects[subjects >= 0]].sum(dtype=cupy.int64)))
    orders: dict[tuple[PackClass, ...], Any] = {}
    for classes in (
        (PackClass.EVEN, PackClass.UNEVEN),
        (PackClass.EVEN,),
        (PackClass.UNEVEN,),
        (PackClass.AMBIGUOUS,),
    ):
        span = packs.span(*classes)
        order = cupy.argsort(-packs.rows[span.start : span.stop])
        orders[classes] = (order + span.start).astype(cupy.int32)
    return Part(first, lengths, packs, codes, tuple(residues), orders, _long_subjects(packs, lengths), longest)


def _long_subjects(packs: Packs, lengths: Any) -> npt.NDArray[np.int32]:
    span = packs.span(PackClass.LONG)
    slots = np.arange(SUBJECTS * span.start, SUBJECTS * span.stop, dtype=np.int32)
    subjects = packs.slots[span.start : span.stop].reshape(-1).get()
    slots, subjects = slots[subjects >= 0], subjects[subjects >= 0]
    rows = lengths[cupy.asarray(subjects)].get().astype(np.int32) if len(subjects) else np.zeros(0, np.int32)
    return np.stack([slots, rows, subjects], axis=1)
