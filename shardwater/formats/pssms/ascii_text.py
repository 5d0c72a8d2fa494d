"""PSI-BLAST's table of a PSSM for people and for programs, as -out_ascii_pssm has it: a line for each position.

A line has the position, the query's letter, 20 scores, 20 percentages of what was observed, the information in bits,
and the weight of what was observed beside the pseudocounts.
"""

import math
from collections.abc import Iterator

import numpy as np

from shardwater.errors import ScoringError
from shardwater.formats.pssms.saved import SavedPssm, Shares
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import LETTERS
from shardwater.sequences.fasta import Record
from shardwater.statistics.background import RESIDUES, background
from shardwater.statistics.evalue import published_row
from shardwater.statistics.length_regression import mapped

TITLE = "Last position-specific scoring matrix computed"
_COLUMNS = (
    ", weighted observed percentages rounded down, information per position, and relative weight of gapless real "
    "matches to pseudocounts"
)
_RESIDUES = LETTERS[:RESIDUES]


def write_ascii(saved: SavedPssm) -> Iterator[str]:
    """The text, in parts; what is not known of a position stands as 0."""
    query, pssm = saved.query, saved.query.pssm
    assert pssm is not None
    nothing = np.zeros((len(pssm), RESIDUES))
    observed = nothing if saved.observed is None else saved.observed
    weights = nothing[:, 0] if saved.weight is None else saved.weight
    bits = nothing[:, 0] if saved.expected is None else _information(saved.expected)
    yield f"\n{TITLE}{_COLUMNS}\n"
    yield " " * 9 + "".join(f"  {one}" for one in _RESIDUES) + "".join(f"   {one}" for one in _RESIDUES) + "\n"
    # A hair above, so that 1 is 100 per cent.
    percentages = np.floor(100 * observed + 1e-9).astype(np.int64)
    each = zip(query.residues.decode().upper(), pssm.scores[:, :RESIDUES].tolist(), percentages.tolist(), strict=True)
    for number, (letter, scores, shares) in enumerate(each):
        yield (
            f"{number + 1:5d} {letter}  {''.join(f' {score:2d}' for score in scores)} "
            f"{''.join(f' {share:3d}' for share in shares)}  {bits[number]:.2f} {weights[number]:.2f}\n"
        )
    row = published_row(saved.scoring)
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
    letters: list[str] = []
    rows: list[list[int]] = []
    shares: list[list[int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split(maxsplit=2 * RESIDUES + 3)
        if len(words) < 2 or not words[0].isdecimal() or not (words[1].isalpha() or words[1] == "*"):
            continue
        if len(words) < RESIDUES + 2 or len(words[1]) != 1:
            raise ScoringError(f"line {number}: a position has a letter and {RESIDUES} scores, at least")
        if words[0] != str(len(rows) + 1):
            raise ScoringError(f"line {number}: position {len(rows) + 1} should stand here")
        letters.append(words[1])
        rows.append([_whole(word, number) for word in words[2 : RESIDUES + 2]])
        shares.append([_whole(word, number) for word in words[RESIDUES + 2 : 2 * RESIDUES + 2]])
    if not rows:
        raise ScoringError("the text has no position: a line of its number, its letter and 20 scores")
    query, scoring = "".join(letters).encode(), Scoring.recommended("BLOSUM62")
    whole = all(len(row) == RESIDUES for row in shares)
    return SavedPssm(
        Record("query_1", query, pssm=Pssm.of_residues(np.array(rows, np.float64), stop=int(scoring.scores.min()))),
        scoring,
        observed=np.array(shares) / 100 if whole else None,
    )


def _whole(word: str, line: int) -> int:
    if len(word) > 6 or not word.removeprefix("-").isdecimal():
        raise ScoringError(f"line {line}: {word[:20]!r} is no whole number")
    return int(word)
