"""Synteny: which chains are blocks, and what each block is."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["collinear", "inversion", "translocation", "duplication", "repeat"]
MOST_BLOCKS = 1000
"""Blocks that are told one by one, those of the best scores."""


@dataclass(frozen=True, slots=True)
class SyntenyBlock:
    """A chain of two genomes and what it is; places from 1, the last one included, in its records.

    strand: `-` where the query's reverse complement is aligned, of any kind; length: columns of its alignments;
    matches: those of two equal letters; identity: these in per cent.
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
