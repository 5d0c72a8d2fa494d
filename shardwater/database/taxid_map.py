"""A file that names taxids by accession, as NCBI's makeblastdb takes it: `accession TAB taxid`, one a line."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from shardwater.database.database import Database
from shardwater.database.header_taxids import LARGEST, NO_TAXID, Taxids
from shardwater.database.line_files import Lines, fault, number_of, read_lines
from shardwater.database.lookup import subjects_of

_COLUMNS = 2


def map_taxids(path: Path, database: Database, taxids: Taxids) -> int:
    """Write the taxids of a file over those of a database's subjects; how many of its lines name one of them.

    taxids: of all subjects, NO_TAXID where the file says nothing of them. Accessions that the database does not have
    are passed over. Raises DatabaseError, with file and line, for a line that is none, and where one subject is given
    two taxids.
    """
    named = 0
    for some in read_lines(path):
        accessions, values, numbers = _parsed(path, some)
        subjects = subjects_of(database, accessions)
        known = np.flatnonzero((subjects >= 0) & (values != NO_TAXID))
        subjects, values, numbers = subjects[known], values[known], numbers[known]
        before = taxids[subjects]
        taxids[subjects] = values
        # Of those that this block names twice, one is no more what was written.
        twice = np.flatnonzero(((before != NO_TAXID) & (before != values)) | (taxids[subjects] != values))
        if len(twice):
            accession = accessions[int(known[twice[0]])].decode("utf-8", "replace")
            raise fault(path, int(numbers[twice[0]]), f"another taxid for {accession!r} than a line before")
        named += len(known)
    return named


def _parsed(path: Path, some: Lines) -> tuple[list[bytes], Taxids, npt.NDArray[np.int64]]:
    """Accessions, their taxids, and the numbers of their lines; empty lines are left out."""
    accessions, values, numbers = [], [], []
    for number, line in enumerate(some.lines, start=some.first):
        if columns := line.split():
            taxid = number_of(columns[-1], LARGEST) if len(columns) == _COLUMNS else None
            if taxid is None:
                raise fault(path, number, "an accession, a tab and a taxid are needed")
            accessions.append(columns[0])
            values.append(taxid)
            numbers.append(number)
    return accessions, np.array(values, np.uint32), np.array(numbers, np.int64)
