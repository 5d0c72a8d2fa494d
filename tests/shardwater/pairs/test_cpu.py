"""Long pairs on the CPU: they tell how far they are, count once, and end when nobody wants them."""

from contextlib import closing
from threading import Event
from typing import Any

import numpy as np
import pytest

from shardwater.alignment import striped
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.gotoh import align_batch
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.watch import Stopped
from shardwater.pairs import cpu, pieces
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.pieces import Pieces
from shardwater.pairs.strands import Strands, align_strands
from shardwater.scoring.table import match_table
from tests.support.pairs import aligned, coded

SCHEME = Scheme(match_table(2, -1), 1, 1, Mode.LOCAL)


@pytest.fixture(autouse=True)
def long_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs of thousands of letters are long ones, of which there is news at once."""
    monkeypatch.setattr(striped, "MOST_TABLE", 0)
    monkeypatch.setattr(cpu, "NEWS_S", 0.001)


def pairs(letters: int) -> list[CodedPair]:
    rng = np.random.default_rng(3)
    one = rng.integers(0, 4, letters, np.uint8)
    # A letter is missing: what has no gap needs no rows.
    return [CodedPair(one, np.delete(one, letters // 2)), CodedPair(one[:50], one[:50])]


def test_a_long_pair_tells_how_far_it_is_and_counts_once() -> None:
    long = pairs(3_000)
    with closing(CpuPairs(1).align_batch(PairBatch.of(long), SCHEME, "alignment")) as parts:
        found = list(parts)
    assert 0 < sum(each.ahead for each in found) <= sum(pair.cells for pair in long)
    assert sum(int(each.cells.sum()) for each in found) == sum(pair.cells for pair in long)
    assert [number for each in found for number, _ in each] == [0, 1]


def test_a_score_tells_how_far_it_is_where_numpy_computes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(striped, "parasail", None)
    with closing(CpuPairs(1).align_batch(PairBatch.of(pairs(5_000)), SCHEME, "score")) as parts:
        found = list(parts)
    assert any(each.ahead for each in found)
    scores = [score for each in found for score in each.scores.tolist()]
    assert scores == [each.score if each else 0 for each in aligned(CpuPairs(1), pairs(5_000), SCHEME)]


def test_a_call_that_tells_nothing_is_no_standstill(monkeypatch: pytest.MonkeyPatch) -> None:
    released, score_pair, told = Event(), cpu.score_pair, 0

    def late(*arguments: Any) -> int:
        assert released.wait(60)
        return score_pair(*arguments)

    monkeypatch.setattr(cpu, "score_pair", late)
    with closing(CpuPairs(1).align_batch(PairBatch.of(pairs(50)[:1]), SCHEME, "score")) as parts:
        for each in parts:
            told += each.ahead > 0
            if told == 3:
                released.set()
    assert told >= 3


@pytest.mark.parametrize("report", ["score", "ends", "alignment"])
@pytest.mark.parametrize("with_parasail", [True, False])
def test_pieces_have_the_answer_of_the_whole_pair(
    monkeypatch: pytest.MonkeyPatch, report: Report, with_parasail: bool
) -> None:
    rng = np.random.default_rng(70)
    short, long = rng.integers(0, 4, 20, np.uint8), rng.integers(0, 4, 4_000, np.uint8)
    for place in (9, 1_990, 3_000):
        # The same three times: the first counts.
        long[place : place + 17] = np.delete(short, slice(8, 11))
    some = [CodedPair(short, long), CodedPair(long, short), CodedPair(short[:1], long), CodedPair(short[:0], long)]
    some.append(CodedPair(np.zeros(9, np.uint8), np.ones(3_000, np.uint8)))
    expected = aligned(CpuPairs(1), some, SCHEME, report)
    monkeypatch.setattr(pieces, "IN_CACHE", 64)
    assert Pieces.in_cache(some[0], SCHEME) is not None
    if not with_parasail:
        monkeypatch.setattr(striped, "parasail", None)
    parts = list(CpuPairs(1).align_batch(PairBatch.of(some), SCHEME, report))
    assert [each for _, each in sorted((each for part in parts for each in part), key=lambda each: each[0])] == expected
    assert sum(part.ahead for part in parts) <= sum(pair.cells for pair in some)


def test_a_piece_that_begins_within_an_alignment_is_not_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    scheme, letters = Scheme(match_table(2, -1), 0, 1), 400_000
    short = np.array([1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1], np.uint8)
    cut = Pieces.in_cache(CodedPair(short, np.full(letters, 2, np.uint8)), scheme)
    assert cut is not None
    long = np.full(letters, 2, np.uint8)
    # A mismatch; one letter on, a gap has the same score.
    long[cut.ranges[2].start - 1 :][:20] = [1, 1, 1, *short[3:]]
    pair = CodedPair(short, long)
    [found] = aligned(CpuPairs(1), [pair], scheme, "alignment")
    # gotoh.py sees the whole pair.
    [expected] = align_batch(pair.query, [pair.subject], scheme)
    assert found == expected


@pytest.mark.parametrize(("strand", "passes"), [("forward", 1), ("both", 3)])
def test_progress_is_told_in_every_pass_and_cells_are_counted(strand: Strands, passes: int) -> None:
    batch = PairBatch.of(pairs(2_000))
    cells = int(np.multiply(*batch.lengths).sum())
    with closing(align_strands(batch, SCHEME, "alignment", strand, CpuPairs(1))) as parts:
        found = list(parts)
    assert sum(part.progress for part in found) == passes * cells
    assert sum(part.cells for part in found) == min(2, passes) * cells


def test_a_long_pair_that_nobody_wants_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = Event()
    align_pair = cpu.align_pair

    def recorded(*arguments: Any) -> Alignment | None:
        try:
            return align_pair(*arguments)
        except Stopped:
            stopped.set()
            raise

    monkeypatch.setattr(cpu, "align_pair", recorded)
    engine = CpuPairs(1)
    parts = engine.align_batch(PairBatch.of(pairs(30_000)[:1]), SCHEME, "alignment")
    assert next(each.ahead for each in parts if each.ahead) > 0
    parts.close()
    assert stopped.wait(60)
    assert len(aligned(engine, pairs(50), SCHEME)) == 2


def test_a_short_pair_goes_beside_a_long_one() -> None:
    engine, rng = CpuPairs(1), np.random.default_rng(23)
    long = PairBatch.of([CodedPair(*(rng.integers(0, 4, 1_000_000, np.uint8) for _ in range(2)))])
    scheme = Scheme(match_table(2, -3), 5, 2, Mode.GLOBAL)
    with closing(engine.align_batch(long, scheme, "score")) as steps:
        assert len(next(steps)) == 0
        [short] = [each for each in engine.align_batch(coded([("ACGT", "ACG")]), scheme, "score") if len(each)]
        assert len(next(steps)) == 0
    assert short.scores.tolist() == [-1]
