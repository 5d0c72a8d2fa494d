"""GpuEndPoints: the EndPointEngine protocol on one CUDA device."""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeVar

import cupy
import numpy as np

from gpu.device import device, faults, free_bytes
from gpu.layout import BASES
from gpu.pairs import row_scan
from gpu.pairs.end_points import EndPoints
from gpu.pairs.end_ways import align_to
from gpu.pairs.long import MEMORY, LongPairs, kept_bytes
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint, Selection
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.end_points import CpuEndPoints

Found = TypeVar("Found")


class GpuEndPoints:
    """End points on a CUDA device, and on the host where no kernel takes a pair."""

    def __init__(self) -> None:
        """Take the device into use."""
        with faults():
            self._name, self._stream, self._host = device().name, cupy.cuda.Stream(non_blocking=True), CpuEndPoints()

    @property
    def engines(self) -> set[str]:
        """What has computed so far."""
        return self._host.engines

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> list[list[EndPoint]]:
        """As EndPointEngine.find has it."""
        if len(pairs) == 0:
            return []
        long = _long(pairs, scheme)
        if long is None:
            return self._host.find(pairs, scheme, selection)
        search = EndPoints(pairs, long, selection)
        found = self._done(search.find) if search.fits else None
        if found is not None:
            return found
        if len(pairs) == 1:
            return self._host.find(pairs, scheme, selection)
        return [each for half in _halves(pairs) for each in self.find(pairs[half], scheme, selection)]

    def align(
        self, pairs: Sequence[CodedPair], scheme: Scheme, ends: Sequence[Sequence[EndPoint]]
    ) -> list[list[Alignment]]:
        """As EndPointEngine.align has it."""
        if not any(ends):
            return [[] for _ in pairs]
        long = _long(pairs, scheme)
        if long is None:
            return self._host.align(pairs, scheme, ends)
        if kept_bytes(_lengths(pairs)[::-1]).sum() <= min(MEMORY, free_bytes() // 2):
            return self._done(lambda: align_to(pairs, ends, long))
        if len(pairs) == 1:
            return self._host.align(pairs, scheme, ends)
        return [each for half in _halves(pairs) for each in self.align(pairs[half], scheme, ends[half])]

    def _done(self, begin: Callable[[], Generator[float, None, Found]]) -> Found:
        with faults(), self._stream:
            steps = begin()
            while True:
                try:
                    next(steps)
                except StopIteration as done:
                    found: Found = done.value
                    self.engines.add(self._name)
                    return found


class RowScans(GpuEndPoints):
    """The same by the reference path: rows one after the other; alignments are found as by the others."""

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> list[list[EndPoint]]:
        """As EndPointEngine.find has it."""
        return [self._found(pair, scheme, selection) for pair in pairs]

    def _found(self, pair: CodedPair, scheme: Scheme, selection: Selection) -> list[EndPoint]:
        if not row_scan.scans(pair, scheme):
            [found] = self._host.find([pair], scheme, selection)
            return found
        self.engines.add(self._name)
        with faults(), self._stream:
            return row_scan.best_ends(pair, scheme, selection)


def _long(pairs: Sequence[CodedPair], scheme: Scheme) -> LongPairs | None:
    """How all these pairs are filled; None where no kernel takes one of them."""
    bases = all(pair.most < BASES for pair in pairs)
    long = LongPairs.of(scheme, bases=bases)
    return long if long is not None and long.holds(_lengths(pairs)).all() else None


def _lengths(pairs: Sequence[CodedPair]) -> np.ndarray:
    return np.array([(len(pair.query), len(pair.subject)) for pair in pairs], np.int64).reshape(-1, 2).T


def _halves(pairs: Sequence[CodedPair]) -> Iterator[slice]:
    middle = len(pairs) // 2
    yield slice(0, middle)
    yield slice(middle, len(pairs))
