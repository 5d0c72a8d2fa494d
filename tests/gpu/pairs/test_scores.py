"""score_pairs: the scores of the oracle, in every mode, for pairs of all lengths in one batch."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import bases_table, match_table, matrix_table
from shardwater.sequences.alphabets import DNA
from tests.support import pair_oracle
from tests.support.pairs import aligned

pytestmark = pytest.mark.gpu

MODES = [Mode.LOCAL, *(Mode(*flags) for flags in product((False, True), repeat=4))]
TABLES = {
    "2/-1": match_table(2, -1),
    "1/-3": match_table(1, -3),
    "5/-4": match_table(5, -4),
    "0/-1": match_table(0, -1),
    # No table need be the same both ways.
    "uneven": bases_table([[3, -2, 1, -4], [0, 2, -3, -1], [-1, 1, 4, -2], [-5, 0, -2, 1]]),
}
GAPS = [(0, 0), (0, 1), (0, 3), (1, 0), (1, 1), (5, 2), (300, 40)]


@pytest.fixture(scope="module")
def scores():
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")
    from gpu.database.staging import Staging
    from gpu.pairs.chunks import done
    from gpu.pairs.scores import ScoreWork

    streams, staging = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)], Staging()

    def work(pairs, scheme):
        return ScoreWork.of(PairBatch.of(pairs), scheme, np.ones(len(pairs), np.bool_), staging)

    def columns(pairs, scheme):
        return list(done(PairBatch.of(pairs), work(pairs, scheme), streams, staging))

    return SimpleNamespace(work=work, columns=columns)


def scored(scores, pairs, scheme):
    assert scores.work(pairs, scheme).taken.all()
    return np.concatenate([each.scores for each in scores.columns(pairs, scheme)])


def dna(rng, length):
    return rng.integers(0, 4, length, dtype=np.uint8)


def related(rng, codes):
    """The same with some letters changed, left out and put in, between ends of its own."""
    changed = np.where(rng.random(len(codes)) < 0.1, dna(rng, len(codes)), codes)[rng.random(len(codes)) > 0.05]
    if len(changed) > 20:
        place = rng.integers(len(changed))
        changed = np.concatenate((changed[:place], dna(rng, 7), changed[place:]))
    return np.concatenate((dna(rng, rng.integers(5)), changed, dna(rng, rng.integers(5)))).astype(np.uint8)


def random_pairs(seed, count, longest):
    """Relatives and strangers of 0 to so many letters, in no order."""
    rng = np.random.default_rng(seed)
    pairs = []
    for number in range(count):
        query = dna(rng, rng.integers(longest + 1))
        subject = related(rng, query) if number % 2 else dna(rng, rng.integers(longest + 1))
        pairs.append(CodedPair(query, subject))
    return pairs


def best_scores(pairs, scheme):
    """What every pair should score: the recurrence by anti-diagonals, of all pairs at once."""
    queries, subjects = ([getattr(pair, side) for pair in pairs] for side in ("query", "subject"))
    m, n = (max(map(len, each)) for each in (queries, subjects))
    query, subject = (
        np.array([np.pad(codes, (0, most - len(codes))) for codes in each])
        for each, most in ((queries, m), (subjects, n))
    )
    h = table_of(query, subject, scheme)
    return np.array([best_of(h[k, : len(queries[k]) + 1, : len(subjects[k]) + 1], scheme) for k in range(len(pairs))])


def table_of(query, subject, scheme):
    """H of each pair; letters after the end of a sequence change nothing before it."""
    (count, m), n, mode = query.shape, subject.shape[1], scheme.mode
    scores = scheme.table.scores
    h = np.full((count, m + 1, n + 1), -(1 << 28), np.int32)
    down, along = h.copy(), h.copy()
    h[:, :, 0] = [0 if mode.local or mode.query_begin else -scheme.gap(i) for i in range(m + 1)]
    h[:, 0, :] = [0 if mode.local or mode.subject_begin else -scheme.gap(j) for j in range(n + 1)]
    for diagonal in range(2, m + n + 1):
        i = np.arange(max(1, diagonal - n), min(m, diagonal - 1) + 1)
        j = diagonal - i
        down[:, i, j] = np.maximum(down[:, i - 1, j] - scheme.gap_extend, h[:, i - 1, j] - scheme.gap_first)
        along[:, i, j] = np.maximum(along[:, i, j - 1] - scheme.gap_extend, h[:, i, j - 1] - scheme.gap_first)
        step = h[:, i - 1, j - 1] + scores[query[:, i - 1], subject[:, j - 1]]
        best = np.maximum(step, np.maximum(down[:, i, j], along[:, i, j]))
        h[:, i, j] = np.maximum(best, 0) if mode.local else best
    return h


def best_of(h, scheme):
    """The best score of a pair, read where its alignment may end."""
    if scheme.mode.local:
        return h.max()
    last = h[:, -1].max() if scheme.mode.query_end else h[-1, -1]
    return max(last, h[-1, :].max()) if scheme.mode.subject_end else last


def test_oracles_agree():
    for mode in MODES:
        scheme = Scheme(TABLES["uneven"], 2, 1, mode)
        pairs = random_pairs(0, 12, 12)
        found = [pair_oracle.best(pair.query.tolist(), pair.subject.tolist(), scheme) for pair in pairs]
        assert best_scores(pairs, scheme).tolist() == [each.score if each else 0 for each in found]


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("table", TABLES)
def test_every_mode_scores_as_the_oracle(scores, table, gaps):
    pairs = random_pairs([len(table), *gaps], 24, 60)
    for mode in MODES:
        scheme = Scheme(TABLES[table], *gaps, mode)
        assert scored(scores, pairs, scheme).tolist() == best_scores(pairs, scheme).tolist(), mode


@pytest.mark.parametrize(
    "mode", MODES, ids=lambda mode: "local" if mode.local else "-".join(mode.free_ends) or "global"
)
@pytest.mark.parametrize("gaps", [(0, 1), (1, 1)])
def test_lengths_from_0_to_300_in_one_batch(scores, mode, gaps):
    pairs = random_pairs([*gaps, 1], 90, 300)
    scheme = Scheme(TABLES["2/-1"], *gaps, mode)
    assert scored(scores, pairs, scheme).tolist() == best_scores(pairs, scheme).tolist()


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL, Mode(query_begin=True, subject_end=True)])
@pytest.mark.parametrize("gaps", [(0, 1), (1, 1), (5, 2)])
def test_every_shape_of_the_kernel_scores_the_same(scores, monkeypatch, mode, gaps):
    from gpu.pairs.classes import shapes
    from gpu.pairs.potential import form

    scheme = Scheme(TABLES["1/-3"], *gaps, mode)
    pairs = random_pairs([*gaps, 2], 70, 130)
    want = best_scores(pairs, scheme).tolist()
    for shape in shapes(form(scheme)):
        monkeypatch.setattr("gpu.pairs.classes.shapes", lambda how, shape=shape: [shape])
        assert scored(scores, pairs, scheme).tolist() == want, shape


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL])
@pytest.mark.parametrize("gaps", [(0, 1), (1, 1)])
def test_long_pairs_beside_short_ones_in_many_chunks(scores, monkeypatch, mode, gaps):
    monkeypatch.setattr("gpu.pairs.budgets.CHUNK_LETTERS", 4_000)
    rng = np.random.default_rng([*gaps, 3])
    pairs = random_pairs([*gaps, 3], 30, 90)
    for length in (300, 1_030):
        query = dna(rng, length)
        pairs.insert(7, CodedPair(query, related(rng, query)))
        pairs.append(CodedPair(query, dna(rng, 40)))
        pairs.append(CodedPair(dna(rng, 30), query))
    scheme = Scheme(TABLES["2/-1"], *gaps, mode)
    assert scored(scores, pairs, scheme).tolist() == best_scores(pairs, scheme).tolist()


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL])
@pytest.mark.parametrize("gaps", [(0, 1), (1, 1)])
def test_longest_pairs_that_16_bits_are_proved_for_do_not_overflow(scores, mode, gaps):
    from gpu.pairs.potential import form

    scheme = Scheme(TABLES["2/-1"], *gaps, mode)
    letters = form(scheme).letters(1_024)
    same = dna(np.random.default_rng(4), letters)
    pairs = [CodedPair(same, same), CodedPair(same[:50], same)]
    gap = scheme.gap(letters - 50) if mode == Mode.GLOBAL else 0
    assert scored(scores, pairs, scheme).tolist() == [2 * letters, 100 - gap]


def test_only_pairs_for_16_bits_and_of_bases_alone_are_scored(scores):
    texts = [(b"ACGT", b"ACG"), (b"ACNT", b"ACG"), (b"", b"ACG"), (b"A" * 20_000, b"C" * 20_000), (b"ACG", b"GTNN")]
    pairs = [CodedPair(DNA.encode(query), DNA.encode(subject)) for query, subject in texts]
    scheme = Scheme(TABLES["2/-1"], 1, 1, Mode.GLOBAL)
    assert scores.work(pairs, scheme).taken.tolist() == [True, True, True, False, True]
    [columns] = scores.columns(pairs, scheme)
    assert (columns.numbers.tolist(), columns.scores.tolist()) == ([0, 2], [6 - 2, -4])
    assert scores.work(pairs, Scheme(match_table(200, -1), 1, 1, Mode.GLOBAL)) is None


@pytest.mark.parametrize("mode", MODES)
def test_no_pairs_make_no_scores(scores, mode):
    assert scores.columns([], Scheme(TABLES["2/-1"], 1, 1, mode)) == []


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("gaps", [(11, 1), (0, 2), (3, 0), (40, 5)])
@pytest.mark.parametrize("matrix", ["BLOSUM62", "PAM30", "BLOSUM90"])
def test_scores_of_proteins_equal_those_of_the_host(scores, matrix, gaps, mode):
    rng = np.random.default_rng(len(matrix))
    pairs = []
    for number in range(40):
        query = rng.integers(0, 24 if number % 4 else 20, rng.integers(0, 20 + 15 * number), dtype=np.uint8)
        subject = query.copy() if number % 3 else rng.integers(0, 24, rng.integers(0, 600), dtype=np.uint8)
        subject[rng.random(len(subject)) < 0.2] = rng.integers(0, 20)
        pairs.append(CodedPair(query, np.delete(subject, rng.integers(0, max(1, len(subject)), len(subject) // 9))))
    scheme = Scheme(matrix_table(matrix), *gaps, mode)
    expected = [0 if each is None else each.score for each in aligned(CpuPairs(), pairs, scheme, "score")]
    assert scored(scores, pairs, scheme).tolist() == expected


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL])
def test_every_shape_scores_proteins_alike(scores, monkeypatch, mode):
    from gpu.pairs.classes import PROFILED

    rng = np.random.default_rng(31)
    lengths = rng.integers(1, 1_300, (60, 2))
    pairs = [CodedPair(*(rng.integers(0, 24, length, dtype=np.uint8) for length in each)) for each in lengths]
    scheme = Scheme(matrix_table("BLOSUM62"), 11, 1, mode)
    expected = scored(scores, pairs, scheme).tolist()
    for shape in PROFILED:
        monkeypatch.setattr("gpu.pairs.classes.PROFILED", (shape,))
        assert scored(scores, pairs, scheme).tolist() == expected
