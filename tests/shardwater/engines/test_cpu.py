"""CpuEngine beyond the contract: what a worker that searches for weeks holds."""

from pathlib import Path

import numpy as np
import pytest

from shardwater.alignment import striped
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Pair
from shardwater.pairs.columns import alignments_of
from shardwater.scoring.scoring import Scoring
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
