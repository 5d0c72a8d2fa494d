"""Bands: what they prove is what gotoh.py finds among all cells, and what lies outside of them is not proved."""

import numpy as np
import numpy.typing as npt
import pytest

from shardwater.alignment import band
from shardwater.alignment.alignment import Run
from shardwater.alignment.band import align_band, bytes_of
from shardwater.alignment.gotoh import align_batch
from shardwater.alignment.outside import Costs
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.watch import Stopped, Watch
from shardwater.scoring.table import match_table
from shardwater.sequences.alphabets import DNA

Codes = npt.NDArray[np.uint8]

N = DNA.letters.index("N")
BLASTN = Scheme(match_table(2, -3), 5, 2, Mode.LOCAL)


def copied(rng: np.random.Generator, codes: Codes, errors: float) -> Codes:
    """A copy in which so many letters are others, gone, or followed by up to five more."""
    parts = []
    for code in codes.tolist():
        draw = rng.random() / errors if errors else 1.0
        if draw < 0.5:
            parts.append(int(rng.integers(0, 4)))
        elif draw < 0.7:
            parts += [code, *rng.integers(0, 4, int(rng.integers(1, 6))).tolist()]
        elif draw >= 0.9:
            parts.append(code)
    return np.array(parts or [0], np.uint8)


