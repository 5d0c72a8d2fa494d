"""Chains: what is joined and what is not, in which order, and that no letter is in a chain twice."""

from itertools import pairwise

import numpy as np
import pytest

from shardwater.genomes import chaining
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.chaining import GAP_LETTERS, REACH
from shardwater.genomes.chains import Chains, chains_of
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.sequences.named import Letters
from tests.support.genomes import reverse_complement
from tests.support.rearranged import rearranged, strains

FORWARD, REVERSE = False, True


def genome(*lengths: int) -> Genome:
    return Genome.of(Letters(f"r{number}", b"A" * length) for number, length in enumerate(lengths, 1))


WHOLE = genome(100_000)


def exact(*rows: tuple[int, int, int], reverse: bool = FORWARD) -> Alignments:
    """Places in the query and in the subject, and letters, all of them equal."""
    query, subject, length = np.array(rows, np.int64).reshape(-1, 3).T
    return Alignments.of_hsps(Hsps.of(query, subject, length, length, reverse))


def members(chains: Chains) -> list[list[int]]:
    ends = chains.firsts.tolist()
    return [chains.members[first:last].tolist() for first, last in pairwise(ends)]


def stretches(chains: Chains) -> list[list[int]]:
    found = chains.stretches()
    return np.stack((found.owners, found.query, found.subject, found.length), axis=1).tolist()


