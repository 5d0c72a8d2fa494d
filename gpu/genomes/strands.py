"""Strands of genomes on the device, as kernels/genomes/strand.cuh has them: 3 bits a letter."""

from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.database.staging import Staging
from gpu.layout import GENOME_LETTERS, THREADS
from gpu.pairs.scores import by_value
from shardwater.genomes.genome import Genome

STRAND = np.dtype([("letters", np.int64), ("unknown", np.int64), ("begins", np.int64), ("offsets", np.int64)])
PADDING = 3
"""Words before and behind the letters."""


@dataclass(frozen=True, slots=True, eq=False)
class Strand:
    """A strand: its letters, its unknown letters and its records' first ones by bits; offsets: of its records."""

    letters: Any
    unknown: Any
    begins: Any
    offsets: Any
    length: int

    @classmethod
    def of(cls, ascii_letters: Any, offsets: npt.NDArray[np.int64], *, reverse: bool) -> Self:
        """The strand of letters on the device, and of records that begin at these places of the forward one."""
        length = len(ascii_letters)
        words = -(-length // GENOME_LETTERS)
        letters, unknown, begins = (cupy.zeros(words + PADDING, kind) for kind in (np.uint64, np.uint32, np.uint32))
        if words:
            blocks = -(-words // THREADS)
            arguments = ascii_letters, np.int32(length), np.int32(reverse), letters, unknown
            kernel("pack_genome")((blocks,), (THREADS,), arguments)
        offsets = length - offsets[::-1] if reverse else offsets
        # The padding before the first letter is a word.
        firsts = np.unique(offsets[:-1][np.diff(offsets) > 0]) + GENOME_LETTERS
        bits = np.uint32(1) << (firsts % GENOME_LETTERS).astype(np.uint32)
        at, first = np.unique(firsts // GENOME_LETTERS, return_index=True)
        if len(at):
            begins[cupy.asarray(at)] = cupy.asarray(np.bitwise_or.reduceat(bits, first))
        return cls(letters, unknown, begins, cupy.asarray(offsets.astype(np.int32)), length)

    def argument(self) -> npt.NDArray[Any]:
        """As kernels have it."""
        fields = [*STRAND.descr, ("length", "<i4"), ("records", "<i4")]
        strand = np.zeros(1, np.dtype(fields))
        for name in STRAND.names or ():
            strand[name] = getattr(self, name).data.ptr
        strand["length"], strand["records"] = self.length, len(self.offsets) - 1
        return by_value(strand)


@dataclass(frozen=True, slots=True, eq=False)
class Strands:
    """The query forward, and the subject on both strands as far as they are compared."""

    query: Strand
    subject: tuple[Strand, ...]

    @classmethod
    def of(cls, query: Genome, subject: Genome, both: tuple[bool, ...], staging: Staging) -> Self:
        """Send both genomes."""
        ascii_letters = staging.send(np.ascontiguousarray(query.letters))
        forward = Strand.of(ascii_letters, query.offsets, reverse=False)
        ascii_letters = staging.send(np.ascontiguousarray(subject.letters))
        return cls(forward, tuple(Strand.of(ascii_letters, subject.offsets, reverse=each) for each in both))
