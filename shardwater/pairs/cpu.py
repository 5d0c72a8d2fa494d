"""Pairs aligned on the CPU: in bands where they are alike (alike.py), else all cells.

Of these parasail computes the numbers where it takes them (striped.py), else numpy does, a row at a time (gotoh.py).
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.band import LAST
from shardwater.alignment.ends import Selection
from shardwater.alignment.scheme import Scheme
from shardwater.alignment.striped import align_pair, end_pair, local_end, score_pair
from shardwater.alignment.watch import Watch
from shardwater.engines.threads import Threads
from shardwater.pairs.alike import WIDER, Alike
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.by_end_points import ByEndPoints
from shardwater.pairs.coded import CodedPair, Report, told
from shardwater.pairs.columns import Columns
from shardwater.pairs.cpu_end_points import CpuEndPoints
from shardwater.pairs.engine import Checkpoints
from shardwater.pairs.pieces import Pieces

PART_PAIRS, PART_CELLS = 64, 64_000_000
"""What a thread does at a time ends at so many pairs, or about so many cells."""
NEWS_S = 0.02
"""How often it is told how far long pairs are: for so long a better part waits for its turn, or a cancel to be seen."""
PASSES = 2
"""So often a row of a long pair is computed as a rule. What is told ahead of an answer is never more than it has."""
KEPT_CELLS = 100_000_000
"""Of a pair of which it is kept how far it is: fewer take a second."""
MEMORY = 256 << 20
"""Bytes for the matrices of all threads together, where those of a pair are large."""


class CpuPairs:
    """The PairEngine of a machine without a GPU."""

    name, most = "cpu", 1

    def __init__(self, threads: int | None = None) -> None:
        """Align on so many threads; all cores when None."""
        self._threads = Threads(threads, "pairs")

    def several(self, selection: Selection) -> ByEndPoints:
        """As PairEngine.several has it."""
        return ByEndPoints(CpuEndPoints(self._threads), selection)

    def align_batch(
        self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
    ) -> Generator[Columns, None, None]:
        """The best alignment of each pair, as PairEngine.align_batch has it."""
        stage = _Stage(batch, scheme, report, MEMORY // (2 * self._threads.count), checkpoints)
        numbers: list[int] = list(range(len(batch)))
        # Pairs that one band does not prove go together into wider ones, and what these do not prove is left.
        for last in (LAST, WIDER, None):
            parts = stage.parts(numbers, last)
            local = scheme.mode.local
            with closing(align_parts(self._threads, stage.align, parts, batch.lengths, local)) as aligned:
                for each in aligned:
                    # Within a call parasail tells nothing: a cell, then, so that a worker is not taken for one that
                    # hangs.
                    yield each if len(each) else replace(each, ahead=max(1, each.ahead))
            numbers = stage.taken_unproved()
            if not numbers:
                return


Answers = list[tuple[int, Alignment | None]]
"""The alignments of some pairs, each after its number."""


@dataclass(slots=True, eq=False)
class _Stage:
    """The pairs of a batch that are aligned in bands of one width, and all that are aligned without."""

    batch: PairBatch
    scheme: Scheme
    report: Report
    memory: int
    checkpoints: Checkpoints | None
    _banded: set[int] = field(default_factory=set)
    _unproved: list[int] = field(default_factory=list)
    _last: int = LAST

    @property
    def _alike(self) -> Alike | None:
        return Alike.of(self.scheme, self.report, self.memory)

    def parts(self, numbers: Sequence[int], last: int | None) -> list[list[int]]:
        """These pairs as parts; last: the last diagonal of bands, None for no bands."""
        alike = self._alike
        bands = [] if alike is None or last is None else list(alike.parts(self.batch, numbers, last))
        self._banded, self._last = set(chain.from_iterable(bands)), last or LAST
        return [*bands, *_parts(self.batch, [number for number in numbers if number not in self._banded])]

    def align(self, part: Sequence[int], watch: Watch) -> Answers:
        """The alignments of a part, without those that its band does not prove. By several threads."""
        alike = self._alike
        if alike is None or part[0] not in self._banded:
            rest = self.scheme, self.report, self.memory, watch, self.checkpoints
            return [(number, _aligned(self.batch[number], *rest)) for number in part]
        found = alike.align([self.batch[number] for number in part], self._last, watch)
        answers = list(zip(part, found, strict=True))
        self._unproved += [number for number, each in answers if each is None]
        return [answer for answer in answers if answer[1] is not None]

    def taken_unproved(self) -> list[int]:
        """The pairs that no band has proved since this was last called, in order."""
        unproved, self._unproved = sorted(self._unproved), []
        return unproved


def align_parts(
    threads: Threads,
    align: Callable[[Sequence[int], Watch], Answers],
    parts: Iterable[Sequence[int]],
    lengths: Numbers,
    local: bool,
) -> Generator[Columns, None, None]:
    """The answers of `align` for parts of some pairs, given by their numbers, and several times a second how far it is.

    lengths (2, pairs): of their queries and subjects. What is at work ends soon after this is left.
    """
    watch, untold = Watch(), int(np.multiply(*lengths).sum())
    try:
        with closing(threads.in_time(lambda part: align(part, watch), parts, NEWS_S)) as aligned:
            for each in aligned:
                if each is None:
                    # Whatever is computed again counts once.
                    news = min(untold, watch.news() // PASSES)
                    untold -= news
                    yield Columns.nothing(local, news)
                else:
                    yield replace(Columns.of(each[1], lengths, local), way="cpu")
    finally:
        watch.stop()


def _aligned(
    pair: CodedPair, scheme: Scheme, report: Report, memory: int, watch: Watch, checkpoints: Checkpoints | None
) -> Alignment | None:
    pieces = Pieces.in_cache(pair, scheme)
    best = None if pieces is None else _best(pair, pieces, scheme, watch)
    if pieces is None or best is None:
        return _whole(pair, scheme, report, memory, watch, checkpoints)
    score, number = best
    if score == 0:
        return None
    if report == "score":
        return Alignment.scored(score)
    found = _whole(pieces.piece(pair, number), scheme, report, memory, watch, checkpoints)
    return None if found is None else found.shifted(*pieces.along(pieces.ranges[number].start))


def _whole(
    pair: CodedPair, scheme: Scheme, report: Report, memory: int, watch: Watch, checkpoints: Checkpoints | None
) -> Alignment | None:
    if report == "score":
        score = score_pair(pair.query, pair.subject, scheme, watch)
        return None if scheme.mode.local and score == 0 else Alignment.scored(score)
    mode = scheme.mode
    if report == "ends" and not (mode.local or mode.query_begin or mode.subject_begin):
        return end_pair(pair.query, pair.subject, scheme, memory, watch)
    checkpoint = None if checkpoints is None or pair.cells < KEPT_CELLS else checkpoints.of(pair, scheme, report)
    found = align_pair(pair.query, pair.subject, scheme, memory, watch, checkpoint)
    return None if found is None else told(found, report)


def _best(pair: CodedPair, pieces: Pieces, scheme: Scheme, watch: Watch) -> tuple[int, int] | None:
    """The best score and the number of the piece that ends the pair; None where parasail does not take them."""
    best, count = (-1, 0, 0, 0), len(pieces.ranges)
    for number, letters in enumerate(pieces.ranges):
        piece = pieces.piece(pair, number)
        end = local_end(piece.query, piece.subject, scheme, watch)
        if end is None:
            return None
        score, *places = end
        places[pieces.side] += letters.start
        # What ends in letters that two pieces share is whole in the first of them.
        best = max(best, (score, -places[0], -places[1], -number))
        # Half of what is told; the alignment of the piece tells the rest.
        watch.passed(PASSES * pair.cells // (2 * count))
    return best[0], -best[3]


def _parts(pairs: Sequence[CodedPair], numbers: Iterable[int]) -> Iterator[list[int]]:
    """These numbers of pairs, in groups of at most PART_PAIRS and about PART_CELLS."""
    part, cells = list[int](), 0
    for number in numbers:
        part.append(number)
        cells += pairs[number].cells
        if len(part) == PART_PAIRS or cells >= PART_CELLS:
            yield part
            part, cells = [], 0
    if part:
        yield part
