"""Codons as letters, and how the benchmark scores them."""

import numpy as np

from shardwater.alignment.scheme import Scheme
from shardwater.scoring.table import Table
from shardwater.sequences.alphabet import Codes
from shardwater.sequences.alphabets import UNKNOWN, Alphabet

AMINO_ACIDS = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
"""What each codon stands for, TTT to GGG in the order of TCAG (NCBI's genetic code 1); `*` ends a protein."""
EQUAL, SYNONYM, OTHER = 5, 4, -3
"""Scores of equal codons, of two for one amino acid, and of others."""
GAP_OPEN, GAP_EXTEND = 5, 2

_LETTERS = bytes(range(ord("0"), ord("0") + len(AMINO_ACIDS)))


def _alphabet() -> Alphabet:
    codes = bytearray([UNKNOWN]) * 256
    for code, letter in enumerate(_LETTERS):
        codes[letter] = code
    return Alphabet("codons", _LETTERS.decode(), bytes(codes))


def _scores() -> tuple[tuple[int, ...], ...]:
    acids = np.array([*AMINO_ACIDS])
    scores = np.where(acids[:, None] == acids, SYNONYM, OTHER)
    np.fill_diagonal(scores, EQUAL)
    return tuple(map(tuple, scores.tolist()))


CODONS = _alphabet()
SCHEME = Scheme(Table(CODONS, _scores()), GAP_OPEN, GAP_EXTEND)
"""Local alignments, in kernels 1 to 3."""


def spell(text: str) -> Codes:
    """Amino acids by the first codon of each; raises ValueError for what is none."""
    return np.array([AMINO_ACIDS.index(acid) for acid in text], np.uint8)


def translate(codes: Codes) -> str:
    """What codons stand for."""
    return "".join(AMINO_ACIDS[code] for code in codes.tolist())
