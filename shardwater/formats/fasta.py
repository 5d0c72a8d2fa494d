"""Whole sequences of the database as FASTA."""

from collections.abc import Iterable, Iterator

from shardwater.database.database import Database
from shardwater.errors import DatabaseError
from shardwater.search.merge import Report

LINE = 60
"""Letters on one line."""
PART = LINE << 14
"""Letters of a long sequence that are written at a time."""


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
    return "".join(fasta_parts(header, [residues]))


def fasta_parts(header: str, parts: Iterable[bytes]) -> Iterator[str]:
    """The same, part after part of its letters: a multiple of 60 in each but the last."""
    yield f">{header}\n"
    for part in parts:
        letters = part.decode("ascii")
        yield "".join(f"{letters[i : i + LINE]}\n" for i in range(0, len(letters), LINE))
