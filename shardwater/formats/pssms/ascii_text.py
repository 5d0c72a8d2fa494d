"""PSI-BLAST's table of a PSSM for people and for programs, as -out_ascii_pssm has it: a line for each position.

A line has the position, the query's letter, 20 scores, 20 percentages of what was observed, the information in bits,
and the weight of what was observed beside the pseudocounts.
"""

import math
import re
from collections.abc import Iterator

import numpy as np

from shardwater.errors import ScoringError
from shardwater.formats.pssms.saved import SavedPssm, Shares, query_of
from shardwater.scoring.pssm import STOP, Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import LETTERS
from shardwater.statistics.background import RESIDUES, background
from shardwater.statistics.length_regression import mapped

TITLE = "Last position-specific scoring matrix computed"
_COLUMNS = (
    ", weighted observed percentages rounded down, information per position, and relative weight of gapless real "
    "matches to pseudocounts"
)
_RESIDUES = LETTERS[:RESIDUES]
MOST_LINES = 200_000
"""So many positions cannot be said with fewer letters than a PSSM may have as text."""
_POSITION = re.compile(r"[ \t]*+([0-9]{1,9})[ \t]++([A-Za-z*]+)(?![^ \t\r])(.*)", re.DOTALL)
_SCORES = re.compile(rf"((?:[ \t]++-?[0-9]{{1,5}}){{{RESIDUES}}})(?![^ \t\r])")


def write_ascii(saved: SavedPssm) -> Iterator[str]:
    """The text, in parts; what is not known of a position stands as 0."""
    query, pssm = saved.query, saved.query.pssm
    assert pssm is not None
    nothing = np.zeros((len(pssm), RESIDUES))
    percentages = (nothing.astype(np.uint8) if saved.observed is None else saved.observed).tolist()
    weights = nothing[:, 0] if saved.weight is None else saved.weight
    bits = nothing[:, 0] if saved.expected is None else _information(saved.expected)
    yield f"\n{TITLE}{_COLUMNS}\n"
    yield " " * 9 + "".join(f"   {one}" for one in _RESIDUES + _RESIDUES) + "\n"
    each = zip(query.residues.decode().upper(), pssm.scores[:, :RESIDUES].tolist(), percentages, strict=True)
    for number, (letter, scores, shares) in enumerate(each):
        yield (
            f"{number + 1:5d} {letter}  {''.join(f' {score:3d}' for score in scores)} "
            f"{''.join(f' {share:3d}' for share in shares)}  {bits[number]:.2f} {weights[number]:.2f}\n"
        )
    row = saved.row
    if row is not None:
        yield "\n                      K         Lambda\n"
        for name in ("Standard", "PSI"):
            yield f"{name + ' Gapped':<20s} {row.kappa:.4f}     {row.lambda_:.4f}\n"


def _information(expected: Shares) -> Shares:
    """What is known of each position, in bits: sum(Q log2(Q / P)). Positions that say nothing have 0."""
    ratios = np.where(expected > 0, expected, background()) / background()
    logarithms = mapped(math.log2, ratios.ravel()).reshape(ratios.shape)
    return np.array([math.fsum(row) for row in (expected * logarithms).tolist()])


def read_ascii(text: str) -> SavedPssm:
    """A PSSM with its query; gap costs are the usual ones of BLOSUM62, which the text does not say.

    Raises ScoringError, which names the line.
    """
    if text.count("\n") > MOST_LINES:
        raise ScoringError(f"the table has more than {MOST_LINES:,} lines")
    letters: list[str] = []
    rows: list[list[int]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if (found := _POSITION.match(line)) is None:
            continue
        if found[1] != str(len(rows) + 1):
            raise ScoringError(f"line {number}: position {len(rows) + 1} should stand here")
        scores = _SCORES.match(found[3])
        if scores is None or len(found[2]) != 1:
            raise ScoringError(f"line {number}: a position has a letter and {RESIDUES} whole numbers as scores")
        letters.append(found[2])
        rows.append([int(word) for word in scores[1].split()])
    if not rows:
        raise ScoringError("the text has no position: a line of its number, its letter and 20 scores")
    usual = Scoring.recommended("BLOSUM62")
    pssm = Pssm.of_residues(np.array(rows, np.float64), STOP)
    return SavedPssm(query_of("", "".join(letters), pssm), usual.matrix, usual.gap_open, usual.gap_extend)
