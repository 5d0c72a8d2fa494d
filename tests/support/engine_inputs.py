"""What engines are given: letters, families of related sequences, gap costs; for machines with numpy alone."""

import numpy as np

from shardwater.engines.engine import Pair
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode

DEFAULT = Scoring("BLOSUM62", 11, 1)
GAPS = [(0, 0), (0, 1), (1, 0), (11, 1), (10, 1), (40, 3), (100_000, 7), (2**40, 2**40)]
AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV"
ALL_LETTERS = AMINO_ACIDS + AMINO_ACIDS.lower() + "BZX*bzxUOJuoj"
# Letters and their scores with themselves under BLOSUM62, by what a run of W (11 each) leaves over.
TAILS = {
    0: ("", 0), 1: ("NN", 12), 2: ("RH", 13), 3: ("PP", 14), 4: ("A", 4), 5: ("R", 5),
    6: ("N", 6), 7: ("P", 7), 8: ("H", 8), 9: ("C", 9), 10: ("RR", 10),
}  # fmt: skip


def worth(score):
    """A sequence whose best alignment, with itself, scores so much under BLOSUM62."""
    letters, rest = TAILS[score % 11]
    return "W" * ((score - rest) // 11) + letters


def random_letters(rng, letters, length):
    return "".join(rng.choice(list(letters), length))


def related(rng, letters, sequence):
    """A mutated piece of a sequence, so that alignments are long and have gaps."""
    kept = [letter for letter in sequence[len(sequence) // 4 :] if rng.random() > 0.1]
    return "".join(random_letters(rng, letters, 3) if rng.random() < 0.1 else letter for letter in kept) or "W"


def family(rng, letters, sizes, longest):
    """Random queries, and subjects of which half are related to one of them: (queries, subjects)."""
    number_of_queries, number_of_subjects = sizes
    queries = [random_letters(rng, letters, rng.integers(1, longest)) for _ in range(number_of_queries)]
    strangers = [random_letters(rng, letters, rng.integers(1, longest)) for _ in range(number_of_subjects // 2)]
    relatives = [related(rng, letters, queries[n % len(queries)]) for n in range(number_of_subjects // 2)]
    return queries, [*strangers, *relatives]


def codes(letters):
    return encode(letters if isinstance(letters, bytes) else letters.encode()).tolist()


def mixed_pairs(seed):
    """Pairs of 1 to 2000 residues: several queries, in no order, some of them again later."""
    rng = np.random.default_rng(seed)
    queries = [random_letters(rng, AMINO_ACIDS, length) for length in (1, 7, 60, 250, 2000)]
    subjects = [random_letters(rng, ALL_LETTERS, length) for length in (1, 2, 33, 500, 2000)]
    relatives = [related(rng, AMINO_ACIDS, query) for query in queries]
    chosen = [(query, subject) for query in queries for subject in (*subjects, *relatives)]
    return [Pair(chosen[n][0].encode(), chosen[n][1].encode()) for n in (*rng.permutation(len(chosen)), 0, 1)]
