"""What an engine answers, as tests compare it."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from shardwater.engines.engine import Engine, ScoreRun, gather
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_scores
from shardwater.search.hits import Score
from shardwater.sequences.fasta import Record


def best_of(engine: Engine, queries: Sequence[Record], scoring: Scoring, top: int) -> list[list[Score]]:
    """The best subjects of each query that a search finds."""
    return [found.best for found in gather(engine.search(queries, scoring, top))]


def runs_of(engine: Engine, queries: Sequence[Record], scoring: Scoring) -> list[ScoreRun]:
    """All scores of each query as a survey hands them out."""
    slices = engine.survey(queries, scoring, [best_scores(1)] * len(queries), True)
    return [run for each in slices for run in each.scores]


def scores_of(engine: Engine, query: Record, scoring: Scoring) -> npt.NDArray[np.int32]:
    """The score of every subject of the shard, by position."""
    return np.concatenate([np.zeros(0, np.int32), *(run.scores for run in runs_of(engine, [query], scoring))])
