"""What taxids leave of databases. A search of it is one of databases with these subjects alone."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from shardwater.database.database import Database, Shard
from shardwater.database.joined import Joined
from shardwater.database.taxa import IsWanted, Taxa, UnknownTaxa
from shardwater.search.databases import DatabasePart, DatabaseSize
from shardwater.search.parameters import Parameters

MOST_KEPT = 4
"""Choices that are kept, those made last: of a hundred million subjects one takes 400 MB at most."""


def parts_of(databases: Sequence[Database], parameters: Parameters) -> list[DatabasePart | None]:
    """What is searched of each database; None for all of it.

    Raises UnknownTaxa for a taxid that none of them has, and where no subject is left.
    """
    if not parameters.chooses_taxa:
        return [None] * len(databases)
    taxa = [database.taxa for database in databases if database.taxa is not None]
    if not taxa:
        names = " ".join(database.manifest.name for database in databases)
        raise UnknownTaxa(f"no sequence of database{'s' if len(databases) > 1 else ''} {names} has a taxid")
    for taxids, negative in ((parameters.taxids, False), (parameters.negative_taxids, True)):
        missing = sorted(set(taxids).difference(*(each.among(taxids) for each in taxa)))
        if missing:
            raise UnknownTaxa(f"no sequence of the database belongs to taxid {missing[0]}", negative=negative)
    parts = [_part_of(database, parameters) for database in databases]
    if not sum(part.subjects for part in parts):
        raise UnknownTaxa("no sequence of the database is left by these taxids", negative=not parameters.taxids)
    return list(parts)


def part_of(shard: Shard, parameters: Parameters) -> Shard:
    """What is searched of a shard: all of it, or a part, in which there may be nothing."""
    if not parameters.chooses_taxa:
        return shard
    return _shard_part(shard, parameters.taxids, parameters.negative_taxids)


def size_in(databases: Joined, parameters: Parameters) -> DatabaseSize:
    """How much of databases is searched."""
    if not parameters.chooses_taxa:
        return DatabaseSize(len(databases), databases.residues)
    parts = [_part_of(each.database, parameters) for each in databases.parts]
    return DatabaseSize(sum(part.subjects for part in parts), sum(part.residues for part in parts))


def subjects_at(
    databases: Joined, before: Sequence[int], parameters: Parameters, places: Sequence[int]
) -> Sequence[int]:
    """The subjects at these places, ascending, among all that are searched, as far as their databases are open here.

    before: of each of the open ones, how many subjects of the databases before it are searched; it may go on. The
    subjects are numbered through all that the databases have.
    """
    if not parameters.chooses_taxa:
        return places
    return list(_subjects_at(databases, before, parameters, np.array(places, np.int64)))


def _subjects_at(
    databases: Joined, before: Sequence[int], parameters: Parameters, places: npt.NDArray[np.int64]
) -> Iterator[int]:
    for part, first in zip(databases.parts, before, strict=False):
        searched = np.flatnonzero(_wanted(part.database, parameters.taxids, parameters.negative_taxids))
        own = places - first
        yield from (part.first + searched[own[(own >= 0) & (own < len(searched))]]).tolist()


def searched_of(databases: Joined, parameters: Parameters, subjects: Sequence[int | None]) -> list[int | None]:
    """These subjects, None for those that are not searched."""
    if not parameters.chooses_taxa:
        return list(subjects)
    found: list[int | None] = [None] * len(subjects)
    for part in databases.parts:
        wanted = _wanted(part.database, parameters.taxids, parameters.negative_taxids)
        for place, subject in enumerate(subjects):
            if subject is not None and subject in part.subjects and wanted[subject - part.first]:
                found[place] = subject
    return found


def _part_of(database: Database, parameters: Parameters) -> DatabasePart:
    if database.taxa is None:
        manifest = database.manifest
        # Nobody has said where these come from: they are of no taxon.
        size = (0, 0) if parameters.taxids else (manifest.subjects, manifest.residues)
        return DatabasePart(*size, by_tree=False)
    rows = _rows(database.taxa, parameters.taxids, parameters.negative_taxids)
    return DatabasePart(*database.taxa.size(rows), by_tree=database.taxa.has_tree)


@lru_cache(maxsize=2 * MOST_KEPT)
def _rows(taxa: Taxa, taxids: tuple[int, ...], negative_taxids: tuple[int, ...]) -> IsWanted:
    return taxa.chosen(taxids, negative_taxids)


def _wanted(database: Database, taxids: tuple[int, ...], negative_taxids: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Which subjects of a database are searched."""
    if database.taxa is None:
        return np.full(len(database), not taxids)
    return database.taxa.of(_rows(database.taxa, taxids, negative_taxids))


@lru_cache(maxsize=MOST_KEPT)
def _shard_part(shard: Shard, taxids: tuple[int, ...], negative_taxids: tuple[int, ...]) -> Shard:
    return shard.among(_wanted(shard.database, taxids, negative_taxids))
