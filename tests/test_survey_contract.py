"""What every engine's survey must do: find what the search finds, and count every subject by length and score."""

import numpy as np
import pytest

from shardwater.engines.engine import gather
from shardwater.errors import DatabaseError
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_by, best_on_any_line, best_scores
from shardwater.search.hits import Score
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import ROWS, SCORES, Counts, Histogram, rows_of
from shardwater.statistics.evalue import SearchSpace
from shardwater.statistics.evalue_bounds import TableBounds
from shardwater.statistics.karlin_altschul import published
from tests.support.answers import best_of, runs_of
from tests.support.oracle import best_score
from tests.support.tiers import mostly_thorough

DEFAULT = Scoring("BLOSUM62", 11, 1)
OTHER = Scoring("PAM250", 3, 2)
QUERIES = [Record("q0", b"WCAWCWKLH"), Record("q1", b"aaa"), Record("q2", b"C")]
BEST = [best_scores(10)] * 3


def named(sequences):
    return [(f"s{number}", sequence) for number, sequence in enumerate(sequences)]


@pytest.fixture
def crowd(build):
    """300 subjects of 1 to 40 letters, with many equal scores and lengths."""
    rng = np.random.default_rng(8)
    return build(named("".join(rng.choice(list("WCAKLHx"), rng.integers(1, 41))) for _ in range(300)))


def scores_by_oracle(database, query, scoring):
    """The score of each subject, by the triple loop."""
    table = scoring.scores.tolist()
    codes = [encode(database.sequence(subject)).tolist() for subject in range(len(database))]
    gaps = scoring.gap_open, scoring.gap_extend
    return np.array([best_score(encode(query.residues).tolist(), subject, table, *gaps) for subject in codes])


def counts_by_oracle(database, query, scoring):
    """The counts of all subjects."""
    return Counts.of(database.lengths, scores_by_oracle(database, query, scoring))


@pytest.mark.parametrize("scoring", [DEFAULT, OTHER], ids=str)
@pytest.mark.parametrize("top", [1, 10, 1000])
def test_survey_finds_what_the_search_finds_and_counts_every_subject(engine, crowd, top, scoring):
    engine.load(crowd.shard(0, 1))
    surveys = gather(engine.survey(QUERIES, scoring, [best_scores(top)] * 3))
    assert [list(survey.ranked)[:top] for survey in surveys] == best_of(engine, QUERIES, scoring, top)
    for query, survey in zip(QUERIES, surveys, strict=True):
        assert Histogram.of(survey.counts) == Histogram.of(counts_by_oracle(crowd, query, scoring))


def every_third(counts):
    """A cut that wants score 5 of every third length bin, 12 of the others, and nothing of the tenth."""
    least = np.where(np.arange(ROWS) % 3, 12, 5).astype(np.int32)
    least[10] = 2**31 - 1
    return least


SPACE = SearchSpace(9, 6000, 300)
CUTS = {
    "by row": every_third,
    "by score": best_scores(7),
    "on any line": best_on_any_line(20),
    "by table": best_by(TableBounds(published("BLOSUM62").row(11, 1), SPACE), 20, 40),
    "all": lambda counts: np.zeros(ROWS, np.int32),
}


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
def test_survey_hands_on_just_what_its_cut_wants(engine, crowd, cut):
    engine.load(crowd.shard(1, 2))
    everyone = gather(engine.survey(QUERIES, DEFAULT, [CUTS["all"]] * 3))
    for whole, survey in zip(everyone, gather(engine.survey(QUERIES, DEFAULT, [cut] * 3)), strict=True):
        least = cut(survey.counts)[rows_of(crowd.lengths)]
        wanted = [score for score in whole.ranked if score.score >= least[score.subject]]
        assert list(survey.ranked) == wanted
        assert len(whole.ranked) == survey.counts.by_score()[1:].sum()
        assert {score.subject % 2 for score in whole.ranked} <= {1}


