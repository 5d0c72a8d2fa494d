"""What every engine must do, whatever computes: exact scores, one order, one best alignment."""

import numpy as np
import pytest

from shardwater.alignment.alignment import Alignment, Run
from shardwater.engines.engine import Crowd, Pair, gather
from shardwater.errors import DatabaseError
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.scoring import FOLDER, MATRICES, MOST_OWN, Scoring
from shardwater.search.databases import SearchedDatabase
from shardwater.search.hits import Score
from shardwater.search.merge import Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.alphabet import LETTERS, decode, encode
from shardwater.sequences.fasta import Record
from shardwater.statistics.shuffles import Shuffling
from tests.support.answers import best_of, scores_of
from tests.support.engine_inputs import (
    ALL_LETTERS,
    AMINO_ACIDS,
    DEFAULT,
    GAPS,
    codes,
    family,
    mixed_pairs,
    random_letters,
    related,
    worth,
)
from tests.support.oracle import best_alignment, best_score, replay
from tests.support.tiers import mostly_thorough

LENGTH_CLASSES = [
    *(32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448, 480, 512),
    *(576, 640, 704, 768, 832, 896, 960, 1024, 1088, 1152, 1216, 1280, 8000),
]
BORDERS = [border + step for border in (128, 256, 2048, 25_000, 32_767, 65_535) for step in (-1, 0, 1)]


def named(sequences):
    return [(f"s{number}", sequence) for number, sequence in enumerate(sequences)]


def records(*sequences):
    return [Record(f"q{number}", sequence.encode()) for number, sequence in enumerate(sequences)]


def ordered(scores):
    """The total order, written out: score descending, then subject index; nothing at or below 0."""
    return sorted((score for score in scores if score.score > 0), key=lambda score: (-score.score, score.subject))


def by_oracle(database, query, scoring):
    """All scores of a query as the triple loop finds them."""
    table = scoring.scores.tolist()
    subjects = [codes(database.sequence(subject)) for subject in range(len(database))]
    gaps = scoring.gap_open, scoring.gap_extend
    return ordered(Score(n, best_score(codes(query), subject, table, *gaps)) for n, subject in enumerate(subjects))


def by_parasail(database, query, scoring):
    """All scores of a query as parasail finds them; its gap of n costs open + (n - 1) * extend.

    By its scan kernel: the striped one of parasail 1.3.4 is wrong where the first residue of a gap costs what the
    others cost.
    """
    parasail = pytest.importorskip("parasail", reason="parasail is the external oracle")
    matrix = parasail.Matrix(str(FOLDER / f"{scoring.matrix}.txt"))
    profile = parasail.profile_create_32(query, matrix)

    def score(subject):
        letters = database.sequence(subject).decode()
        return parasail.sw_scan_profile_32(profile, letters, scoring.gap_first, scoring.gap_extend).score

    return ordered(Score(subject, score(subject)) for subject in range(len(database)))


def search_one(engine, database, query, scoring=DEFAULT, top=1_000_000):
    engine.load(database.shard(0, 1))
    [found] = best_of(engine, records(query), scoring, top)
    return found


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("matrix", MATRICES)
def test_scores_of_any_letters_equal_the_oracle(engine, build, matrix, gaps):
    rng = np.random.default_rng([MATRICES.index(matrix), *gaps])
    queries, subjects = family(rng, ALL_LETTERS, (2, 20), longest=60)
    database, scoring = build(named(subjects)), Scoring(matrix, *gaps)
    engine.load(database.shard(0, 1))
    expected = [by_oracle(database, query, scoring) for query in queries]
    assert best_of(engine, records(*queries), scoring, 20) == expected
    assert best_of(engine, records(*queries), scoring, 3) == [scores[:3] for scores in expected]


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("matrix", MATRICES)
def test_alignments_of_any_letters_equal_the_oracle(engine, matrix, gaps):
    rng = np.random.default_rng([MATRICES.index(matrix), *gaps, 1])
    queries, subjects = family(rng, ALL_LETTERS, (3, 6), longest=50)
    pairs = [(query, subject) for query in queries for subject in subjects]
    scoring = Scoring(matrix, *gaps)
    table = scoring.scores.tolist()
    found = alignments_of(engine.align([Pair(query.encode(), subject.encode()) for query, subject in pairs], scoring))
    assert found == [best_alignment(codes(query), codes(subject), table, *gaps) for query, subject in pairs]
    for (query, subject), alignment in zip(pairs, found, strict=True):
        if alignment is not None:
            assert replay(alignment, codes(query), codes(subject), table, *gaps) == alignment.score


