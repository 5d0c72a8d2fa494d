import numpy as np
import pytest

from shardwater.alignment.alignment import AlignedRows, Alignment, Paths, Run, aligned_rows, merge_runs
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import load_matrix
from shardwater.sequences.alphabet import LETTERS

BLOSUM62 = load_matrix("BLOSUM62").scores


def rows(alignment, query, subject):
    [found] = aligned_rows(Paths.of([alignment]), [query], [subject], BLOSUM62)
    return found


def paired(query, subject):
    """The rows of two sequences of one length laid side by side, whole."""
    return rows(Alignment(1, 0, len(query), 0, len(query), (Run("M", len(query)),)), query, subject)


def test_rows_of_an_alignment_inside_two_sequences():
    # HEAG[AWGHE]E against P[AW-HE]AE.
    alignment = Alignment(28, 4, 9, 1, 5, (Run("M", 2), Run("I", 1), Run("M", 2)))
    assert rows(alignment, b"HEAGAWGHEE", b"PAWHEAE") == AlignedRows(
        query="AWGHE", midline="AW HE", subject="AW-HE", cigar="2=1I2=", identity=4, positive=4, gaps=1, paired=28
    )


def test_a_deletion_shows_letters_of_the_subject_alone():
    alignment = Alignment(1, 0, 4, 0, 7, (Run("M", 2), Run("D", 3), Run("M", 2)))
    assert rows(alignment, b"WWCC", b"WWAAACC") == AlignedRows(
        query="WW---CC", midline="WW   CC", subject="WWAAACC", cigar="2=3D2=", identity=4, positive=4, gaps=3, paired=40
    )


def test_insertion_beside_a_deletion():
    alignment = Alignment(1, 0, 5, 0, 5, (Run("M", 2), Run("I", 1), Run("D", 1), Run("M", 2)))
    assert rows(alignment, b"WWGCC", b"WWPCC") == AlignedRows(
        query="WWG-CC", midline="WW  CC", subject="WW-PCC", cigar="2=1I1D2=", identity=4, positive=4, gaps=2, paired=40
    )


def test_mismatches_are_x_and_those_above_0_are_positive():
    # I with L is 2, D with E is 2, A with T is 0, W with P is -4.
    assert paired(b"IDAWH", b"LETPH") == AlignedRows(
        query="IDAWH", midline="++  H", subject="LETPH", cigar="4X1=", identity=1, positive=3, gaps=0, paired=8
    )


def test_lower_case_is_identical_to_upper_case_and_shown_as_sent():
    assert paired(b"aWgHe", b"AwgPE") == AlignedRows(
        query="aWgHe", midline="AWG E", subject="AwgPE", cigar="3=1X1=", identity=4, positive=4, gaps=0, paired=24
    )


def test_letters_that_score_as_x_are_identical_only_to_themselves():
    # U with U scores -1, as X with X does, and yet the letters are the same; U with X is a mismatch.
    assert paired(b"UuOXU", b"UUJXX") == AlignedRows(
        query="UuOXU", midline="UU X ", subject="UUJXX", cigar="2=1X1=1X", identity=3, positive=3, gaps=0, paired=-5
    )


def test_databases_own_dash_is_a_residue_and_shown_as_x():
    assert paired(b"WWACC", b"WW-CC") == AlignedRows(
        query="WWACC", midline="WW CC", subject="WWXCC", cigar="2=1X2=", identity=4, positive=4, gaps=0, paired=40
    )


@pytest.mark.parametrize(("query", "subject", "midline"), [(b"B", b"D", "+"), (b"Z", b"Q", "+"), (b"*", b"*", "*")])
def test_ambiguous_letters(query, subject, midline):
    assert paired(query, subject).midline == midline


def test_positive_follows_the_matrix():
    # R with Q is 1 under BLOSUM62 and -2 under PAM30.
    alignment = Alignment(1, 0, 1, 0, 1, (Run("M", 1),))
    pam30 = load_matrix("PAM30").scores
    assert aligned_rows(Paths.of([alignment]), [b"R"], [b"Q"], BLOSUM62)[0].positive == 1
    assert aligned_rows(Paths.of([alignment]), [b"R"], [b"Q"], pam30)[0].positive == 0


def test_merge_runs_joins_neighbours_of_one_kind():
    runs = [Run("M", 1), Run("M", 2), Run("I", 1), Run("I", 4), Run("D", 1), Run("M", 1)]
    assert merge_runs(runs) == (Run("M", 3), Run("I", 5), Run("D", 1), Run("M", 1))


def test_merge_runs_of_nothing():
    assert merge_runs([]) == ()


def test_many_alignments_are_written_as_each_alone():
    whole = Alignment(1, 0, 4, 0, 4, (Run("M", 4),))
    gapped = Alignment(1, 1, 4, 0, 4, (Run("M", 2), Run("D", 1), Run("M", 1)))
    short = Alignment(1, 2, 3, 2, 3, (Run("M", 1),))
    queries, subjects = [b"WCHY", b"AWCH", b"WWWW", b"WCHY"], [b"WCHY", b"WCPH", b"CCWC", b"WCHF"]
    alignments = [whole, gapped, short, whole]
    each = [rows(*one) for one in zip(alignments, queries, subjects, strict=True)]
    assert aligned_rows(Paths.of(alignments), queries, subjects, BLOSUM62) == each
    assert [one.cigar for one in each] == ["4=", "2=1D1=", "1=", "3=1X"]


def test_a_position_scores_by_its_pssm():
    # A gap in the query, then one in the subject: places 1, 2 and 4 are aligned with C, A and W.
    path = Alignment(1, 1, 5, 0, 4, (Run("M", 1), Run("D", 1), Run("M", 1), Run("I", 1), Run("M", 1)))
    scores = np.zeros((6, 24), np.int32)
    scores[1, LETTERS.index("C")], scores[2, LETTERS.index("A")], scores[4, LETTERS.index("W")] = 7, -3, -5
    own, other = Pssm(scores), Pssm(scores + 1)
    plain = (Alignment(1, 0, 1, 0, 1, (Run("M", 1),)), b"R", b"Q")
    paths, queries, subjects = zip((path, b"GGGGWG", b"CGAW"), plain, (path, b"GGGGWG", b"CGAW"), strict=True)
    found = aligned_rows(Paths.of(paths), queries, subjects, BLOSUM62, [own, None, other])
    assert [(one.midline, one.positive, one.paired) for one in found] == [
        ("+   W", 2, -1),
        ("+", 1, 1),
        ("+   W", 2, 2),
    ]


def test_long_runs_stand_in_the_alignments_that_they_are_of():
    lengths = [300, 1, 40_000, 256, 2]
    alignments = [Alignment(1, 0, length, 0, length, (Run("M", length),)) for length in lengths]
    letters = [b"W" * length for length in lengths]
    found = aligned_rows(Paths.of(alignments), letters, letters, BLOSUM62)
    assert [one.cigar for one in found] == ["300=", "1=", "40000=", "256=", "2="]


@pytest.mark.parametrize("length", [1, 254, 255, 256, 257, 40_000])
def test_runs_of_every_kind_are_counted_however_long(length):
    moves = (Run("M", length), Run("I", length), Run("M", length), Run("D", length), Run("M", length))
    query, subject = b"W" * 4 * length, b"W" * length + b"C" * length + b"W" * 2 * length
    found = rows(Alignment(1, 0, 4 * length, 0, 4 * length, moves), query, subject)
    assert found.cigar == "".join(f"{length}{kind}" for kind in "=IXD=")