def test_a_chain_scores_its_alignments_less_what_its_gaps_cost() -> None:
    found = chains_of(WHOLE, WHOLE, exact((5000, 5200, 300), (4000, 4100, 800)))
    assert members(found) == [[1, 0]]
    # Between them are 200 and 300 letters.
    assert found.scores.tolist() == [4 * (300 + 800) - 4 * (200 + 300) // GAP_LETTERS]
    assert [each.tolist() for each in (found.begin("query"), found.end("subject"))] == [[4000], [5500]]
    assert found.total("matches").tolist() == [1100]


def test_what_gains_nothing_is_another_chain() -> None:
    far = 300 * GAP_LETTERS // 2
    assert members(chains_of(WHOLE, WHOLE, exact((0, 0, 300), (far + 300, far + 300, 300)))) == [[0], [1]]
    assert members(chains_of(WHOLE, WHOLE, exact((0, 0, 300), (far - 300, far - 300, 300)))) == [[0, 1]]


def test_a_chain_leaps_over_its_reach_and_no_further_than_twice() -> None:
    rows = (0, 0, 20_000), (20_000 + REACH, 20_000, 20_000), (40_000 + 3 * REACH, 40_000, 20_000)
    assert members(chains_of(WHOLE, WHOLE, exact(*rows))) == [[0, 1], [2]]


def test_a_chain_is_of_one_strand_and_one_pair_of_records() -> None:
    several = Alignments.joined(
        [exact((0, 0, 500), (600, 600, 500), (1200, 1200, 500)), exact((0, 0, 400), reverse=True)]
    )
    assert members(chains_of(genome(1150, 9000), genome(9000), several)) == [[0, 1], [2], [3]]
    assert members(chains_of(genome(9000), genome(550, 9000), several)) == [[1, 2], [0], [3]]


def test_a_reverse_chain_goes_back_in_the_query() -> None:
    rows = (3000, 1000, 200), (2700, 1230, 250), (3300, 1400, 300)
    found = chains_of(WHOLE, WHOLE, exact(*rows, reverse=True))
    assert members(found) == [[0, 1], [2]]
    chain = found.select(np.array([0]))
    assert (chain.reverse.tolist(), chain.begin("query").tolist(), chain.end("query").tolist()) == (
        [True],
        [2700],
        [3200],
    )
    assert stretches(chain) == [[0, 3000, 1000, 200], [0, 2700, 1230, 250]]


def test_the_later_of_two_that_overlap_is_cut() -> None:
    # By 40 letters in the query and by 10 in the subject.
    found = chains_of(WHOLE, WHOLE, exact((0, 0, 500), (460, 490, 600)))
    assert stretches(found) == [[0, 0, 0, 500], [0, 500, 530, 560]]
    found = chains_of(WHOLE, WHOLE, exact((600, 0, 500), (40, 490, 600), reverse=True))
    assert stretches(found) == [[0, 600, 0, 500], [0, 40, 530, 560]]


def test_what_overlaps_by_more_than_half_of_it_is_another_chain() -> None:
    assert members(chains_of(WHOLE, WHOLE, exact((0, 0, 500), (401, 411, 200)))) == [[0, 1]]
    assert members(chains_of(WHOLE, WHOLE, exact((0, 0, 500), (399, 409, 200)))) == [[0], [1]]


def test_what_loses_more_by_a_link_than_it_gains_is_another_chain() -> None:
    # Of the second one 500 letters would be cut for the sake of 300; then 250.
    found = chains_of(WHOLE, WHOLE, exact((200, 100, 300), (0, 0, 1000)))
    assert (members(found), found.scores.tolist()) == ([[1], [0]], [4000, 1200])
    found = chains_of(WHOLE, WHOLE, exact((0, 30, 300), (50, 180, 1000)))
    assert (members(found), found.scores.tolist()) == ([[0, 1]], [4 * 300 + 4 * 750 - 4 * 100 // GAP_LETTERS])


def test_stretches_that_touch_are_one() -> None:
    found = chains_of(WHOLE, WHOLE, exact((0, 0, 500), (400, 400, 600), (1000, 1010, 300)))
    assert stretches(found) == [[0, 0, 0, 1000], [0, 1000, 1010, 300]]


def test_what_was_linked_to_a_better_chain_is_chained_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # The copy's second alignment would rather follow the first of the best chain, which scores more than the copy's.
    rows = (0, 0, 3000), (3000, 3000, 900), (4000, 4000, 900), (3000, 6000, 800), (4000, 7000, 900)
    found = chains_of(WHOLE, WHOLE, exact(*rows))
    assert members(found) == [[0, 1, 2], [3, 4]]
    monkeypatch.setattr(chaining, "ROUNDS", 1)
    assert members(chains_of(WHOLE, WHOLE, exact(*rows))) == [[0, 1, 2], [4], [3]]


def test_only_so_many_are_chained_and_those_of_the_best_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chaining, "MOST_LINKED", 2)
    found = chains_of(WHOLE, WHOLE, exact((0, 0, 500), (600, 600, 400), (1100, 1100, 600)))
    assert members(found) == [[0, 2], [1]]


def test_no_letter_is_in_a_chain_twice_whatever_is_chained() -> None:
    query, subject, hsps, _ = rearranged(3)
    rng = np.random.default_rng(3)
    lengths = rng.integers(30, 900, 3000)
    places = rng.integers(0, 20_000, (2, 3000))
    noise = [Hsps.of(*places, lengths, lengths, strand) for strand in (FORWARD, REVERSE)]
    found = chains_of(query, subject, Alignments.of_hsps(Hsps.joined([hsps, *noise])))
    # Some of the noise lies on one diagonal with other noise.
    assert len(hsps) + 5990 < len(np.unique(found.members)) == len(found.members)
    assert (np.diff(found.scores) <= 0).all()
    all_of = found.stretches()
    assert np.unique(all_of.owners).tolist() == list(range(len(found)))
    follows = np.diff(all_of.owners) == 0
    for begins in (all_of.along, all_of.subject):
        assert (begins[1:] >= (begins + all_of.length)[:-1])[follows].all()


def test_each_letter_of_gapped_alignments_counts_once() -> None:
    query, subject, gapped = strains()
    found = chains_of(query, subject, gapped.alignments, gapped.scoring)
    # Boxes overlap: so do their alignments.
    assert found.total("columns").sum() < 0.8 * gapped.alignments.column("columns").sum()
    texts = [each.letters.tobytes().decode() for each in (query, subject)]
    matches, letters = [0] * len(found), [0] * len(found)
    taken = [[set[int]() for _ in range(len(found))] for _ in texts]
    for chain, x, y, length in stretches(found):
        ours, theirs = texts[0][x : x + length], texts[1][y : y + length]
        ours = reverse_complement(ours) if found.reverse[chain] else ours
        matches[chain] += sum(one == other for one, other in zip(ours, theirs, strict=True))
        letters[chain] += length
        for own, at in zip(taken, (x, y), strict=True):
            own[chain].update(range(at, at + length))
    assert [[len(own) for own in side] for side in taken] == [letters, letters]
    assert found.total("matches").tolist() == matches
    mismatches = np.array(letters) - matches
    assert (found.scores < gapped.scoring.match * np.array(matches) + gapped.scoring.mismatch * mismatches).all()


def test_equal_chains_stand_in_the_order_of_their_alignments() -> None:
    rows = [(20_000 * number, 20_000 * number, 100) for number in (3, 1, 4, 0, 2)]
    assert members(chains_of(WHOLE, WHOLE, exact(*rows))) == [[0], [1], [2], [3], [4]]


def test_no_alignments_have_no_chains() -> None:
    found = chains_of(WHOLE, WHOLE, exact())
    assert (len(found), stretches(found)) == (0, [])