@pytest.mark.parametrize("gaps", [(0, 0), (11, 1), (1000, 100)])
def test_own_matrices_of_the_furthest_scores_equal_the_oracle(engine, build, gaps):
    rng = np.random.default_rng([100, *gaps])
    half = rng.choice([-MOST_OWN, -37, 0, 99, MOST_OWN], (24, 24), p=[0.4, 0.2, 0.2, 0.1, 0.1])
    scores = np.triu(half) + np.triu(half, 1).T
    scores[LETTERS.index("W"), LETTERS.index("W")] = MOST_OWN
    scoring = Scoring("own", *gaps, own=tuple(map(tuple, scores.tolist())))
    # Of the longest pair a score passes what 16 bits hold.
    queries, subjects = family(rng, ALL_LETTERS, (2, 12), longest=60)
    queries, subjects = [*queries, "W" * 400], [*subjects, "W" * 400, "WA" * 180]
    database = build(named(subjects))
    engine.load(database.shard(0, 1))
    assert best_of(engine, records(*queries), scoring, 20) == [by_oracle(database, each, scoring) for each in queries]
    pairs = [(query, subject) for query in queries for subject in subjects[:13]]
    found = alignments_of(engine.align([Pair(query.encode(), subject.encode()) for query, subject in pairs], scoring))
    assert found == [best_alignment(codes(one), codes(other), scores.tolist(), *gaps) for one, other in pairs]


@pytest.mark.parametrize("scoring", [DEFAULT, Scoring("PAM250", 14, 2), Scoring("BLOSUM80", 0, 1)], ids=str)
def test_300_pairs_of_amino_acids_equal_parasail(engine, build, scoring):
    rng = np.random.default_rng(300)
    queries, subjects = family(rng, AMINO_ACIDS, (15, 20), longest=400)
    database = build(named(subjects))
    engine.load(database.shard(0, 1))
    assert best_of(engine, records(*queries), scoring, 20) == [by_parasail(database, q, scoring) for q in queries]


@pytest.mark.parametrize("query_length", [1, 2, 33, 257, 1281])
def test_lengths_beside_every_class_border_equal_parasail(engine, build, query_length):
    rng = np.random.default_rng(query_length)
    query = random_letters(rng, AMINO_ACIDS, query_length)
    lengths = [1, 2, *(border + step for border in LENGTH_CLASSES for step in (-1, 0, 1)), 35_213]
    database = build(named(random_letters(rng, AMINO_ACIDS, length) for length in lengths))
    assert search_one(engine, database, query) == by_parasail(database, query, DEFAULT)


@pytest.mark.thorough
def test_query_of_35213_residues_equals_parasail(engine, build):
    rng = np.random.default_rng(35_213)
    query = random_letters(rng, AMINO_ACIDS, 35_213)
    subjects = ["W", related(rng, AMINO_ACIDS, query[20_000:]), random_letters(rng, AMINO_ACIDS, 300)]
    database = build(named(subjects))
    assert search_one(engine, database, query) == by_parasail(database, query, DEFAULT)


@pytest.mark.parametrize(
    ("query", "subject", "score"), [("W", "W", 11), ("w", "W", 11), ("*", "*", 1), ("U", "s", None)]
)
def test_one_residue_against_one(engine, build, query, subject, score):
    expected = [] if score is None else [Score(0, score)]
    assert search_one(engine, build([("s", subject)]), query) == expected
    alignment = None if score is None else Alignment(score, 0, 1, 0, 1, (Run("M", 1),))
    assert alignments_of(engine.align([Pair(query.encode(), subject.encode())], DEFAULT)) == [alignment]


