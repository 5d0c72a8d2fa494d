"""GpuGenomes: the GenomeEngine protocol on a CUDA device."""

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

import cupy

from gpu.ahead import compile_all
from gpu.database.staging import Staging
from gpu.device import device, faults, free_bytes
from gpu.genomes.extension import extended
from gpu.genomes.runs import Runs, runs_of
from gpu.genomes.strands import Strand, Strands
from gpu.genomes.words import Words
from gpu.launch.streams import on_device, on_stream
from gpu.variants import genome_variants
from shardwater.genomes.comparison import UNITS, Comparison, Part
from shardwater.genomes.counts import Counts
from shardwater.genomes.engine import Finding, FoundPart
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps

WORD_BYTES = 64
"""Of the device for each word: about 34 while one genome's are sorted beside the other's, and as much for others."""
LEAST_WORDS = 1 << 20
"""At once, however little memory is free."""


class GpuGenomes:
    """All HSPs of two genomes, whose letters stay on the device until another pair is asked for."""

    def __init__(self, *, words_at_once: int | None = None, number: int = 0) -> None:
        """Take a device into use, by CUDA's number, and compile what compares.

        words_at_once: of both genomes, about; by default what free memory holds. Answers are the same.
        """
        self._words_at_once, self._number = words_at_once, number
        self._sent: tuple[Genome, Genome, tuple[bool, ...], Strands] | None = None
        with faults(), cupy.cuda.Device(number):
            self.name = device().name
            self._stream = cupy.cuda.Stream(non_blocking=True)
            self._staging = Staging(number)
            compile_all(genome_variants())

    def find(self, query: Genome, subject: Genome, comparison: Comparison, part: Part) -> Finding:
        """The HSPs of a part, as GenomeEngine.find has it."""
        with faults():
            steps = on_stream(self._stream, self._find(query, subject, comparison, part))
            return (yield from on_device(self._number, steps))

    def _find(
        self, query: Genome, subject: Genome, comparison: Comparison, part: Part
    ) -> Generator[float, None, FoundPart]:
        strands = self._strands(query, subject, comparison)
        other = strands.subject[comparison.both.index(part.reverse)]
        found, counts, all_starts = list[Hsps](), Counts(), list[Any]()
        for piece in self._pieces(len(query) + len(subject), part):
            runs = _runs(strands.query, other, comparison, piece)
            counts += runs.counts
            all_starts.append(runs.starts)
            if comparison.extension == "letters" or piece.last == part.last:
                starts = cupy.concatenate(all_starts)
                all_starts.clear()
                done = extended(starts, runs.shift, strands.query, other, comparison, reverse=part.reverse)
                found.append(done.hsps)
                if comparison.extension == "blocks":
                    counts = replace(counts, kept=done.kept)
            yield (piece.last - part.first) / (part.last - part.first)
        return FoundPart(Hsps.joined(found), counts)

    def _strands(self, query: Genome, subject: Genome, comparison: Comparison) -> Strands:
        sent = self._sent
        if sent is None or sent[0] is not query or sent[1] is not subject or sent[2] != comparison.both:
            # What was sent before makes room first.
            self._sent = sent = None
            strands = Strands.of(query, subject, comparison.both, self._staging)
            self._sent = sent = (query, subject, comparison.both, strands)
        return sent[3]

    def _pieces(self, letters: int, part: Part) -> Iterator[Part]:
        """A part as pieces that memory holds: units have about the same number of words."""
        words = self._words_at_once or max(LEAST_WORDS, free_bytes() // WORD_BYTES)
        units = max(1, min(UNITS, words * UNITS // max(1, letters)))
        for first in range(part.first, part.last, units):
            yield Part(part.reverse, first, min(first + units, part.last))


def _runs(query: Strand, subject: Strand, comparison: Comparison, piece: Part) -> Runs:
    """The runs of a piece. The words, which take most of the memory, are gone then: between pieces others may work."""
    ours, theirs = (Words.listed(each, comparison.word, piece).sorted() for each in (query, subject))
    return runs_of(ours, theirs, query.length, comparison)
