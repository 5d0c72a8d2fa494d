"""The taxa of a database: which one each subject has, how they descend, and which subjects a search for some is of."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.database.header_taxids import NO_TAXID
from shardwater.errors import AlignError

TAXON = np.dtype([("taxid", "<u4"), ("parent", "<u4"), ("subjects", "<i8"), ("residues", "<i8")])
"""A row of taxa.bin: taxid, ascending, the first NO_TAXID; the row of its parent, its own without one; and how many
subjects, and residues of theirs, have this very taxid."""
SEPARATOR = b"\t"
"""Between a taxon's rank and its name."""
MERGED = "merged"
"""The rank of a taxid that stands for another one now, its parent."""
_LEVELS = 32
"""2**32 levels: more than there are taxa."""
_NAMED_BY = (" OS=", " Tax=")
"""What an organism's name follows in headers of UniProt's and of UniRef's."""
_NEXT_FIELD = re.compile(" [A-Z][A-Za-z]{1,4}=", re.ASCII)
"""What it ends before: OX= or TaxID=; in UniProt's headers of before 2018, which have no taxid, GN= or PE=."""

IsWanted = npt.NDArray[np.bool_]
"""By row of taxa.bin."""


class UnknownTaxa(AlignError):
    """Taxids that databases do not have, or which leave nothing of them to search.

    negative: whether those that are to be left out are to blame.
    """

    def __init__(self, message: str, *, negative: bool = False) -> None:
        super().__init__(message)
        self.negative = negative


@dataclass(frozen=True, slots=True)
class Organism:
    """Where a subject comes from: its taxid, and the scientific name, empty where nobody says it."""

    taxid: int
    name: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A taxon in a tree: the taxid of its parent, None at the top, its rank and its name."""

    parent: int | None
    rank: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Taxa:
    """The files of a database that are about taxa.

    has_tree: whether rows descend from one another; of_subjects: the row of each subject; rows: TAXON; labels: the rank
    and the name of each row, which begin at its offset.
    """

    has_tree: bool
    of_subjects: npt.NDArray[np.uint32]
    rows: npt.NDArray[np.void]
    labels: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]

    @property
    def count(self) -> int:
        """How many different taxids the subjects have."""
        return int(np.count_nonzero(self.rows["subjects"][1:]))

    def chosen(self, taxids: Sequence[int], negative_taxids: Sequence[int]) -> IsWanted:
        """The rows that a search is of: those of these taxids, or all, but not those of the negative ones.

        With a tree all that descends from a taxid is meant with it; one that there is not means nothing.
        """
        wanted = self._under(taxids) if taxids else np.ones(len(self.rows), np.bool_)
        return wanted & ~self._under(negative_taxids)

    def among(self, taxids: Sequence[int]) -> set[int]:
        """Those of these taxids that subjects have, or what these descend from."""
        found: set[int] = set(self.rows["taxid"][self._of(taxids)].tolist())
        return found

    def size(self, wanted: IsWanted) -> tuple[int, int]:
        """Subjects of these rows, and their residues."""
        chosen = self.rows[wanted]
        return int(chosen["subjects"].sum()), int(chosen["residues"].sum())

    def of(self, wanted: IsWanted) -> npt.NDArray[np.bool_]:
        """Which subjects are of these rows."""
        return wanted[self.of_subjects]

    def organism(self, subject: int, title: str) -> Organism | None:
        """Where a subject comes from, None without a taxid; what the tree does not name, its title may."""
        row = int(self.of_subjects[subject])
        taxid = int(self.rows["taxid"][row])
        return None if taxid == NO_TAXID else Organism(taxid, self._label(row)[1] or organism_in(title))

    def ancestry(self, taxids: Iterable[int]) -> dict[int, Placed]:
        """Those of these taxids that are here, and all that they descend from."""
        found, known = dict[int, Placed](), self.rows["taxid"]
        for taxid in taxids:
            row = int(np.searchsorted(known, taxid))
            if row == len(known) or known[row] != taxid:
                continue
            while (here := int(known[row])) not in found:
                parent = int(self.rows["parent"][row])
                found[here] = Placed(None if parent == row else int(known[parent]), *self._label(row))
                row = parent
        return found

    def damaged_file(self, subjects: int, residues: int) -> str:
        """The first file whose numbers contradict each other, or those of a database of such a size; empty if none."""
        taxids, parents, rows, offsets = self.rows["taxid"], self.rows["parent"], len(self.rows), self.offsets
        ascending = bool((taxids[1:] > taxids[:-1]).all()) and taxids[0] == NO_TAXID
        sizes = int(self.rows["subjects"].sum()), int(self.rows["residues"].sum())
        if not ascending or not (parents < rows).all() or sizes != (subjects, residues):
            return "taxa.bin"
        if (offsets[0], offsets[-1]) != (0, len(self.labels)) or (offsets[1:] < offsets[:-1]).any():
            return "taxon_label_offsets.bin"
        return "" if int(self.of_subjects.max()) < rows else "subject_taxa.bin"

    def _of(self, taxids: Sequence[int]) -> IsWanted:
        """The rows of just these taxids."""
        known = np.isin(self.rows["taxid"], np.array(taxids, np.uint32))
        known[0] = False
        return known

    def _under(self, taxids: Sequence[int]) -> IsWanted:
        known = self._of(taxids)
        for row in np.flatnonzero(known).tolist():
            if self._label(row)[0] == MERGED:
                known[self.rows["parent"][row]] = True
        return self._with_descendants(known)

    def _with_descendants(self, rows: IsWanted) -> IsWanted:
        """These rows and all below them: each look goes up twice as many levels as the one before."""
        found, parents = rows, self.rows["parent"].astype(np.int64)
        for _ in range(_LEVELS):
            found, further = found | found[parents], parents[parents]
            if np.array_equal(further, parents):
                break
            parents = further
        return found

    def _label(self, row: int) -> tuple[str, str]:
        """A taxon's rank and name."""
        label = self.labels[self.offsets[row] : self.offsets[row + 1]].tobytes()
        rank, _, name = label.partition(SEPARATOR)
        return rank.decode("utf-8", "replace"), name.decode("utf-8", "replace")


def organism_in(title: str) -> str:
    """The organism that a header of UniProt's or UniRef's names; empty where it names none."""
    for before in _NAMED_BY:
        _, found, rest = f" {title}".partition(before)
        if found:
            return _NEXT_FIELD.split(rest, maxsplit=1)[0].strip()
    return ""
