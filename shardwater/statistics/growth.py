"""Whether alignments of random sequences grow with these: then no statistics of their scores hold.

Where gaps cost little, two random sequences aligned from end to end score above 0, and the more the longer they are. So
the best local alignment goes on from end to end, too, and its score grows with the length of the sequences in place of
its logarithm (Arratia and Waterman 1994, Annals of Applied Probability 4:200).
"""

import math
import statistics
from dataclasses import replace
from functools import lru_cache

from shardwater.alignment.gotoh import score_batch
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.errors import ScoringError
from shardwater.scoring.scoring import Scoring
from shardwater.statistics.background import WithoutGaps
from shardwater.statistics.chance import numbers, residues, streams

PAIRS, LENGTH = 8, 2000
"""Random pairs that are aligned from end to end, and the letters in each sequence: a tenth of a second."""
DEAR = 4
"""A gap that costs as much as so many of the best pairs of letters is looked at in place of a dearer one."""
ERRORS = 2
"""Standard errors that their mean score has to be below 0."""
NO_STATISTICS = "no statistics hold: make gaps dearer, or ask for statistics=fitted or statistics=none"


def check_growth(scoring: Scoring) -> None:
    """Raise ScoringError where alignments grow: random residues score too high, or gaps cost too little.

    Without an engine, so that whoever asks can be told at once.
    """
    WithoutGaps.of(scoring.scores)
    # Where such gaps let nothing grow, dearer ones do not either: there are few to look at.
    dearest = DEAR * int(scoring.scores.max())
    cheaper = replace(scoring, gap_open=min(dearest, scoring.gap_open), gap_extend=min(dearest, scoring.gap_extend))
    reason = _growth(cheaper) and _growth(scoring)
    if reason:
        raise ScoringError(reason)


@lru_cache(maxsize=4096)
def _growth(scoring: Scoring) -> str:
    """Why no statistics hold; empty where they do."""
    [stream] = streams(1, 0, 0)
    query, *subjects = residues(numbers(stream, range((1 + PAIRS) * LENGTH))).reshape(1 + PAIRS, LENGTH)
    *_, scores = score_batch(query, subjects, replace(Scheme.local(scoring), mode=Mode.GLOBAL))
    whole = scores.tolist()
    mean, error = statistics.mean(whole), statistics.stdev(whole) / math.sqrt(PAIRS)
    if mean + ERRORS * error <= 0:
        return ""
    return (
        f"gaps of {scoring.gap_open}/{scoring.gap_extend} cost so little that alignments of random sequences grow "
        f"with these (two of {LENGTH:,} residues score {mean:,.0f} from end to end, with a standard "
        f"error of {error:,.0f}, and should score below 0 by more than {ERRORS} of these): {NO_STATISTICS}"
    )
