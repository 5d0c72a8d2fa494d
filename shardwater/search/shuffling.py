"""Z-values of hits: shuffles of query and subject, scored on the engine as crowds (shuffles.py has what they mean)."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.engines.engine import Crowd, Engine
from shardwater.errors import EngineError
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode
from shardwater.statistics.shuffles import Shuffled, Shuffling, Spread


@dataclass(frozen=True, slots=True)
class ScoredQuery:
    """A query and its subjects, as their letters came, with the score of each."""

    query: bytes
    subjects: Sequence[bytes]
    scores: Sequence[int]
    shuffling: Shuffling


Shares = Generator[float, None, list[list[Shuffled]]]
"""Work that tells by which share of it is done more, and returns what was found of each query's subjects."""


def zvalues(engine: Engine, scoring: Scoring, asked: Sequence[ScoredQuery]) -> Shares:
    """What shuffles say of each score; raises EngineError unless the engine has scored all of them."""
    found: list[list[Shuffled]] = []
    cells = max(1, sum(_cells(one) for one in asked))
    for one in asked:
        query, subjects = encode(one.query), [encode(subject) for subject in one.subjects]
        # The query is shuffled once, for all its subjects.
        crowds = [Crowd(subjects, query, one.shuffling), *(Crowd([query], each, one.shuffling) for each in subjects)]
        of_query, *of_subjects = yield from _scores(engine, scoring, crowds, cells)
        spreads = [
            Shuffled.of(Spread.of(score, by_query), Spread.of(score, by_subject))
            for score, by_query, [by_subject] in zip(one.scores, of_query, of_subjects, strict=True)
        ]
        found.append(spreads)
    return found


def _cells(one: ScoredQuery) -> int:
    """Of both sequences' shuffles."""
    return 2 * one.shuffling.count * len(one.query) * sum(map(len, one.subjects))


def _scores(
    engine: Engine, scoring: Scoring, crowds: Sequence[Crowd], cells: int
) -> Generator[float, None, list[npt.NDArray[np.int32]]]:
    answers: dict[int, npt.NDArray[np.int32]] = {}
    with closing(engine.score(crowds, scoring)) as slices:
        for each in slices:
            answers.update(each.answers)
            yield each.cells / cells
    for number, crowd in enumerate(crowds):
        asked = len(crowd.ones) * crowd.shuffling.count
        scored = int((answers.get(number, np.zeros(0)) >= 0).sum())
        if scored != asked:
            raise EngineError(f"{scored:,} of {asked:,} shuffles were scored")
    return [answers[number] for number in range(len(crowds))]
