"""Several alignments of each pair: those that end in the best cells of the whole matrix, in all reports and orders."""

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, get_args

import numpy as np
import pytest

import shardwater
from shardwater import Mode, Scheme, match_table
from shardwater.alignment import striped
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint, Found, Selection
from shardwater.alignment.watch import Stopped
from shardwater.errors import EngineError, ScoringError
from shardwater.pairs import by_end_points, cpu_end_points, pieces
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.by_end_points import ByEndPoints
from shardwater.pairs.checked import align_checked
from shardwater.pairs.coded import CodedPair, Report, told
from shardwater.pairs.columns import Columns
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.cpu_end_points import CpuEndPoints
from shardwater.pairs.end_points import Ends, Steps
from shardwater.pairs.pieces import Pieces
from tests.support.pair_oracle import ending_in, table
from tests.support.pairs import random_pair

SCHEME = Scheme(match_table(5, -3), 8, 1)
SELECTIONS = [
    Selection(5),
    Selection(3, query_apart=4, subject_apart=4),
    Selection(4, subject_apart=7),
    Selection(1000, least=12, query_apart=2),
]


def expected(pair: CodedPair, selection: Selection) -> Sequence[Alignment | None]:
    """By all cells of the matrix; None alone where there is none."""
    h = np.array(table(pair.query.tolist(), pair.subject.tolist(), SCHEME))
    cells = sorted(
        ((int(h[row, column]), row, column) for row, column in np.argwhere(h >= selection.least).tolist()),
        key=lambda cell: (-cell[0], *cell[1:]),
    )
    found = list[tuple[int, int]]()
    for _, *cell in cells:
        row, column = cell
        if len(found) < selection.count and all(
            abs(row - other) >= selection.query_apart and abs(column - others) >= selection.subject_apart
            for other, others in found
        ):
            found.append((row, column))
    letters = pair.query.tolist(), pair.subject.tolist()
    return [ending_in(*cell, h.tolist(), *letters, SCHEME) for cell in found] or [None]


def random_pairs() -> PairBatch:
    rng = np.random.default_rng(14)
    sizes = [(30, 60), (0, 9), (12, 12), (1, 1), (60, 25), (5, 0), (40, 40)]
    pairs = [random_pair(rng, 4, *size) for size in sizes]
    repeated = np.concatenate([pairs[0].query[5:25], rng.integers(0, 4, 9, np.uint8), pairs[0].query[8:30]])
    return PairBatch.of([*pairs, CodedPair(pairs[0].query, repeated)])


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("report", get_args(Report))
def test_alignments_are_those_that_end_in_the_best_cells(
    monkeypatch: pytest.MonkeyPatch, report: Report, selection: Selection
) -> None:
    monkeypatch.setattr(by_end_points, "TOGETHER_PAIRS", 3)
    pairs, engine = random_pairs(), CpuPairs(2).several(selection)
    found = Columns.joined(True, [*align_checked(engine, pairs, SCHEME, report)])
    for number, pair in enumerate(pairs):
        every = [None if each is None else told(each, report) for each in expected(pair, selection)]
        rows = found.select(found.numbers == number)
        assert [each for _, each in rows] == every
        assert rows.ranks.tolist() == list(range(1, len(every) + 1))
    assert found.pairs == len(pairs)
    assert int(found.cells.sum()) == int(np.multiply(*pairs.lengths).sum())


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("with_parasail", [True, False])
def test_pieces_and_windows_have_the_answers_of_whole_pairs(
    monkeypatch: pytest.MonkeyPatch, with_parasail: bool, selection: Selection
) -> None:
    rng = np.random.default_rng(17)
    short, long = rng.integers(0, 4, 12, np.uint8), rng.integers(0, 4, 500, np.uint8)
    for place in (60, 61 + 64, 300):
        # A gap of the subject, where pieces meet, too.
        long[place : place + 16] = np.insert(short, 7, [0, 1, 2, 3])
    pairs = PairBatch.of([CodedPair(short, long), CodedPair(long, short), CodedPair(short[:1], long)])
    monkeypatch.setattr(pieces, "IN_CACHE", 64)
    monkeypatch.setattr(pieces, "IN_CACHE_SPANS", 2)
    assert all(Pieces.in_cache(pair, SCHEME) is not None for pair in pairs)
    if not with_parasail:
        monkeypatch.setattr(striped, "parasail", None)
    found = Columns.joined(True, [*CpuPairs(2).several(selection).align_batch(pairs, SCHEME, "alignment")])
    for number, pair in enumerate(pairs):
        assert [each for _, each in found.select(found.numbers == number)] == expected(pair, selection)


