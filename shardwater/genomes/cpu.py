"""CpuGenomes: the GenomeEngine protocol with numpy."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from shardwater.genomes.blocks import Blocks
from shardwater.genomes.comparison import UNITS, Comparison, Part
from shardwater.genomes.counts import Counts
from shardwater.genomes.engine import Finding, FoundPart
from shardwater.genomes.extension import Starts, extended
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.runs import Runs, runs_of
from shardwater.genomes.strands import Strand
from shardwater.genomes.words import Words

WORDS_AT_ONCE = 1 << 25
"""Of both genomes, about: each takes some 60 bytes while it is sorted."""
SORTED = 0.5
"""How much of a part is done, about, when its words are sorted and its runs are known."""
STEPS = 5
"""Of a piece: the words of each side are listed, those that both may have are sorted, then they are joined."""


class CpuGenomes:
    """All HSPs of two genomes, piece by piece, on one core."""

    name = "cpu"

    def __init__(self, *, words_at_once: int = WORDS_AT_ONCE) -> None:
        """words_at_once: of both genomes, about; answers are the same."""
        self._words_at_once = words_at_once

    def find(self, query: Genome, subject: Genome, comparison: Comparison, part: Part) -> Finding:
        """The HSPs of a part, as GenomeEngine.find has it."""
        strand, other = Strand.of(query, reverse=False), Strand.of(subject, reverse=part.reverse)
        found, runs = list[Hsps](), list[Runs]()
        pieces = list(self._pieces(len(query) + len(subject), part))
        for number, piece in enumerate(pieces):
            listed, words = list[Words](), list[Words]()
            for step, each in enumerate((strand, other), 1):
                listed.append(Words.listed(each, comparison.word, piece))
                yield SORTED * (number + step / STEPS) / len(pieces)
            for step, (own, theirs) in enumerate((listed, listed[::-1]), 3):
                words.append(own.shared(theirs).sorted())
                yield SORTED * (number + step / STEPS) / len(pieces)
            found_runs = runs_of(words[0], words[1], comparison)
            counts = replace(found_runs.counts, query_words=len(listed[0]), subject_words=len(listed[1]))
            runs.append(replace(found_runs, counts=counts))
            yield SORTED * (number + 1) / len(pieces)
        x, y = (np.concatenate([getattr(each, name) for each in runs]) for name in "xy")
        starts, counts = Starts.of(x, y, len(query)), Counts.sum([each.counts for each in runs])
        blocks = Blocks(strand, other, comparison, part.reverse)
        if comparison.extension == "blocks":
            extending = blocks.extended(starts)
        else:
            extending = extended(starts, strand, other, comparison, reverse=part.reverse)
        for hsps in extending:
            found.append(hsps)
            yield SORTED + (1 - SORTED) * (1 - 1 / (1 + len(found)))
        if comparison.extension == "blocks":
            counts = replace(counts, kept=blocks.kept)
        return FoundPart(Hsps.joined(found), counts)

    def _pieces(self, letters: int, part: Part) -> Iterator[Part]:
        """A part as pieces that memory holds: units have about the same number of words."""
        units = max(1, min(UNITS, self._words_at_once * UNITS // max(1, letters)))
        for first in range(part.first, part.last, units):
            yield Part(part.reverse, first, min(first + units, part.last))
