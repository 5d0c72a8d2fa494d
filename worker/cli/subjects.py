"""What `shardwater search` searches here: a database, those of its sequences that a list names, or a FASTA file.

A part of a database and a FASTA file are built into databases of their own for the time of the search: engines, order,
certificate and E-values are then those of exactly these sequences, as they are in BLAST.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.verified import verify_once
from shardwater.errors import DatabaseError
from shardwater.formats.fasta import fasta_text
from shardwater.search.merge import DatabaseUsed
from shardwater.sequences.fasta import NO_LETTERS
from worker.cli.console import printable, progress_bar, warn_of_dna
from worker.runner.integrity import IntegrityCheck

NAME = "subjects"
_AS_X = bytes.maketrans(NO_LETTERS, b"X" * len(NO_LETTERS))
"""A database of an earlier version may hold them, and scores them so."""


@dataclass(frozen=True, slots=True)
class Subjects:
    """A database of a data folder, or of it the accessions that a file lists, or else a FASTA file."""

    data: Path
    database: str = ""
    listed: Path | None = None
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A database to search, what a result calls it, and the integrity of its files."""

    database: Database
    used: DatabaseUsed
    integrity: IntegrityCheck


@contextmanager
def open_subjects(subjects: Subjects) -> Iterator[Opened]:
    """The database of the subjects, there until the end of the block; its bytes have been checked."""
    if subjects.file is None and subjects.listed is None:
        yield _checked(_searchable(subjects))
        return
    with tempfile.TemporaryDirectory(prefix="shardwater-") as folder:
        if subjects.file is not None:
            yield _built(subjects.file, Path(folder), str(subjects.file))
        elif subjects.listed is not None:
            whole = _checked(_searchable(subjects))
            fasta = Path(folder) / "listed.fasta"
            count = _write_listed(whole.database, subjects.listed, fasta)
            name = f"{whole.used.name} ({count:,} of {len(whole.database):,} sequences)"
            yield _built(fasta, Path(folder), name, whole.used.version)


def open_searched(data: Path, used: DatabaseUsed) -> Opened:
    """The very database that a result names, told by its checksum, whatever it is called here.

    Its bytes have been checked. Raises DatabaseError where it is not there.
    """
    catalog = Catalog(data)
    for name in sorted(catalog.names(), key=lambda name: name != used.name):
        for version in catalog.versions(name):
            database = catalog.open(name, version)
            if database.manifest.checksum == used.checksum:
                return replace(_checked(database), used=used)
    wanted = printable(f"{used.name}, version {used.version}, with the checksum {used.checksum}")
    raise DatabaseError(f"{data}: the database that was searched is not there: {wanted}")


def _searchable(subjects: Subjects) -> Database:
    database = Catalog(subjects.data).current(subjects.database)
    database.check_searchable()
    return database


def _checked(database: Database) -> Opened:
    manifest = database.manifest
    with progress_bar(f"Checking {manifest.name}") as show:
        integrity = IntegrityCheck(database, lambda each: verify_once(each, show))
    return Opened(database, DatabaseUsed(manifest.name, manifest.version, manifest.checksum), integrity)


def _built(fasta: Path, folder: Path, name: str, version: str | None = None) -> Opened:
    """A database of a FASTA file under the name and version that a result says; the checksum is of what it holds."""
    with progress_bar("Reading subjects") as show:
        made = build_database([fasta], folder / "data", name=NAME, progress=show)
    manifest = made.manifest
    warn_of_dna(manifest.subjects, made.like_dna)
    built = _checked(Catalog(folder / "data").current(NAME))
    return Opened(built.database, DatabaseUsed(name, version or manifest.version, manifest.checksum), built.integrity)


def _write_listed(database: Database, listed: Path, fasta: Path) -> int:
    """Write the sequences that a file lists, an accession a line, in the database's order; how many there are."""
    found: set[int] = set()
    for number, line in enumerate(listed.read_text(encoding="utf-8-sig", errors="replace").splitlines(), start=1):
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
