"""Engines that leave work out or do some twice: none of them gets a result."""

from dataclasses import replace

import pytest

from shardwater.alignment.alignment import Run
from shardwater.engines.cpu import CpuEngine
from shardwater.errors import EngineError
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record
from tests.support.altered import altered

QUERIES = [Record("q1", b"WWHWW"), Record("q2", b"CCCA")]
BY_SEARCH, BY_SURVEY = Parameters(statistics="table", order="score"), Parameters()


class SkipsTheLastSlice(CpuEngine):
    def _slices(self, *asked):
        *slices, _ = super()._slices(*asked)
        return iter(slices)


class ScoresAQuarter(CpuEngine):
    def _slices(self, *asked):
        return iter(list(super()._slices(*asked))[::4])


class SkipsASliceOfTheSecondQuery(CpuEngine):
    def _slices(self, *asked):
        return (each for each in super()._slices(*asked) if (each.query, each.start) != (1, 0))


class ScoresASliceTwice(CpuEngine):
    def _slices(self, *asked):
        slices = list(super()._slices(*asked))
        return iter([slices[0], *slices])


class ScoresASliceInPlaceOfAnother(CpuEngine):
    """Both have two subjects, so that the cells are as many as they should be."""

    def _slices(self, *asked):
        slices = list(super()._slices(*asked))
        return iter([*slices[:2], slices[1], *slices[3:]])


class LosesSubjectsOfOneLength(CpuEngine):
    def _slices(self, held, *asked):
        lengths = held.shard.lengths
        return (each for each in super()._slices(held, *asked) if lengths[each.start] != 7)


class ScoresHalfOfAQuery(CpuEngine):
    def search(self, queries, *asked):
        return super().search([queries[0], Record("half", queries[1].residues[:2])], *asked)

    def survey(self, queries, *asked):
        return super().survey([queries[0], Record("half", queries[1].residues[:2])], *asked)


class LosesAQuery(CpuEngine):
    def search(self, queries, *asked):
        return super().search(queries[:1], *asked)

    def survey(self, queries, scoring, cuts, *asked):
        return super().survey(queries[:1], scoring, cuts[:1], *asked)


FAULTY = [
    (SkipsTheLastSlice, "query 1 was scored against 13 of 16 subjects, 91 of 112 residues, in 455 of 560 cells"),
    (ScoresAQuarter, "query 1 was scored against 3 of 16 subjects"),
    (SkipsASliceOfTheSecondQuery, "query 2 was scored against 15 of 16 subjects"),
    (ScoresASliceTwice, "query 1 was scored against 16 of 16 subjects, 112 of 112 residues, in 595 of 560 cells"),
    (ScoresASliceInPlaceOfAnother, "query 1 was scored against 14 of 16 subjects, 98 of 112 residues, in 560 of 560"),
    (LosesSubjectsOfOneLength, "query 1 was scored against 0 of 16 subjects"),
    (ScoresHalfOfAQuery, "query 2 was scored against 16 of 16 subjects, 112 of 112 residues, in 224 of 448 cells"),
    (LosesAQuery, "1 of 2 queries were scored"),
]  # fmt: skip


@pytest.fixture
def shard(build):
    """16 subjects of 7 residues: on eight threads, eight slices, of one, two, ..., two and three."""
    return build([(f"s{number}", "WWHWWCC") for number in range(16)]).shard(0, 1)


@pytest.mark.parametrize("parameters", [BY_SEARCH, BY_SURVEY], ids=["search", "survey"])
@pytest.mark.parametrize(("faulty", "message"), FAULTY)
def test_search_that_does_not_score_everything_once_is_refused(shard, faulty, message, parameters):
    engine = faulty(threads=8)
    engine.load(shard)
    with pytest.raises(EngineError, match=f"^{message}"):
        find_hits(engine, shard, QUERIES, parameters)


