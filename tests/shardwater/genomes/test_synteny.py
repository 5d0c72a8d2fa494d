"""Blocks of two genomes: what was planted is found at its place, and is told as what it is."""

import json
from collections import Counter
from dataclasses import asdict

import numpy as np
import pytest

from shardwater.genomes import synteny
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.chains import chains_of
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.synteny import KindCounts, Synteny, SyntenyBlock, synteny_of
from shardwater.sequences.named import Letters
from tests.support.rearranged import rearranged, stands, strains


def synteny_of_hsps(query: Genome, subject: Genome, hsps: Hsps) -> Synteny:
    return synteny_of(query, subject, chains_of(query, subject, Alignments.of_hsps(hsps)))


@pytest.mark.parametrize("seed", range(6))
def test_all_that_was_planted_is_found(seed: int) -> None:
    query, subject, hsps, planted = rearranged(seed)
    found = synteny_of_hsps(query, subject, hsps)
    elsewhere = [each for each in planted if each.kind != "collinear"]
    assert Counter(each.kind for each in elsewhere) == {"inversion": 4, "translocation": 4, "duplication": 2}
    for each in elsewhere:
        if each.kind == "duplication":
            # Either copy may be the one in its place.
            copies = [other for other in planted if other.query == each.query]
            kinds = [block.kind for block in found.blocks for copy in copies if stands(block, copy)]
            assert kinds == ["duplication"]
        else:
            assert [block.kind for block in found.blocks if stands(block, each)] == [each.kind]
    assert found.counts.inversion == 4
    assert found.counts.translocation == 4
    assert found.counts.duplication == 2


def test_the_order_of_hsps_does_not_matter() -> None:
    query, subject, hsps, _ = rearranged(1)
    again = hsps[np.random.default_rng(5).permutation(len(hsps))]
    assert synteny_of_hsps(query, subject, again) == synteny_of_hsps(query, subject, hsps)


def test_alignments_that_overlap_along_one_path_are_no_repeats() -> None:
    query, subject, gapped = strains()
    found = synteny_of(query, subject, chains_of(query, subject, gapped.alignments, gapped.scoring))
    assert [block.kind for block in found.blocks] == ["collinear", "inversion", "repeat", "repeat"]
    assert [block.query_from // 1000 for block in found.blocks] == [0, 4, 2, 7]
    for block in found.blocks:
        letters = block.query_to - block.query_from, block.subject_to - block.subject_from
        assert block.matches <= block.length < 1.2 * max(letters)
        assert block.matches <= min(letters)


def genome(*lengths: int) -> Genome:
    return Genome.of(Letters(f"r{number}", b"A" * length) for number, length in enumerate(lengths, 1))


def hsps(*rows: tuple[int, int, int], reverse: bool = False) -> Hsps:
    """Places in the query and in the subject, and letters, nine of ten of which are equal."""
    query, subject, length = np.array(rows, np.int64).reshape(-1, 3).T
    return Hsps.of(query, subject, length, length * 9 // 10, reverse)


def kinds(query: Genome, subject: Genome, *lists: Hsps) -> list[tuple[str, int, str]]:
    """Kind, first place in the query and strand of each block, in the query's order."""
    found = synteny_of_hsps(query, subject, Hsps.joined(lists))
    return sorted(((each.kind, each.query_from, each.strand) for each in found.blocks), key=lambda each: each[1])


def test_what_is_in_another_record_is_a_translocation() -> None:
    query, subject = genome(100_000, 100_000), genome(100_000, 100_000)
    own = hsps((0, 0, 20_000), (30_000, 30_000, 20_000), (100_000, 100_000, 50_000))
    other = hsps((24_000, 160_000, 3000))
    assert [each for each in kinds(query, subject, own, other) if each[0] != "collinear"] == [
        ("translocation", 24_001, "+")
    ]


def test_each_contig_of_a_record_is_a_pair_with_it() -> None:
    contigs, whole = genome(5000, 6000, 4000), genome(15_000)
    found = kinds(contigs, whole, hsps((0, 6000, 5000), (5000, 0, 6000)), hsps((11_000, 11_000, 4000), reverse=True))
    assert sorted(found) == [("collinear", 1, "+"), ("collinear", 1, "+"), ("inversion", 1, "-")]
    found = kinds(whole, contigs, hsps((6000, 0, 5000), (0, 5000, 6000)), hsps((11_000, 11_000, 4000), reverse=True))
    assert found == [("collinear", 1, "+"), ("collinear", 6001, "+"), ("inversion", 11_001, "-")]


def test_a_stretch_with_better_places_in_both_is_a_repeat() -> None:
    both = genome(50_000)
    found = kinds(both, both, hsps((0, 0, 50_000), (5000, 30_000, 900)), hsps((8000, 40_000, 700), reverse=True))
    assert found == [("collinear", 1, "+"), ("repeat", 5001, "+"), ("repeat", 8001, "-")]


def test_alignments_of_a_chain_that_are_covered_otherwise_are_other_blocks() -> None:
    # A chain of three: the first has better places in both, the second in neither, the last in the query alone.
    query, subject = genome(90_000), genome(90_000)
    better = hsps((0, 0, 9000), (40_000, 40_000, 9000), (12_000, 81_000, 5000))
    chain = hsps((5000, 41_000, 1000), (10_000, 50_000, 1000), (13_000, 53_000, 1000))
    found = [each for each in kinds(query, subject, better, chain) if each[1] in (5001, 10_001, 13_001)]
    assert found == [("repeat", 5001, "+"), ("translocation", 10_001, "+"), ("duplication", 13_001, "+")]


def test_short_chains_are_no_blocks_and_only_the_best_blocks_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    both = genome(500_000)
    rows = [(100_000 * number, 100_000 * number, 600 + 10 * number) for number in range(4)]
    found = synteny_of_hsps(both, both, hsps(*rows, (450_000, 450_000, 499)))
    assert (found.chains, found.counts) == (5, KindCounts(collinear=4))
    monkeypatch.setattr(synteny, "MOST_BLOCKS", 2)
    assert [each.length for each in synteny_of_hsps(both, both, hsps(*rows)).blocks] == [630, 620]


def test_a_block_is_told_by_places_of_its_records_from_1() -> None:
    query, subject = genome(1000, 2000), genome(500, 3000)
    [block] = synteny_of_hsps(query, subject, hsps((1100, 800, 600), (1750, 1440, 500))).blocks
    assert block == SyntenyBlock("collinear", "r2", 101, 1250, "r2", 301, 1440, "+", 3520, 1100, 990, 90.0)
    assert json.loads(json.dumps(asdict(block)))["query_from"] == 101


def test_genomes_without_hsps_have_no_blocks() -> None:
    assert synteny_of_hsps(genome(10), genome(10), hsps()) == Synteny(0, KindCounts(), ())
