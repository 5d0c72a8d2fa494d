"""GpuPairs: the PairEngine protocol on a CUDA device, and on several for long pairs."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from gpu.ahead import compile_all
from gpu.database.staging import Staging
from gpu.device import device, faults
from gpu.launch.streams import on_stream
from gpu.layout import BASES
from gpu.pairs.band import BandWork
from gpu.pairs.chunks import WAYS, Work, done
from gpu.pairs.end_engine import GpuEndPoints
from gpu.pairs.kept import KeptWork
from gpu.pairs.long import LongPairs
from gpu.pairs.scores import ScoreWork
from gpu.pairs.short import ShortWork
from gpu.pairs.traceback import align_coded
from gpu.variants import pair_variants
from shardwater.alignment.ends import Selection
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.by_end_points import ByEndPoints
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.engine import Checkpoints

MANY = 1 << 11
MANY_LONG = 1 << 7
"""Pairs that are worth two to a register, short and long ones: fewer would leave most of the device idle."""
LONG_CELLS = 1 << 24
"""Of a pair that is worth many multiprocessors."""
MOST = 1 << 22
"""Pairs that are planned at a time: a plan takes some hundred bytes of the device for each."""


class GpuPairs:
    """Exact alignments of pairs in any mode and alphabet on a CUDA device."""

    most = 1

    def __init__(self, *, prunes: bool = True, devices: Sequence[int] = (0,)) -> None:
        """Take the device into use, and compile what aligns.

        prunes: whether of long local pairs what can have no best alignment is left out. devices: CUDA's numbers of
        those that a long pair may go over; the first, which does all else, is 0. Answers are the same.
        """
        self._prunes, self._devices = prunes, devices
        with faults():
            self.name = device().name
            self._stream, *self._ways = [cupy.cuda.Stream(non_blocking=True) for _ in range(1 + WAYS)]
            self._staging, self._host, self._end_points = Staging(), CpuPairs(), GpuEndPoints()
            compile_all(pair_variants(device().capability))

    def several(self, selection: Selection) -> ByEndPoints:
        """As PairEngine.several has it: on the first device."""
        return ByEndPoints(self._end_points, selection)

    def align_batch(
        self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
    ) -> Generator[Columns, None, None]:
        """The best alignment of each pair, as PairEngine.align_batch has it; checkpoints are for pairs on the host."""
        with faults():
            for start in range(0, len(batch), MOST):
                for each in self._found(batch[start : start + MOST], scheme, report, checkpoints):
                    yield replace(each, numbers=start + each.numbers).told(report)

    def _found(
        self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None
    ) -> Generator[Columns, None, None]:
        answered = np.zeros(len(batch), np.bool_)
        for work in self._works(batch, answered, scheme, report):
            for each in done(batch, work, self._ways, self._staging):
                answered[each.numbers] = True
                yield each
        for each in on_stream(self._stream, self._long(batch, np.flatnonzero(~answered), scheme, report)):
            answered[each.numbers] = True
            yield replace(each, way="long")
        if answered.all():
            return
        others = np.flatnonzero(~answered)
        pairs = [batch[number] for number in others.tolist()]
        for each in on_stream(self._stream, align_coded(pairs, scheme)):
            found = each.numbered(others)
            answered[found.numbers] = True
            yield found
        yield from self._on_host(batch, np.flatnonzero(~answered), scheme, report, checkpoints)

    def _on_host(
        self, batch: PairBatch, numbers: Numbers, scheme: Scheme, report: Report, checkpoints: Checkpoints | None
    ) -> Generator[Columns, None, None]:
        """What no kernel takes: on the host's threads, which tell how far they are, and can be stopped."""
        pairs = PairBatch.of([batch[number] for number in numbers.tolist()])
        with closing(self._host.align_batch(pairs, scheme, report, checkpoints)) as found:
            for each in found:
                yield each.numbered(numbers)

    def _long(
        self, batch: PairBatch, numbers: Numbers, scheme: Scheme, report: Report
    ) -> Generator[Columns, None, None]:
        """Those of these pairs that are long; between launches, how far they are."""
        lengths = batch.lengths[:, numbers]
        long = numbers[np.multiply(*lengths) >= LONG_CELLS]
        if len(long) == 0:
            return
        alone = np.array([batch[number].most < BASES for number in long.tolist()])
        for bases, some in ((True, long[alone]), (False, long[~alone])):
            aligning = self._long_pairs(scheme, bases=bases) if len(some) else None
            if aligning is not None:
                yield from aligning.align(batch, some[aligning.holds(batch.lengths[:, some])], report)

    def _long_pairs(self, scheme: Scheme, *, bases: bool) -> LongPairs | None:
        return LongPairs.of(scheme, bases=bases, prunes=self._prunes, devices=self._devices)

    def _works(
        self, batch: PairBatch, answered: npt.NDArray[np.bool_], scheme: Scheme, report: Report
    ) -> Iterator[Work[Any]]:
        """What computes many pairs together that are not yet answered; those too few for it are left over."""
        if len(batch) >= MANY_LONG:
            band = BandWork.of(batch, scheme, report)
            if band is not None:
                yield band
        if len(batch) - answered.sum() < MANY_LONG:
            return
        scores = ScoreWork.of(batch, scheme, ~answered, self._staging) if report == "score" else None
        if scores is not None and scores.taken.sum() >= MANY:
            yield scores
            return
        for kind, least in ((ShortWork, MANY), (KeptWork, MANY_LONG)):
            work = None if answered.all() else kind.of(batch, scheme, ~answered)
            if work is not None and work.taken.sum() >= least:
                yield work
