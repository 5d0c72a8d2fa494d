"""A shard on the device: parts of it, each a run of subjects packed for the kernels.

A part that fits stays; a shard beyond the memory's budget is streamed instead, part after part, one being loaded
while the one before is searched. A loaded part is the same either way, and so are the results.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.device import device
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
"""For each residue of a part that is streamed: itself, the one loaded meanwhile, their letters, and borders."""
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
    """A shard's parts: all on the device where they fit into the budget (bytes), else streamed."""

    def __init__(self, shard: Shard, budget: int | None = None) -> None:
        self.shard = shard
        self._staging = Staging()
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="loader")
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._code_of = cupy.asarray(np.frombuffer(CODE_TABLE, np.uint8))
        budget = budget or device().memory
        part = min(PART_RESIDUES, max(1, shard.residues))
        memory = Memory.of(shard.residues, len(shard), part)
        self.streams = memory.packed + memory.scratch > budget
        if self.streams:
            part = min(part, max(1, (budget - min(RESERVED_BYTES, budget // 2)) // STREAMED_BYTES))
        self._ranges = _ranges(shard.lengths, part)
        self._parts = [] if self.streams else [self._load(part) for part in self._ranges]

    def __len__(self) -> int:
        return len(self._ranges)

    def parts(self) -> Iterator[Part]:
        """The parts in order; when they are streamed, the next is loaded while this one is used."""
        if not self.streams:
            yield from self._parts
            return
        coming = self._loader.submit(self._load, self._ranges[0]) if self._ranges else None
        for number in range(len(self._ranges)):
            assert coming is not None
            part = coming.result()
            if number + 1 < len(self._ranges):
                coming = self._loader.submit(self._load, self._ranges[number + 1])
            yield part

    def _load(self, subjects: range) -> Part:
        with cupy.cuda.Device(0), self._stream:
            part = self._pack(subjects)
            self._stream.synchronize()
        return part

    def _pack(self, subjects: range) -> Part:
        shard = self.shard
        numbers = shard.subjects[subjects.start : subjects.stop]
        offsets = np.asarray(shard.database.offsets)
        begin, end = int(offsets[numbers[0]]), int(offsets[numbers[-1] + 1])
        letters = cupy.empty(end - begin, cupy.uint8)
        self._staging.send(shard.database.residues[begin:end], letters)
        starts = cupy.asarray(offsets[numbers.start : numbers.stop : numbers.step] - begin)
        lengths = cupy.asarray(np.ascontiguousarray(shard.lengths[subjects.start : subjects.stop]))
        ambiguous = cupy.empty(len(lengths), cupy.bool_)
        threads = 256
        kernel("classify")(
            (-(-len(lengths) * 32 // threads),),
            (threads,),
            (letters, self._code_of, starts, lengths, np.int32(len(lengths)), ambiguous),
        )
        packs = plan(cupy, lengths, ambiguous, long_rows(shard.lengths[subjects.start : subjects.stop]))
        codes = self._codes(packs, letters, starts, lengths)
        return _part(subjects.start, lengths, packs, codes)

    def _codes(self, packs: Packs, letters: Any, starts: Any, lengths: Any) -> Any:
        """The pair codes of all packs; what no pack writes is padding, which differs by the number of letters."""
        codes = cupy.empty((packs.total_rows, ROW_BYTES // 2), cupy.uint16)
        arguments = (letters, self._code_of, starts, lengths, packs.slots, packs.starts, packs.rows)
        for classes in ((PackClass.EVEN, PackClass.UNEVEN), (PackClass.AMBIGUOUS, PackClass.LONG)):
            span, alphabet = packs.span(*classes), classes[0].letters
            if not span:
                continue
            codes[int(packs.starts[span.start]) - PAD_ROWS :] = alphabet**2
            kernel("pack", LETTERS=alphabet)((len(span),), (256,), (*arguments, np.int32(span.start), codes))
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


def _part(first: int, lengths: Any, packs: Packs, codes: Any) -> Part:
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
    longest = int(lengths[-1])
    return Part(first, lengths, packs, codes, tuple(residues), orders, _long_subjects(packs, lengths), longest)


def _long_subjects(packs: Packs, lengths: Any) -> npt.NDArray[np.int32]:
    span = packs.span(PackClass.LONG)
    slots = np.arange(SUBJECTS * span.start, SUBJECTS * span.stop, dtype=np.int32)
    subjects = packs.slots[span.start : span.stop].reshape(-1).get()
    slots, subjects = slots[subjects >= 0], subjects[subjects >= 0]
    rows = lengths[cupy.asarray(subjects)].get().astype(np.int32) if len(subjects) else np.zeros(0, np.int32)
    return np.stack([slots, rows, subjects], axis=1)
