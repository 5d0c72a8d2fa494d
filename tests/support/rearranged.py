"""A genome and a rearranged copy, and what was done to it; HSPs come of how it was made, not of a search."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from shardwater.genomes.compare import compare
from shardwater.genomes.comparison import Comparison
from shardwater.genomes.gapped import Gapped, GappedScoring, align_boxes, distinct
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps, Numbers
from shardwater.genomes.rearrangements import Kind
from shardwater.genomes.synteny import SyntenyBlock
from shardwater.pairs.cpu import CpuPairs
from shardwater.sequences.named import Letters
from shardwater.steps import finish
from tests.support.genomes import genome, mutated, random_dna, reverse_complement, with_indels

BASES = np.frombuffer(b"ACGT", np.uint8)
NEAR = 12
"""Letters between where something is and where it was planted: gaps have up to 8."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A block of the query that stands in the subject: what it is, and its ranges, from 0, half-open."""

    kind: Kind
    query: range
    subject: range
    strand: str


def stands(block: SyntenyBlock, planted: Planted, near: int = NEAR) -> bool:
    """Whether a block that was found is where this one was planted, so many letters away at most."""
    ends = (
        (block.query_from - 1, planted.query.start),
        (block.query_to, planted.query.stop),
        (block.subject_from - 1, planted.subject.start),
        (block.subject_to, planted.subject.stop),
    )
    return block.strand == planted.strand and all(abs(one - other) <= near for one, other in ends)


@dataclass
class Copy:
    """The subject as it grows, and the pieces without gaps that it shares with the query."""

    rng: np.random.Generator
    letters: list[np.ndarray] = field(default_factory=list)
    pieces: list[tuple[int, int, int, int, bool]] = field(default_factory=list)
    planted: list[Planted] = field(default_factory=list)

    @property
    def length(self) -> int:
        return sum(map(len, self.letters))

    def add(self, kind: Kind, codes: np.ndarray, begin: int, strand: str) -> None:
        """Add a block with an error in 25 letters; after each 400 to 900 letters some of the query's are missing."""
        first, at, parts = self.length, 0, []
        while at < len(codes):
            part = codes[at : at + int(self.rng.integers(400, 900))].copy()
            errors = self.rng.random(len(part)) < 0.04
            part[errors] = (part[errors] + 1) % 4
            parts.append((begin + at, part, int((~errors).sum())))
            at += len(part) + int(self.rng.integers(1, 9))
        for place, part, matches in parts if strand == "+" else parts[::-1]:
            self.pieces.append((place, self.length, len(part), matches, strand == "-"))
            self.letters.append(BASES[part if strand == "+" else 3 - part[::-1]])
        self.planted.append(Planted(kind, range(begin, begin + len(codes)), range(first, self.length), strand))


def rearranged(seed: int) -> tuple[Genome, Genome, Hsps, list[Planted]]:
    """Query, subject, HSPs in disorder, what was planted: of 40 blocks of 1 to 5 kb a fourth is somewhere else."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, 120_000)
    borders = np.sort(rng.choice(np.arange(1, 120), 39, replace=False)) * 1000
    ranges = list(zip([0, *borders.tolist()], [*borders.tolist(), len(codes)], strict=True))
    # Every tenth block is turned round, lost, moved, moved and turned round, or stands in the subject once more.
    blocks: list[tuple[Kind, int, str]] = []
    for number in range(len(ranges)):
        kind: Kind | None = {2: "inversion", 4: None, 6: "translocation"}.get(number % 10, "collinear")
        if kind is not None:
            blocks.append((kind, number, "-" if kind == "inversion" or number == 26 else "+"))
    for number in (6, 16, 26, 36):
        block = next(block for block in blocks if block[1] == number)
        blocks.remove(block)
        blocks.insert((number + 17) % 30, block)
    for number, place, strand in ((8, 20, "+"), (28, 3, "-")):
        blocks.insert(place, ("duplication", number, strand))
    copy = Copy(rng)
    for kind, number, strand in blocks:
        begin, end = ranges[number]
        copy.add(kind, codes[begin:end], begin, strand)
    query = Genome.of([Letters("a", BASES[codes].tobytes())])
    subject = Genome.of([Letters("b", np.concatenate(copy.letters).tobytes())])
    return query, subject, _hsps(rng, copy), copy.planted


@cache
def strains() -> tuple[Genome, Genome, Gapped]:
    """Two genomes with many short gaps, aligned: letters 2,001 to 3,000 stand once more behind 7,000 in both, and
    those from 4,001 to 6,000 are turned round in the subject.
    """
    rng = np.random.default_rng(8)
    first = random_dna(rng, 9000)
    first = first[:7000] + with_indels(rng, mutated(rng, first[2000:3000], 0.04), 200) + first[7000:]
    second = with_indels(rng, mutated(rng, first, 0.02), 150)
    query, subject = genome(first), genome(second[:4000] + reverse_complement(second[4000:6000]) + second[6000:])
    hsps = compare(query, subject, Comparison(word=16, min_length=50)).hsps
    scoring = GappedScoring()
    return query, subject, Gapped(distinct(finish(align_boxes(query, subject, hsps, scoring, CpuPairs(1)))), scoring)


def _hsps(rng: np.random.Generator, copy: Copy) -> Hsps:
    pieces: Numbers = np.array([piece[:4] for piece in copy.pieces])
    reverse = np.array([piece[4] for piece in copy.pieces])
    lists = [Hsps.of(*pieces[reverse == strand].T, bool(strand)) for strand in (False, True)]
    # Short ones anywhere, as repeats have them.
    places = rng.integers(0, 100_000, (2, 8))
    lengths = rng.integers(100, 130, 8)
    hsps = Hsps.joined([*lists, Hsps.of(*places, lengths, lengths * 8 // 10, False)])
    return hsps[rng.permutation(len(hsps))]
