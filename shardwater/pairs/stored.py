"""Answers of pairs as bytes: columns of numbers behind a header, little-endian.

Header: the name and version of the format, then how many pairs and runs there are. Columns: scores, beginnings and ends
of both sequences (int64 each), flags (uint8), how many runs each pair has (int32), and all runs (uint32): length * 4 +
kind.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment, Run, merge_runs
from shardwater.errors import AlignError
from shardwater.pairs.aligned import Strand

_HEADER = struct.Struct("<8sQQ")
_MAGIC = b"SWPAIRS1"
_KINDS = "MID"
_LONGEST = (1 << 30) - 1
"""Of one run; a longer one is several."""
_FOUND, _REVERSE = 1, 2


class UnreadableAnswers(AlignError):
    """Bytes that pack_answers has not written."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for a pair: the best alignment, of the query's reverse complement on strand `-`."""

    found: Alignment | None
    strand: Strand


def pack_answers(answers: Sequence[Answer]) -> bytes:
    """Answers as bytes, in their order."""
    places = np.zeros((len(answers), 5), "<i8")
    flags = np.zeros(len(answers), np.uint8)
    counts = np.zeros(len(answers), "<i4")
    runs = list[int]()
    for number, answer in enumerate(answers):
        found = answer.found
        flags[number] = (_FOUND if found else 0) | (_REVERSE if answer.strand == "-" else 0)
        if found is None:
            continue
        places[number] = found.score, found.query_start, found.query_end, found.subject_start, found.subject_end
        own = [part for run in found.runs for part in _parts(run)]
        counts[number] = len(own)
        runs += own
    header = _HEADER.pack(_MAGIC, len(answers), len(runs))
    return b"".join((header, places.tobytes(), flags.tobytes(), counts.tobytes(), np.array(runs, "<u4").tobytes()))


def _parts(run: Run) -> list[int]:
    whole, rest = divmod(run.length, _LONGEST)
    lengths = [_LONGEST] * whole + [rest] * bool(rest)
    return [length << 2 | _KINDS.index(run.kind) for length in lengths]


def read_answers(packed: bytes) -> "Answers":
    """What pack_answers wrote; raises UnreadableAnswers."""
    if len(packed) < _HEADER.size:
        raise UnreadableAnswers("it is too short")
    magic, pairs, runs = _HEADER.unpack_from(packed)
    if magic != _MAGIC or len(packed) != _HEADER.size + pairs * (5 * 8 + 1 + 4) + 4 * runs:
        raise UnreadableAnswers("its size is not what it says")
    return Answers(packed, pairs)


class Answers(Sequence[Answer]):
    """Answers that are made of their bytes as they are asked for."""

    def __init__(self, packed: bytes, pairs: int) -> None:
        """read_answers makes them."""
        at = _HEADER.size
        self._places = np.frombuffer(packed, "<i8", 5 * pairs, at).reshape(pairs, 5)
        self._flags = np.frombuffer(packed, np.uint8, pairs, at := at + 40 * pairs)
        counts = np.frombuffer(packed, "<i4", pairs, at := at + pairs)
        self._runs = np.frombuffer(packed, "<u4", offset=at + 4 * pairs)
        self._ends: npt.NDArray[np.int64] = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
        if (counts < 0).any() or self._ends[-1] != len(self._runs) or ((self._runs & 3) == len(_KINDS)).any():
            raise UnreadableAnswers("its runs are none")

    def __len__(self) -> int:
        """How many there are."""
        return len(self._flags)

    @overload
    def __getitem__(self, number: int) -> Answer: ...
    @overload
    def __getitem__(self, number: slice) -> list[Answer]: ...
    def __getitem__(self, number: int | slice) -> Answer | list[Answer]:
        """One of them by its number, or several."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        place = range(len(self))[number]
        strand: Strand = "-" if self._flags[place] & _REVERSE else "+"
        if not self._flags[place] & _FOUND:
            return Answer(None, strand)
        runs = self._runs[self._ends[place] : self._ends[place + 1]].tolist()
        score, *ends = self._places[place].tolist()
        query_start, query_end, subject_start, subject_end = ends
        merged = merge_runs([Run(_KINDS[run & 3], run >> 2) for run in runs])
        return Answer(Alignment(score, query_start, query_end, subject_start, subject_end, merged), strand)
