"""What is said of a comparison as a whole: summary.json, the API and the page show the same."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.boxes import Boxes
from shardwater.genomes.chains import Chains, chains_of
from shardwater.genomes.compare import Compared
from shardwater.genomes.comparison import Sensitivity
from shardwater.genomes.counts import Counts
from shardwater.genomes.coverage import Coverage, coverage_of
from shardwater.genomes.gapped import Gapped
from shardwater.genomes.genome import Genome
from shardwater.genomes.synteny import Synteny, synteny_of


@dataclass(frozen=True, slots=True)
class Size:
    """Of a genome."""

    records: int
    letters: int


@dataclass(frozen=True, slots=True)
class StrandSummary:
    """Of a strand of the subject: its HSPs, and what was counted while they were found."""

    strand: Literal["+", "-"]
    hsps: int
    counts: Counts


@dataclass(frozen=True, slots=True)
class Policy:
    """Which seeds were used: all, or not all of some words.

    sampled_words: of how many words, of both strands; least_frequency: the fewest runs that a word was allowed because
    too many words of its unit had too many, null where none had.
    """

    all_seeds: bool
    sensitivity: Sensitivity
    max_frequency: int | None
    sampled_words: int
    least_frequency: int | None


@dataclass(frozen=True, slots=True)
class GappedSummary:
    """HSPs whose box was aligned, those whose box was too large, and how many different alignments both have."""

    aligned: int
    ungapped: int
    alignments: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A comparison in numbers. matches, coverage: by HSPs, matches being their equal letters.

    synteny: by alignments with gaps where these were asked for, else by HSPs; gapped: null without them. same: both
    genomes are the same, whatever their names: the main diagonal is left out.
    """

    query: Size
    subject: Size
    strands: tuple[StrandSummary, ...]
    matches: int
    coverage: Coverage
    policy: Policy
    synteny: Synteny
    gapped: GappedSummary | None
    # With a default, so that what an earlier version has stored can be read.
    same: bool = False


def chains_found(compared: Compared, gapped: Gapped | None = None) -> Chains:
    """The chains of a comparison: of alignments with gaps, where these were asked for, else of HSPs."""
    query, subject = compared.query, compared.subject
    if gapped is None:
        return chains_of(query, subject, Alignments.of_hsps(compared.hsps))
    return chains_of(query, subject, gapped.alignments, gapped.scoring)


def summarise(compared: Compared, gapped: Gapped | None = None, chains: Chains | None = None) -> Summary:
    """A comparison that is done, in numbers.

    gapped: its alignments with gaps, where these were asked for; chains: those of chains_found, where they are known.
    """
    query, subject, hsps = compared.query, compared.subject, compared.hsps
    chains = chains_found(compared, gapped) if chains is None else chains
    return Summary(
        query=_size(query),
        subject=_size(subject),
        strands=_strands(compared),
        matches=int(hsps.matches.sum()),
        coverage=coverage_of(query, subject, Alignments.of_hsps(hsps)),
        policy=_policy(compared),
        synteny=synteny_of(query, subject, chains),
        gapped=None if gapped is None else _gapped(compared, gapped.alignments),
        same=query.same_as(subject),
    )


def _size(genome: Genome) -> Size:
    return Size(len(genome.names), len(genome))


def _strands(compared: Compared) -> tuple[StrandSummary, ...]:
    of_strand = np.bincount(compared.hsps.reverse, minlength=2).tolist()
    strands: tuple[Literal["+", "-"], ...] = ("+", "-")
    return tuple(
        StrandSummary(strand, hsps, counts)
        for strand, hsps, counts in zip(strands, of_strand, compared.counts, strict=False)
    )


def _policy(compared: Compared) -> Policy:
    counts, comparison = Counts.sum(compared.counts), compared.comparison
    return Policy(
        all_seeds=counts.sampled_words == 0,
        sensitivity=comparison.sensitivity,
        max_frequency=comparison.max_frequency,
        sampled_words=counts.sampled_words,
        least_frequency=counts.least_frequency or None,
    )


def _gapped(compared: Compared, alignments: Alignments) -> GappedSummary:
    aligned = Boxes.around(compared.query, compared.subject, compared.hsps).aligned
    return GappedSummary(int(aligned.sum()), int((~aligned).sum()), len(alignments))
