from shardwater.alignment import AlignedRows, Alignment, Run
from shardwater.hits import Hsp, Score, SubjectHit, hsp, merge_hits, rank


def hit(subject, score):
    return SubjectHit(subject, f"acc{subject}", "", 100, score, ())


def places(hits):
    return [(hit.subject, hit.score) for hit in hits]


def test_hsp_counts_from_1_and_includes_its_ends():
    alignment = Alignment(28, 4, 9, 1, 5, (Run("M", 2), Run("I", 1), Run("M", 2)))
    text = AlignedRows("AWGHE", "AW HE", "AW-HE", "2=1I2=", identity=4, positive=4, gaps=1)
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
    )


def test_hsp_of_one_residue():
    found = hsp(Alignment(11, 0, 1, 6, 7, (Run("M", 1),)), AlignedRows("W", "W", "W", "1=", 1, 1, 0))
    assert (found.query_from, found.query_to, found.hit_from, found.hit_to, found.align_len) == (1, 1, 7, 7, 1)


def test_rank_puts_the_higher_score_first_and_then_the_lower_subject():
    scores = [Score(3, 10), Score(1, 10), Score(2, 90), Score(0, 9)]
    assert sorted(scores, key=rank) == [Score(2, 90), Score(1, 10), Score(3, 10), Score(0, 9)]


def test_merge_is_by_score_over_all_shards():
    shards = [[hit(0, 50), hit(2, 20)], [hit(1, 70), hit(3, 60)]]
    assert places(merge_hits(shards, 10)) == [(1, 70), (3, 60), (0, 50), (2, 20)]


def test_ties_go_by_subject_whatever_shard_they_come_from():
    shards = [[hit(6, 30), hit(9, 30)], [hit(1, 30), hit(7, 30)], [hit(2, 30)]]
    assert places(merge_hits(shards, 4)) == [(1, 30), (2, 30), (6, 30), (7, 30)]
    assert merge_hits(shards[::-1], 4) == merge_hits(shards, 4)


def test_merge_keeps_the_best_few():
    shards = [[hit(0, 50), hit(2, 40)], [hit(1, 45), hit(3, 5)]]
    assert places(merge_hits(shards, 1)) == [(0, 50)]
    assert places(merge_hits(shards, 3)) == [(0, 50), (1, 45), (2, 40)]


def test_merge_of_empty_shards():
    assert merge_hits([], 5) == []
    assert merge_hits([[], []], 5) == []
    assert places(merge_hits([[], [hit(1, 3)]], 5)) == [(1, 3)]
