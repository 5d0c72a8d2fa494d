"""What finds the best end points of local alignments of pairs, and the alignments that end there."""

from collections.abc import Generator, Sequence
from typing import Literal, NamedTuple, Protocol, TypeVar

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint, Selection
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.columns import Way

Method = Literal["tiles", "row-scan"]
"""How a GPU fills a matrix: tiles of it by all multiprocessors, or row after row, the reference; both answer alike."""
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
