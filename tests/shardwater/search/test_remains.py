"""What is left of a score: the best part of an alignment whose hidden pairs count as X."""

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.gotoh import align_local
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.search.parameters import Parameters
from shardwater.search.remains import AlignedQuery, Masked, remains_of
from shardwater.sequences.alphabet import encode

SCORING = Scoring("BLOSUM62", 11, 1)
SOFT = Parameters(mask="soft")
ADJUSTED = Parameters(composition="adjusted")
LETTERS = list("ARNDCQEGHILKMFPSTWYV")
UNIQUE = b"MKTAYIAKQRQISFVKSHFSRLEERLGLIEVWAPILHCRVGDGTNDNLSGAWKAVNVKCMHFDYW"
FINGER = b"TGEKPYKCEECGKAFSRSSHLTRHQRIH"


def aligned(query, subject):
    [path] = align_local(encode(query), [encode(subject)], SCORING)
    return path


def remains(query, subject, parameters):
    [found] = remains_of([AlignedQuery(query, parameters, [subject], [aligned(query, subject)])], SCORING)
    return found


def by_definition(query, subject, path):
    """The best of all parts, each added up column by column; a letter in lower case hides its pair."""
    columns, at, beside = [], path.query_start, path.subject_start
    for run in path.runs:
        for number in range(run.length):
            if run.kind == "M":
                one, other = query[at : at + 1], subject[beside : beside + 1]
                score = int(SCORING.scores[encode(one)[0], encode(other)[0]])
                columns.append(min(score, -1) if one.islower() or other.islower() else score)
            else:
                columns.append(-1 - (11 if number == 0 else 0))
            at, beside = at + (run.kind != "D"), beside + (run.kind != "I")
    return max(sum(columns[i:j]) for i in range(len(columns) + 1) for j in range(i, len(columns) + 1))


def test_masked_score_is_that_of_the_best_part():
    rng = np.random.default_rng(2)
    gaps = 0
    for _ in range(20):
        residues = rng.choice(LETTERS, 80)
        other = np.concatenate((residues[:25], residues[28:50], rng.choice(LETTERS, 2), residues[50:]))
        other[rng.choice(len(other), 15, replace=False)] = "A"
        pair = []
        for letters in (residues.copy(), other):
            for start in rng.integers(0, 60, 2):
                letters[start : start + 6] = np.char.lower(letters[start : start + 6])
            pair.append("".join(letters).encode())
        path = aligned(*pair)
        gaps += sum(run.kind != "M" for run in path.runs)
        found = remains(*pair, SOFT).masked
        assert found.score == by_definition(*pair, path) <= path.score
        ends = (slice(path.query_start, path.query_end), slice(path.subject_start, path.subject_end))
        hidden = [sum(map(str.islower, each[part].decode())) for each, part in zip(pair, ends, strict=True)]
        assert [found.query_letters, found.subject_letters] == hidden
    assert gaps > 10


def test_a_query_with_a_pssm_has_what_its_positions_score():
    query, subject = b"WWWWwwwwHH", b"WWWWCCwwwwHH"
    scores = SCORING.scores[encode(query)].copy()
    # What is hidden counts as X even where its position scores more, and no more than what its position scores.
    scores[1], scores[4], scores[5] = 20, 50, -9
    path = Alignment(0, 0, 10, 0, 12, (Run("M", 4), Run("D", 2), Run("M", 6)))
    [found] = remains_of([AlignedQuery(query, SOFT, [subject], [path], Pssm(scores))], SCORING)
    assert found.masked.score == 11 + 20 + 11 + 11
    scores = scores.copy()
    scores[8:] = 40
    [found] = remains_of([AlignedQuery(query, SOFT, [subject], [path], Pssm(scores))], SCORING)
    assert found.masked.score == 53 - 13 - 1 - 9 - 1 - 1 + 80


def test_an_alignment_of_masked_letters_alone_scores_nothing():
    assert remains(b"wwwwwwww", b"WWWWWWWW", SOFT).masked == Masked(0, 8, 0)
    assert remains(b"WWWWWWWW", b"wwwwwwww", SOFT).masked == Masked(0, 0, 8)


def test_without_masked_letters_all_is_left():
    assert remains(UNIQUE, UNIQUE, SOFT).masked == Masked(aligned(UNIQUE, UNIQUE).score, 0, 0)


@pytest.mark.parametrize("mask", ["seg", "tantan"])
def test_rules_mask_both_sequences(mask):
    tail = b"QQQQQQQQQQQQQQQQQQQQQQQQQ"
    found = remains(UNIQUE + tail, UNIQUE + tail, Parameters(mask=mask))
    whole = aligned(UNIQUE, UNIQUE).score
    assert whole <= found.masked.score <= whole + 10
    assert found.masked.query_letters == found.masked.subject_letters >= 22
    assert (found.scale, found.unrepeated) == (None, None)


def test_repeats_are_taken_off_where_they_meet_repeats_alone():
    alone = remains(FINGER * 4, FINGER * 4, ADJUSTED)
    assert alone.unrepeated < aligned(FINGER * 4, FINGER * 4).score / 2
    once = remains(FINGER * 4, UNIQUE + FINGER, ADJUSTED)
    assert once.unrepeated == aligned(FINGER * 4, UNIQUE + FINGER).score
    assert remains(UNIQUE, UNIQUE, ADJUSTED).unrepeated == aligned(UNIQUE, UNIQUE).score


def test_nothing_is_left_of_no_alignment():
    pair = AlignedQuery(FINGER * 4, Parameters(mask="tantan", composition="adjusted"), [b"W"], [Alignment.scored(0)])
    [found] = remains_of([pair], SCORING)
    assert (found.unrepeated, found.masked) == (0, Masked(0, 0, 0))


def test_together_they_are_what_each_is_alone():
    asked = []
    for query, parameters in (
        (FINGER * 4, ADJUSTED),
        (UNIQUE, Parameters()),
        (UNIQUE.lower(), SOFT),
        (FINGER * 5, ADJUSTED),
    ):
        subjects = [FINGER * 4, UNIQUE, FINGER * 6]
        paths = [aligned(query, subject) for subject in subjects]
        asked.append(AlignedQuery(query, parameters, subjects, paths))
    together = remains_of(asked, SCORING)
    assert together == [each for one in asked for each in remains_of([one], SCORING)]
    assert together[3:6] == [None] * 3


def test_gaps_at_the_ends_of_what_is_hidden_are_left_out():
    query, subject = b"WWWWwwwwHH", b"WWWWCCwwwwHH"
    path = Alignment(0, 0, 10, 0, 12, (Run("M", 4), Run("D", 2), Run("M", 6)))
    [found] = remains_of([AlignedQuery(query, SOFT, [subject], [path])], SCORING)
    assert found.masked.score == 44
