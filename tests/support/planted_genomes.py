"""Two small genomes for the pages of comparisons: what is turned round in one, and moved, is known."""

import random

from shardwater.sequences.named import reverse_complement


def _letters(chance: random.Random, count: int) -> str:
    return "".join(chance.choices("ACGT", k=count))


def _changed(chance: random.Random, letters: str, share: float) -> str:
    return "".join(chance.choice("ACGT") if chance.random() < share else letter for letter in letters)


def _turned(letters: str) -> str:
    return reverse_complement(letters.encode()).decode()


_CHANCE = random.Random(15)
CHR1, CHR2 = _letters(_CHANCE, 12_000), _letters(_CHANCE, 6_000)
SCAFFOLD1 = _changed(_CHANCE, CHR1[:4_000] + _turned(CHR1[4_000:8_000]) + CHR1[8_000:], 0.02)
SCAFFOLD2 = _changed(_CHANCE, CHR2[3_000:] + CHR2[:3_000], 0.02)
QUERY = f">chr1\n{CHR1}\n>chr2\n{CHR2}\n"
SUBJECT = f">scaffold_1 of a strain\n{SCAFFOLD1}\n>scaffold_2\n{SCAFFOLD2}\n"