def test_each_query_of_a_survey_has_its_own_cut(engine, crowd):
    engine.load(crowd.shard(0, 1))
    apart = [gather(engine.survey([query], DEFAULT, [cut]))[0] for query in QUERIES for cut in CUTS.values()]
    together = gather(
        engine.survey(
            [query for query in QUERIES for _ in CUTS], DEFAULT, [cut for _ in QUERIES for cut in CUTS.values()]
        )
    )
    assert [list(survey.ranked) for survey in together] == [list(survey.ranked) for survey in apart]


@pytest.mark.parametrize("count", mostly_thorough([2, 3], [301]))
def test_counts_of_shards_add_up_to_those_of_the_whole(engine, crowd, count):
    of_shards = []
    for index in range(count):
        engine.load(crowd.shard(index, count))
        of_shards.append([Histogram.of(survey.counts) for survey in gather(engine.survey(QUERIES, DEFAULT, BEST))])
    for query, parts in zip(QUERIES, zip(*of_shards, strict=True), strict=True):
        assert Histogram.of(Counts.sum([part.counts for part in parts])) == Histogram.of(
            counts_by_oracle(crowd, query, DEFAULT)
        )


@pytest.mark.parametrize("count", [1, 3, 301])
def test_all_scores_are_handed_out_in_the_order_of_the_shard_before_the_answer(engine, crowd, count):
    expected = [scores_by_oracle(crowd, query, OTHER) for query in QUERIES]
    for index in range(count - min(count, 2), count):
        engine.load(crowd.shard(index, count))
        handed, answered = [np.zeros(0, np.int32)] * 3, []
        for each in engine.survey(QUERIES, OTHER, BEST, True):
            for run in each.scores:
                assert run.query not in answered
                assert run.first == len(handed[run.query])
                assert run.scores.dtype == np.int32
                handed[run.query] = np.append(handed[run.query], run.scores)
            answered += [number for number, _ in each.answers]
        assert sorted(answered) == [0, 1, 2]
        for scores, all_scores in zip(handed, expected, strict=True):
            assert np.array_equal(scores, all_scores[index::count])


def test_scores_that_no_counter_holds_are_handed_out(engine, build):
    engine.load(build(named(["P" * 300, "W" * 187, "W" * 3000])).shard(0, 1))
    runs = runs_of(engine, [Record("w", b"W" * 3000)], DEFAULT)
    assert np.concatenate([run.scores for run in runs]).tolist() == [2057, 0, 33_000]


def test_nothing_is_handed_out_that_was_not_asked_for(engine, crowd):
    engine.load(crowd.shard(0, 1))
    assert not [each for each in engine.survey(QUERIES, DEFAULT, BEST) if each.scores]


def test_highest_scores_are_counted_together(engine, build):
    engine.load(build(named(["W" * length for length in (1, 2, 186, 187, 3000)] + ["P" * 300])).shard(0, 1))
    [survey] = gather(engine.survey([Record("w", b"W" * 3000)], DEFAULT, [best_scores(2)]))
    assert list(survey.ranked) == [Score(5, 33_000), Score(3, 2057)]
    by_score = survey.counts.by_score()
    assert {int(score): int(by_score[score]) for score in np.flatnonzero(by_score)} == {
        0: 1, 11: 1, 22: 1, 2046: 1, SCORES - 1: 2,
    }  # fmt: skip


def test_empty_shard_and_no_queries(engine, build):
    with pytest.raises(DatabaseError, match="no shard is loaded"):
        gather(engine.survey(QUERIES, DEFAULT, BEST))
    engine.load(build([("a", "WWW"), ("b", "WWWW")]).shard(2, 3))
    [survey] = gather(engine.survey(QUERIES[:1], DEFAULT, BEST[:1]))
    assert list(survey.ranked) == []
    assert survey.counts.total == 0
    assert gather(engine.survey([], DEFAULT, [])) == []
