"""Alignments of a hit after its best: which of them a shard hands on, and what a result says of them.

They come by descending score, each the best of those that share no pair of letters with the ones before it
(shardwater/alignment/taken.py). Their E-values are those of hits with such scores: how many subjects chance would give
whose best alignment scores as much. That is never too low: the second best of a subject is worth less by chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shardwater.search.adjusting import Judged, adjusted_figures, adjusts, scales_of
from shardwater.search.parameters import Parameters
from shardwater.statistics.evalue import Statistics


@dataclass(frozen=True, slots=True)
class Likely:
    """Which further alignments a shard hands on: those whose E-value, and bits, may be within the limits.

    statistics: None where any may be, as nothing is known.
    """

    statistics: Statistics | None = None
    evalue: float = 0.0
    min_bits: float | None = None

    def are(self, scores: Sequence[int], subject_lengths: Sequence[int]) -> list[bool]:
        """Whether each may be reported."""
        if self.statistics is None:
            return [True] * len(scores)
        return [
            (self.min_bits is None or (each.bits is not None and each.bits >= self.min_bits))
            and (each.evalue is None or each.evalue <= self.evalue)
            for each in self.statistics.figures(scores, subject_lengths)
        ]


def misses_some(judged: Sequence[Judged], parameters: Parameters, statistics: Statistics) -> bool:
    """Whether an alignment that no shard has handed on may be within the limits."""
    hits = [each.hit for each in judged if each.hit.unseen]
    unseen = statistics.figures([hit.unseen for hit in hits], [hit.length for hit in hits])
    return any(parameters.admit(each.bits, each.evalue) for each in unseen)


def with_figures(judged: Sequence[Judged], parameters: Parameters, statistics: Statistics) -> list[Judged]:
    """Hits whose alignments have their figures: the best one the hit's, the others by what is left of their own scores.

    Those that are not within the limits are left out.
    """
    further = [
        (hit, hsp, left) for hit, *_ in judged for hsp, left in zip(hit.hsps[1:], hit.further_remains, strict=True)
    ]
    scores, remains = [hsp.score for _, hsp, _ in further], [left for *_, left in further]
    lengths = [hit.length for hit, *_ in further]
    scales: list[float | None] = [None] * len(further)
    if adjusts(parameters, statistics):
        scales = scales_of(statistics, scores, remains, lengths)
    figures = iter(adjusted_figures(statistics, scores, remains, scales, lengths))
    found = []
    for each in judged:
        hit, own, _ = each
        best = [hsp.worth(hit.score, own.bits, own.evalue) for hsp in hit.hsps[:1]]
        others = [hsp.worth(hsp.score, its.bits, its.evalue) for hsp, its in zip(hit.hsps[1:], figures, strict=False)]
        kept = [hsp for hsp in others if parameters.admit(hsp.bits, hsp.evalue)]
        found.append(Judged(hit.showing((*best, *kept)), own, each.scale))
    return found
