"""GpuEndPoints: the EndPointEngine protocol on one CUDA device."""

from collections.abc import Generator, Sequence
from typing import TypeVar

import cupy

from gpu.device import device, faults, free_bytes
from gpu.launch.streams import on_stream
from gpu.layout import BASES
from gpu.pairs import row_scan
from gpu.pairs.end_points import EndPoints
from gpu.pairs.end_ways import align_in_sections, align_to
from gpu.pairs.long import MEMORY, LongPairs, kept_bytes
from gpu.pairs.long_layout import told_apart
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint, Selection
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import lengths_of
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.cpu_end_points import CpuEndPoints
from shardwater.pairs.end_points import Ends, Steps
from shardwater.steps import mapped

Made = TypeVar("Made")


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

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> Steps[list[Ends]]:
        """As EndPointEngine.find has it."""
        if len(pairs) == 0:
            return []
        long = _long(pairs, scheme)
        search = None if long is None else EndPoints(pairs, long, selection)
        if search is not None and search.fits:
            found = yield from self._steps(search.find(), pairs)
            if found is not None:
                return [Ends("long", each) for each in found]
            # What is computed again was told.
            return (yield from mapped(self._apart(pairs, scheme, selection), lambda _: 0))
        return (yield from self._apart(pairs, scheme, selection))

    def _apart(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> Steps[list[Ends]]:
        """The same of pairs that are too many to be done together: halves of them, or one on the host."""
        if len(pairs) == 1:
            return (yield from self._host.find(pairs, scheme, selection))
        one, other = _halves(pairs)
        halves = yield from self.find(pairs[one], scheme, selection)
        return halves + (yield from self.find(pairs[other], scheme, selection))

    def align(
        self, pairs: Sequence[CodedPair], scheme: Scheme, ends: Sequence[Sequence[EndPoint]]
    ) -> Steps[list[list[Alignment]]]:
        """As EndPointEngine.align has it."""
        if not any(ends):
            return [[] for _ in pairs]
        long, memory = _long(pairs, scheme), min(MEMORY, free_bytes() // 2)
        if long is not None and kept_bytes(lengths_of(pairs)[::-1]).sum() <= memory:
            return (yield from self._steps(align_to(pairs, ends, long), pairs))
        if len(pairs) > 1:
            one, other = _halves(pairs)
            halves = yield from self.align(pairs[one], scheme, ends[one])
            return halves + (yield from self.align(pairs[other], scheme, ends[other]))
        sectioned = None if long is None else align_in_sections(pairs[0], ends[0], long, memory)
        if sectioned is None:
            return (yield from self._host.align(pairs, scheme, ends))
        return [(yield from self._steps(sectioned, pairs))]

    def _steps(self, steps: Generator[float, None, Made], pairs: Sequence[CodedPair]) -> Steps[Made]:
        """The same on the stream, each step in cells."""
        cells = sum(pair.cells for pair in pairs)
        with faults():
            made = yield from mapped(on_stream(self._stream, steps), lambda share: int(share * cells))
        self.engines.add(self._name)
        return made


class RowScans(GpuEndPoints):
    """The same by the reference path: rows one after the other; alignments are found as by the others."""

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> Steps[list[Ends]]:
        """As EndPointEngine.find has it."""
        found = list[Ends]()
        for pair in pairs:
            if row_scan.scans(pair, scheme):
                found.append(self._found(pair, scheme, selection))
                yield pair.cells
            else:
                found += yield from self._host.find([pair], scheme, selection)
        return found

    def _found(self, pair: CodedPair, scheme: Scheme, selection: Selection) -> Ends:
        self.engines.add(self._name)
        with faults(), self._stream:
            return Ends("long", row_scan.best_ends(pair, scheme, selection))


def _long(pairs: Sequence[CodedPair], scheme: Scheme) -> LongPairs | None:
    """How all these pairs are filled; None where no kernel takes one of them."""
    letters, _ = told_apart([letters for pair in pairs for letters in (pair.query, pair.subject)])
    bases = all(int(each.max(initial=0)) < BASES for each in letters)
    long = LongPairs.of(scheme, bases=bases)
    return long if long is not None and long.holds(lengths_of(pairs)).all() else None


def _halves(pairs: Sequence[CodedPair]) -> tuple[slice, slice]:
    middle = len(pairs) // 2
    return slice(0, middle), slice(middle, len(pairs))
