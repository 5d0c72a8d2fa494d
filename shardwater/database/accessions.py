"""The index of accessions: their 64-bit hashes in order, and the subject that each belongs to.

It is made in passes, each over the hashes of one range, so that memory does not depend on the number of subjects;
and making it is what finds duplicates, since equal accessions come to lie side by side.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from zlib import adler32, crc32

import numpy as np
import numpy.typing as npt

from shardwater.database.storage import DigestedFile, read_numbers

Hashes = npt.NDArray[np.uint64]
Int64s = npt.NDArray[np.int64]
AccessionOf = Callable[[int], bytes]


_UNIPROT = re.compile(rb"(?:sp|tr)\|([A-Z0-9]{6,10}(?:-[0-9]{1,3})?)\|")
_NCBI = re.compile(rb"gi\|[0-9]{1,12}\|[a-z]{2,4}\|([A-Z0-9_]{4,24}(?:\.[0-9]{1,3})?)\|")
_VERSIONED = re.compile(rb"([A-Z]{1,6}(?:_[A-Z]{0,6})?[0-9]{5,14})\.[0-9]{1,3}")
"""An accession of INSDC, RefSeq or Ensembl with its version, as NC_002505.1."""


class DuplicateAccessionError(Exception):
    """Two subjects have this accession."""

    def __init__(self, accession: bytes) -> None:
        super().__init__(accession)
        self.accession = accession


def key_of(accession: bytes) -> bytes:
    """What an accession is looked up by: the one that people know (`known_of`), and NC_002505 of NC_002505.1."""
    known = known_of(accession)
    found = _VERSIONED.fullmatch(known) if b"." in known[-4:] else None
    return found[1] if found else known


def known_of(accession: bytes) -> bytes:
    """All of it, but P12345 of UniProt's `sp|P12345|NAME`, and NC_002505.1 of NCBI's `gi|15640032|ref|NC_002505.1|`."""
    found = (_UNIPROT.match(accession) or _NCBI.match(accession)) if accession[2:3] == b"|" else None
    return found[1] if found else accession


def hash_accessions(accessions: Sequence[bytes]) -> Hashes:
    """The hashes by which accessions are found: CRC-32 of their keys, and Adler-32 below it.

    Two sums that zlib makes at once; a better hash costs more than it saves, since equal ones are told apart by the
    accessions themselves.
    """
    return hash_keys([key_of(accession) for accession in accessions])


def hash_keys(keys: Sequence[bytes]) -> Hashes:
    """The same of keys."""
    high, low = (np.fromiter(map(digest, keys), np.uint64, len(keys)) for digest in (crc32, adler32))
    return (high << np.uint64(32)) | low


def write_index(
    hashes: Path, accession_of: AccessionOf, hash_file: DigestedFile, subject_file: DigestedFile, size: int
) -> None:
    """Sort the hashes, which are in subject order, about `size` at a time; raises DuplicateAccessionError."""
    passes = -(-hashes.stat().st_size // 8 // size)
    for number in range(passes):
        # Equal shares of all hashes; bounds are included, since 2**64 itself is no uint64.
        low, high = number * 2**64 // passes, (number + 1) * 2**64 // passes - 1
        found, subjects = _select(hashes, np.uint64(low), np.uint64(high), accession_of, size)
        hash_file.write(found)
        subject_file.write(subjects)


def _select(path: Path, low: np.uint64, high: np.uint64, accession_of: AccessionOf, size: int) -> tuple[Hashes, Int64s]:
    """The hashes from low to high and their subjects, in order of hash, then subject."""
    found, subjects = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
    first = 0
    for hashes in read_numbers(path, np.dtype("<u8"), size):
        inside = np.flatnonzero((hashes >= low) & (hashes <= high))
        if len(found) > 2 * size:  # far more than a share: there must be duplicates, so don't gather them all
            _refuse_duplicates(found, subjects, accession_of)
        found, subjects = np.append(found, hashes[inside]), np.append(subjects, inside + first)
        first += len(hashes)
    order = np.argsort(found, kind="stable")
    found, subjects = found[order], subjects[order]
    _refuse_duplicates(found, subjects, accession_of)
    return found, subjects


def _refuse_duplicates(found: Hashes, subjects: Int64s, accession_of: AccessionOf) -> None:
    """Compare the accessions of equal hashes; found is sorted."""
    seen: dict[int, set[bytes]] = {}
    for tie in np.flatnonzero(found[1:] == found[:-1]).tolist():
        first, second = accession_of(int(subjects[tie])), accession_of(int(subjects[tie + 1]))
        group = seen.setdefault(int(found[tie]), {first})
        if second in group:
            raise DuplicateAccessionError(second)
        group.add(second)
