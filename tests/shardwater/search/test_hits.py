from dataclasses import fields, replace

import numpy as np

from shardwater.alignment.alignment import AlignedRows, Alignment, Run
from shardwater.database.taxa import Organism
from shardwater.search.hits import Hsp, Score, ScoreColumns, SubjectHit, hsp, rank
from shardwater.search.remains import Masked, Remains
from shardwater.statistics.shuffles import Shuffled, Spread

SPREAD = Spread(20.0, 3.0, None)


def test_hsp_counts_from_1_and_includes_its_ends():
    alignment = Alignment(28, 4, 9, 1, 5, (Run("M", 2), Run("I", 1), Run("M", 2)))
    text = AlignedRows("AWGHE", "AW HE", "AW-HE", "2=1I2=", identity=4, positive=4, gaps=1, paired=28)
    assert hsp(alignment, text) == Hsp(
        query_from=5,
        query_to=9,
        hit_from=2,
        hit_to=5,
        identity=4,
        positive=4,
        gaps=1,
        align_len=5,
        cigar="2=1I2=",
        qseq="AWGHE",
        midline="AW HE",
        hseq="AW-HE",
        score=28,
    )


def test_hsp_of_one_residue():
    found = hsp(Alignment(11, 0, 1, 6, 7, (Run("M", 1),)), AlignedRows("W", "W", "W", "1=", 1, 1, 0, 11))
    assert (found.query_from, found.query_to, found.hit_from, found.hit_to, found.align_len) == (1, 1, 7, 7, 1)


def test_rank_puts_the_higher_score_first_and_then_the_lower_subject():
    scores = [Score(3, 10), Score(1, 10), Score(2, 90), Score(0, 9)]
    assert sorted(scores, key=rank) == [Score(2, 90), Score(1, 10), Score(3, 10), Score(0, 9)]


def test_scores_in_arrays_are_a_sequence_of_those_that_they_were_made_of():
    every = [Score(7, 30), Score(2, 25), Score(9, 25)]
    scores = ScoreColumns.of(every)
    assert (list(scores), len(scores), scores[1], scores[-1]) == (every, 3, every[1], every[2])
    assert list(scores[1:]) == every[1:]
    assert list(scores.select(np.array([True, False, True]))) == [every[0], every[2]]
    assert list(ScoreColumns.of([])) == []


def test_a_hit_with_other_alignments_is_the_same_besides():
    one = Hsp(1, 2, 3, 4, 2, 2, 0, 2, "2=", "AR", "AR", "AR", 9)
    remains = Remains(0.5, 8, Masked(7, 1, 1))
    hit = SubjectHit(
        *(3, "P1", "a title", 40, 9, (one,)),
        remains=remains,
        shuffled=Shuffled(None, None, SPREAD, SPREAD),
        further_remains=(remains,),
        unseen=5,
        organism=Organism(9606, "Homo sapiens"),
    )
    assert all(getattr(hit, each.name) != each.default for each in fields(hit))
    assert hit.showing(()) == replace(hit, hsps=())