def test_letters_without_a_row_score_as_x_and_lower_case_as_upper(engine, build):
    # BLOSUM62: T scores 0 with X, -4 with `*`, -1 with C, K and L, which others take U, O and J for.
    database = build([("plain", "WTWTW")])
    for query in ("WXWXW", "WUWJW", "wowxw", "WuWOw"):
        assert search_one(engine, database, query) == [Score(0, 33)]


def test_textbook_pair(engine, build):
    scoring = Scoring("BLOSUM50", 0, 8)
    assert search_one(engine, build([("s", "PAWHEAE")]), "HEAGAWGHEE", scoring) == [Score(0, 28)]
    runs = (Run("M", 2), Run("I", 1), Run("M", 2))
    assert alignments_of(engine.align([Pair(b"HEAGAWGHEE", b"PAWHEAE")], scoring)) == [Alignment(28, 4, 9, 1, 5, runs)]


def test_gap_of_1350_is_taken_where_it_pays(engine, build):
    rng = np.random.default_rng(1350)
    left, right = random_letters(rng, AMINO_ACIDS, 400) + "W", "H" + random_letters(rng, AMINO_ACIDS, 400)
    scoring, query, subject = Scoring("BLOSUM62", 1000, 7), left + "P" * 50 + right, left + right
    score = int(DEFAULT.scores.diagonal()[codes(subject)].sum()) - 1350
    assert search_one(engine, build([("s", subject)]), query, scoring) == [Score(0, score)]
    runs = (Run("M", 401), Run("I", 50), Run("M", 401))
    alignment = Alignment(score, 0, len(query), 0, len(subject), runs)
    assert alignments_of(engine.align([Pair(query.encode(), subject.encode())], scoring)) == [alignment]


def test_query_longer_than_all_subjects(engine, build):
    database = build([("a", "HEAGW"), ("b", "CCC"), ("c", "W")])
    # By length: c, b, a.
    assert search_one(engine, database, "A" * 500 + "HEAGW" + "A" * 500) == [Score(2, 34), Score(0, 11)]


def test_subjects_that_score_nothing_are_left_out(engine, build):
    assert search_one(engine, build([("a", "PPPP"), ("b", "GGGG")]), "WWWW") == []


def test_empty_shard_gives_an_empty_list_for_each_query(engine, build):
    engine.load(build([("a", "WWW"), ("b", "WWWW")]).shard(2, 3))
    assert best_of(engine, records("WWW", "CCC"), DEFAULT, 10) == [[], []]


def test_no_queries_and_no_pairs_give_empty_lists(engine, build):
    engine.load(build([("a", "WWW")]).shard(0, 1))
    assert best_of(engine, [], DEFAULT, 10) == []
    assert alignments_of(engine.align([], DEFAULT)) == []


def test_search_before_load_is_refused(engine):
    with pytest.raises(DatabaseError, match="no shard is loaded"):
        best_of(engine, records("WWW"), DEFAULT, 10)


def test_load_replaces_the_shard_loaded_before(engine, build):
    first, second = build([("a", "WWW"), ("b", "CCCC")], name="first"), build([("c", "CCC")], name="second")
    assert search_one(engine, first, "WWW") == [Score(0, 33)]
    assert search_one(engine, second, "WWW") == []
    assert search_one(engine, second, "CCC") == [Score(0, 27)]


def test_fewer_subjects_than_asked_for(engine, build):
    database = build([("a", "W"), ("b", "WW"), ("c", "WWW")])
    assert search_one(engine, database, "WWWW", top=50) == [Score(2, 33), Score(1, 22), Score(0, 11)]


@pytest.mark.parametrize("top", [1, 2, 99, 100, 101, 299, 300, 301])
def test_ties_go_by_subject_index(engine, build, top):
    # Every third subject has one W fewer; all subjects are equally long, so they keep their order.
    database = build(named(["WWW" if n % 3 else "WWA" for n in range(300)]))
    expected = [Score(n, 33) for n in range(300) if n % 3] + [Score(n, 22) for n in range(0, 300, 3)]
    assert search_one(engine, database, "WWW", top=top) == expected[:top]


