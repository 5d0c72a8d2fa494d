"""CpuEndPoints: the EndPointEngine of a machine without a GPU."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeVar

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import Choice, EndPoint, Found, Selection, candidate_ends
from shardwater.alignment.gotoh import align_ends
from shardwater.alignment.scheme import Scheme
from shardwater.alignment.striped import align_end
from shardwater.alignment.watch import Watch
from shardwater.engines.threads import Threads
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.end_points import Ends, Steps
from shardwater.pairs.pieces import Pieces, span

NEWS_S = 0.02
"""How often it is told how far pairs are."""
MEMORY = 256 << 20
"""Bytes for the matrices of all threads together."""
Work = TypeVar("Work")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A pair or a piece of one: its number, where it begins in it, and after which row and column cells are its own."""

    number: int
    pair: CodedPair
    start: tuple[int, int] = (0, 0)
    after: tuple[int, int] = (0, 0)

    def candidates(self, scheme: Scheme, choice: Choice, least: int, watch: Watch) -> Found:
        """Cells of the whole pair that score so much."""
        query, subject = self.pair.query, self.pair.subject
        free, wanted = (
            choice.free((len(query), len(subject)), self.start, self.after),
            replace(choice.left, least=least),
        )
        return candidate_ends(query, subject, scheme, wanted, free, watch).shifted(*self.start)


class CpuEndPoints:
    """End points on threads: of each pair, or of pieces of it that stay in a processor's caches."""

    def __init__(self, threads: Threads | None = None) -> None:
        """Find on these threads; on one for each core when None."""
        self.engines, self._threads = set[str](), threads or Threads(None, "end-points")

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> Steps[list[Ends]]:
        """As EndPointEngine.find has it."""
        works = [piece for number, pair in enumerate(pairs) for piece in _pieces(number, pair, scheme)]
        choices, share = [Choice(selection) for _ in pairs], _cells(pairs) / _cells([work.pair for work in works])
        while works:
            yield from self._pass(works, scheme, choices, share)
            # What another pass computes is computed again, and was told.
            works, share = [work for work in works if not choices[work.number].is_whole], 0
        return [Ends("cpu", choice.points) for choice in choices]

    def _pass(self, works: Sequence[_Piece], scheme: Scheme, choices: Sequence[Choice], share: float) -> Steps[None]:
        """Choose once more of the pairs of these pieces."""
        found, leasts = dict[int, Found](), [choice.left.least for choice in choices]

        def candidates(work: _Piece, watch: Watch) -> Found:
            return work.candidates(scheme, choices[work.number], leasts[work.number], watch)

        def add(work: _Piece, more: Found) -> None:
            # A long pair has so many pieces that all they hold is too much.
            known, left = found.get(work.number), choices[work.number].left
            found[work.number] = more if known is None else Found.joined((known, more), left)
            # Later pieces need not have what is known not to be chosen.
            leasts[work.number] = max(leasts[work.number], found[work.number].least(left))

        yield from self._each(works, candidates, add, share)
        for number, each in found.items():
            choices[number].add(each)

    def align(
        self, pairs: Sequence[CodedPair], scheme: Scheme, ends: Sequence[Sequence[EndPoint]]
    ) -> Steps[list[list[Alignment]]]:
        """As EndPointEngine.align has it."""
        memory = MEMORY // (2 * self._threads.count)
        works = [(number, some) for number, pair in enumerate(pairs) for some in _together(pair, scheme, ends[number])]

        aligned: list[list[Alignment]] = [[] for _ in pairs]

        def align(work: tuple[int, Sequence[EndPoint]], watch: Watch) -> list[Alignment]:
            number, some = work
            pair = pairs[number]
            if len(some) == 1:
                return [_align_end(pair, scheme, some[0], memory, watch)]
            return align_ends(pair.query, pair.subject, scheme, some, memory, watch)

        def add(work: tuple[int, Sequence[EndPoint]], found: list[Alignment]) -> None:
            aligned[work[0]] += found

        # Rows are computed twice, as a rule.
        yield from self._each(works, align, add, 1 / 2)
        return aligned

    def _each(
        self,
        works: Sequence[Work],
        make: Callable[[Work, Watch], Made],
        add: Callable[[Work, Made], None],
        share: float,
    ) -> Steps[None]:
        """Add what is made of each, in order. share: which one of the cells that are computed is told."""
        watch = Watch()
        self.engines.add("cpu")
        try:
            with closing(self._threads.in_time(lambda work: make(work, watch), works, NEWS_S)) as found:
                for each in found:
                    if each is not None:
                        add(*each)
                    yield int(share * watch.news())
        finally:
            watch.stop()


def _cells(pairs: Sequence[CodedPair]) -> int:
    return max(1, sum(pair.cells for pair in pairs))


def _pieces(number: int, pair: CodedPair, scheme: Scheme) -> list[_Piece]:
    pieces = Pieces.in_cache(pair, scheme)
    if pieces is None:
        return [_Piece(number, pair)]
    return [
        _Piece(number, pieces.piece(pair, place), pieces.along(letters.start), pieces.along(shared))
        for place, (letters, shared) in enumerate(zip(pieces.ranges, pieces.shared, strict=True))
    ]


def _window(pair: CodedPair, scheme: Scheme, end: EndPoint) -> tuple[int, int]:
    """Letters of query and subject before an end that its alignment may have."""
    spans = span(end.column, scheme), span(end.row, scheme)
    rows, columns = spans
    return min(end.row, rows or end.row), min(end.column, columns or end.column)


def _together(pair: CodedPair, scheme: Scheme, ends: Sequence[EndPoint]) -> list[Sequence[EndPoint]]:
    """Each end by itself where all their windows are less than the matrix; else all of them."""
    windows = (_window(pair, scheme, end) for end in ends)
    if len(ends) == 0 or sum(rows * columns for rows, columns in windows) > pair.cells:
        return [ends]
    return [[end] for end in ends]


def _align_end(pair: CodedPair, scheme: Scheme, end: EndPoint, memory: int, watch: Watch) -> Alignment:
    """On its way no cell is worth less than in the whole matrix, and beside it none is worth more (pieces.py)."""
    rows, columns = _window(pair, scheme, end)
    before = end.row - rows, end.column - columns
    query, subject = pair.query[before[0] : end.row], pair.subject[before[1] : end.column]
    return align_end(query, subject, scheme, end.score, memory, watch).shifted(*before)
