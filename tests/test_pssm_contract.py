"""What every engine must do with queries that have scores by position: those are what counts, nothing else is other."""

from dataclasses import replace

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.gotoh import align_batch, score_batch
from shardwater.alignment.scheme import Scheme
from shardwater.engines.engine import Pair, gather
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.pssm import MOST_PSSM, Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import best_scores
from shardwater.search.hits import Score
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.alphabet import LETTERS, encode
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Histogram
from tests.support.answers import best_of, scores_of
from tests.support.engine_inputs import (
    ALL_LETTERS,
    AMINO_ACIDS,
    DEFAULT,
    GAPS,
    codes,
    family,
    random_letters,
    related,
)
from tests.support.oracle import best_alignment, best_score, replay
from tests.support.pssms import any_pssm, like_matrix, noisy_pssm, with_pssm
from tests.support.tiers import mostly_thorough


def named(sequences):
    return [(f"s{number}", sequence) for number, sequence in enumerate(sequences)]


def ordered(scores):
    """The best subjects by their scores, in the total order."""
    found = [Score(subject, int(score)) for subject, score in enumerate(scores) if score > 0]
    return sorted(found, key=lambda each: (-each.score, each.subject))


def by_oracle(database, record, gaps):
    """All scores of a query by the triple loop, for which a place in the query is a letter of its own."""
    table, places = record.pssm.scores.tolist(), range(len(record.pssm))
    subjects = [codes(database.sequence(subject)) for subject in range(len(database))]
    return ordered([best_score(places, subject, table, *gaps) for subject in subjects])


def by_numpy(database, record, scoring):
    """All scores of a query by gotoh.py."""
    scheme = Scheme.local(scoring, record.pssm)
    subjects = [encode(database.sequence(subject)) for subject in range(len(database))]
    *_, scores = score_batch(scheme.places(record.residues), subjects, scheme)
    return ordered(scores)


def profiles(rng, queries, scoring):
    """Queries by chance, and like what profiles are."""
    for number, letters in enumerate(queries):
        query = letters.encode()
        made = any_pssm(rng, len(query)) if number % 2 else noisy_pssm(rng, query, scoring)
        yield with_pssm(f"q{number}", query, made)


def pairs_of(records, subjects):
    return [Pair(record.residues, subject.encode(), record.pssm) for record in records for subject in subjects]


@pytest.mark.parametrize("gaps", GAPS)
def test_scores_and_alignments_equal_the_oracle(engine, build, gaps):
    rng = np.random.default_rng([17, *gaps])
    scoring = Scoring("BLOSUM62", *gaps)
    queries, subjects = family(rng, ALL_LETTERS, (4, 20), longest=60)
    records = list(profiles(rng, [*queries, "W", "*"], scoring))
    database = build(named(subjects))
    engine.load(database.shard(0, 1))
    assert best_of(engine, records, scoring, 20) == [by_oracle(database, each, gaps) for each in records]
    pairs = pairs_of(records, subjects[::3])
    found = alignments_of(engine.align(pairs, scoring))
    for pair, alignment in zip(pairs, found, strict=True):
        table, places, subject = pair.pssm.scores.tolist(), range(len(pair.pssm)), codes(pair.subject)
        assert alignment == best_alignment(places, subject, table, *gaps)
        if alignment is not None:
            assert replay(alignment, places, subject, table, *gaps) == alignment.score


@pytest.mark.parametrize("length", mostly_thorough([1, 8, 24, 25, 129, 256, 1000], [3000]))
def test_lengths_equal_numpy(engine, build, length):
    rng = np.random.default_rng(length)
    query = random_letters(rng, AMINO_ACIDS, length)
    records = list(profiles(rng, [query, query[:600]], DEFAULT))
    subjects = [random_letters(rng, ALL_LETTERS, each) for each in (1, 2, 31, 64, 350, 351)]
    subjects += [related(rng, AMINO_ACIDS, query[-800:])]
    database = build(named(subjects))
    engine.load(database.shard(0, 1))
    assert best_of(engine, records, DEFAULT, 20) == [by_numpy(database, each, DEFAULT) for each in records]
    pairs = pairs_of(records, subjects[::2])
    schemes = [Scheme.local(DEFAULT, pair.pssm) for pair in pairs]
    expected = [
        align_batch(scheme.places(pair.query), [encode(pair.subject)], scheme)[0]
        for pair, scheme in zip(pairs, schemes, strict=True)
    ]
    assert alignments_of(engine.align(pairs, DEFAULT)) == expected


