"""A PSSM as it is kept and sent: with its query, and what its scores were made of."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record

Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SavedPssm:
    """A query that has a PSSM, and the scoring whose gap costs and units go with it.

    expected: how often each residue is expected at each position, (positions, 20), in the order of residue codes;
    observed: how often it was seen, by weight; weight: of what was seen, beside the pseudocounts, (positions,).
    None where a format does not say.
    """

    query: Record
    scoring: Scoring
    expected: Shares | None = None
    observed: Shares | None = None
    weight: Shares | None = None
