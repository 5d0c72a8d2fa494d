"""Named sequences as they were written, and the other strand of DNA."""

from dataclasses import dataclass, field

COMPLEMENTS = bytes.maketrans(b"ACGTURYSWKMBDHVNacgturyswkmbdhvn", b"TGCAAYRSWMKVHDBNtgcaayrswmkvhdbn")
"""Of each byte that is a letter of DNA its complement, case kept; of others themselves."""


@dataclass(frozen=True, slots=True)
class Letters:
    """A named sequence: ASCII letters as they were written; number: which it is of those that came with it."""

    name: str
    letters: bytes
    number: int = field(default=0, compare=False)


def reverse_complement(letters: bytes) -> bytes:
    """Of DNA, IUPAC's codes and case kept."""
    return letters.translate(COMPLEMENTS)[::-1]