def test_w_3000_times_with_itself(engine, build):
    assert search_one(engine, build([("w", "W" * 3000)]), "W" * 3000) == [Score(0, 33_000)]


def test_scores_beside_the_borders_of_8_and_16_bits_and_half_precision(engine, build):
    database = build(named(worth(score) for score in BORDERS))
    assert [len(worth(score)) for score in (32_767, 65_535)] == [2979, 5958]
    engine.load(database.shard(0, 1))
    found = best_of(engine, records(*(worth(score) for score in BORDERS)), DEFAULT, len(BORDERS))
    for score, scores in zip(BORDERS, found, strict=True):
        subject = database.find(f"s{BORDERS.index(score)}")
        assert Score(subject, score) in scores


@pytest.mark.parametrize("score", [2048, 32_766, 32_767, 32_768, 65_535])
def test_alignments_that_score_beside_the_borders(engine, score):
    sequence = worth(score).encode()
    whole = Alignment(score, 0, len(sequence), 0, len(sequence), (Run("M", len(sequence)),))
    assert alignments_of(engine.align([Pair(sequence, sequence)], DEFAULT)) == [whole]


@pytest.fixture
def crowd(build):
    """200 short subjects of few letters, with many equal scores, and three queries."""
    rng = np.random.default_rng(8)
    return build(named(random_letters(rng, "WCA", rng.integers(1, 7)) for _ in range(200))), records(
        "WCAWCW", "AAA", "C"
    )


@pytest.mark.parametrize("count", mostly_thorough([1, 2, 3, 8], [300]))
@pytest.mark.parametrize("top", [1, 10, 200])
def test_shards_merged_give_what_the_whole_gives(engine, crowd, count, top):
    database, queries = crowd
    asked = Parameters(statistics="none", order="score", max_target_seqs=top, alignments=0)
    shards = []
    for index in range(count):
        shard = database.shard(index, count)
        engine.load(shard)
        shards.append(find_hits(engine, shard, queries, asked))
    results = assemble(Searched("merged", (SearchedDatabase.of(database.manifest),), asked, queries), shards).results
    found = [[(hit.accession, hit.score) for hit in result.hits] for result in results]
    whole = [by_oracle(database, query.residues, DEFAULT)[:top] for query in queries]
    assert found == [[(database.accession(each.subject), each.score) for each in scores] for scores in whole]


def test_batch_of_queries_gives_what_each_alone_gives(engine, build):
    rng = np.random.default_rng(12)
    sequences, subjects = family(rng, ALL_LETTERS, (30, 60), longest=150)
    engine.load(build(named(subjects)).shard(0, 1))
    queries = records(*sequences)
    assert best_of(engine, queries, DEFAULT, 7) == [best_of(engine, [query], DEFAULT, 7)[0] for query in queries]


def test_alignments_of_a_mixed_batch_are_those_of_each_pair_alone(engine):
    pairs = mixed_pairs(2000)
    found = alignments_of(engine.align(pairs, DEFAULT))
    assert found == [alignments_of(engine.align([pair], DEFAULT))[0] for pair in pairs]
    for pair, alignment in zip(pairs, found, strict=True):
        score = best_by_parasail(pair)
        if alignment is None:
            assert score == 0
        else:
            table = DEFAULT.scores.tolist()
            assert replay(alignment, codes(pair.query), codes(pair.subject), table, 11, 1) == alignment.score == score


def best_by_parasail(pair):
    parasail = pytest.importorskip("parasail", reason="parasail is the external oracle")
    matrix = parasail.Matrix(str(FOLDER / "BLOSUM62.txt"))
    # parasail takes U, O and J for `*`.
    query, subject = (
        letters.upper().translate(bytes.maketrans(b"UOJ", b"XXX")).decode() for letters in (pair.query, pair.subject)
    )
    return parasail.sw_scan_32(query, subject, 12, 1, matrix).score


