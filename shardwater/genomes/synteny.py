"""Synteny: the blocks of two genomes, and how they are told."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shardwater.genomes.chains import Chains
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Numbers
from shardwater.genomes.rearrangements import KINDS, Kind, blocks_of

MOST_BLOCKS = 1000
"""Blocks that are told one by one, those of the best scores."""


@dataclass(frozen=True, slots=True)
class SyntenyBlock:
    """A block of two genomes and what it is; places from 1, the last one included, in its records.

    strand: `-` where the query's reverse complement is aligned, of any kind; score, length, matches: sums of its
    alignments' scores, columns, and columns of two equal letters; identity: these in per cent.
    """

    kind: Kind
    query: str
    query_from: int
    query_to: int
    subject: str
    subject_from: int
    subject_to: int
    strand: Literal["+", "-"]
    score: int
    length: int
    matches: int
    identity: float


@dataclass(frozen=True, slots=True)
class KindCounts:
    """How many blocks are of each kind."""

    collinear: int = 0
    inversion: int = 0
    translocation: int = 0
    duplication: int = 0
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class Synteny:
    """The chains of two genomes: how many there are, how many blocks of each kind, and the best MOST_BLOCKS blocks."""

    chains: int
    counts: KindCounts
    blocks: tuple[SyntenyBlock, ...]


def synteny_of(query: Genome, subject: Genome, chains: Chains) -> Synteny:
    """The blocks of two genomes: parts of chains (rearrangements.py says what each kind is)."""
    blocks = blocks_of(query, subject, chains)
    counts = KindCounts(*np.bincount(blocks.kinds, minlength=len(KINDS)).tolist())
    best = blocks.chains.select(np.arange(min(len(blocks.kinds), MOST_BLOCKS)))
    return Synteny(len(chains), counts, tuple(_told(query, subject, best, blocks.kinds)))


@dataclass(frozen=True, slots=True)
class _Range:
    record: str
    first: int
    last: int


def _told(query: Genome, subject: Genome, blocks: Chains, kinds: Numbers) -> Iterator[SyntenyBlock]:
    sides = _ranges(query, blocks, "query"), _ranges(subject, blocks, "subject")
    sums = np.stack((blocks.scores, blocks.total("columns"), blocks.total("matches")), axis=1).tolist()
    # There may be more kinds: those of blocks that are not told.
    every = zip(kinds.tolist(), *sides, blocks.reverse.tolist(), sums, strict=False)
    for kind, x, y, reverse, (score, length, matches) in every:
        yield SyntenyBlock(
            kind=KINDS[kind],
            query=x.record,
            query_from=x.first,
            query_to=x.last,
            subject=y.record,
            subject_from=y.first,
            subject_to=y.last,
            strand="-" if reverse else "+",
            score=score,
            length=length,
            matches=matches,
            identity=round(100 * matches / length, 2),
        )


def _ranges(genome: Genome, blocks: Chains, side: str) -> list[_Range]:
    """In the record of each block, from 1."""
    begins, ends = blocks.begin(side), blocks.end(side)
    records = genome.records(begins)
    before = genome.offsets[records]
    names = [genome.names[record] for record in records.tolist()]
    return list(map(_Range, names, (begins - before + 1).tolist(), (ends - before).tolist()))
