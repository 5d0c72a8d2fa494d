"""What aligns pairs: the protocol of both engines."""

from collections.abc import Generator
from typing import Protocol

from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns


class PairEngine(Protocol):
    """Aligns pairs exactly, many at a time; two engines answer with the same bytes.

    Of several best alignments docs/pairs.md says which one counts.
    """

    @property
    def name(self) -> str:
        """What computes: `cpu`, or the device's name."""
        ...

    def align_batch(self, batch: PairBatch, scheme: Scheme, report: Report) -> Generator[Columns, None, None]:
        """The best alignment of each pair, some pairs at a time, in any order.

        Without runs where only its ends are wanted; where only its score is, without its places, which are 0.
        """
        ...
