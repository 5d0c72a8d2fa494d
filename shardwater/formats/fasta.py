"""Whole sequences of databases as FASTA."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from shardwater.errors import DatabaseError

if TYPE_CHECKING:
    from shardwater.database.joined import Joined
    from shardwater.search.merge import Report

LINE = 60
"""Letters on one line."""
PART = LINE << 14
"""Letters of a long sequence that are written at a time."""


def write_fasta_hits(report: "Report", databases: "Joined") -> Iterator[str]:
    """The whole sequence of each hit as it came into its database, best first, each subject once.

    Raises DatabaseError where the databases are not those that were searched, in their order.
    """
    for part, used in zip(databases.parts, report.each_database, strict=True):
        if part.database.manifest.checksum != used.checksum:
            raise DatabaseError(f"database {used.name}, version {used.version} is not the one that was searched")
    return _sequences(report, databases)


def _sequences(report: "Report", databases: "Joined") -> Iterator[str]:
    written: set[tuple[str | None, str]] = set()
    by_name = {used.name: part.database for part, used in zip(databases.parts, report.each_database, strict=True)}
    for one in report.results:
        for hit in one.hits:
            if (hit.database, hit.accession) in written:
                continue
            written.add((hit.database, hit.accession))
            database = by_name[hit.database or report.database.name]
            subject = database.find(hit.accession)
            if subject is None:
                raise DatabaseError(f"{database.path}: sequence {hit.accession} was found in it, and is not there")
            yield fasta_text(database.header(subject), database.sequence(subject))
        # It was read, though all of its hits may be there already (chunks.py).
        yield ""


def fasta_text(header: str, residues: bytes) -> str:
    """One record, 60 letters a line."""
    return "".join(fasta_parts(header, [residues]))


def fasta_parts(header: str, parts: Iterable[bytes]) -> Iterator[str]:
    """The same, part after part of its letters: a multiple of 60 in each but the last."""
    yield f">{header}\n"
    for part in parts:
        letters = part.decode("ascii")
        yield "".join(f"{letters[i : i + LINE]}\n" for i in range(0, len(letters), LINE))