def test_each_alignment_is_told_with_its_rank() -> None:
    pairs, wanted = [("ACGTTGCA", "ACGTTGCATTTTTACGTTGCA"), ("AAAA", "CCCC")], Selection(3, subject_apart=8)
    found = [*shardwater.align(pairs, SCHEME, best=wanted)]
    assert [(each.query, each.rank, each.score, each.subject_from, each.subject_to, each.cigar) for each in found] == [
        ("1", 1, 40, 1, 8, "8="),
        ("1", 2, 40, 14, 21, "8="),
        ("2", 1, 0, None, None, None),
    ]
    assert [each.score for each in shardwater.align(pairs, SCHEME, "score", best=wanted)] == [40, 40, 0]
    assert [each.rank for each in shardwater.align(pairs, SCHEME)] == [1, 1]


def test_cells_are_told_on_the_way_and_never_more_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_end_points, "NEWS_S", 0.002)
    pairs = PairBatch.of([random_pair(np.random.default_rng(15), 4, 300, 2_000)])
    steps = [*CpuPairs(1).several(SELECTIONS[1]).align_batch(pairs, SCHEME, "alignment")]
    ahead = sum(each.ahead for each in steps)
    # Besides a cell for each step without news.
    assert 0.4 * pairs[0].cells < ahead <= pairs[0].cells + len(steps)
    assert steps[-1].way == "cpu"


def test_work_that_nobody_wants_any_more_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_end_points, "NEWS_S", 0.002)
    engine, ended, candidates = CpuPairs(1), threading.Event(), cpu_end_points.candidate_ends

    def watched(*given: Any) -> Found:
        try:
            return candidates(*given)
        except Stopped:
            ended.set()
            raise

    monkeypatch.setattr(cpu_end_points, "candidate_ends", watched)
    pairs = PairBatch.of([random_pair(np.random.default_rng(16), 4, 100_000, 100_000)])
    with closing(engine.several(SELECTIONS[1]).align_batch(pairs, SCHEME, "ends")) as steps:
        assert len(next(steps)) == 0
        assert next(steps).ahead > 0
    # The rest of that pair would take minutes.
    assert ended.wait(60)


@pytest.mark.parametrize(
    ("mode", "strand", "message"),
    [(Mode.GLOBAL, "forward", "need local mode"), (Mode.LOCAL, "both", "need strand=forward")],
)
def test_what_has_no_several_alignments_is_refused(mode: Mode, strand: str, message: str) -> None:
    scheme = Scheme(match_table(5, -3), 8, 1, mode)
    with pytest.raises(ScoringError, match=message):
        shardwater.align([("A", "A")], scheme, strand=strand, best=Selection(2))  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"count": 0}, {"least": 0}, {"query_apart": -1}, {"subject_apart": -1}])
def test_no_selection_is_less_than_nothing(wrong: dict[str, int]) -> None:
    with pytest.raises(ScoringError, match="1 or more"):
        Selection(**{"count": 2, **wrong})


class Lying(CpuEndPoints):
    """An engine that changes what it has found."""

    def __init__(self, change: Callable[[list[EndPoint]], list[EndPoint]], aligns: bool) -> None:
        super().__init__()
        self._change, self._aligns = change, aligns

    def find(self, pairs: Sequence[CodedPair], scheme: Scheme, selection: Selection) -> Steps[list[Ends]]:
        found = yield from super().find(pairs, scheme, selection)
        return found if self._aligns else [each._replace(points=self._change(each.points)) for each in found]

    def align(
        self, pairs: Sequence[CodedPair], scheme: Scheme, ends: Sequence[Sequence[EndPoint]]
    ) -> Steps[list[list[Alignment]]]:
        if self._aligns:
            ends = [self._change([*each]) for each in ends]
        return (yield from super().align(pairs, scheme, ends))


LIES: dict[str, Callable[[list[EndPoint]], list[EndPoint]]] = {
    "in reverse order": lambda ends: ends[::-1],
    "the same twice": lambda ends: [ends[0], *ends[:-1]],
    "too close": lambda ends: [ends[0], ends[0]._replace(row=ends[0].row + 1, score=ends[0].score - 1)],
    "too many": lambda ends: [*ends, EndPoint(1, 1, 1)],
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize(
    ("report", "aligns"), [("score", False), ("ends", False), ("alignment", False), ("ends", True), ("alignment", True)]
)
def test_end_points_that_cannot_be_right_are_errors(lie: str, report: Report, aligns: bool) -> None:
    pair = random_pair(np.random.default_rng(17), 4, 120, 300, related=1)
    scheme = Scheme(match_table(5, -3), 8, 1)
    engine = ByEndPoints(Lying(LIES[lie], aligns), Selection(6, 1, 5, 5))
    with pytest.raises(EngineError):
        [*engine.align_batch(PairBatch.of([pair]), scheme, report)]


def test_distances_have_a_bound() -> None:
    with pytest.raises(ScoringError, match="100,000,000 or less"):
        Selection(3, 1, 1 << 40, 0)
    pair = [("ACGTACGTTAGC", "CGTTACGATAGCACGTACG")]
    [found] = shardwater.align(pair, Scheme(match_table(2, -1), 1, 1), best=Selection(3, 1, 10**8, 0))
    assert found.score == 17
