"""The summary of a comparison, as it is written."""

import json
from dataclasses import asdict

import numpy as np

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.compare import Compared
from shardwater.genomes.comparison import Comparison
from shardwater.genomes.counts import Counts
from shardwater.genomes.gapped import Gapped, GappedScoring
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.summary import GappedSummary, Policy, Size, StrandSummary, summarise
from shardwater.sequences.named import Letters

GENOME = Genome.of([Letters("a", b"ACGT" * 500), Letters("b", b"ACGT" * 100)])
FORWARD = Hsps.of(np.array([0, 900]), np.array([0, 905]), np.array([900, 600]), np.array([880, 590]), False)
REVERSE = Hsps.of(np.array([2010]), np.array([2100]), np.array([200]), np.array([150]), True)
HSPS = Hsps.joined([FORWARD, REVERSE])


def compared(*counts: Counts, comparison: Comparison = Comparison(max_frequency=64)) -> Compared:  # noqa: B008  frozen
    return Compared(GENOME, GENOME, comparison, HSPS, counts)


def test_a_comparison_in_numbers() -> None:
    forward, reverse = Counts(seeds=900, sampled_words=3, least_frequency=8), Counts(seeds=40, sampled_words=1)
    found = summarise(compared(forward, reverse))
    assert found.query == found.subject == Size(records=2, letters=2400)
    assert found.strands == (StrandSummary("+", 2, forward), StrandSummary("-", 1, reverse))
    assert (found.matches, found.coverage.query.covered, found.gapped, found.same) == (1620, 1700, None, True)
    assert found.policy == Policy(False, "sensitive", 64, sampled_words=4, least_frequency=8)
    assert [(each.kind, each.score, each.length) for each in found.synteny.blocks] == [("collinear", 5760, 1500)]
    assert json.loads(json.dumps(asdict(found)))["synteny"]["counts"]["collinear"] == 1


def test_genomes_that_differ_in_a_letter_are_not_the_same() -> None:
    other = Genome.of([Letters("c", b"ACGT" * 500), Letters("b", b"ACGT" * 99 + b"ACGA")])
    assert not summarise(Compared(GENOME, other, Comparison(), HSPS, (Counts(),))).same


def test_one_strand_and_all_seeds() -> None:
    found = summarise(compared(Counts()))
    assert [each.strand for each in found.strands] == ["+"]
    assert found.policy == Policy(True, "sensitive", 64, sampled_words=0, least_frequency=None)


def test_blocks_are_of_alignments_with_gaps_where_there_are_some() -> None:
    own = Alignments.of_hsps(FORWARD[:1])
    found = summarise(compared(Counts(), Counts()), Gapped(own, GappedScoring()))
    assert found.gapped == GappedSummary(aligned=3, ungapped=0, alignments=1)
    assert [each.length for each in found.synteny.blocks] == [900]
    assert found.coverage.query.covered == 1700
