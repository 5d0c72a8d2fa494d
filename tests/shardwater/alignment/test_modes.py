"""gotoh.py in every mode against the oracle of pairs: scores, ends and the very path, stored whole and in parts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.alignment.alignment import Run
from shardwater.alignment.gotoh import align_batch
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.scoring.table import match_table, matrix_table
from shardwater.sequences.alphabets import DNA, PROTEIN
from tests.support.pair_oracle import best
from tests.support.schemes import MODES, dna, schemes


@settings(max_examples=200, deadline=None)
@given(dna, st.lists(dna, min_size=1, max_size=4), schemes, st.sampled_from([1, 300, 1 << 20]))
def test_batch_equals_oracle(query: list[int], subjects: list[list[int]], scheme: Scheme, memory: int) -> None:
    codes = [np.array(subject, np.uint8) for subject in subjects]
    found = align_batch(np.array(query, np.uint8), codes, scheme, memory)
    assert found == [best(query, subject, scheme) for subject in subjects]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 23), max_size=25), st.lists(st.integers(0, 23), max_size=25), st.sampled_from(MODES))
def test_proteins_equal_oracle(query: list[int], subject: list[int], mode: Mode) -> None:
    scheme = Scheme(matrix_table("BLOSUM62"), 11, 1, mode)
    [found] = align_batch(np.array(query, np.uint8), [np.array(subject, np.uint8)], scheme)
    assert found == best(query, subject, scheme)


@pytest.mark.parametrize(
    ("mode", "linear", "affine"), [(Mode.GLOBAL, 16, 13), (Mode.SEMI_GLOBAL, 18, 17), (Mode.LOCAL, 18, 17)]
)
def test_published_dna_scores(mode: Mode, linear: int, affine: int) -> None:
    query, subject = DNA.encode(b"ACGTACGTTAGC"), DNA.encode(b"CGTTACGATAGCA")
    for gap_open, score in ((0, linear), (1, affine)):
        [found] = align_batch(query, [subject], Scheme(match_table(2, -1), gap_open, 1, mode))
        assert found is not None
        assert found.score == score


INSULIN = (
    b"MALWMRLLPLLALLALWGPDPAAAFVNQHLCGSHLVEALYLVCGERGFFYTPKTRREAEDLQVGQVELGGGPGAGSLQPLALEGSLQKRGIVEQCCTSICSLYQLENYCN",
    b"MALWTRLLPLLALLALWAPAPAQAFVNQHLCGSHLVEALYLVCGERGFFYTPKARREVEGPQVGALELAGGPGAGGLEGPPQKRGIVEQCCASVCSLYQLENYCN",
)


@pytest.mark.parametrize(
    ("matrix", "score"),
    [
        ("BLOSUM62", 464), ("BLOSUM50", 611), ("BLOSUM45", 577), ("BLOSUM80", 498), ("BLOSUM90", 532),
        ("PAM30", 626), ("PAM70", 573), ("PAM250", 503),
    ],
)  # fmt: skip
@pytest.mark.parametrize("mode", [Mode.GLOBAL, Mode.SEMI_GLOBAL, Mode.LOCAL])
def test_insulins_score_as_published(matrix: str, score: int, mode: Mode) -> None:
    query, subject = map(PROTEIN.encode, INSULIN)
    [found] = align_batch(query, [subject], Scheme(matrix_table(matrix), 11, 1, mode))
    assert found is not None
    assert found.score == score


def test_global_alignment_of_nothing_is_one_gap() -> None:
    nothing, three = DNA.encode(b""), DNA.encode(b"ACG")
    scheme = Scheme(match_table(2, -1), 5, 1, Mode.GLOBAL)
    found = [align_batch(*pair, scheme)[0] for pair in ((nothing, [three]), (three, [nothing]), (nothing, [nothing]))]
    assert [each and (each.score, each.runs) for each in found] == [
        (-8, (Run("D", 3),)), (-8, (Run("I", 3),)), (0, ()),
    ]  # fmt: skip


def test_dear_gaps_between_lengths_that_differ_are_counted_beyond_32_bits() -> None:
    query, subject = DNA.encode(b"ACGT"), DNA.encode(b"ACGT" + b"C" * 3_000)
    [found] = align_batch(query, [subject], Scheme(match_table(100_000, -1), 1, 1_000_000, Mode.GLOBAL))
    assert found is not None
    assert (found.score, found.runs) == (4 * 100_000 - 1 - 3_000 * 1_000_000, (Run("M", 4), Run("D", 3_000)))
