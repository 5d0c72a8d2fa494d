"""What finds the best end points of local alignments of pairs, and the alignments that end there."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Literal, NamedTuple, Protocol, TypeVar

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint, Selection, best_ends
from shardwater.alignment.gotoh import align_ends
from shardwater.alignment.scheme import Scheme
from shardwater.alignment.watch import Watch
from shardwater.engines.threads import Threads
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.columns import Way

Method = Literal["tiles", "row-scan"]
"""How a GPU fills a matrix: tiles of it by all multiprocessors, or row after row, the reference; both answer alike."""
NEWS_S = 0.02
"""How often it is told how far pairs are."""
MEMORY = 256 << 20
"""Bytes for the matrices of all threads together."""
Made = TypeVar("Made")
Steps = Generator[int, None, Made]
"""Work in steps: each tells how many cells were computed since the last one, about, and never more than pairs have."""


class Ends(NamedTuple):
    """The end points of a pair, best first, and how they were computed."""

    way: Way
    points: list[EndPoint]


class EndPointEngine(Protocol):
    """Finds end points exactly; two engines answer alike."""

    @property
    def engines(self) -> set[str]:
        """What has computed so far: `cpu`, devices' names."""
        ...

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> Steps[list[Ends]]:
        """The best end points of each pair under a local scheme (shardwater/alignment/ends.py)."""
        ...

    def align(
        self, pairs: Sequence[CodedPair], scheme: Scheme, ends: Sequence[Sequence[EndPoint]]
    ) -> Steps[list[list[Alignment]]]:
        """The best alignments of each pair that end in some of its cells, which score above 0."""
        ...


def finished(steps: Steps[Made]) -> Made:
    """What steps make, once all are done."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            made: Made = done.value
            return made


class CpuEndPoints:
    """The EndPointEngine of a machine without a GPU: a pair a thread."""

    def __init__(self, threads: Threads | None = None) -> None:
        """Find on these threads; on one for each core when None."""
        self.engines, self._threads = set[str](), threads or Threads(None, "end-points")

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> Steps[list[Ends]]:
        """As EndPointEngine.find has it."""

        def of_pair(number: int, watch: Watch) -> Ends:
            pair = pairs[number]
            return Ends("cpu", best_ends(pair.query, pair.subject, scheme, selection, watch))

        return self._each(len(pairs), of_pair)

    def align(
        self, pairs: Sequence[CodedPair], scheme: Scheme, ends: Sequence[Sequence[EndPoint]]
    ) -> Steps[list[list[Alignment]]]:
        """As EndPointEngine.align has it."""
        memory = MEMORY // (2 * self._threads.count)

        def of_pair(number: int, watch: Watch) -> list[Alignment]:
            pair = pairs[number]
            return align_ends(pair.query, pair.subject, scheme, ends[number], memory, watch)

        return self._each(len(pairs), of_pair, passes=2)

    def _each(self, pairs: int, of_pair: Callable[[int, Watch], Made], passes: int = 1) -> Steps[list[Made]]:
        """What is made of each pair by its number. passes: how often a row is computed, as a rule."""
        watch, made = Watch(), list[Made]()
        self.engines.add("cpu")
        try:
            with closing(self._threads.in_time(lambda number: of_pair(number, watch), range(pairs), NEWS_S)) as found:
                for each in found:
                    if each is not None:
                        made.append(each[1])
                    yield watch.news() // passes
        finally:
            watch.stop()
        return made
