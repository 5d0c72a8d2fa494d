"""Whole sequences of the database as FASTA."""

from collections.abc import Iterator

from shardwater.database.database import Database
from shardwater.errors import DatabaseError
from shardwater.search.merge import Report

LINE = 60
"""Letters on one line."""


def write_fasta_hits(report: Report, database: Database) -> Iterator[str]:
    """The whole sequence of each hit as it came into the database, best first, each subject once.

    Raises DatabaseError where the database is not the one that was searched.
    """
    used = report.database
    if database.manifest.checksum != used.checksum:
        raise DatabaseError(f"database {used.name}, version {used.version} is not the one that was searched")
    return _sequences(report, database)


def _sequences(report: Report, database: Database) -> Iterator[str]:
    written: set[str] = set()
    for hit in (hit for one in report.results for hit in one.hits):
        if hit.accession in written:
            continue
        written.add(hit.accession)
        subject = database.find(hit.accession)
        if subject is None:
            raise DatabaseError(f"{database.path}: sequence {hit.accession} was found in it, and is not there")
        yield fasta_text(database.header(subject), database.sequence(subject))


def fasta_text(header: str, residues: bytes) -> str:
    """One record, 60 letters a line."""
    letters = residues.decode("ascii")
    return "".join((f">{header}\n", *(f"{letters[i : i + LINE]}\n" for i in range(0, len(letters), LINE))))
