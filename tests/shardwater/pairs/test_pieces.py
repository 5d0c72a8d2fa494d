"""Pieces of local pairs: together they have the answer of the whole pair, whatever the strands and the report."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.pieces import Pieces, span
from shardwater.pairs.strands import Strands, align_strands
from shardwater.scoring.table import match_table

SCHEMES = [Scheme(match_table(2, -3), 3, 2), Scheme(match_table(1, -3), 0, 2), Scheme(match_table(5, -4), 20, 3)]


def batch_of(pieces: Pieces, pair: CodedPair) -> PairBatch:
    return PairBatch.of([pieces.piece(pair, number) for number in range(len(pieces.ranges))])


def found(batch: PairBatch, scheme: Scheme, report: Report, strand: Strands) -> tuple[Columns, np.ndarray]:
    answers = [each.answers for each in align_strands(batch, scheme, report, strand, CpuPairs(1)) if each.answers]
    columns = Columns.joined(True, [each for each, _ in answers])
    order = np.argsort(columns.numbers)
    return columns.select(order), np.concatenate([turned for _, turned in answers])[order]


def assert_alike(pair: CodedPair, scheme: Scheme, counts: tuple[int, ...], strands: tuple[Strands, ...]) -> None:
    lengths = len(pair.query), len(pair.subject)
    for strand in strands:
        for report in ("score", "ends", "alignment"):
            [whole], whole_turned = found(PairBatch.of([pair]), scheme, report, strand)
            for count in counts:
                pieces = Pieces.of(lengths, count, span(min(lengths), scheme) or 0)
                every, turned = found(batch_of(pieces, pair), scheme, report, strand)
                best, best_turned = pieces.best(every, turned, 0, pair.cells, report)
                assert (list(best), best_turned.tolist()) == ([whole], whole_turned.tolist())


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
@pytest.mark.parametrize("side", [0, 1])
def test_random_pairs_and_repeats(scheme: Scheme, side: int) -> None:
    rng = np.random.default_rng(60 + side)
    for letters in (2, 4):
        for shorter, longer in [(1, 40), (7, 90), (30, 400), (70, 700)]:
            short, long = rng.integers(0, letters, shorter, np.uint8), rng.integers(0, letters, longer, np.uint8)
            for place in rng.integers(0, max(1, longer - shorter), 2):
                # The same twice, and once turned round.
                long[place : place + shorter] = short[: longer - place]
            long[5 : 5 + shorter] = (3 - short)[::-1][: longer - 5]
            pair = CodedPair(short, long) if side else CodedPair(long, short)
            assert_alike(pair, scheme, (2, 3, 7), ("forward", "both"))


def test_alignments_across_each_border() -> None:
    rng = np.random.default_rng(62)
    scheme, short = SCHEMES[0], rng.integers(0, 4, 150, np.uint8)
    for count in (2, 5):
        for border in range(2_000 // count, 2_000, 2_000 // count):
            for first in (border - 149, border - 75, border - 1, border, border + 1):
                long = rng.integers(0, 4, 2_000, np.uint8)
                # 150 columns and a gap.
                long[first : first + 70] = short[:70]
                long[first + 80 : first + 160] = short[70:][: 2_000 - first - 80]
                assert_alike(CodedPair(short, long), scheme, (count,), ("forward",))


TIED = Scheme(match_table(2, -1), 0, 1)
SHORT = np.array([1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1], np.uint8)
LIKE = np.concatenate(([1, 1, 1], SHORT[3:])).astype(np.uint8)
"""SHORT with a mismatch. One letter on, a gap has the same score: a piece that begins there knows no other way."""


def turned(letters: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The reverse complement."""
    return np.ascontiguousarray(3 - letters[::-1])


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("strand", ["forward", "both"])
def test_a_piece_that_begins_within_an_alignment_is_not_asked_for_it(side: int, strand: Strands) -> None:
    letters, count = 900, 3
    lengths = (len(SHORT), letters) if side else (letters, len(SHORT))
    ranges = Pieces.of(lengths, count, span(len(SHORT), TIED) or 0).ranges
    # A query is turned round, and its pieces with it.
    is_cut_and_turned = strand == "both" and side == 0
    for begin in (
        [letters - each.stop for each in ranges[:-1]] if is_cut_and_turned else [each.start for each in ranges[1:]]
    ):
        long = np.full(letters, 2, np.uint8)
        long[begin - 1 : begin - 1 + len(LIKE)] = LIKE
        query, subject = (SHORT, long) if side else (long, SHORT)
        assert_alike(CodedPair(turned(query) if strand == "both" else query, subject), TIED, (count,), (strand,))


def test_nothing_alike() -> None:
    pair = CodedPair(np.zeros(5, np.uint8), np.ones(90, np.uint8))
    assert_alike(pair, SCHEMES[0], (2, 4), ("forward", "both"))


def test_pieces_share_what_an_alignment_spans() -> None:
    scheme = Scheme(match_table(5, -3), 8, 1)
    assert span(1_024, scheme) == 1_024 + 5 * 1_024 - 8
    assert span(1, Scheme(match_table(2, -3), 9, 1)) == 1
    assert span(10, Scheme(match_table(2, -3), 9, 0)) is None
    pieces = Pieces.of((1_000_000, 1_024), 50, 6_136)
    assert (pieces.side, pieces.letters, pieces.added) == (0, 1_000_000, 49 * 6_136)
    assert (pieces.ranges[0].start, pieces.ranges[-1].stop) == (0, 1_000_000)
    assert all(before.stop - after.start == 6_136 for before, after in pairwise(pieces.ranges))
