"""Made-up DNA as text: the letters of the golden cases of GECKO, and FASTA of them."""

from collections.abc import Iterator, Mapping
from itertools import islice


def _letters(seed: int) -> Iterator[str]:
    while True:
        seed = (1103515245 * seed + 12345) % 2**31
        yield "ACGT"[seed >> 16 & 3]


def letters(seed: int, count: int) -> str:
    """So many letters, which no one would mistake for those of another seed."""
    return "".join(islice(_letters(seed), count))


FIRST = letters(1, 400)


def fasta(records: Mapping[str, str], width: int = 70) -> str:
    """FASTA of letters by header."""
    return "".join(
        f">{header}\n" + "".join(f"{text[at : at + width]}\n" for at in range(0, len(text), width))
        for header, text in records.items()
    )
