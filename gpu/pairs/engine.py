"""GpuPairs: the PairEngine protocol on one CUDA device."""

from collections.abc import Sequence

import cupy
import numpy as np

from gpu.device import DeviceFault, device, faults, free_bytes
from gpu.launch.streams import on_stream
from gpu.pairs.found import sent
from gpu.pairs.shapes import Numbers, Shapes
from gpu.pairs.short import LETTERS, Layout, align_short, batches, bits_for, takes
from gpu.pairs.traceback import align_coded
from gpu.variants import compile_all, pair_variants, takes_short_pairs
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.scheme import Scheme
from shardwater.engines.engine import Slice, Slices
from shardwater.pairs.engine import CodedPair, Report, told

MANY = 1 << 11
"""Short pairs of DNA that are worth a thread for every two of them: fewer would leave most of the device idle."""
MEMORY = 16 << 30
"""Bytes of low bits on the device at a time; never more than a quarter of what is free."""
SLICE_PAIRS = 1024


class GpuPairs:
    """Exact alignments of pairs in any mode and alphabet on a CUDA device."""

    def __init__(self) -> None:
        """Take the device into use, and compile what aligns."""
        with faults():
            self.name = device().name
            self._stream = cupy.cuda.Stream(non_blocking=True)
            try:
                compile_all(pair_variants(device().capability))
            except (RuntimeError, cupy.cuda.compiler.CompileException) as error:
                raise DeviceFault(f"the kernels do not compile: {error}") from error

    def align(self, pairs: Sequence[CodedPair], scheme: Scheme, report: Report) -> Slices[Alignment | None]:
        """The best alignment of each pair, as PairEngine.align has it."""
        with faults():
            for each in on_stream(self._stream, _align(pairs, scheme)):
                if report == "alignment":
                    yield each
                else:
                    answers = [(number, found and told(found, report)) for number, found in each.answers]
                    yield Slice(each.cells, answers)


def _align(pairs: Sequence[CodedPair], scheme: Scheme) -> Slices[Alignment | None]:
    shapes = Shapes.of(pairs)
    able = takes_short_pairs(device().capability) and bits_for(scheme) is not None
    short = takes(shapes, scheme) & able
    if short.sum() >= MANY:
        short &= np.fromiter((_bases(pair) for pair in pairs), np.bool_, len(pairs))
    if short.sum() < MANY:
        yield from align_coded(pairs, scheme)
        return
    yield from _align_short(pairs, shapes, np.flatnonzero(short), scheme)
    others = np.flatnonzero(~short).tolist()
    for each in align_coded([pairs[number] for number in others], scheme):
        yield Slice(each.cells, [(others[place], found) for place, found in each.answers])


def _bases(pair: CodedPair) -> bool:
    return bool(pair.query.max(initial=0) < LETTERS and pair.subject.max(initial=0) < LETTERS)


def _align_short(
    pairs: Sequence[CodedPair], shapes: Shapes, chosen: Numbers, scheme: Scheme
) -> Slices[Alignment | None]:
    bits = bits_for(scheme)
    assert bits is not None
    for batch in batches(shapes, chosen, bits, min(MEMORY, free_bytes() // 4)):
        numbers = batch.tolist()
        letters = b"".join([part for number in numbers for part in (pairs[number].query, pairs[number].subject)])
        some = shapes.select(batch)
        lengths = some.queries + some.subjects
        layout = Layout.of(some, np.cumsum(lengths) - lengths, np.arange(len(batch)), bits)
        found = align_short(sent([letters], cupy.cuda.get_current_stream()), layout, scheme).fetch(scheme.mode.local)
        order = batch[layout.order]
        for start in range(0, len(order), SLICE_PAIRS):
            part = order[start : start + SLICE_PAIRS]
            made = [(number, found.alignment(index)) for index, number in enumerate(part.tolist(), start)]
            yield Slice(int(shapes.cells[part].sum()), made)
