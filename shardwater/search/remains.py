"""What is left of the score of an aligned pair where composition, repeats or a mask explain some of it.

It is worked out where hits are written, which has their sequences; what it means is said by adjusting.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.scheme import Scheme
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.search.parameters import Parameters
from shardwater.search.repeats import KnownRepeats
from shardwater.sequences.alphabet import X_CODE, encode
from shardwater.sequences.masking.masks import Mask, Masks, masks_of
from shardwater.statistics.composition import RESIDUES, scales

Letters = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Masked:
    """What a mask leaves of a hit.

    score: that of the best part of its alignment where masked letters count as X. query_letters and subject_letters are
    those masked of what is aligned.
    """

    score: int
    query_letters: int
    subject_letters: int


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left of the score of an aligned hit, each None where it was not asked for.

    scale: what composition leaves of it (composition.py). unrepeated: the score of the best part of the alignment where
    pairs of letters that both lie in repeats count as X.
    """

    scale: float | None = None
    unrepeated: int | None = None
    masked: Masked | None = None


class AlignedQuery(NamedTuple):
    """A query, what was asked, and its alignments with some subjects, all of ASCII letters of either case.

    pssm: what the query's positions score, where it is not what a matrix says.
    """

    query: bytes
    parameters: Parameters
    subjects: Sequence[bytes]
    alignments: Sequence[Alignment]
    pssm: Pssm | None = None


def remains_of(
    asked: Sequence[AlignedQuery], scoring: Scoring, repeats: KnownRepeats | None = None
) -> list[Remains | None]:
    """What is left of each alignment's score, query after query; None where nobody asked.

    All at once: the repeats of many sequences are found together in a fraction of the time. repeats: what is known of
    them, to which what is found is added.
    """
    every = [(each, _pairs(each)) for each in asked]
    adjusted = [pair for each, pairs in every if each.parameters.adjusted for pair in pairs]
    unrepeated = iter(_unrepeated(adjusted, scoring, KnownRepeats() if repeats is None else repeats))
    found: list[Remains | None] = []
    for each, pairs in every:
        mask = each.parameters.mask
        masked = _masked(pairs, mask, scoring) if mask != "none" else [None] * len(pairs)
        if each.parameters.adjusted:
            found += map(Remains, _scales(each, pairs, scoring), unrepeated, masked)
        else:
            found += [None if one is None else Remains(masked=one) for one in masked]
    return found


@dataclass(frozen=True, slots=True)
class _Pair:
    query: bytes
    subject: bytes
    alignment: Alignment
    pssm: Pssm | None

    def stretches(self, of_query: Letters, of_subject: Letters) -> tuple[Letters, Letters]:
        """What is aligned, of arrays that have an entry for each letter."""
        path = self.alignment
        return of_query[path.query_start : path.query_end], of_subject[path.subject_start : path.subject_end]


def _pairs(asked: AlignedQuery) -> list[_Pair]:
    return [_Pair(asked.query, *each, asked.pssm) for each in zip(asked.subjects, asked.alignments, strict=True)]


def _scales(asked: AlignedQuery, pairs: Sequence[_Pair], scoring: Scoring) -> list[float]:
    query = encode(asked.query)
    if asked.pssm is None:
        stretches = [pair.stretches(query, encode(pair.subject)) for pair in pairs]
        return scales(query, stretches, scoring.scores)
    residues = query < RESIDUES
    places = np.arange(len(query))
    stretches = []
    for pair in pairs:
        own, other = pair.stretches(places, encode(pair.subject))
        stretches.append((own[residues[own]], other))
    return scales(places[residues], stretches, scoring.scores, asked.pssm.scores)


def _unrepeated(pairs: Sequence[_Pair], scoring: Scoring, repeats: KnownRepeats) -> list[int]:
    """The scores without what repeats have with repeats; subjects are looked at where the query has some."""
    queries = repeats.of(pair.query for pair in pairs)
    doubtful = [_any(queries[pair.query], pair.alignment) for pair in pairs]
    subjects = repeats.of(pair.subject for pair in compress(pairs, doubtful))
    found = []
    for pair, is_doubtful in zip(pairs, doubtful, strict=True):
        score = pair.alignment.score
        if is_doubtful:
            masks = pair.stretches(queries[pair.query], subjects[pair.subject])
            score = _best_part(pair, *masks, np.logical_and, scoring)
        found.append(score)
    return found


def _any(mask: Masks, path: Alignment) -> bool:
    return bool(mask[path.query_start : path.query_end].any())


def _masked(pairs: Sequence[_Pair], mask: Mask, scoring: Scoring) -> list[Masked]:
    """What the mask leaves of pairs."""
    distinct = list(dict.fromkeys(sequence for pair in pairs for sequence in (pair.query, pair.subject)))
    masks = dict(zip(distinct, masks_of(distinct, mask), strict=True))
    found = []
    for pair in pairs:
        query, subject = pair.stretches(masks[pair.query], masks[pair.subject])
        score = _best_part(pair, query, subject, np.logical_or, scoring)
        found.append(Masked(score, int(query.sum()), int(subject.sum())))
    return found


def _best_part(pair: _Pair, query: Masks, subject: Masks, hides: np.ufunc, scoring: Scoring) -> int:
    """The score of the best part of an alignment whose hidden pairs count as X with X, or as they are if that is less.

    query and subject: the masks of what is aligned; hides: whether one of them hides a pair, or both together do.
    """
    path = pair.alignment
    if not hides(query.any(), subject.any()):
        return path.score
    kinds = np.repeat([run.kind for run in path.runs], [run.length for run in path.runs])
    paired = kinds == "M"
    # Which letter of either sequence stands in a column, or before it where that is a gap.
    of_query, of_subject = (np.cumsum(kinds != other) - 1 for other in "DI")
    hidden = paired & hides(query[of_query], subject[of_subject])
    if not hidden.any():
        return path.score
    scheme = Scheme.local(scoring, pair.pssm)
    places, codes = pair.stretches(scheme.places(pair.query), encode(pair.subject))
    scores = np.where(paired, scheme.scores[places[of_query], codes[of_subject]], -scoring.gap_extend)
    opened = np.cumsum([run.length for run in path.runs])[:-1]
    scores[opened[kinds[opened] != "M"]] -= scoring.gap_open
    scores[hidden] = np.minimum(scores[hidden], scoring.scores[X_CODE, X_CODE])
    sums = np.concatenate(([0], np.cumsum(scores, dtype=np.int64)))
    return int((sums - np.minimum.accumulate(sums)).max())
