"""Local pairs aligned by way of their best end points: the reference path, which a GPU does row by row."""

from collections.abc import Generator

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import Selection
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair, Report, told
from shardwater.pairs.columns import Columns
from shardwater.pairs.end_points import EndPointEngine
from shardwater.pairs.engine import Keepers

THE_BEST = Selection(count=1)


class ByEndPoints:
    """The PairEngine of local schemes that an EndPointEngine makes: a pair at a time, with the same answers."""

    def __init__(self, engine: EndPointEngine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        """As PairEngine.name has it."""
        return ", ".join(sorted(self._engine.engines))

    def align_batch(
        self, batch: PairBatch, scheme: Scheme, report: Report, keepers: Keepers | None = None
    ) -> Generator[Columns, None, None]:
        """As PairEngine.align_batch has it; nothing is kept of pairs under way."""
        assert scheme.mode.local
        for number, pair in enumerate(batch):
            yield Columns.of([(number, self._found(pair, scheme, report))], batch.lengths, local=True)

    def _found(self, pair: CodedPair, scheme: Scheme, report: Report) -> Alignment | None:
        if pair.cells == 0:
            return None
        [ends] = self._engine.find([pair], scheme, THE_BEST)
        if not ends:
            return None
        if report == "score":
            return Alignment(ends[0].score, 0, 0, 0, 0, ())
        [[found]] = self._engine.align([pair], scheme, [ends])
        return told(found, report)
