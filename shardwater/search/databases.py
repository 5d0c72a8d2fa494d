"""The databases that a search is of: one, or several searched as if one held all their sequences in the order given."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Self

from shardwater.database.manifest import Manifest


@dataclass(frozen=True, slots=True)
class DatabaseUsed:
    """What was searched: the very database; of several, their names and versions with blanks between them, and the
    SHA-256 of their checksums, one after the other.
    """

    name: str
    version: str
    checksum: str


@dataclass(frozen=True, slots=True)
class DatabaseSize:
    """What E-values and the certificate go by."""

    subjects: int
    residues: int


@dataclass(frozen=True, slots=True)
class DatabasePart:
    """How much of a database is searched where taxids have chosen.

    by_tree: whether all that descends from a taxid is meant with it; not where there are no taxids at all.
    """

    subjects: int
    residues: int
    by_tree: bool


@dataclass(frozen=True, slots=True)
class SearchedDatabase:
    """One of the databases of a search; searched: what of it, where that is not all."""

    name: str
    version: str
    checksum: str
    subjects: int
    residues: int
    searched: DatabasePart | None = None

    @classmethod
    def of(cls, manifest: Manifest) -> Self:
        """A database by its manifest."""
        return cls(manifest.name, manifest.version, manifest.checksum, manifest.subjects, manifest.residues)

    @property
    def size(self) -> DatabaseSize:
        """How much of it is searched."""
        own = self.searched or self
        return DatabaseSize(own.subjects, own.residues)


@dataclass(frozen=True, slots=True)
class Whole:
    """All that is searched, of which a shard of one database has a part.

    size: of all databases together; shards: how many all of them have; database: the place of this one among them, from
    0; first: how many subjects those before it have.
    """

    size: DatabaseSize
    shards: int
    database: int = 0
    first: int = 0


def together(databases: Sequence[SearchedDatabase]) -> DatabaseUsed:
    """What several databases are called that are searched as one; one alone is called as it is."""
    if len(databases) == 1:
        return DatabaseUsed(databases[0].name, databases[0].version, databases[0].checksum)
    checksum = hashlib.sha256("".join(each.checksum for each in databases).encode()).hexdigest()
    return DatabaseUsed(
        " ".join(each.name for each in databases), " ".join(each.version for each in databases), checksum
    )


def size_of(databases: Sequence[SearchedDatabase]) -> DatabaseSize:
    """What is searched of all together."""
    sizes = [each.size for each in databases]
    return DatabaseSize(sum(each.subjects for each in sizes), sum(each.residues for each in sizes))


def without_tree(databases: Sequence[SearchedDatabase]) -> tuple[str, ...]:
    """The names of those of which nobody knows what descends from the taxids that are asked for."""
    return tuple(each.name for each in databases if each.searched is not None and not each.searched.by_tree)


def firsts_of(databases: Sequence[SearchedDatabase]) -> list[int]:
    """The number of each one's first subject, where they are numbered through all of them in their order."""
    return [0, *accumulate(each.subjects for each in databases[:-1])]


def wholes_of(databases: Sequence[SearchedDatabase]) -> list[Whole]:
    """What each database is a part of, where it is one shard."""
    size = size_of(databases)
    return [Whole(size, len(databases), number, first) for number, first in enumerate(firsts_of(databases))]
