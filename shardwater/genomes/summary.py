"""What is said of a comparison as a whole: summary.json, the API and the page show the same."""

from dataclasses import dataclass
from typing import Literal

from shardwater.genomes.comparison import Sensitivity
from shardwater.genomes.counts import Counts
from shardwater.genomes.coverage import Coverage
from shardwater.genomes.synteny import Synteny


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
    """A comparison in numbers. matches: equal letters of all HSPs.

    coverage, synteny: by alignments with gaps where these were asked for, else by HSPs; gapped: null without them.
    """

    query: Size
    subject: Size
    strands: tuple[StrandSummary, ...]
    matches: int
    coverage: Coverage
    policy: Policy
    synteny: Synteny
    gapped: GappedSummary | None
