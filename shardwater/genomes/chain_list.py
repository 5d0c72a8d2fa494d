"""Chains as they are shown and kept: the score and the strand of each, and its stretches without gaps."""

import struct
from dataclasses import dataclass
from mmap import mmap
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError
from shardwater.genomes.chains import Chains
from shardwater.genomes.hsps import Numbers

ROW = np.dtype([("score", "<i8"), ("stretches", "<i4"), ("reverse", "?")])
"""Of a chain: its score, how many stretches it has, and whether the query's reverse complement is aligned."""
STRETCH = np.dtype([("query", "<i4"), ("subject", "<i4"), ("length", "<i4")])
"""Where a stretch begins in both genomes (joined, from 0, forward), and its letters."""
_HEADER = struct.Struct("<8sQQ")
_MAGIC = b"SWCHAIN1"


class UnreadableChains(AlignError):
    """Bytes that ChainList.pack did not write."""


@dataclass(frozen=True, slots=True, eq=False)
class ChainList:
    """Rows of ROW, best first, and the stretches of the first chain along the subject, then those of the second."""

    rows: npt.NDArray[np.void]
    stretches: npt.NDArray[np.void]

    @classmethod
    def of(cls, chains: Chains) -> Self:
        """All chains; no two stretches of a chain share a letter or touch in both genomes."""
        found = chains.stretches()
        rows, stretches = np.zeros(len(chains), ROW), np.zeros(len(found), STRETCH)
        rows["score"], rows["reverse"] = chains.scores, chains.reverse
        rows["stretches"] = np.bincount(found.owners, minlength=len(chains))
        stretches["query"], stretches["subject"], stretches["length"] = found.query, found.subject, found.length
        return cls(rows, stretches)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def firsts(self) -> Numbers:
        """Where the stretches of each chain begin; one number more: where those of the last one end."""
        return np.append(0, np.cumsum(self.rows["stretches"], dtype=np.int64))

    def pack(self) -> bytes:
        """As bytes: a header, rows, stretches; little-endian."""
        header = _HEADER.pack(_MAGIC, len(self.rows), len(self.stretches))
        return header + self.rows.tobytes() + self.stretches.tobytes()

    @classmethod
    def read(cls, packed: bytes | mmap) -> Self:
        """What `pack` wrote; raises UnreadableChains."""
        if len(packed) < _HEADER.size:
            raise UnreadableChains("it is too short")
        magic, rows, stretches = _HEADER.unpack_from(packed)
        behind = _HEADER.size + rows * ROW.itemsize
        if magic != _MAGIC or len(packed) != behind + stretches * STRETCH.itemsize:
            raise UnreadableChains("it has another format, or its size is not what it says")
        found = cls(np.frombuffer(packed, ROW, rows, _HEADER.size), np.frombuffer(packed, STRETCH, stretches, behind))
        if (found.rows["stretches"] < 1).any() or found.firsts[-1] != stretches:
            raise UnreadableChains("its stretches are not those of its chains")
        return found
