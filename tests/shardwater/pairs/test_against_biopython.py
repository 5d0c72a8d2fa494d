"""Scores and alignments beside those of Biopython's PairwiseAligner, which shares no line with ours."""

import random

import pytest
from Bio.Align import PairwiseAligner, substitution_matrices

import shardwater
from shardwater import Mode, Scheme, match_table, matrix_table

LENGTHS = (1, 2, 30, 151, 300)
ENDS = {
    "query_begin": "open_left_insertion_score extend_left_insertion_score",
    "query_end": "open_right_insertion_score extend_right_insertion_score",
    "subject_begin": "open_left_deletion_score extend_left_deletion_score",
    "subject_end": "open_right_deletion_score extend_right_deletion_score",
}


def theirs(scheme: Scheme, matrix: str | None) -> PairwiseAligner:
    """The same scheme: its insertions are letters of the query alone, its deletions of the subject (its target)."""
    aligner = PairwiseAligner(mode="local" if scheme.mode.local else "global")
    if matrix is None:
        aligner.match_score, aligner.mismatch_score = 2, -1
    else:
        aligner.substitution_matrix = substitution_matrices.load(matrix)
    aligner.open_gap_score, aligner.extend_gap_score = -scheme.gap_first, -scheme.gap_extend
    for end in scheme.mode.free_ends:
        for name in ENDS[end].split():
            setattr(aligner, name, 0)
    return aligner


def alike(letters: str, seed: int) -> tuple[str, str]:
    """A sequence and a relative of it, of different lengths."""
    rng = random.Random(seed)
    query = "".join(rng.choices(letters, k=rng.choice(LENGTHS)))
    copy = "".join(rng.choice(letters) if rng.random() < 0.2 else letter for letter in query if rng.random() < 0.9)
    extra = "".join(rng.choices(letters, k=rng.randrange(40)))
    return query, (extra + copy if rng.random() < 0.5 else copy + extra) or letters[0]


@pytest.mark.parametrize("gaps", [(0, 1), (1, 1), (11, 1)])
@pytest.mark.parametrize("matrix", [None, "BLOSUM62", "PAM250"])
@pytest.mark.parametrize(
    "ends", ["local", "", "query_begin", "query_begin query_end", "query_end subject_begin", "all"]
)
def test_scores_are_those_of_biopython(matrix: str | None, gaps: tuple[int, int], ends: str) -> None:
    modes = {"local": Mode.LOCAL, "all": Mode.SEMI_GLOBAL}
    mode = modes[ends] if ends in modes else Mode.free(ends.split())
    table = match_table(2, -1) if matrix is None else matrix_table(matrix)
    scheme = Scheme(table, *gaps, mode)
    pairs = [alike("ACGT" if matrix is None else "ACDEFGHIKLMNPQRSTVWY", seed) for seed in range(25)]
    aligner = theirs(scheme, matrix)
    found = list(shardwater.align(pairs, scheme))
    # With linear costs it does not score the alignment that leaves out both sequences, one before, one after.
    compared = [pair for pair, each in zip(pairs, found, strict=True) if gaps != (0, 1) or each.align_len]
    assert [each.score for each in found if gaps != (0, 1) or each.align_len] == [
        aligner.score(subject, query) for query, subject in compared
    ]
    assert len(compared) > 20
