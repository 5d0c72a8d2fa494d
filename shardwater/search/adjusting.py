"""Hits judged by what is left of their scores: which are left, in which order, and what is told of the others.

Of what is searched, the best are found and cut as they score; then each of these that has a small enough E-value is
judged once more, by the score that a mask leaves of it, and by what composition and repeats leave of that. It is never
better than before: nobody comes in.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shardwater.search.hits import SubjectHit
from shardwater.search.ordering import Place, place
from shardwater.search.parameters import Parameters
from shardwater.search.remains import Remains
from shardwater.statistics.evalue import Figures, Statistics

METHOD = "aligned-regions-and-repeats"
REPEATED = 2
"""Half of what repeats score with repeats counts, since relatives may have them,"""
DOUBTED = 0.1
"""and no E-value is above this for their sake: they are reason for doubt, not for leaving a hit out."""


class Judged(NamedTuple):
    """A subject that may be a hit, and what its score means.

    scale: what the score, or what a mask leaves of it, counts by in the adjusted figures; None where they are not.
    """

    hit: SubjectHit
    figures: Figures
    scale: float | None = None


@dataclass(frozen=True, slots=True)
class Adjustment:
    """By which method figures were made of less than the score, and what that has left out.

    left_out: subjects within the limits before, but not as adjusted; lowest_evalue: the lowest that one of them had
    before, None where there is none.
    """

    method: str
    left_out: int
    lowest_evalue: float | None


def place_of(parameters: Parameters, judged: Judged) -> Place:
    """A subject's place among those of all databases that are searched."""
    hit = judged.hit
    # As one database of them all has it: the shorter first, and those of a length in the order of the databases.
    return place(parameters, judged.figures, hit.score, hit.length, hit.subject)


class Adjustments(NamedTuple):
    """What a mask has left out, and what composition and repeats have then; None where they were not asked about."""

    mask: Adjustment | None
    composition: Adjustment | None


def adjusts(parameters: Parameters, statistics: Statistics) -> bool:
    """Whether figures are adjusted to composition and repeats: those of a fit are, which knows of neither."""
    return parameters.adjusted and statistics.fit is not None


def masked_score(score: int, remains: Remains | None) -> int:
    """What a mask leaves of a score; all of it where there is none, or nothing is known of the alignment."""
    return score if remains is None or remains.masked is None else remains.masked.score


def scales_of(
    statistics: Statistics, scores: Sequence[int], remains: Sequence[Remains | None], subject_lengths: Sequence[int]
) -> list[float | None]:
    """What the score of each hit counts by, or what a mask leaves of it, to four decimals; needs a fit.

    None where nothing is known of an alignment: nothing is taken off.
    """
    if statistics.fit is None:
        return [None] * len(scores)
    doubted = statistics.fit.scores_at(DOUBTED, subject_lengths).tolist()
    return [
        None if each is None or each.scale is None else _scale(score, each.scale, each, limit)
        for score, each, limit in zip(scores, remains, doubted, strict=True)
    ]


def _scale(score: int, composition: float, remains: Remains, doubted: float) -> float:
    """doubted: the score whose E-value repeats raise no further; below all where no E-value is as large."""
    counted = masked_score(score, remains)
    repeated = 0 if remains.unrepeated is None else score - remains.unrepeated
    if not repeated or not counted:
        return composition
    left = min(counted, score - repeated / REPEATED)
    # Up, so that no E-value passes the limit of doubt by what was rounded.
    least = math.ceil(10_000 * max(0.0, doubted) / counted) / 10_000
    return min(composition, max(round(composition * left / counted, 4), least))


def adjusted_figures(
    statistics: Statistics,
    scores: Sequence[int],
    remains: Sequence[Remains | None],
    scales: Sequence[float | None],
    subject_lengths: Sequence[int],
) -> list[Figures]:
    """What is left of scores means."""
    left = [
        masked_score(score, each) * (1 if scale is None else scale)
        for score, each, scale in zip(scores, remains, scales, strict=True)
    ]
    return statistics.figures(left, subject_lengths)


def adjust(
    admitted: Sequence[Judged], parameters: Parameters, statistics: Statistics
) -> tuple[list[Judged], Adjustments]:
    """Those that are still within the limits, in their new order."""
    kept, mask, composition = list(admitted), None, None
    if parameters.mask != "none":
        kept, mask = _judged_anew(kept, [None] * len(kept), parameters.mask, parameters, statistics)
    if adjusts(parameters, statistics):
        hits = [each.hit for each in kept]
        scales = scales_of(
            statistics, [hit.score for hit in hits], [hit.remains for hit in hits], [hit.length for hit in hits]
        )
        kept, composition = _judged_anew(kept, scales, METHOD, parameters, statistics)
    kept.sort(key=lambda each: place_of(parameters, each))
    return kept, Adjustments(mask, composition)


def _judged_anew(
    judged: Sequence[Judged],
    scales: Sequence[float | None],
    method: str,
    parameters: Parameters,
    statistics: Statistics,
) -> tuple[list[Judged], Adjustment]:
    hits = [each.hit for each in judged]
    figures = adjusted_figures(
        statistics,
        [hit.score for hit in hits],
        [hit.remains for hit in hits],
        scales,
        [hit.length for hit in hits],
    )
    kept, left_out = [], []
    for before, after, scale in zip(judged, figures, scales, strict=True):
        if parameters.admit(after.bits, after.evalue):
            kept.append(Judged(before.hit, after, scale))
        else:
            left_out.append(before.figures.evalue)
    lowest = min((evalue for evalue in left_out if evalue is not None), default=None)
    return kept, Adjustment(method, len(left_out), lowest)
