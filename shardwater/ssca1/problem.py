"""The benchmark's input: two random sequences with three strings planted in each, which are alike."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from shardwater.sequences.alphabet import Codes
from shardwater.ssca1.forms import CODONS, Form

LEAST_SCALE = 14
"""The sequences have room for what is planted in them."""
STRINGS = (
    ("*IDENTICAL*", "*IDENTICAL*", 55),
    ("*MISQRMATCHES*", "*MISRQMATCHES*", 54),
    ("*STARTGAPMIDSTEND*", "*STARTMIDSTGAPEND*", 53),
)
"""What is planted in the query and in the subject, and what the two score at least."""
FLANKS = (("ACDEFG", "HIKLMN"), ("MNLKIH", "GFEDCA"))
"""What stands before and after them, in the query and in the subject: it ends the alignments."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A string of the query and one of the subject, where they begin, and what they score at least."""

    query: str
    subject: str
    query_start: int
    subject_start: int
    score: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Two sequences, and what is planted in them; made by its scale, seed and form."""

    scale: int
    seed: int
    form: Form
    query: Codes
    subject: Codes
    planted: tuple[Planted, ...]

    @classmethod
    def of(cls, scale: int, seed: int, form: Form = CODONS) -> Self:
        """Sequences of 2^(scale / 2) letters each, of an odd scale a subject twice as long as the query.

        scale: LEAST_SCALE at least.
        """
        assert scale >= LEAST_SCALE
        rng = np.random.default_rng(seed)
        sides, starts = [], []
        # In the subject they come in the reverse order, so that no alignment has two of them.
        order = rng.permutation(len(STRINGS)).tolist()
        for side, length in enumerate((1 << scale // 2, 1 << (scale + 1) // 2)):
            texts = [f"{FLANKS[side][0]}{each[side]}{FLANKS[side][1]}" for each in STRINGS]
            sequence = rng.integers(0, len(form.acids), length, np.uint8)
            places = _places(rng, [len(text) for text in texts], order[:: -1 if side else 1], length)
            for place, text in zip(places, texts, strict=True):
                sequence[place : place + len(text)] = form.spell(text)
            sides.append(sequence)
            starts.append([place + len(FLANKS[side][0]) for place in places])
        planted = [
            Planted(query, subject, query_start, subject_start, score)
            for (query, subject, score), query_start, subject_start in zip(STRINGS, *starts, strict=True)
        ]
        return cls(scale, seed, form, sides[0], sides[1], tuple(planted))


def _places(rng: np.random.Generator, sizes: list[int], order: list[int], length: int) -> list[int]:
    """Where texts of these sizes begin, in this order, so that none is in another."""
    # The gaps before them: as many numbers out of what is left, ascending.
    gaps = np.sort(rng.choice(length - sum(sizes), len(sizes), replace=False))
    places, before = [0] * len(sizes), 0
    for number, gap in zip(order, gaps.tolist(), strict=True):
        places[number] = gap + before
        before += sizes[number]
    return places
