"""Linear scores of 0, -1 and -1 are edit distances: those of edlib, for sequences of thousands of letters."""

import random

import edlib
import pytest

import shardwater
from shardwater import Mode, Scheme, match_table


def alike(length: int, rng: random.Random) -> tuple[str, str]:
    query = "".join(rng.choices("ACGT", k=length))
    copy = "".join(rng.choice("ACGT") if rng.random() < 0.1 else letter for letter in query if rng.random() < 0.95)
    return query, copy


@pytest.mark.parametrize(
    ("theirs", "mode"),
    [
        ("NW", Mode.GLOBAL),
        ("SHW", Mode.free(["subject_end"])),
        ("HW", Mode.free(["subject_begin", "subject_end"])),
    ],
)
@pytest.mark.parametrize("length", [10, 1_000, 6_000])
def test_scores_are_edit_distances(theirs: str, mode: Mode, length: int) -> None:
    rng = random.Random(length)
    pairs = [alike(length, rng) for _ in range(4)]
    expected = [-edlib.align(query, subject, mode=theirs)["editDistance"] for query, subject in pairs]
    found = list(shardwater.align(pairs, Scheme(match_table(0, -1), 0, 1, mode), "score"))
    assert [each.score for each in found] == expected
