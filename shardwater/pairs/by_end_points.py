"""Local pairs aligned by way of their best end points: several alignments of each, or one by the reference path."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint, Selection, apart, best_first
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.errors import EngineError, ScoringError
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.coded import Report, told
from shardwater.pairs.columns import Columns
from shardwater.pairs.end_points import EndPointEngine, Steps
from shardwater.pairs.engine import Checkpoints
from shardwater.pairs.strands import Strands
from shardwater.steps import mapped

MOST_BEST = 1000
"""Alignments of a pair that may be asked for."""
APART = 5
"""Letters between end points, where it is not said how many: those of SSCA#1."""
THE_BEST = Selection(count=1)
TOGETHER_PAIRS, TOGETHER_CELLS = 64, 1 << 30
"""Pairs are found together up to so many, and so many cells."""

Made = TypeVar("Made")


def selection_of(best: int, query_apart: int | None, subject_apart: int | None) -> Selection:
    """So many alignments, whose ends are so many letters apart. Raises ScoringError."""
    apart = [APART if each is None else each for each in (query_apart, subject_apart)]
    if best > 1:
        return Selection(best, 1, *apart)
    if query_apart is not None or subject_apart is not None:
        given = "subject_apart" if query_apart is None else "query_apart"
        raise ScoringError("query_apart and subject_apart need a best of 2 or more", given)
    return THE_BEST


def check_several(mode: Mode, strand: Strands) -> None:
    """Raise ScoringError where several alignments of a pair are not to be had."""
    if not mode.local:
        raise ScoringError("several alignments of a pair (best) need local mode", "best")
    if strand != "forward":
        raise ScoringError("several alignments of a pair (best) need strand=forward", "best")


class ByEndPoints:
    """The PairEngine of local schemes that an EndPointEngine makes.

    A pair has as many alignments as end points are selected: the one that PairEngine.align_batch has of each, the best
    first. They may share letters; only their ends are apart.
    """

    def __init__(self, engine: EndPointEngine, selection: Selection = THE_BEST) -> None:
        self._engine, self._selection = engine, selection

    @property
    def name(self) -> str:
        """As PairEngine.name has it."""
        return ", ".join(sorted(self._engine.engines))

    @property
    def most(self) -> int:
        """As PairEngine.most has it."""
        return self._selection.count

    def several(self, selection: Selection) -> "ByEndPoints":
        """As PairEngine.several has it."""
        return ByEndPoints(self._engine, selection)

    def align_batch(
        self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
    ) -> Generator[Columns, None, None]:
        """As PairEngine.align_batch has it; nothing is kept of pairs under way."""
        assert scheme.mode.local
        cells = np.multiply(*batch.lengths)
        empty = [(number, None) for number in np.flatnonzero(cells == 0).tolist()]
        yield replace(Columns.of(empty, batch.lengths, local=True), way="cpu")
        for some in _together(cells):
            pairs = [batch[number] for number in some]
            # A pair is gone through once for its end points, and once more for its alignments.
            passes = 1 if report == "score" else 2
            ends = yield from _ahead(self._engine.find(pairs, scheme, self._selection), passes)
            points = [each.points for each in ends]
            for each in points:
                _check(each, self._selection)
            if report == "score":
                found = [[Alignment.scored(point.score) for point in each] for each in points]
            else:
                aligned = yield from _ahead(self._engine.align(pairs, scheme, points), passes)
                if [list(map(_end, each)) for each in aligned] != points:
                    raise EngineError("the engine has aligned to other cells than it was asked for")
                found = [[told(alignment, report) for alignment in each] for each in aligned]
            for number, alignments, (way, _) in zip(some, found, ends, strict=True):
                rows: list[tuple[int, Alignment | None]] = [(number, each) for each in alignments]
                rows = rows or [(number, None)]
                yield replace(Columns.of(rows, batch.lengths, local=True), way=way)


def _end(alignment: Alignment) -> EndPoint:
    return EndPoint(alignment.score, alignment.query_end, alignment.subject_end)


def _check(points: Sequence[EndPoint], selection: Selection) -> None:
    """Raise EngineError where end points are not in order, or not so far apart. Whether one is missing nobody tells."""
    cells = np.array(points, np.int64).reshape(-1, len(EndPoint._fields)).T
    least = min((point.score for point in points), default=selection.least)
    if len(points) > selection.count or least < selection.least or not np.array_equal(cells, best_first(cells)):
        raise EngineError("the engine's end points are too many, too low or not in order")
    if len(set(points)) < len(points) or len(apart(cells, selection.count, selection.apart)) < len(points):
        raise EngineError("two end points are closer to each other than they may be")


def _ahead(steps: Steps[Made], passes: int) -> Generator[Columns, None, Made]:
    """What steps make; on the way, how far they are. At least a cell a step: a worker must not seem to hang."""
    return mapped(steps, lambda cells: Columns.nothing(True, max(1, cells // passes)))


def _together(cells: Numbers) -> Iterator[list[int]]:
    """The numbers of pairs that have cells, some at a time."""
    some, held = list[int](), 0
    for number in np.flatnonzero(cells).tolist():
        if some and (len(some) == TOGETHER_PAIRS or held + cells[number] > TOGETHER_CELLS):
            yield some
            some, held = [], 0
        some.append(number)
        held += int(cells[number])
    if some:
        yield some
