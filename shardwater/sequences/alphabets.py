"""Alphabets: which letters sequences are made of, and the code of each.

Lower case counts as upper case. In DNA U is T, and the codes of IUPAC stand for what is not known; in proteins a letter
that NCBI's matrices do not have is X (alphabet.py).
"""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from shardwater.errors import AlignError
from shardwater.sequences.alphabet import CODE_TABLE, LETTERS, Codes

AlphabetName = Literal["protein", "dna"]
UNKNOWN = 255
"""The code of a byte that is no letter of an alphabet."""
MOST_LETTERS = 64


class UnknownLetter(AlignError):
    """A letter that an alphabet does not have, and where it stands, from 1."""

    def __init__(self, alphabet: str, letter: str, column: int, sequence: str = "") -> None:
        self.alphabet, self.letter, self.column = alphabet, letter, column
        where = f"{sequence}: " if sequence else ""
        super().__init__(f"{where}{letter!r} at letter {column} is no letter of {alphabet}")


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Letters by their codes 0, 1, ..., and the code of each of 256 bytes."""

    name: str
    letters: str
    codes: bytes

    @classmethod
    def of(cls, name: str, letters: str, like: dict[str, str] | None = None) -> Self:
        """These letters in either case; like: letters that are read as another one. Raises ValueError."""
        if not letters or len(letters) > MOST_LETTERS or len(set(letters.upper())) < len(letters):
            raise ValueError(f"an alphabet has 1 to {MOST_LETTERS} letters, and each of them once")
        if not letters.isascii() or not letters.isprintable() or set(letters) & set("- "):
            raise ValueError("letters of an alphabet are ASCII, and neither blank nor -, which is a gap")
        codes = bytearray([UNKNOWN]) * 256
        for letter, same in {**{letter: letter for letter in letters.upper()}, **(like or {})}.items():
            codes[ord(letter)] = codes[ord(letter.lower())] = letters.upper().index(same)
        return cls(name, letters.upper(), bytes(codes))

    @property
    def known(self) -> bytes:
        """The bytes that are letters."""
        return bytes(byte for byte in range(256) if self.codes[byte] != UNKNOWN)

    def encode(self, sequence: bytes) -> Codes:
        """The codes of ASCII letters, uint8; raises UnknownLetter."""
        encoded = sequence.translate(self.codes)
        place = encoded.find(UNKNOWN)
        if place >= 0:
            raise UnknownLetter(self.name, chr(sequence[place]), place + 1)
        return np.frombuffer(encoded, np.uint8)


def _protein() -> Alphabet:
    codes = bytearray([UNKNOWN]) * 256
    for letter in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ*":
        codes[letter] = codes[ord(chr(letter).lower())] = CODE_TABLE[letter]
    return Alphabet("protein", LETTERS, bytes(codes))


PROTEIN = _protein()
BASES = "ACGT"
DNA = Alphabet.of("DNA", BASES + "RYSWKMBDHVN", like={"U": "T"})
"""The four bases first: they alone fit two bits."""
ALPHABETS = {"protein": PROTEIN, "dna": DNA}
