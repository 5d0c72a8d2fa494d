"""What aligns pairs: the protocol of both engines."""

from collections.abc import Generator
from typing import Protocol

from shardwater.alignment.checkpoint import Checkpoint
from shardwater.alignment.ends import Selection
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.columns import Columns


class Checkpoints(Protocol):
    """Where it is saved how far long alignments are."""

    def of(self, pair: CodedPair, scheme: Scheme, report: Report) -> Checkpoint:
        """The checkpoint of a pair: the same one whoever asks for it."""
        ...


class PairEngine(Protocol):
    """Aligns pairs exactly, many at a time; two engines answer with the same bytes.

    Of several best alignments docs/pairs.md says which one counts.
    """

    @property
    def name(self) -> str:
        """What computes: `cpu`, or the device's name."""
        ...

    @property
    def most(self) -> int:
        """Alignments of a pair that it finds, at most."""
        ...

    def several(self, selection: Selection) -> "PairEngine":
        """An engine of local schemes that finds the best alignments whose ends are selected (by_end_points.py)."""
        ...

    def align_batch(
        self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
    ) -> Generator[Columns, None, None]:
        """The best alignments of each pair, best first: as a rule one. Some pairs at a time, in any order.

        Without runs where only its ends are wanted; where only its score is, without its places, which are 0.
        checkpoints: from which a pair that takes minutes goes on where it was left; with or without, answers are the
        same.
        """
        ...
