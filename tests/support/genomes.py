"""Small genomes for tests: random ones, ones that repeat themselves, those of the seed system's golden cases."""

from collections.abc import Mapping
from functools import cache
from itertools import pairwise

import numpy as np

from shardwater.genomes.genome import Genome
from shardwater.sequences.named import Letters


def genome(*records: str) -> Genome:
    """Records named by their numbers, from 1."""
    return Genome.of(Letters(str(number), each.encode()) for number, each in enumerate(records, 1))


def random_dna(rng: np.random.Generator, length: int, letters: str = "ACGT") -> str:
    return "".join(rng.choice(list(letters), length)) if length else ""


def mutated(rng: np.random.Generator, letters: str, rate: float, others: str = "ACGT") -> str:
    """Some letters replaced; some of them by what they were."""
    replaced, by = rng.random(len(letters)) < rate, rng.choice(list(others), len(letters))
    return "".join(np.where(replaced, by, list(letters)))


def with_indels(rng: np.random.Generator, letters: str, apart: int) -> str:
    """Some 1 to 30 letters more, or less, about each so many letters."""
    pieces, at = list[str](), 0
    while at < len(letters):
        piece = letters[at : at + int(rng.integers(apart // 2, 2 * apart))]
        at, size = at + len(piece), int(rng.integers(1, 31))
        more = rng.random() < 0.5
        pieces += [piece, random_dna(rng, size * more)]
        at += size * (not more)
    return "".join(pieces)


def reverse_complement(letters: str) -> str:
    return letters.translate(str.maketrans("ACGTacgt", "TGCAtgca"))[::-1]


def generated(seed: int, length: int) -> str:
    """The letters of the golden cases: of a linear congruential generator."""
    letters, state = list[str](), seed
    for _ in range(length):
        state = (1103515245 * state + 12345) % 2**31
        letters.append("ACGT"[state >> 16 & 3])
    return "".join(letters)


def fasta(records: Mapping[str, str], width: int = 70) -> str:
    """FASTA of letters by header."""
    lines = (
        [f">{header}", *(text[at : at + width] for at in range(0, len(text), width))]
        for header, text in records.items()
    )
    return "".join(f"{line}\n" for each in lines for line in each)


def every_replaced(letters: str, step: int) -> str:
    """Each step-th letter replaced: A by C, C by G, G by T, T by A."""
    following = dict(zip("ACGT", "CGTA", strict=True))
    return "".join(following[letter] if number % step == 0 else letter for number, letter in enumerate(letters, 1))


@cache
def kinds(seed: int) -> dict[str, tuple[list[str], list[str]]]:
    """Two genomes of each kind that is hard for some reason: records of the query, and of the subject."""
    rng = np.random.default_rng(seed)
    ancestor = random_dna(rng, 700)
    turned = mutated(rng, ancestor[:250], 0.04) + reverse_complement(mutated(rng, ancestor[250:450], 0.04))
    unknown = mutated(rng, ancestor, 0.03, "ACGTNnRy")
    cut = sorted(rng.integers(0, 700, 4).tolist())
    several = [ancestor[first:last] for first, last in pairwise([0, *cut, 700])]
    return {
        "unrelated": ([random_dna(rng, 600)], [random_dna(rng, 500)]),
        "related": ([ancestor], [turned + mutated(rng, ancestor[400:], 0.2)]),
        "repeats of two letters": (["AT" * 60 + "G" + "AT" * 30], ["TA" * 50, "AT" * 20 + "C" + "AT" * 30]),
        "poly-T": (["T" * 90 + "A" + "T" * 40, "t" * 50], ["T" * 70, "A" * 60 + "u" * 40]),
        "tandem repeats": (["ACGTTGCAAC" * 20], ["ACGTTGCAAC" * 8 + "G" + "ACGTTGCAAC" * 10]),
        "two letters": ([random_dna(rng, 200, "AC")], [random_dna(rng, 200, "AC") + random_dna(rng, 100, "TG")]),
        "unknown letters": ([unknown], [mutated(rng, ancestor, 0.03, "ACGTNnRy").lower()]),
        "many records": (several, [mutated(rng, each, 0.05) for each in reversed(several)]),
        "tiny records": (
            ["", "A", "ACGTACGT", ancestor[:31], ancestor[:32], ""],
            [ancestor[:33], "", "ACGTACGTA", "C"],
        ),
        "with itself": ([ancestor[:300] + reverse_complement(ancestor[100:200]) + ancestor[:150]],) * 2,
        "nothing": ([], ["", "ACGT"]),
    }
