"""What the job of MSAs keeps of what was asked for: its chains by their headers and lengths, and no letters.

The letters of each are with its own job, so that to see how a list stands takes little, however long its chains are.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple, Self

from pydantic import BaseModel, ConfigDict

from shardwater.errors import FastaFormatError
from shardwater.sequences.fasta import Record
from worker.jobs.chain_requests import MsaFilter
from worker.jobs.msa_requests import MsaRequest, Pairing, distinct

LONGEST_HEADER, LONGEST_HEADERS = 10_000, 1_000_000
"""Bytes of a chain's header, and of those of all chains of a request: they are kept, and gone through at each look."""


def check_headers(asked: MsaRequest) -> None:
    """Raise FastaFormatError for the first chain whose header, or those up to which, are longer than may be."""
    complexes, in_fasta = asked.complexes(), isinstance(asked.queries, str)
    places = [(place, number) for place, each in enumerate(complexes) for number in range(len(each))]
    lengths = [len(record.header.encode()) for each in complexes for record in each]
    for number, (length, together) in enumerate(zip(lengths, accumulate(lengths), strict=True)):
        if length > LONGEST_HEADER:
            detail = f"the header of a chain has {LONGEST_HEADER:,} bytes at most"
        elif together > LONGEST_HEADERS:
            detail = f"the headers of all chains have {LONGEST_HEADERS:,} bytes at most"
        else:
            continue
        if in_fasta:
            raise FastaFormatError(detail, record=number + 1)
        place, chain = places[number]
        raise FastaFormatError(detail, file=f"complex {place + 1}, chain {chain + 1}")


class ListedChain(NamedTuple):
    """A chain: its header, its length, and its number among those that differ, from 0."""

    header: str
    length: int
    number: int

    @property
    def id(self) -> str:
        """The first word of its header."""
        return Record(self.header, b"").id

    @property
    def title(self) -> str:
        """The header after that."""
        return Record(self.header, b"").title


class KeptMsas(BaseModel):
    """MSAs as they were asked for, without letters."""

    model_config = ConfigDict(frozen=True)

    complexes: list[list[ListedChain]]
    databases: tuple[str, ...]
    then: tuple[str, ...]
    iterations: int
    evalue: float
    inclusion_evalue: float
    max_sequences: int
    filter: MsaFilter
    pairing: Pairing

    @classmethod
    def of(cls, asked: MsaRequest) -> Self:
        """What is kept of a request that has been checked."""
        complexes = asked.complexes()
        return cls(complexes=_listed(complexes), **asked.model_dump(exclude={"queries", "title"}))

    @property
    def chains(self) -> list[ListedChain]:
        """All chains, in their order."""
        return [chain for each in self.complexes for chain in each]


def _listed(complexes: Sequence[Sequence[Record]]) -> list[list[ListedChain]]:
    numbers = distinct(complexes)
    return [
        [ListedChain(record.header, len(record.residues), numbers[record.residues.upper()]) for record in each]
        for each in complexes
    ]
