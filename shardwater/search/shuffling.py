"""Z-values of hits: shuffles of query and subject, scored on the engine as crowds (shuffles.py has what they mean)."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.engines.engine import Crowd, Engine
from shardwater.errors import EngineError
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import Codes, encode
from shardwater.statistics.shuffles import Shuffled, Shuffling, Spread

CROWDS_LETTERS = 1 << 25
"""Letters of shuffles, and of what they are scored with, that go to the engine together, about: hundreds of hits."""


@dataclass(frozen=True, slots=True)
class ScoredQuery:
    """A query and its subjects, as their letters came, with the score of each."""

    query: bytes
    subjects: Sequence[bytes]
    scores: Sequence[int]
    shuffling: Shuffling


Shuffles = npt.NDArray[np.uint8]
Shares = Generator[float, None, list[list[Shuffled]]]
"""Work that tells by which share of it is done more, and returns what was found of each query's subjects."""


def zvalues(engine: Engine, scoring: Scoring, asked: Sequence[ScoredQuery]) -> Shares:
    """What shuffles say of each score; raises EngineError where the engine has not scored all of them."""
    found: list[list[Shuffled]] = []
    letters = max(1, sum(_letters(one) for one in asked))
    for one in asked:
        query, spreads = encode(one.query), list[Shuffled]()
        # Each query is shuffled once, for all its subjects.
        shuffles = one.shuffling.rows(query, range(one.shuffling.count))
        for part in _parts(one):
            subjects = [encode(subject) for subject in one.subjects[part.start : part.stop]]
            scores = one.scores[part.start : part.stop]
            crowds = [crowd for subject in subjects for crowd in _crowds(query, subject, shuffles, one.shuffling)]
            scored = yield from _scores(engine, scoring, crowds, letters)
            for number, score in enumerate(scores):
                of_query, of_subject = (Spread.of(score, each.tolist()) for each in scored[2 * number : 2 * number + 2])
                spreads.append(Shuffled.of(of_query, of_subject))
        found.append(spreads)
    return found


def _letters(one: ScoredQuery) -> int:
    """What of a query's work counts: letters of all shuffles, times those of what they are scored against."""
    return 2 * one.shuffling.count * len(one.query) * sum(map(len, one.subjects))


def _parts(one: ScoredQuery) -> Generator[range, None, None]:
    """Places among subjects, in runs of about CROWDS_LETTERS, or of one."""
    first, letters = 0, 0
    for place, subject in enumerate(one.subjects):
        own = one.shuffling.count * (2 * len(one.query) + len(subject))
        if place > first and letters + own > CROWDS_LETTERS:
            yield range(first, place)
            first, letters = place, 0
        letters += own
    if first < len(one.subjects):
        yield range(first, len(one.subjects))


def _crowds(query: Codes, subject: Codes, shuffles: Shuffles, shuffling: Shuffling) -> tuple[Crowd, Crowd]:
    """The subject among shuffles of the query, and the query among those of the subject."""
    count = shuffling.count
    return (
        Crowd(subject, count, len(query), lambda numbers: shuffles[numbers.start : numbers.stop]),
        Crowd(query, count, len(subject), lambda numbers: shuffling.rows(subject, numbers)),
    )


def _scores(
    engine: Engine, scoring: Scoring, crowds: Sequence[Crowd], cells: int
) -> Generator[float, None, list[npt.NDArray[np.int32]]]:
    answers: dict[int, npt.NDArray[np.int32]] = {}
    with closing(engine.score(crowds, scoring)) as slices:
        for each in slices:
            answers.update(each.answers)
            yield each.cells / cells
    for number, crowd in enumerate(crowds):
        if len(answers.get(number, ())) != crowd.count:
            raise EngineError(f"{len(answers.get(number, ())):,} of {crowd.count:,} shuffles were scored")
    return [answers[number] for number in range(len(crowds))]
