"""A file that names taxids by accession, as NCBI's makeblastdb takes it: `accession TAB taxid`, one a line."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from shardwater.database.accessions import hash_keys, key_of, known_of
from shardwater.database.database import Database
from shardwater.database.header_taxids import LARGEST, NO_TAXID, Taxids
from shardwater.database.line_files import Lines, fault, number_of, read_lines
from shardwater.sequences.fasta import first_word

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
        subjects = _subjects(database, accessions)
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


def _subjects(database: Database, accessions: Sequence[bytes]) -> npt.NDArray[np.int64]:
    """The subject of each accession, as Database.find has it; -1 without one."""
    hashes = hash_keys([key_of(accession) for accession in accessions])
    first = np.searchsorted(database.accession_hashes, hashes, "left")
    count = np.searchsorted(database.accession_hashes, hashes, "right") - first
    subjects = np.full(len(accessions), -1, np.int64)
    for place in np.flatnonzero(count > 1).tolist():
        found = database.find(accessions[place].decode("utf-8", "replace"))
        subjects[place] = -1 if found is None else found
    [single] = np.nonzero(count == 1)
    found_once = database.accession_subjects[first[single]]
    for place, subject, header in zip(
        single.tolist(), found_once.tolist(), database.headers(found_once.tolist()), strict=True
    ):
        word = first_word(header)
        if accessions[place] in (word, known_of(word), key_of(word)):
            subjects[place] = subject
    return subjects
