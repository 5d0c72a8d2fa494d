"""Residue codes for protein: the 24 letters of NCBI's matrices, in their order.

One rule decides how every byte scores, before any engine sees a sequence: lower case as upper case, a
letter that the matrices have no row for (U, O, J) and any stranger as X. `*` is a letter of its own.
"""

import numpy as np
import numpy.typing as npt

LETTERS = "ARNDCQEGHILKMFPSTWYVBZX*"
X_CODE = LETTERS.index("X")

Codes = npt.NDArray[np.uint8]


def _code_table() -> bytes:
    table = bytearray([X_CODE]) * 256
    for code, letter in enumerate(LETTERS):
        table[ord(letter)] = table[ord(letter.lower())] = code
    return bytes(table)


CODE_TABLE = _code_table()
"""For bytes.translate: any byte to its residue code, 0 to 23."""


def encode(residues: bytes) -> Codes:
    """Residue codes (uint8, one per letter) of ASCII letters of either case."""
    return np.frombuffer(residues.translate(CODE_TABLE), dtype=np.uint8)


def decode(codes: Codes) -> bytes:
    """The upper-case letters of residue codes; replaced letters come back as X."""
    return np.frombuffer(LETTERS.encode(), dtype=np.uint8)[codes].tobytes()


def count_replaced(residues: bytes) -> dict[str, int]:
    """How many residues score as X because the matrices have no row for them, by upper-case letter."""
    counts = np.bincount(np.frombuffer(residues.upper(), dtype=np.uint8), minlength=256)
    return replaced_letters(counts)


def replaced_letters(counts: npt.NDArray[np.int64]) -> dict[str, int]:
    """The part of a byte histogram (256 counts) that is no letter of the matrices, case folded, in letter order."""
    folded: dict[str, int] = {}
    for byte in np.flatnonzero(counts).tolist():
        letter = chr(byte).upper()
        if letter not in LETTERS:
            folded[letter] = folded.get(letter, 0) + int(counts[byte])
    return dict(sorted(folded.items()))
