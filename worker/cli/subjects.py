"""What `shardwater search` searches here: databases, those sequences of one that a list names, or a FASTA file.

A part of a database and a FASTA file are built into databases of their own for the time of the search: engines, order,
certificate and E-values are then those of exactly these sequences, as they are in BLAST.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.joined import Joined
from shardwater.database.verified import verify_once
from shardwater.errors import DatabaseError
from shardwater.formats.fasta import fasta_text
from shardwater.plural import plural
from shardwater.search.among import parts_of
from shardwater.search.databases import DatabaseUsed, SearchedDatabase
from shardwater.search.merge import Report
from shardwater.search.parameters import Parameters
from shardwater.sequences.encoding import decoded
from shardwater.sequences.fasta import BOM, NO_LETTERS
from worker.cli.console import printable, progress_bar, warn_of_dna, warn_of_encoding
from worker.runner.integrity import IntegrityCheck

NAME = "subjects"
_AS_X = bytes.maketrans(NO_LETTERS, b"X" * len(NO_LETTERS))
"""A database of an earlier version may hold them, and scores them so."""


@dataclass(frozen=True, slots=True)
class Subjects:
    """Databases of a data folder, or of one the accessions that a file lists, or else a FASTA file."""

    data: Path
    databases: tuple[str, ...] = ()
    listed: Path | None = None
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """Databases to search, what a result says of them, and the integrity of their files."""

    databases: Joined
    searched: tuple[SearchedDatabase, ...]
    integrity: tuple[IntegrityCheck, ...]

    def chosen(self, parameters: Parameters) -> tuple[SearchedDatabase, ...]:
        """What a result says of them, with what is searched of each. Raises UnknownTaxa."""
        parts = parts_of([part.database for part in self.databases.parts], parameters)
        return tuple(replace(one, searched=part) for one, part in zip(self.searched, parts, strict=True))

    def check(self) -> None:
        """Raise DatabaseError where a file has been written to since it was opened."""
        for part, integrity in zip(self.databases.parts, self.integrity, strict=True):
            if integrity.broken:
                raise DatabaseError(f"{part.database.path}: its files were written to while they were searched")


@contextmanager
def open_subjects(subjects: Subjects) -> Iterator[Opened]:
    """The databases of the subjects, there until the end of the block; their bytes have been checked."""
    if subjects.file is None and subjects.listed is None:
        yield _checked([(each, SearchedDatabase.of(each.manifest)) for each in _searchable(subjects)])
        return
    with tempfile.TemporaryDirectory(prefix="shardwater-") as folder:
        if subjects.file is not None:
            yield _built(subjects.file, Path(folder), str(subjects.file))
        elif subjects.listed is not None:
            [whole] = _searchable(subjects)
            manifest, fasta = whole.manifest, Path(folder) / "listed.fasta"
            _checked([(whole, SearchedDatabase.of(manifest))])
            count = _write_listed(whole, subjects.listed, fasta)
            name = f"{manifest.name} ({count:,} of {plural(len(whole), 'sequence')})"
            yield _built(fasta, Path(folder), name, manifest.version)


def open_searched(data: Path, report: Report) -> Opened:
    """The very databases that a result names, told by their checksums, whatever they are called here.

    Their bytes have been checked. Raises DatabaseError where one is not there.
    """
    return _checked([_very(Catalog(data), used) for used in report.each_database])


def _very(catalog: Catalog, used: DatabaseUsed) -> tuple[Database, SearchedDatabase]:
    for name in sorted(catalog.names(), key=lambda name: name != used.name):
        for version in catalog.versions(name):
            database = catalog.open(name, version)
            if database.manifest.checksum == used.checksum:
                return database, replace(SearchedDatabase.of(database.manifest), name=used.name, version=used.version)
    wanted = printable(f"{used.name}, version {used.version}, with the checksum {used.checksum}")
    raise DatabaseError(f"{catalog.data}: the database that was searched is not there: {wanted}")


def _searchable(subjects: Subjects) -> list[Database]:
    found = [Catalog(subjects.data).current(name) for name in subjects.databases]
    for database in found:
        database.check_searchable()
    return found


def _checked(databases: Sequence[tuple[Database, SearchedDatabase]]) -> Opened:
    integrity = []
    for database, _ in databases:
        with progress_bar(f"Checking {database.manifest.name}") as show:
            integrity.append(IntegrityCheck(database, partial(verify_once, progress=show)))
    searched = tuple(one for _, one in databases)
    joined = Joined.of([database for database, _ in databases], [one.name for one in searched])
    return Opened(joined, searched, tuple(integrity))


def _built(fasta: Path, folder: Path, name: str, version: str | None = None) -> Opened:
    """A database of a FASTA file under the name and version that a result says; the checksum is of what it holds."""
    with progress_bar("Reading subjects") as show:
        made = build_database([fasta], folder / "data", name=NAME, progress=show)
    manifest = made.manifest
    warn_of_encoding(made.recoded)
    warn_of_dna(manifest.subjects, made.like_dna)
    called = replace(SearchedDatabase.of(manifest), name=name, version=version or manifest.version)
    return _checked([(Catalog(folder / "data").current(NAME), called)])


def _write_listed(database: Database, listed: Path, fasta: Path) -> int:
    """Write the sequences that a file lists, an accession a line, in the database's order; how many there are."""
    found: set[int] = set()
    for number, line in enumerate(decoded(listed.read_bytes().removeprefix(BOM)).splitlines(), start=1):
        accession = line.strip().removeprefix(">")
        if not accession or accession.startswith("#"):
            continue
        subject = database.find(accession)
        if subject is None:
            raise DatabaseError(f"{listed}: line {number}: no sequence {accession!r} in {database.manifest.name}")
        found.add(subject)
    if not found:
        raise DatabaseError(f"{listed}: no accession in it")
    with fasta.open("w", encoding="utf-8") as file:
        for subject in sorted(found):
            letters = database.sequence(subject).translate(_AS_X)
            file.write(fasta_text(database.header(subject), letters))
    return len(found)
