"""Named sequences as they were written, and the other strand of DNA."""

from dataclasses import dataclass

_COMPLEMENTS = bytes.maketrans(b"ACGTURYSWKMBDHVNacgturyswkmbdhvn", b"TGCAAYRSWMKVHDBNtgcaayrswmkvhdbn")


@dataclass(frozen=True, slots=True)
class Letters:
    """A named sequence: ASCII letters as they were written."""

    name: str
    letters: bytes


def reverse_complement(letters: bytes) -> bytes:
    """Of DNA, IUPAC's codes and case kept."""
    return letters.translate(_COMPLEMENTS)[::-1]