@pytest.mark.parametrize("gaps", [(11, 1), (0, 0), (0, 1), (40, 3)])
def test_a_pssm_like_the_matrix_gives_what_the_plain_query_gives(engine, build, gaps):
    rng = np.random.default_rng([62, *gaps])
    scoring = Scoring("BLOSUM62", *gaps)
    queries, subjects = family(rng, ALL_LETTERS, (4, 100), longest=160)
    plain = [Record(f"q{number}", query.encode()) for number, query in enumerate(queries)]
    alike = [like_matrix(record, scoring) for record in plain]
    engine.load(build(named(subjects)).shard(0, 1))
    assert best_of(engine, alike, scoring, 30) == best_of(engine, plain, scoring, 30)
    cuts = [best_scores(10)] * len(plain)
    surveys = [gather(engine.survey(records, scoring, cuts)) for records in (alike, plain)]
    for one, other in zip(*surveys, strict=True):
        assert (list(one.ranked), one.extent) == (list(other.ranked), other.extent)
        assert Histogram.of(one.counts) == Histogram.of(other.counts)
    for one, other in zip(alike, plain, strict=True):
        assert np.array_equal(scores_of(engine, one, scoring), scores_of(engine, other, scoring))
    pairs = pairs_of(alike, subjects[::4])
    plain_pairs = [replace(pair, pssm=None) for pair in pairs]
    assert alignments_of(engine.align(pairs, scoring)) == alignments_of(engine.align(plain_pairs, scoring))


def test_whole_results_are_alike_where_scores_are(engine, build):
    rng = np.random.default_rng(3)
    queries, subjects = family(rng, AMINO_ACIDS, (2, 60), longest=200)
    shard = build(named(subjects)).shard(0, 1)
    plain = [Record(f"q{number}", query.encode()) for number, query in enumerate(queries)]
    asked = Parameters(evalue=1e6, statistics="none", mask="tantan")
    engine.load(shard)
    found = [find_hits(engine, shard, records, asked) for records in (plain, [like_matrix(r, DEFAULT) for r in plain])]
    assert found[0] == found[1]
    assert any(hits for hits in found[0].queries)


def test_plain_and_other_queries_together_are_what_each_is_alone(engine, build):
    rng = np.random.default_rng(12)
    queries, subjects = family(rng, ALL_LETTERS, (8, 60), longest=150)
    records = []
    for number, record in enumerate(profiles(rng, queries, DEFAULT)):
        records += [record] if number % 3 else [replace(record, pssm=None), record]
    records.append(records[1])
    database = build(named(subjects))
    engine.load(database.shard(0, 1))
    together = best_of(engine, records, DEFAULT, 9)
    assert together == [best_of(engine, [record], DEFAULT, 9)[0] for record in records]
    assert together[1] == by_oracle(database, records[1], (11, 1))[:9]
    pairs = pairs_of(records, subjects[:20])
    pairs = [pairs[number] for number in (*rng.permutation(len(pairs)), 0, 1)]
    alone = [alignments_of(engine.align([pair], DEFAULT)) for pair in pairs]
    assert [[found] for found in alignments_of(engine.align(pairs, DEFAULT))] == alone


@pytest.mark.parametrize("score", [32_666, 32_667, 32_668, 32_767, 32_768, 65_536, 150_000])
def test_scores_beside_and_beyond_16_bits(engine, build, score):
    positions = -(-score // MOST_PSSM)
    scores = np.full((positions, len(LETTERS)), -MOST_PSSM, np.int32)
    w = LETTERS.index("W")
    scores[:, w] = MOST_PSSM
    scores[-1, w] = score - MOST_PSSM * (positions - 1)
    record = with_pssm("w", b"A" * positions, Pssm(scores))
    database = build([("w", "W" * positions), ("fewer", "W" * (positions - 1)), ("no", "A" * positions)])
    engine.load(database.shard(0, 1))
    less = score - int(scores[-1, w])
    assert best_of(engine, [record], DEFAULT, 5) == [[Score(1, score), Score(0, less)]]
    whole = Alignment(score, 0, positions, 0, positions, (Run("M", positions),))
    assert alignments_of(engine.align(pairs_of([record], ["W" * positions]), DEFAULT)) == [whole]


def test_the_first_of_equal_ends_is_where_the_query_ends_first(engine):
    # Position 1 scores 5 with C, position 2 with A: the subject ends first with A, the query with C.
    scores = np.full((3, len(LETTERS)), -9, np.int32)
    scores[0, LETTERS.index("C")] = scores[1, LETTERS.index("A")] = scores[2, LETTERS.index("A")] = 5
    found = alignments_of(engine.align([Pair(b"GGG", b"DADCDC", Pssm(scores))], DEFAULT))
    assert found == [Alignment(5, 0, 1, 3, 4, (Run("M", 1),))]


def test_nothing_scores_where_no_position_does(engine, build):
    record = with_pssm("q", b"WWW", Pssm(np.full((3, len(LETTERS)), -1, np.int32)))
    engine.load(build([("a", "WWW")]).shard(0, 1))
    assert best_of(engine, [record], DEFAULT, 5) == [[]]
    assert alignments_of(engine.align(pairs_of([record], ["WWW"]), DEFAULT)) == [None]
