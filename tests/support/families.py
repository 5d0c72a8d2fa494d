"""A family of proteins whose far members only a profile of the near ones finds, among random ones."""

import numpy as np

AMINO_ACIDS = np.array(list("ARNDCQEGHILKMFPSTWYV"))


def family(length: int = 110, members: int = 40, others: int = 200, seed: int = 3) -> str:
    """FASTA: the ancestor `m0` first, then members further and further away from it, then strangers `s0` and on.

    At each place the family has five letters; a member draws more of its letters anew among them than the one before.
    """
    rng = np.random.default_rng(seed)
    allowed = np.array([rng.choice(AMINO_ACIDS, 5, replace=False) for _ in range(length)])
    records = []
    for member in range(members):
        drawn = allowed[np.arange(length), rng.integers(0, 5, length)]
        letters = np.where(rng.random(length) < member / (members - 1), drawn, allowed[:, 0])
        records.append(f">m{member} member\n{''.join(letters)}\n")
    for other in range(others):
        records.append(f">s{other} stranger\n{''.join(rng.choice(AMINO_ACIDS, rng.integers(60, 300)))}\n")
    return "".join(records)
