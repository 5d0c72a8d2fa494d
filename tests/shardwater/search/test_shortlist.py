"""What shards hand on is enough for the best of the whole, whatever the scores and lengths are."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from shardwater.engines.engine import Survey
from shardwater.engines.extent import NOTHING
from shardwater.search.cuts import reaching
from shardwater.search.hits import Score
from shardwater.search.judging import Judge
from shardwater.search.ordering import place
from shardwater.search.parameters import Parameters
from shardwater.search.shortlist import Chooser
from shardwater.statistics.distribution import ROWS, Counts
from shardwater.statistics.evalue import SearchSpace


@dataclass
class Labels:
    """Of a database's manifest what a chooser looks at."""

    residues: int
    longest: int


@dataclass
class Subjects:
    """Of a database what a chooser looks at."""

    lengths: np.ndarray

    @property
    def manifest(self):
        return Labels(int(self.lengths.sum()), int(self.lengths.max()))


def wild(seed):
    """Lengths, ascending, and scores: chance with some line or none, families of any size, ties and giants."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(20, 3000))
    lengths = np.sort(
        np.exp(rng.normal(rng.uniform(2, 7), rng.choice([0.0, 0.05, 0.5, 1.5]), count)).astype(np.int64) + 1
    )
    scores = rng.uniform(-4, 8) * np.log(lengths) + rng.uniform(5, 40) + rng.gumbel(0, rng.uniform(0.5, 8), count)
    family = rng.random(count) < rng.choice([0, 0.01, 0.1, 0.6])
    scores[family] += np.minimum(rng.choice([20, 300, 5000]), lengths[family] * rng.uniform(0, 6))
    return lengths, np.maximum(0, scores).astype(np.int64)


def survey(subjects, lengths, scores, cut):
    """What an engine hands on of these subjects."""
    counts = Counts.of(lengths, scores)
    return Survey.among(subjects, lengths, scores, NOTHING, counts, cut(counts))


def shortlists(choose, lengths, scores, count, any_line=False):
    """What each of so many shards hands on."""
    for index in range(count):
        own = slice(index, None, count)
        chooser = replace(choose, shards=count, any_line=any_line)
        yield chooser.of_survey(survey(np.arange(len(lengths))[own], lengths[own], scores[own], chooser.cut))


def told(shortlist):
    """All that a shortlist says."""
    return list(shortlist.scores), shortlist.shown, list(shortlist.aligned), shortlist.likely, shortlist.slopes


KINDS = {
    "fitted": Parameters(max_target_seqs=50, alignments=10, evalue=1e300),
    "fitted, one": Parameters(max_target_seqs=1, evalue=10.0),
    "fitted, limits": Parameters(max_target_seqs=500, alignments=20, evalue=0.1, min_bits=20.0),
    "fitted by score": Parameters(max_target_seqs=50, alignments=10, evalue=1.0, order="score"),
    "odd costs": Parameters(max_target_seqs=50, alignments=5, gap_open=3, gap_extend=3, evalue=1e300),
    "table": Parameters(max_target_seqs=50, alignments=10, statistics="table", evalue=1e300),
    "table, limits": Parameters(max_target_seqs=200, statistics="table", matrix="PAM30", gap_open=9, evalue=10.0),
    "karlin-altschul": Parameters(max_target_seqs=50, statistics="karlin-altschul", score_distribution=True),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_best_of_the_whole_are_among_the_shards_shortlists(name):
    parameters, again = KINDS[name], 0
    for seed in range(20):
        lengths, scores = wild(seed)
        query_length = int(np.random.default_rng(seed).integers(5, 900))
        space = SearchSpace(query_length, int(lengths.sum()), len(lengths))
        counts = Counts.of(lengths, scores)
        profile = bool(seed % 2)
        judge = Judge.of(parameters, space, counts if parameters.surveyed else None, profile=profile)
        hits = [Score(subject, int(scores[subject])) for subject in np.flatnonzero(scores).tolist()]
        by_subject = judge.statistics.figures(scores.tolist(), lengths.tolist())
        hits.sort(key=lambda hit: place(parameters, by_subject[hit.subject], hit.score, hit.subject))
        best = hits[: parameters.max_target_seqs]
        figures = [by_subject[hit.subject] for hit in best]
        admitted = [hit for hit, by in zip(best, figures, strict=True) if parameters.admit(by.bits, by.evalue)]
        choose = Chooser(parameters, space, Subjects(lengths), 1, profile=profile)
        for count in (1, 2, 5, 8):
            lists = list(shortlists(choose, lengths, scores, count))
            first = set(admitted[: parameters.aligned])
            turned = any(each.slopes and not (judge.fit and each.slopes.holds(judge.fit)) for each in lists)
            if turned or not first <= {hit for each in lists for hit in each.aligned}:
                again += 1
                lists = list(shortlists(choose, lengths, scores, count, any_line=True))
                assert {each.slopes for each in lists} == {None}
            handed = admitted if count == 1 else best
            assert set(handed) <= {hit for each in lists for hit in each.scores}, (seed, count)
            assert {hit.subject for hit in admitted} <= {hit for each in lists for hit in each.shown}, (seed, count)
            assert first <= {hit for each in lists for hit in each.aligned}, (seed, count)
            if count == 1:
                assert list(lists[0].scores) == admitted
                assert list(lists[0].aligned) == admitted[: parameters.aligned]
    assert again < 20


def usual(seed=0, count=20_000):
    """Lengths and scores as a real database has them: 1 in 200 is related."""
    rng = np.random.default_rng(seed)
    lengths = np.sort(np.exp(rng.normal(5.7, 0.7, count)).astype(np.int64) + 10)
    scores = 4 * np.log(lengths) + 8 + rng.gumbel(0, 3.7, count)
    scores[rng.random(count) < 0.005] += 120
    return lengths, np.maximum(1, scores).astype(np.int64)


@pytest.mark.parametrize("top", [10, 100, 1000])
def test_of_a_usual_database_a_shard_hands_on_few_more_than_are_wanted(top):
    lengths, scores = usual()
    space = SearchSpace(300, int(lengths.sum()), len(lengths))
    choose = Chooser(Parameters(max_target_seqs=top, alignments=top), space, Subjects(lengths), 1)
    for each in shortlists(choose, lengths, scores, 8):
        assert each.slopes is not None
        assert top <= len(each.scores) < 2.5 * top + 10
        # 12 of 2,500 are related, and of chance hits up to eight times those that the E-value allows are expected.
        assert len(each.aligned) < 40


@pytest.mark.parametrize("order", ["evalue", "score"])
@pytest.mark.parametrize("evalue", [0.0, 1e-300, 1e-9, 0.1, 50.0, 1e300])
def test_the_only_shard_hands_on_no_more_than_a_limit_lets_through(evalue, order):
    parameters, handed = Parameters(max_target_seqs=10**6, alignments=10, evalue=evalue, order=order), 0
    for seed in range(12):
        lengths, scores = wild(seed)
        space = SearchSpace(300, int(lengths.sum()), len(lengths))
        chooser = Chooser(parameters, space, Subjects(lengths), 1)
        own = survey(np.arange(len(lengths)), lengths, scores, chooser.cut)
        all_there_are = survey(np.arange(len(lengths)), lengths, scores, lambda counts: np.ones(ROWS, np.int32))
        assert told(chooser.of_survey(own)) == told(chooser.of_survey(all_there_are)), seed
        handed += len(own.subjects)
    if order == "evalue" and evalue < 1:
        assert handed < 0.7 * sum(int((wild(seed)[1] > 0).sum()) for seed in range(12))


def test_a_part_of_a_shard_has_no_limit_as_its_fit_is_not_that_of_the_whole():
    lengths, scores = usual(count=2000)
    space, parameters = (
        SearchSpace(300, int(lengths.sum()), len(lengths)),
        Parameters(max_target_seqs=10**6, evalue=1e-9),
    )
    limited, without = (Chooser(parameters, space, Subjects(lengths), shards).cut for shards in (1, 2))
    part, whole = Counts.of(lengths[::2], scores[::2]), Counts.of(lengths, scores)
    assert limited(part).tolist() == without(part).tolist()
    assert reaching(whole, without(whole)) == 2000
    assert 0 < reaching(whole, limited(whole)) < 20
