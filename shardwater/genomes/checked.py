"""What engines have found, held against the genomes: a count that is too small, or HSPs whose letters are others."""

from collections.abc import Sequence

import numpy as np

from shardwater.errors import EngineError
from shardwater.genomes.comparison import Comparison
from shardwater.genomes.counts import Counts
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.strands import CODES, COMPLEMENTS, UNKNOWN

LOOKED_AT = 200
"""HSPs whose letters are counted once more, evenly through the list."""


def check_found(query: Genome, subject: Genome, comparison: Comparison, counts: Sequence[Counts], hsps: Hsps) -> None:
    """Raise EngineError where an engine has not listed all words of both genomes, or an HSP has not its matches."""
    words = tuple(words_of(genome, comparison.word) for genome in (query, subject))
    for each in counts:
        if (listed := (each.query_words, each.subject_words)) != words:
            raise EngineError(f"{listed[0]:,} and {listed[1]:,} words were listed of {words[0]:,} and {words[1]:,}")
    for row in hsps[np.linspace(0, len(hsps) - 1, min(LOOKED_AT, len(hsps))).astype(np.int64)].rows.tolist():
        _check_hsp(query, subject, row)


def words_of(genome: Genome, length: int) -> int:
    """How many words of so many letters a genome has: stretches of known letters of one record, less a letter each."""
    unknown = np.flatnonzero(CODES.take(genome.letters) == UNKNOWN)
    # A record's border takes no letter, an unknown one takes its own; a border comes before the letter behind it.
    begins = np.concatenate((genome.offsets, unknown))
    ends = np.concatenate((genome.offsets, unknown + 1))
    order = np.argsort(begins, kind="stable")
    stretches = begins[order][1:] - ends[order][:-1]
    return int(np.maximum(0, stretches - length + 1).sum())


def _check_hsp(query: Genome, subject: Genome, row: tuple[int, int, int, int, bool]) -> None:
    begin, place, length, matches, reverse = row
    ours, theirs = CODES[query.letters[begin : begin + length]], CODES[subject.letters[place : place + length]]
    if reverse:
        theirs = COMPLEMENTS[theirs[::-1]]
    equal = int(((ours == theirs) & (ours != UNKNOWN)).sum())
    if equal != matches:
        raise EngineError(f"an HSP of {length:,} letters has {equal:,} equal ones, and not {matches:,}")
