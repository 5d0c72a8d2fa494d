"""A PSSM as it is kept and sent: with its query, and what its scores were made of."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.plural import plural
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import MATRICES, Scoring
from shardwater.sequences.fasta import LETTERS, QUERY_RULES, Record
from shardwater.statistics.evalue import published_row
from shardwater.statistics.karlin_altschul import KarlinAltschul

Shares = npt.NDArray[np.float64]
Percentages = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class SavedPssm:
    """A query that has a PSSM, and the matrix, by its name, and the gap costs whose units go with it.

    expected: how often each residue is expected at each position, (positions, 20), in the order of residue codes;
    observed: how often it was seen, by weight, as percentages rounded down; weight: of what was seen, beside the
    pseudocounts, (positions,). None where that is not known: no text is asked for it.
    """

    query: Record
    matrix: str
    gap_open: int
    gap_extend: int
    expected: Shares | None = None
    observed: Percentages | None = None
    weight: Shares | None = None

    @property
    def row(self) -> KarlinAltschul | None:
        """The published parameters of its scoring, if there are any."""
        if self.matrix not in MATRICES:
            return None
        return published_row(Scoring(self.matrix, self.gap_open, self.gap_extend))


def percentages(shares: Shares) -> Percentages:
    """Shares as per cents rounded down."""
    # A hair above, so that 1 is 100 per cent.
    return np.floor(100 * shares + 1e-9).astype(np.uint8)


def query_of(title: str, letters: str, pssm: Pssm) -> Record:
    """The query that a text says beside its scores, by the rules for queries of FASTA. Raises ScoringError."""
    header = title.strip()
    if len(letters) != len(pssm):
        raise ScoringError(f"the sequence has {plural(len(letters), 'letter')} for {plural(len(pssm), 'position')}")
    residues = letters.encode("ascii", "replace")
    if not residues or residues.translate(None, LETTERS):
        raise ScoringError("the sequence has letters A-Z and * alone, and one at least")
    if any(letter in header for letter in "\0\r\n") or len(_encoded(header)) >= QUERY_RULES.longest_header:
        raise ScoringError(f"the title is one line of text, of fewer than {QUERY_RULES.longest_header:,} bytes")
    return Record(header or "query_1", residues, pssm=pssm)


def _encoded(header: str) -> bytes:
    try:
        return header.encode()
    except UnicodeEncodeError:
        raise ScoringError("the title is no text: it has halves of letters") from None
