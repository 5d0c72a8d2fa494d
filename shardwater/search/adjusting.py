"""Hits judged by their adjusted E-values: which are left, in which order, and what is told of the others.

Of what is searched, the best are found and cut as they score; then each of these that has a small enough E-value is
judged once more, by the score that composition leaves of it. That is never better than before: nobody comes in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shardwater.alignment.alignment import Alignment
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import SubjectHit
from shardwater.search.ordering import place
from shardwater.search.parameters import Parameters
from shardwater.sequences.alphabet import encode
from shardwater.statistics.composition import scales
from shardwater.statistics.evalue import Figures, Statistics

METHOD = "aligned-regions"


class Judged(NamedTuple):
    """A subject that may be a hit, and what its score means."""

    hit: SubjectHit
    figures: Figures


@dataclass(frozen=True, slots=True)
class Adjustment:
    """How E-values were adjusted to composition, and what that has left out.

    left_out: subjects within the limits as they score, but not as adjusted; lowest_evalue: the lowest that one of them
    had before, None where there is none.
    """

    method: str
    left_out: int
    lowest_evalue: float | None


def scales_of(
    query: bytes, subjects: Sequence[bytes], alignments: Sequence[Alignment], scoring: Scoring
) -> list[float]:
    """What the score of each subject's alignment with a query counts by (composition.py)."""
    codes = encode(query)
    stretches = [
        (codes[each.query_start : each.query_end], encode(subject[each.subject_start : each.subject_end]))
        for each, subject in zip(alignments, subjects, strict=True)
    ]
    return scales(codes, stretches, scoring.scores)


def adjusted_figures(
    statistics: Statistics, scores: Sequence[int], scales: Sequence[float | None], subject_lengths: Sequence[int]
) -> list[Figures]:
    """What is left of scores means; of a score nothing is taken where nothing is known of its composition."""
    left = [score if scale is None else score * scale for score, scale in zip(scores, scales, strict=True)]
    return statistics.figures(left, subject_lengths)


def adjust(
    admitted: Sequence[Judged], parameters: Parameters, statistics: Statistics
) -> tuple[list[Judged], Adjustment | None]:
    """Those that are still within the limits, in their new order; None where nothing is adjusted."""
    if not parameters.adjusted or statistics.fit is None:
        return list(admitted), None
    hits = [each.hit for each in admitted]
    figures = adjusted_figures(
        statistics, [hit.score for hit in hits], [hit.scale for hit in hits], [hit.length for hit in hits]
    )
    kept, left_out = [], []
    for before, after in zip(admitted, figures, strict=True):
        if parameters.admit(after.bits, after.evalue):
            kept.append(Judged(before.hit, after))
        else:
            left_out.append(before.figures.evalue)
    kept.sort(key=lambda each: place(parameters, each.figures, each.hit.score, each.hit.subject))
    lowest = min((evalue for evalue in left_out if evalue is not None), default=None)
    return kept, Adjustment(METHOD, len(left_out), lowest)
