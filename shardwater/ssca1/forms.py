"""The two forms of the benchmark: sequences of codons, as it was published, and of amino acids, as the paper has it.

Sources: for codons the written specification of SSCA#1 (kernels.py); for amino acids Khajeh-Saeed, Poole and Perot,
J. Comput. Phys. 229 (2010).
"""

from dataclasses import dataclass

import numpy as np

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.scoring.table import Table
from shardwater.sequences.alphabet import Codes
from shardwater.sequences.alphabets import UNKNOWN, Alphabet

GENETIC_CODE = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
"""What each codon stands for, TTT to GGG in the order of TCAG (NCBI's genetic code 1); `*` ends a protein."""
AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY*"
EQUAL, SYNONYM, OTHER = 5, 4, -3
"""Scores of equal letters, of two codons for one amino acid, and of others."""


@dataclass(frozen=True, slots=True)
class Form:
    """How the sequences are written and scored.

    acids: what each letter stands for, by its code; scheme: of local alignments, in kernels 1 to 3; distance: of whole
    sequences, in kernels 4 and 5: less what two differ by, 1 for each letter and 2 for one that only one of them has.
    """

    name: str
    acids: str
    scheme: Scheme
    distance: Scheme

    @classmethod
    def of(cls, name: str, acids: str, gap_open: int, gap_extend: int) -> "Form":
        """That of letters that stand for these."""
        alphabet, codes = _alphabet(name, len(acids)), np.array([*acids])
        scores = np.where(codes[:, None] == codes, SYNONYM, OTHER)
        np.fill_diagonal(scores, EQUAL)
        differences = np.eye(len(acids), dtype=np.int64) - 1
        scheme, distance = (Table(alphabet, tuple(map(tuple, rows.tolist()))) for rows in (scores, differences))
        return cls(name, acids, Scheme(scheme, gap_open, gap_extend), Scheme(distance, 0, 2, Mode.GLOBAL))

    def spell(self, text: str) -> Codes:
        """Amino acids by the first letter for each; raises ValueError for what is none."""
        return np.array([self.acids.index(acid) for acid in text], np.uint8)

    def translate(self, codes: Codes) -> str:
        """What letters stand for."""
        return "".join(self.acids[code] for code in codes.tolist())


def _alphabet(name: str, letters: int) -> Alphabet:
    signs, codes = bytes(range(ord("0"), ord("0") + letters)), bytearray([UNKNOWN]) * 256
    for code, sign in enumerate(signs):
        codes[sign] = code
    return Alphabet(name, signs.decode(), bytes(codes))


CODONS = Form.of("codons", GENETIC_CODE, 5, 2)
ACIDS = Form.of("amino-acids", AMINO_ACIDS, 8, 1)
FORMS = {form.name: form for form in (CODONS, ACIDS)}
