"""What an engine answers, as tests compare it."""

from collections.abc import Sequence

from shardwater.engines.engine import Engine, gather
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import Score
from shardwater.sequences.fasta import Record


def best_of(engine: Engine, queries: Sequence[Record], scoring: Scoring, top: int) -> list[list[Score]]:
    """The best subjects of each query that a search finds."""
    return [found.best for found in gather(engine.search(queries, scoring, top))]