def test_sound_engine_is_not_refused(shard):
    engine = CpuEngine(threads=8)
    engine.load(shard)
    assert find_hits(engine, shard, QUERIES, Parameters()).cells == 112 * 9


def test_scores_that_pyopal_does_not_give_back_are_missed(shard, monkeypatch):
    import pyopal

    class Forgetful:
        """pyopal's aligner, which leaves one subject out of what it is asked for."""

        def __init__(self, aligner):
            self._aligner = aligner

        def align(self, query, sequences, **asked):
            return [result for result in self._aligner.align(query, sequences, **asked) if result.target_index != 5]

    aligner = pyopal.Aligner
    module = "shardwater.engines.cpu"
    monkeypatch.setattr(f"{module}.pyopal.Aligner", lambda *args, **named: Forgetful(aligner(*args, **named)))
    engine = CpuEngine(threads=2)
    engine.load(shard)
    with pytest.raises(EngineError, match=r"^query 1 was scored against 15 of 16 subjects, 105 of 112 residues"):
        find_hits(engine, shard, QUERIES, Parameters())


def test_sequences_that_pyopal_holds_in_part_are_missed(shard, monkeypatch):
    sequences = type(shard).sequences
    monkeypatch.setattr(type(shard), "sequences", lambda self: (each[:-1] for each in sequences(self)))
    engine = CpuEngine(threads=2)
    engine.load(shard)
    with pytest.raises(EngineError, match=r"^query 1 was scored against 16 of 16 subjects, 96 of 112 residues"):
        find_hits(engine, shard, QUERIES, Parameters())


def test_histogram_that_leaves_a_subject_out_is_refused(shard):
    class Miscounts(CpuEngine):
        def survey(self, *asked):
            for each in super().survey(*asked):
                for number, survey in each.answers:
                    if number == 1:
                        survey.counts.subjects[0] -= 1
                yield each

    engine = Miscounts(threads=2)
    engine.load(shard)
    with pytest.raises(EngineError, match=r"^16 subjects were told of query 2, and 15 have the least scores$"):
        find_hits(engine, shard, QUERIES, Parameters(score_distribution=True))


def test_a_best_subject_that_is_counted_and_not_told_is_missed(shard):
    class Withholds(CpuEngine):
        def survey(self, *asked):
            for each in super().survey(*asked):
                told = [(n, replace(one, subjects=one.subjects[n:], scores=one.scores[n:])) for n, one in each.answers]
                yield replace(each, answers=told)

    engine = Withholds(threads=2)
    engine.load(shard)
    with pytest.raises(EngineError, match=r"^15 subjects were told of query 2, and 16 have the least scores$"):
        find_hits(engine, shard, QUERIES, Parameters(score_distribution=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda found: replace(found, score=found.score - 1),
            "subject 0 scored 52 against query 1, but 51 in its alig",
        ),
        (lambda found: None, "subject 0 has a score against query 1, but no alignment"),
        (lambda found: replace(found, runs=()), "subject 0 has a score against query 1, but no alignment"),
        (
            lambda found: replace(found, query_end=8),
            "the alignment of subject 0 with query 1 does not lie where it says",
        ),
        (
            lambda found: replace(found, subject_end=8, runs=(Run("M", 8),), query_end=8),
            "the alignment of subject 0 with query 1 does not lie where it says",
        ),
        (
            lambda found: replace(
                found, runs=(Run("I", 1), Run("D", 1), Run("M", found.query_end - found.query_start - 1))
            ),
            "subject 0 scored 52 against query 1, but 17 in its alignment",
        ),
    ],
)
def test_alignment_that_contradicts_its_score_is_refused(shard, change, message):
    class Contradicts(CpuEngine):
        def align(self, pairs, scoring):
            for each in super().align(pairs, scoring):
                yield altered(each, pairs, lambda number, found: found if number else change(found))

    engine = Contradicts(threads=2)
    engine.load(shard)
    with pytest.raises(EngineError, match=message):
        find_hits(engine, shard, QUERIES, Parameters())
