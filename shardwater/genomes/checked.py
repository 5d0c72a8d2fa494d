"""What engines have found, held against the genomes: a count that is too small, or a list whose letters are others."""

from collections.abc import Sequence

import numpy as np

from shardwater.errors import EngineError
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.comparison import Comparison
from shardwater.genomes.counts import Counts
from shardwater.genomes.equal_letters import equal_letters
from shardwater.genomes.genome import Genome
from shardwater.genomes.strands import CODES, UNKNOWN
from shardwater.genomes.stretches import Stretches

LOOKED_AT = 200
"""Rows whose letters are counted once more, evenly through a list."""


def check_words(query: Genome, subject: Genome, comparison: Comparison, counts: Sequence[Counts]) -> None:
    """Raise EngineError where an engine has not listed all words of both genomes."""
    words = tuple(words_of(genome, comparison.word) for genome in (query, subject))
    for each in counts:
        if (listed := (each.query_words, each.subject_words)) != words:
            raise EngineError(f"{listed[0]:,} and {listed[1]:,} words were listed of {words[0]:,} and {words[1]:,}")


def words_of(genome: Genome, length: int) -> int:
    """How many words of so many letters a genome has: stretches of known letters of one record, less a letter each."""
    unknown = np.flatnonzero(CODES.take(genome.letters) == UNKNOWN)
    # A record's border takes no letter, an unknown one takes its own; a border comes before the letter behind it.
    begins = np.concatenate((genome.offsets, unknown))
    ends = np.concatenate((genome.offsets, unknown + 1))
    order = np.argsort(begins, kind="stable")
    stretches = begins[order][1:] - ends[order][:-1]
    return int(np.maximum(0, stretches - length + 1).sum())


def check_letters(query: Genome, subject: Genome, alignments: Alignments) -> None:
    """Raise EngineError where a path has not as many equal letters as its row says, of some rows evenly."""
    some = alignments.select(np.linspace(0, len(alignments) - 1, min(LOOKED_AT, len(alignments))).astype(np.int64))
    stretches = Stretches.of(some)
    equal = np.bincount(stretches.owners, equal_letters(query, subject, stretches), len(some)).astype(np.int64)
    for found, told, columns in zip(equal.tolist(), some.column("matches"), some.column("columns"), strict=True):
        if found != told:
            raise EngineError(f"an alignment of {columns:,} columns has {found:,} equal letters, and not {told:,}")