def test_threads_do_not_change_anything(build):
    from shardwater.engines.cpu import CpuEngine

    rng = np.random.default_rng(4)
    sequences, subjects = family(rng, ALL_LETTERS, (5, 60), longest=200)
    shard, queries, pairs = build(named(subjects)).shard(0, 1), records(*sequences), mixed_pairs(3)
    results = []
    for threads in (1, 4):
        engine = CpuEngine(threads)
        engine.load(shard)
        results.append((best_of(engine, queries, DEFAULT, 9), alignments_of(engine.align(pairs, DEFAULT))))
    assert results[0] == results[1]


def crowd_of(ones, shuffled, count, **how):
    return Crowd([encode(one.encode()) for one in ones], encode(shuffled.encode()), Shuffling(count, **how))


def by_triple_loop(crowd, scoring):
    table, gaps = scoring.scores.tolist(), (scoring.gap_open, scoring.gap_extend)
    shuffles = crowd.shuffling.rows(crowd.shuffled, range(crowd.shuffling.count)).tolist()
    return [[best_score(one.tolist(), shuffle, table, *gaps) for shuffle in shuffles] for one in crowd.ones]


@pytest.mark.parametrize("scoring", [DEFAULT, Scoring("PAM250", 3, 2), Scoring("BLOSUM62", 0, 0)], ids=str)
def test_crowds_are_scored_as_the_triple_loop_does(engine, scoring):
    rng = np.random.default_rng(31)
    shapes = [((1,), 1, 3), ((30, 2, 17), 7, 40), ((7,), 33, 2), ((25, 25), 64, 12), ((16, 100), 65, 9)]
    asked = [
        crowd_of(
            [random_letters(rng, ALL_LETTERS, one) for one in ones],
            random_letters(rng, ALL_LETTERS, letters),
            count,
            shuffle="windows" if count % 2 else "uniform",
            seed=count,
        )
        for ones, letters, count in shapes
    ]
    found = gather(engine.score(asked, scoring))
    assert [scores.dtype for scores in found] == [np.int32] * len(shapes)
    assert [scores.tolist() for scores in found] == [by_triple_loop(crowd, scoring) for crowd in asked]


def test_crowds_of_thousands_with_scores_beyond_16_bits_have_the_searchs_scores(engine, build):
    rng = np.random.default_rng(32)
    short = [random_letters(rng, AMINO_ACIDS, length) for length in (60, 90, 400)]
    many, long = (
        crowd_of(short, random_letters(rng, AMINO_ACIDS, 75), 3000),
        crowd_of(["W" * 3200, "CW"], "W" * 3100, 2),
    )
    slices = list(engine.score([many, long], DEFAULT))
    assert sum(each.cells for each in slices) == (60 + 90 + 400) * 75 * 3000 + 2 * 3202 * 3100
    found = dict(answer for each in slices for answer in each.answers)
    for number, crowd in enumerate((many, long)):
        shuffles = [decode(row).decode() for row in crowd.shuffling.rows(crowd.shuffled, range(crowd.shuffling.count))]
        engine.load(build(named(shuffles)).shard(0, 1))
        ones = records(*(decode(one).decode() for one in crowd.ones))
        assert all(map(np.array_equal, found[number], (scores_of(engine, one, DEFAULT) for one in ones)))


def test_no_crowds_and_crowds_between_the_slices_of_others(engine):
    assert gather(engine.score([], DEFAULT)) == []
    assert [scores.shape for scores in gather(engine.score([crowd_of([], "WCH", 5)], DEFAULT))] == [(0, 5)]
    first = engine.score([crowd_of(["WWW"], "WCH", 5), crowd_of(["AA"], "A", 1)], DEFAULT)
    began = next(first)
    assert [scores.tolist() for scores in gather(engine.score([crowd_of(["AWW"], "WW", 1)], DEFAULT))] == [[[22]]]
    answers = dict([*began.answers, *(answer for each in first for answer in each.answers)])
    assert [answers[number].tolist() for number in range(2)] == [[[11] * 5], [[4]]]
