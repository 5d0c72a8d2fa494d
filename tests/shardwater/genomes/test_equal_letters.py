"""Equal letters of stretches of both strands, against those of strings."""

import numpy as np

from shardwater.genomes.equal_letters import equal_letters
from shardwater.genomes.genome import Genome
from shardwater.genomes.stretches import Stretches
from tests.support.genomes import genome, random_dna, reverse_complement


def by_letters(query: Genome, subject: Genome, x: int, y: int, length: int, reverse: bool) -> int:
    ours, theirs = (
        each.letters.tobytes().decode().upper().replace("U", "T")[at : at + length]
        for each, at in ((query, x), (subject, y))
    )
    ours = reverse_complement(ours) if reverse else ours
    return sum(one == other and one != "N" for one, other in zip(ours, theirs, strict=True))


def test_equal_letters_are_known_ones_whatever_their_case() -> None:
    rng = np.random.default_rng(4)
    first = random_dna(rng, 300, "ACGTNacgtu")
    second = random_dna(rng, 280, "ACGTNacgtu")
    query, subject = genome("ACG", first), genome(second + reverse_complement(first[200:]).lower())
    places = rng.integers(0, 200, (3, 50))
    reverse = np.arange(50) % 2 == 1
    stretches = Stretches(np.arange(50), places[0], places[1], 1 + places[2] % 90, reverse)
    assert equal_letters(query, subject, stretches).tolist() == [
        by_letters(query, subject, *row) for row in zip(*places[:2], stretches.length, reverse, strict=True)
    ]
