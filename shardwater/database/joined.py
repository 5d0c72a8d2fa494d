"""Databases read as one: their subjects are numbered through all of them, one database after the other."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt

from shardwater.database.database import Database
from shardwater.database.members import Members
from shardwater.database.taxa import Organism

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Part:
    """One of the databases, what it is called here, and the number of its first subject."""

    database: Database
    name: str
    first: int

    @property
    def subjects(self) -> range:
        """The numbers of its subjects."""
        return range(self.first, self.first + len(self.database))


@dataclass(frozen=True, slots=True)
class Joined:
    """Some databases in their order, open."""

    parts: tuple[Part, ...]

    @classmethod
    def of(cls, databases: Sequence[Database], names: Sequence[str] | None = None) -> Self:
        """All that there are, from subject 0 on; each called as its manifest says, or by these names."""
        called = names or [database.manifest.name for database in databases]
        firsts = accumulate((len(database) for database in databases), initial=0)
        return cls(tuple(map(Part, databases, called, firsts)))

    def __len__(self) -> int:
        return sum(len(part.database) for part in self.parts)

    @property
    def residues(self) -> int:
        """Of all of them."""
        return sum(part.database.manifest.residues for part in self.parts)

    def name_of(self, subject: int) -> str:
        """The name of a subject's database."""
        [name] = [part.name for part in self.parts if subject in part.subjects]
        return name

    def accession(self, subject: int) -> str:
        """The first word of a subject's header."""
        [(accession, _)] = self.names_of_all([subject])
        return accession

    def lengths_of(self, subjects: Sequence[int]) -> npt.NDArray[np.int64]:
        """The lengths of these subjects, in their order; IndexError for one that there is not."""
        lengths = np.zeros(len(subjects), np.int64)
        for part, places, own in self._divided(subjects):
            lengths[places] = part.database.lengths[own]
        return lengths

    def sequences(self, subjects: Sequence[int]) -> list[bytes]:
        """Their letters as they were in the FASTA files."""
        return self._read(subjects, Database.sequences)

    def names_of_all(self, subjects: Sequence[int]) -> list[tuple[str, str]]:
        """Their accessions and titles."""
        return self._read(subjects, Database.names_of_all)

    def organisms(self, subjects: Sequence[int], titles: Sequence[str]) -> list[Organism | None]:
        """Where subjects of these titles come from, as far as that is known."""
        of_titles = dict(zip(subjects, titles, strict=True))
        found: dict[int, Organism | None] = {}
        for part, _, own in self._divided(subjects):
            numbers = own.tolist()
            named = part.database.organisms(numbers, [of_titles[part.first + number] for number in numbers])
            found.update((part.first + number, each) for number, each in zip(numbers, named, strict=True))
        return [found[subject] for subject in subjects]

    def members_of(self, subjects: Sequence[int]) -> list[Members]:
        """The members behind these subjects, database after database; their subjects are numbered as here."""
        return [
            replace(members, subjects=members.subjects + part.first)
            for part, _, own in self._divided(subjects)
            if len(members := part.database.members_of(own.tolist()))
        ]

    def _read(self, subjects: Sequence[int], read: Callable[[Database, list[int]], Sequence[_Read]]) -> list[_Read]:
        """What is read of each, in their order."""
        found: dict[int, _Read] = {}
        for part, places, own in self._divided(subjects):
            found.update(zip(places.tolist(), read(part.database, own.tolist()), strict=True))
        return [found[place] for place in range(len(subjects))]

    def _divided(self, subjects: Sequence[int]) -> Iterator[tuple[Part, npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """Each database with the places of its subjects among these, and their numbers in it."""
        numbers = np.asarray(subjects, np.int64)
        left = len(numbers)
        for part in self.parts:
            own = numbers - part.first
            places = np.flatnonzero((own >= 0) & (own < len(part.database)))
            left -= len(places)
            yield part, places, own[places]
        if left:
            raise IndexError(f"{left:,} of {len(numbers):,} subjects are in none of the databases")
