"""What aligns pairs: the protocol of both engines."""

from collections.abc import Generator
from typing import Protocol

from shardwater.alignment.keeper import Keeper
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.columns import Columns


class Keepers(Protocol):
    """What keeps how far long alignments are."""

    def of(self, pair: CodedPair, scheme: Scheme, report: Report) -> Keeper:
        """The keeper of a pair: the same one whoever asks for it."""
        ...


class PairEngine(Protocol):
    """Aligns pairs exactly, many at a time; two engines answer with the same bytes.

    Of several best alignments docs/pairs.md says which one counts.
    """

    @property
    def name(self) -> str:
        """What computes: `cpu`, or the device's name."""
        ...

    def align_batch(
        self, batch: PairBatch, scheme: Scheme, report: Report, keepers: Keepers | None = None
    ) -> Generator[Columns, None, None]:
        """The best alignment of each pair, some pairs at a time, in any order.

        Without runs where only its ends are wanted; where only its score is, without its places, which are 0. keepers:
        from which a pair that takes minutes goes on where it was left; with or without, answers are the same.
        """
        ...
