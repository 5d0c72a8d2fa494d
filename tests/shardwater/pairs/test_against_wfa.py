"""Global affine scores of WFA2, for reads and for strangers; its penalties are those of a scheme turned round."""

import random

import pytest

import shardwater
from shardwater import Mode, Scheme, match_table

pywfa = pytest.importorskip("pywfa", reason="pywfa is not installed: it has no wheels")


def misread(subject: str, errors: float, rng: random.Random) -> str:
    """Letters left out, exchanged, and put in."""
    return "".join(
        rng.choice(["", *"ACGT", letter + rng.choice("ACGT")]) if rng.random() < errors else letter
        for letter in subject
    )


@pytest.mark.parametrize("errors", [0.02, 0.1, 1.0])
@pytest.mark.parametrize(
    ("match", "mismatch", "gap_open", "gap_extend"), [(2, -1, 1, 1), (5, -4, 10, 1), (1, -3, 5, 2)]
)
def test_scores_are_those_of_wfa(match: int, mismatch: int, gap_open: int, gap_extend: int, errors: float) -> None:
    rng = random.Random(f"{match} {errors}")
    pairs = []
    for length in (1, 20, 150, 400, 900):
        subject = "".join(rng.choices("ACGT", k=length))
        pieces = [
            rng.choice(["", *"ACGT", letter + rng.choice("ACGT")]) if rng.random() < errors else letter
            for letter in subject
        ]
        pairs.append(("".join(pieces) or "A", subject))
    wfa = pywfa.WavefrontAligner(
        distance="affine",
        match=0,
        mismatch=2 * (match - mismatch),
        gap_opening=2 * gap_open,
        gap_extension=2 * gap_extend + match,
        span="end-to-end",
        scope="full",
        heuristic=None,
    )
    expected = [(match * (len(query) + len(subject)) + wfa(query, subject).score) / 2 for query, subject in pairs]
    found = shardwater.align(pairs, Scheme(match_table(match, mismatch), gap_open, gap_extend, Mode.GLOBAL), "score")
    assert [each.score for each in found] == expected
