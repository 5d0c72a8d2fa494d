"""The members of clusters: sequences that stand behind the subjects of a database, and that no search looks at.

They lie in files of their own, those of a subject side by side, the shortest first. The files are mapped: what
nobody asks for is not read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from shardwater.database.taxa import Organism, Taxa
from shardwater.database.texts import Int64s, bounds_of, cut, names_in, require

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class MemberFiles:
    """The files of a database's members; firsts: those of subject i are firsts[i] to firsts[i + 1] - 1.

    taxa: None where no member has a taxid.
    """

    folder: Path
    taxa: Taxa | None
    firsts: Int64s
    residues: npt.NDArray[np.uint8]
    lengths: npt.NDArray[np.uint32]
    offsets: Int64s
    names: npt.NDArray[np.uint8]
    name_offsets: Int64s

    def __len__(self) -> int:
        return len(self.lengths)

    def clusters(self, subjects: Sequence[int]) -> "Clusters":
        """The clusters of some subjects, with all their members; DatabaseError where the files are damaged."""
        begins, ends = bounds_of(self.folder / "member_firsts.bin", self.firsts, len(self), subjects)
        return Clusters(np.asarray(subjects, np.int64), begins, ends - begins)

    def listed(self, clusters: "Clusters") -> "Members":
        """The members of clusters, one by one."""
        return Members(self, np.repeat(clusters.subjects, clusters.counts), clusters.numbers)

    def check(self) -> None:
        """Raise DatabaseError where numbers contradict each other: readers must not be led to another sequence."""
        for name, offsets, size in (
            ("member_firsts.bin", self.firsts, len(self)),
            ("member_offsets.bin", self.offsets, len(self.residues)),
            ("member_name_offsets.bin", self.name_offsets, len(self.names)),
        ):
            require(self.folder / name, (int(offsets[0]), int(offsets[-1])) == (0, size))
            for steps in _steps(offsets):
                require(self.folder / name, bool((steps >= 0).all()))
        for number, steps in enumerate(_steps(self.offsets)):
            lengths = self.lengths[number * _CHUNK : (number + 1) * _CHUNK]
            require(self.folder / "member_lengths.bin", np.array_equal(steps, lengths))
        if self.taxa is not None:
            wrong = self.taxa.damaged_file(len(self), len(self.residues))
            require(self.folder / f"member_{wrong}", not wrong)


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Clusters of a database: the subject that represents each, its first member's place in the files, and how many
    members follow from there. (clusters,) each.
    """

    subjects: Int64s
    firsts: Int64s
    counts: Int64s

    @classmethod
    def empty(cls, subjects: Sequence[int]) -> Self:
        """Those of subjects that have no members."""
        numbers = np.asarray(subjects, np.int64)
        return cls(numbers, np.zeros_like(numbers), np.zeros_like(numbers))

    def __len__(self) -> int:
        return len(self.subjects)

    @property
    def numbers(self) -> Int64s:
        """The places of all their members in the files."""
        before = np.cumsum(self.counts) - self.counts
        numbers: Int64s = np.arange(self.counts.sum(), dtype=np.int64) + np.repeat(self.firsts - before, self.counts)
        return numbers

    def of_shard(self, index: int, count: int) -> "Clusters":
        """Those whose representatives are in shard `index` of `count`."""
        return self.where(self.subjects % count == index)

    def where(self, wanted: npt.NDArray[np.bool_]) -> "Clusters":
        """Some of them."""
        return Clusters(self.subjects[wanted], self.firsts[wanted], self.counts[wanted])

    def longest(self, counts: Int64s) -> "Clusters":
        """The same with so many members of each, the longest."""
        return Clusters(self.subjects, self.firsts + self.counts - counts, counts)


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """The members of some subjects: subject after subject as they were asked for, of each the shortest first.

    files: None where there are none. subjects: by member, the subject that it stands behind. numbers: by member, its
    place in the files. Members are read by their places among these.
    """

    files: MemberFiles | None
    subjects: Int64s
    numbers: Int64s

    @classmethod
    def none(cls) -> Self:
        """Those of a database that has none."""
        return cls(None, np.zeros(0, np.int64), np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def lengths(self) -> npt.NDArray[np.uint32]:
        """The residues of each."""
        return np.zeros(0, np.uint32) if self.files is None else self.files.lengths[self.numbers]

    def names_of_all(self, places: Sequence[int]) -> list[tuple[str, str]]:
        """The accessions and titles of some."""
        if self.files is None:
            return []
        files = self.files
        file = files.folder / "member_name_offsets.bin"
        return [names_in(header) for header in cut(file, files.name_offsets, files.names, self.numbers[places])]

    def sequences(self, places: Sequence[int]) -> list[bytes]:
        """Their letters as they were in the FASTA files."""
        if self.files is None:
            return []
        files, numbers = self.files, self.numbers[places]
        found = cut(files.folder / "member_offsets.bin", files.offsets, files.residues, numbers)
        require(files.folder / "member_lengths.bin", list(map(len, found)) == files.lengths[numbers].tolist())
        require(files.folder / "member_residues.bin", all(map(bytes.isascii, found)))
        return found

    def organisms(self, places: Sequence[int], titles: Sequence[str]) -> list[Organism | None]:
        """Where members of these titles come from, as far as that is known."""
        if self.files is None or self.files.taxa is None:
            return [None] * len(places)
        taxa = self.files.taxa
        return [
            taxa.organism(number, title) for number, title in zip(self.numbers[places].tolist(), titles, strict=True)
        ]


def _steps(offsets: Int64s) -> Iterator[Int64s]:
    """How much each of some offsets is more than the one before, _CHUNK at a time."""
    return (np.diff(offsets[first : first + _CHUNK + 1]) for first in range(0, len(offsets) - 1, _CHUNK))
