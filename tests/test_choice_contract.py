"""What every engine must do where a search is of some of a shard's subjects: what it does with a shard of these."""

import numpy as np
import pytest

from shardwater.engines.engine import gather
from shardwater.engines.extent import Extent
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_on_any_line, best_scores
from shardwater.search.hits import Score
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Histogram

SCORINGS = [Scoring("BLOSUM62", 11, 1), Scoring("BLOSUM62", 100_000, 7)]
QUERIES = [Record("q0", b"WCAWCWKLH"), Record("q1", b"aaa"), Record("q2", b"C" * 700)]
CUTS = [best_scores(10), best_on_any_line(7), best_scores(400)]
SHARES = {"few": 0.1, "nearly half": 0.45, "most": 0.9, "all": 1.1, "nobody": -0.1}
"""An engine may go about few in another way than about most."""


@pytest.fixture
def crowd(build):
    """400 subjects of 1 to 300 residues and one of 6,000, with many equal scores, a third with letters of doubt."""
    rng = np.random.default_rng(17)
    lengths = [*rng.integers(1, 300, 400), 6000]
    letters = ["WCAKLH", "ACDEFGHIKLMNPQRSTVWY", "WCAXB"]
    return build([(f"s{n}", "".join(rng.choice(list(letters[n % 3]), length))) for n, length in enumerate(lengths)])


def chosen(crowd, share):
    """Of the subjects about such a share, by chance, and no others."""
    return np.random.default_rng(3).random(len(crowd)) < share


def own_database(build, crowd, wanted):
    """A database of these subjects, and their numbers in the crowd."""
    numbers = np.flatnonzero(wanted).tolist()
    records = [(crowd.accession(number), crowd.sequence(number).decode()) for number in numbers]
    return build(records, name="own"), numbers


@pytest.mark.parametrize("scoring", SCORINGS, ids=str)
@pytest.mark.parametrize("share", [share for share in SHARES.values() if share > 0])
def test_a_choice_is_searched_like_a_shard_of_its_own(engine, build, crowd, share, scoring):
    wanted = chosen(crowd, share)
    own, numbers = own_database(build, crowd, wanted)
    engine.load(own.shard(0, 1))
    found = gather(engine.search(QUERIES, scoring, 20))
    surveys = gather(engine.survey(QUERIES, scoring, CUTS))
    engine.load(crowd.shard(0, 1))
    part = crowd.shard(0, 1).among(wanted)
    for _ in range(2):
        for one, other in zip(gather(engine.search(QUERIES, scoring, 20, part)), found, strict=True):
            assert one.best == [Score(numbers[each.subject], each.score) for each in other.best]
            assert one.extent == other.extent
        for survey, other in zip(gather(engine.survey(QUERIES, scoring, CUTS, False, part)), surveys, strict=True):
            assert list(survey.ranked) == [Score(numbers[each.subject], each.score) for each in other.ranked]
            assert survey.extent == other.extent
            assert Histogram.of(survey.counts) == Histogram.of(other.counts)


@pytest.mark.parametrize("share", SHARES.values(), ids=SHARES)
@pytest.mark.parametrize("count", [1, 3])
def test_extents_are_those_of_the_choice(engine, crowd, count, share):
    for index in range(count):
        shard = crowd.shard(index, count)
        part = shard.among(chosen(crowd, share))
        engine.load(shard)
        expected = [Extent(len(part), part.residues, part.residues * len(query.residues)) for query in QUERIES]
        assert [found.extent for found in gather(engine.search(QUERIES, SCORINGS[0], 5, part))] == expected
        surveys = gather(engine.survey(QUERIES, SCORINGS[0], CUTS, False, part))
        assert [survey.extent for survey in surveys] == expected
        assert [survey.counts.total for survey in surveys] == [len(part)] * 3


@pytest.mark.parametrize("share", SHARES.values(), ids=SHARES)
def test_scores_that_are_handed_out_are_those_of_the_choice(engine, crowd, share):
    shard = crowd.shard(1, 2)
    part = shard.among(chosen(crowd, share))
    engine.load(shard)
    scores = [[], []]
    for asked, found in zip((None, part), scores, strict=True):
        for each in engine.survey(QUERIES[:1], SCORINGS[0], CUTS[:1], True, asked):
            for run in each.scores:
                assert run.first == sum(map(len, found))
                found.append(run.scores)
    everyone, some = (np.concatenate([np.zeros(0, np.int32), *found]) for found in scores)
    assert np.array_equal(some, everyone[part.chosen])


def test_searches_of_other_choices_and_of_all_do_not_mix(engine, crowd):
    shard = crowd.shard(0, 1)
    engine.load(shard)
    parts = [None, *(shard.among(chosen(crowd, share)) for share in SHARES.values())]
    apart = [gather(engine.search(QUERIES, SCORINGS[0], 30, part)) for part in parts]
    again = [gather(engine.search(QUERIES, SCORINGS[0], 30, part)) for part in reversed(parts)]
    assert [[found.best for found in each] for each in reversed(again)] == [[f.best for f in each] for each in apart]
    slices, meanwhile = engine.search(QUERIES, SCORINGS[0], 30, parts[1]), []
    for each in slices:
        meanwhile += gather(engine.search(QUERIES[:1], SCORINGS[0], 30, parts[3]))
        for number, found in each.answers:
            assert found.best == apart[1][number].best
    assert {tuple(found.best) for found in meanwhile} == {tuple(apart[3][0].best)}
