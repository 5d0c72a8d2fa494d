"""What finds the best end points of local alignments of pairs, and the alignments that end there."""

from collections.abc import Sequence
from typing import Literal, Protocol

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint, Selection, best_ends
from shardwater.alignment.gotoh import align_ends
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.coded import CodedPair

Method = Literal["tiles", "row-scan"]
"""How a GPU fills a matrix: tiles of it by all multiprocessors, or row after row, the reference; both answer alike."""


class EndPointEngine(Protocol):
    """Finds end points exactly; two engines answer alike."""

    @property
    def engines(self) -> set[str]:
        """What has computed so far: `cpu`, devices' names."""
        ...

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> list[list[EndPoint]]:
        """The best end points of each pair under a local scheme, the best first (shardwater/alignment/ends.py)."""
        ...

    def align(
        self, pairs: Sequence[CodedPair], scheme: Scheme, ends: Sequence[Sequence[EndPoint]]
    ) -> list[list[Alignment]]:
        """The best alignments of each pair that end in some of its cells, which score above 0."""
        ...


class CpuEndPoints:
    """The EndPointEngine of a machine without a GPU: on one thread."""

    def __init__(self) -> None:
        self.engines = set[str]()

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> list[list[EndPoint]]:
        """As EndPointEngine.find has it."""
        self.engines.add("cpu")
        return [best_ends(pair.query, pair.subject, scheme, selection) for pair in pairs]

    def align(
        self, pairs: Sequence[CodedPair], scheme: Scheme, ends: Sequence[Sequence[EndPoint]]
    ) -> list[list[Alignment]]:
        """As EndPointEngine.align has it."""
        self.engines.add("cpu")
        return [align_ends(pair.query, pair.subject, scheme, each) for pair, each in zip(pairs, ends, strict=True)]
