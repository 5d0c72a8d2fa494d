"""CpuEngine beyond the contract: what a worker that searches for weeks holds."""

from contextlib import closing
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from shardwater.alignment import striped
from shardwater.alignment.watch import Stopped
from shardwater.engines import cpu as engine_cpu
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Pair
from shardwater.pairs import cpu
from shardwater.pairs.columns import Progress, alignments_of
from shardwater.scoring.pssm import MOST_PSSM, Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record
from tests.support.answers import best_of
from tests.support.pssms import any_pssm, with_pssm

SEARCHES = 60
LOST_KIB = 100
"""Lost in a search, at most; where memory was lost with every overflow of 16 bits, it was 450."""


def resident_kib() -> int:
    """What this process holds."""
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1])


def test_searches_with_scores_beyond_16_bits_lose_no_memory(build):
    engine, query, scoring = CpuEngine(1), Record("q", b"W" * 3500), Scoring("BLOSUM62", 11, 1)
    engine.load(build([(f"s{number}", "W" * (3500 - number)) for number in range(3)]).shard(0, 1))
    for _ in range(5):
        best_of(engine, [query], scoring, 3)
    before = resident_kib()
    for _ in range(SEARCHES):
        [best] = best_of(engine, [query], scoring, 3)
        assert best[0].score == 38_500
    assert resident_kib() - before < SEARCHES * LOST_KIB


def test_alignments_are_the_same_where_there_is_no_parasail(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(5)
    texts = ["".join(rng.choice(list("WCHA"), rng.integers(1, 90))).encode() for _ in range(60)]
    pairs = [Pair(texts[number // 10], text) for number, text in enumerate(texts)]
    engine, scoring = CpuEngine(2), Scoring("BLOSUM62", 5, 1)
    found = alignments_of(engine.align(pairs, scoring))
    monkeypatch.setattr(striped, "parasail", None)
    assert alignments_of(engine.align(pairs, scoring)) == found


def test_queries_with_a_pssm_have_the_same_scores_and_alignments_where_there_is_no_parasail(build, monkeypatch):
    rng = np.random.default_rng(6)
    subjects = ["".join(rng.choice(list("WCHA"), rng.integers(1, 90))) for _ in range(200)]
    queries = [with_pssm(f"q{n}", b"A" * n, any_pssm(rng, n)) for n in (1, 30, 61)]
    pairs = [Pair(query.residues, subject.encode(), query.pssm) for query in queries for subject in subjects[:20]]
    engine, scoring = CpuEngine(2), Scoring("BLOSUM62", 5, 1)
    engine.load(build([(f"s{n}", subject) for n, subject in enumerate(subjects)]).shard(0, 1))
    found = best_of(engine, queries, scoring, 200), alignments_of(engine.align(pairs, scoring))
    monkeypatch.setattr(striped, "parasail", None)
    monkeypatch.setattr(striped, "BATCH_COLUMNS", 1000)
    assert (best_of(engine, queries, scoring, 200), alignments_of(engine.align(pairs, scoring))) == found


def test_searches_with_a_pssm_lose_no_memory(build):
    rng = np.random.default_rng(7)
    engine, query = CpuEngine(1), with_pssm("q", b"A" * 3000, any_pssm(rng, 3000))
    engine.load(build([("s", "WCHAKL")]).shard(0, 1))
    for _ in range(5):
        best_of(engine, [query], Scoring("BLOSUM62", 11, 1), 3)
    before = resident_kib()
    for _ in range(SEARCHES):
        best_of(engine, [query], Scoring("BLOSUM62", 11, 1), 3)
    assert resident_kib() - before < SEARCHES * LOST_KIB


@pytest.fixture
def repeats(monkeypatch: pytest.MonkeyPatch) -> list[Pair]:
    """Subjects of two copies in a query of many, the best alignment of each taken; aligning tells of itself at once."""
    monkeypatch.setattr(cpu, "NEWS_S", 0.001)
    unit = "".join(np.random.default_rng(41).choice(list("ARNDCQEGHILKMFPSTWYV"), 150)).encode()
    pairs = [Pair(20 * unit, unit[:length] + unit) for length in (60, 90)]
    best = alignments_of(CpuEngine(1).align(pairs, Scoring("BLOSUM62", 11, 1)))
    return [Pair(pair.query, pair.subject, taken=(each,)) for pair, each in zip(pairs, best, strict=True)]


def test_further_alignments_tell_how_far_they_are_and_count_once(repeats):
    with closing(CpuEngine(1).align(repeats, Scoring("BLOSUM62", 11, 1))) as parts:
        found = list(parts)
    cells, progress = sum(len(pair.query) * len(pair.subject) for pair in repeats), Progress()
    assert 0 < sum(each.ahead for each in found) < cells
    assert sum(map(progress.since, found)) == cells
    assert all(alignment is not None for alignment in alignments_of(found))


def test_a_further_alignment_that_nobody_wants_ends(repeats, monkeypatch):
    stopped, align_next = Event(), engine_cpu.align_next

    def recorded(*arguments):
        try:
            return align_next(*arguments)
        except Stopped:
            stopped.set()
            raise

    monkeypatch.setattr(engine_cpu, "align_next", recorded)
    engine, scoring = CpuEngine(1), Scoring("BLOSUM62", 11, 1)
    long = Pair(20 * repeats[0].query, 20 * repeats[0].subject, taken=repeats[0].taken)
    parts = engine.align([long], scoring)
    assert next(each.ahead for each in parts if each.ahead) > 0
    # Others go first meanwhile.
    assert len(alignments_of(engine.align([Pair(b"WW", b"WWW")], scoring))) == 1
    parts.close()
    assert stopped.wait(60)


def test_scores_by_position_are_not_looked_for_once_nobody_wants_them(monkeypatch):
    stopped, align_pair = Event(), striped.align_pair

    def recorded(*arguments):
        try:
            return align_pair(*arguments)
        except Stopped:
            stopped.set()
            raise

    class Late(striped._Pair):
        def _first_column(self, count):
            assert begun.set() is None and given_up.wait(60)
            return super()._first_column(count)

    begun, given_up = Event(), Event()
    monkeypatch.setattr(striped, "align_pair", recorded)
    monkeypatch.setattr(striped, "_Pair", Late)
    monkeypatch.setattr(cpu, "NEWS_S", 0.001)
    rng = np.random.default_rng(9)
    # The best score does not stand in the last column: where it does is looked for.
    scores = any_pssm(rng, 300).scores.copy()
    scores[:, encode(b"P")] = -MOST_PSSM
    parts = CpuEngine(1).align([Pair(b"A" * 300, b"WCHA" * 50 + b"PPP", Pssm(scores))], Scoring("BLOSUM62", 11, 1))
    assert len(next(parts)) == 0
    assert begun.wait(60)
    parts.close()
    given_up.set()
    assert stopped.wait(60)