def pair(rng: np.random.Generator) -> tuple[Codes, Codes]:
    """Two sequences that are alike, often; some have repeats, stretches of N, or a long gap."""
    length, letters = int(rng.integers(1, 150)), int(rng.choice([1, 2, 4, 4, 4]))
    one = rng.integers(0, letters, length).astype(np.uint8)
    if rng.random() < 0.3:
        one = np.resize(one[: int(rng.integers(1, length + 1))], length)
    other = copied(rng, one, float(rng.choice([0, 0.02, 0.05, 0.1, 0.2, 0.5])))
    if rng.random() < 0.3:
        cut = int(rng.integers(0, len(other)))
        other = np.concatenate((other[:cut], rng.integers(0, 4, int(rng.integers(0, 40)), np.uint8), other[cut:]))
    for each in (one, other):
        if rng.random() < 0.2:
            each[len(each) // 3 : len(each) // 3 + int(rng.integers(1, 10))] = N
    return (one, other) if rng.random() < 0.5 else (other, one)


@pytest.mark.parametrize("seed", range(12))
def test_what_a_band_proves_is_what_all_cells_tell(seed: int) -> None:
    rng, proved = np.random.default_rng(seed), 0
    for last in (2, 4, 6, 10, 16, 24):
        match, mismatch, gap_open = int(rng.integers(1, 5)), -int(rng.integers(1, 6)), int(rng.integers(0, 8))
        scheme = Scheme(match_table(match, mismatch), gap_open, int(rng.integers(not gap_open, 4)), Mode.LOCAL)
        costs, pairs = Costs.of(scheme), [pair(rng) for _ in range(12)]
        assert costs is not None
        both = [*align_band(pairs, costs, last), *align_band(pairs, costs, last, kept=max(2, last // 4 * 2))]
        for (query, subject), found in zip(pairs * 2, both, strict=True):
            if found is not None:
                proved += 1
                assert [found] == align_batch(query, [subject], scheme)
    assert proved > 10


def costs_of_blastn() -> Costs:
    costs = Costs.of(BLASTN)
    assert costs is not None
    return costs


def test_a_pair_that_is_alike_is_proved_by_a_narrow_band() -> None:
    rng = np.random.default_rng(5)
    one = rng.integers(0, 4, 3_000, np.uint8)
    pairs = [(one, copied(rng, one, errors)) for errors in (0, 0.01, 0.03)]
    found = align_band(pairs, costs_of_blastn())
    assert found == [align_batch(query, [subject], BLASTN)[0] for query, subject in pairs]
    assert found[0] is not None and found[0].runs == (Run("M", 3_000),)


def test_the_numbers_of_a_long_pair_have_room() -> None:
    rng = np.random.default_rng(6)
    one = rng.integers(0, 4, 2_000, np.uint8)
    scheme = Scheme(match_table(100, -150), 250, 100, Mode.LOCAL)
    costs = Costs.of(scheme)
    assert costs is not None
    other = np.delete(one, [700, 701, 702])
    assert align_band([(one, other)], costs) == align_batch(one, [other], scheme)


def test_pairs_that_follow_each_other_in_a_lane_are_aligned_as_alone() -> None:
    rng, costs = np.random.default_rng(10), costs_of_blastn()
    one, pairs = rng.integers(0, 4, 3_000, np.uint8), []
    for first, size in ((0, 3_000), (100, 900), (0, 800), (2_000, 600), (500, 300), (1_900, 200), (7, 100)):
        query = one[first : first + size]
        # The second half of some is turned round: nothing of one pair may count for the next one in its lane.
        pairs.append((query, np.concatenate((query[: size // 2], query[size // 2 :][:: (-1) ** len(pairs)]))))
    filling = band._Filling(pairs, costs, 16, 8)
    assert {place.lane for place in filling._places} == {0, 1}
    found = align_band(pairs, costs, 16, kept=8)
    assert found == [align_band([pair], costs, 16, kept=8)[0] for pair in pairs]
    assert sum(each is not None for each in found) > 3


@pytest.mark.parametrize("turned", [False, True])
def test_a_better_alignment_outside_is_not_overlooked(turned: bool) -> None:
    rng = np.random.default_rng(7)
    one = rng.integers(0, 4, 400, np.uint8)
    # The same 300 letters, 40 further on; along the first diagonal 60 are equal.
    other = np.concatenate((one[:60], rng.integers(0, 4, 40, np.uint8), one[60:]))[:400]
    pairs = [(other, one) if turned else (one, other)]
    assert align_band(pairs, costs_of_blastn(), 16) == [None]
    assert align_band(pairs, costs_of_blastn(), 64) == align_batch(pairs[0][0], [pairs[0][1]], BLASTN)


def test_a_way_that_leaves_the_cells_that_are_kept_is_not_proved() -> None:
    rng = np.random.default_rng(9)
    one = rng.integers(0, 4, 600, np.uint8)
    # The way goes on 20 diagonals beside; the other pair's best cell lies there, too, and nothing in the middle.
    pairs = [(one, np.delete(one, slice(300, 320))), (one[:580], one[20:])]
    assert align_band(pairs, costs_of_blastn(), 64, kept=16) == [None, None]
    expected = [align_batch(query, [subject], BLASTN)[0] for query, subject in pairs]
    assert align_band(pairs, costs_of_blastn(), 64, kept=20) == expected


def test_unlike_sequences_are_not_proved() -> None:
    rng = np.random.default_rng(8)
    strangers = rng.integers(0, 4, (2, 500), np.uint8)
    unknown = np.full(500, N, np.uint8)
    assert align_band([(strangers[0], strangers[1]), (unknown, unknown)], costs_of_blastn(), 16) == [None, None]


@pytest.mark.parametrize(
    "scheme",
    [
        Scheme(match_table(2, -3), 5, 2, Mode.GLOBAL),
        Scheme(match_table(2, -3), 0, 0, Mode.LOCAL),
        Scheme(match_table(2, 1), 5, 2, Mode.LOCAL),
        Scheme(match_table(2, -3), 5_000, 2, Mode.LOCAL),
    ],
)
def test_other_schemes_have_no_band(scheme: Scheme) -> None:
    assert Costs.of(scheme) is None


def test_a_band_takes_the_memory_that_it_says() -> None:
    costs, pairs = costs_of_blastn(), [(np.zeros(900, np.uint8), np.zeros(1_000, np.uint8))] * 3
    assert band._Filling(pairs, costs, 64, 64).h.nbytes == bytes_of(1_000, 3, costs)


def test_a_band_that_nobody_wants_ends() -> None:
    watch, one = Watch(), np.zeros(100, np.uint8)
    watch.stop()
    with pytest.raises(Stopped):
        align_band([(one, one)], costs_of_blastn(), watch=watch)


def test_a_band_tells_on_the_way_how_far_it_is() -> None:
    watch, one = Watch(), np.random.default_rng(11).integers(0, 4, 2_000, np.uint8)
    align_band([(one, one), (one[:500], one[:400])], costs_of_blastn(), 16, watch)
    cells = 2_000 * 2_000 + 500 * 400
    assert 0.98 * cells < watch.news() < cells
