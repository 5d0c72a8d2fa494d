"""The files of a database that say which taxon each subject is of, made of the taxids that its records have."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt

from shardwater.database.database import Database, Lengths
from shardwater.database.header_taxids import NO_TAXID, Taxids
from shardwater.database.storage import FileDigest, sync, write_file
from shardwater.database.taxa import SEPARATOR, TAXON
from shardwater.database.taxid_map import map_taxids
from shardwater.database.taxonomy_files import Tree, read_tree
from shardwater.errors import DatabaseError


@dataclass(frozen=True, slots=True)
class TaxonSources:
    """Where taxids come from besides headers: a file of accessions' taxids, and the folder of NCBI's taxonomy."""

    taxid_map: Path | None = None
    taxonomy: Path | None = None


@dataclass(frozen=True, slots=True)
class WrittenTaxa:
    """The files' digests, how many rows their table has, whether these are a tree, and what is to be told of it.

    different: taxids that subjects have; unplaced: those that the tree does not have; without: subjects without one.
    """

    files: dict[str, FileDigest]
    rows: int
    has_tree: bool
    different: int
    unplaced: int
    without: int


def map_headers(path: Path, column: Path, database: Database, size: int) -> None:
    """Write the taxids of a map over those that headers have, `size` subjects at a time.

    column: a file of the taxids that the subjects' headers have, uint32. Raises DatabaseError for a bad map.
    """
    taxids: Taxids = np.memmap(column, np.dtype("<u4"), mode="r+")
    mapped: Taxids = np.memmap(column.with_name("mapped_taxids"), np.dtype("<u4"), mode="w+", shape=len(taxids))
    try:
        if not map_taxids(path, database, mapped):
            raise DatabaseError(f"{path}: no accession in it is one of the sequences'")
        for first in range(0, len(taxids), size):
            some, own = mapped[first : first + size], taxids[first : first + size]
            own[some != NO_TAXID] = some[some != NO_TAXID]
    except OSError as error:
        raise DatabaseError(f"{error.filename or path}: {error.strerror or error}") from error


def write_taxa(column: Path, lengths: Lengths, folder: Path, taxonomy: Path | None, size: int) -> WrittenTaxa | None:
    """Write the files into a database's folder, `size` subjects at a time; None where no subject has a taxid.

    column: a file of the subjects' taxids, uint32; lengths: their residues. Raises DatabaseError for a bad taxonomy.
    """
    taxids: Taxids = np.memmap(column, np.dtype("<u4"), mode="r")
    known = _different(_blocks(taxids, size))
    if not (known != NO_TAXID).any():
        return None
    wanted = known[known != NO_TAXID]
    tree = None if taxonomy is None else read_tree(taxonomy, wanted)
    # Each row is for itself where no tree says more.
    of_rows = tree or Tree(wanted, wanted, [b""] * len(wanted), [b""] * len(wanted), wanted[:0], wanted[:0])
    rows = np.zeros(1 + len(of_rows.taxids), TAXON)
    rows["taxid"][1:], rows["parent"][1:] = of_rows.taxids, 1 + np.searchsorted(of_rows.taxids, of_rows.parents)
    labels = [b"", *(SEPARATOR.join(label) for label in zip(of_rows.ranks, of_rows.names, strict=True))]
    files = {
        "subject_taxa.bin": write_file(folder / "subject_taxa.bin", _counted(taxids, lengths, rows, of_rows, size)),
        "taxa.bin": write_file(folder / "taxa.bin", [rows]),
        "taxon_labels.bin": write_file(folder / "taxon_labels.bin", [b"".join(labels)]),
        "taxon_label_offsets.bin": write_file(
            folder / "taxon_label_offsets.bin", [np.array([0, *accumulate(map(len, labels))], "<i8")]
        ),
    }
    for name in files:
        sync(folder / name)
    different, without = int(np.count_nonzero(rows["subjects"][1:])), int(rows["subjects"][0])
    return WrittenTaxa(files, len(rows), tree is not None, different, len(of_rows.unplaced), without)


def _blocks(taxids: Taxids, size: int) -> Iterator[Taxids]:
    return (taxids[first : first + size] for first in range(0, len(taxids), size))


def _different(blocks: Iterable[Taxids]) -> Taxids:
    """The different ones, ascending."""
    found = np.zeros(0, np.uint32)
    for block in blocks:
        found = np.union1d(found, block)
    return found


def _counted(
    taxids: Taxids, lengths: Lengths, rows: npt.NDArray[np.void], tree: Tree, size: int
) -> Iterator[npt.NDArray[np.uint32]]:
    """The row of each subject; subjects and residues are counted there."""
    # A taxid that stands for another one now is that.
    old = 1 + np.searchsorted(tree.taxids, tree.merged)
    row_of = np.arange(len(rows), dtype=np.uint32)
    row_of[old] = rows["parent"][old]
    for first in range(0, len(taxids), size):
        found = row_of[np.searchsorted(rows["taxid"], taxids[first : first + size])]
        np.add.at(rows["subjects"], found, 1)
        np.add.at(rows["residues"], found, lengths[first : first + size].astype(np.int64))
        yield found.astype("<u4", copy=False)
