"""A database on disk: a folder of flat arrays and a manifest that says what they hold.

Subjects are sorted by length, ties in input order. Arrays are memory-mapped, so that opening costs nothing and the
processes of one machine share the pages. Shard k of n is the subjects k, k + n, k + 2n, ...
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from shardwater.database.accessions import hash_keys, key_of, known_of
from shardwater.database.manifest import (
    MANIFEST,
    MEMBER,
    MEMBER_DTYPES,
    MEMBER_TAXA_DTYPES,
    TAXA_DTYPES,
    Manifest,
    content_checksum,
)
from shardwater.database.members import Clusters, MemberFiles, Members
from shardwater.database.storage import FileDigest, digest_file
from shardwater.database.taxa import Organism, Taxa
from shardwater.database.texts import bounds_of, cut, files_there, names_in, require
from shardwater.errors import DatabaseError
from shardwater.sequences.alphabets import ALPHABETS, PROTEIN, Alphabet
from shardwater.sequences.encoding import decoded, in_windows_1252
from shardwater.sequences.fasta import first_word

_CHUNK = 1 << 20
_OF_MEMBERS = MEMBER_DTYPES | MEMBER_TAXA_DTYPES
_BLANK = np.isin(np.arange(256), list(b" \t\n\r\v\f"))
"""Whether a byte is a blank, as bytes.split has it."""
MOST_ALIKE = 100
"""So many subjects of one key are told apart by reading their headers."""

Lengths = npt.NDArray[np.uint32]
Offsets = npt.NDArray[np.int64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Database:
    """An open database; subjects are numbered from 0 in order of length."""

    path: Path
    manifest: Manifest
    created_at: datetime
    """When the manifest was written."""
    taxa: Taxa | None
    """None where no subject has a taxid."""
    members: MemberFiles | None
    """None where no cluster has any."""
    residues: npt.NDArray[np.uint8]
    lengths: Lengths
    offsets: Offsets
    names: npt.NDArray[np.uint8]
    name_offsets: Offsets
    accession_hashes: npt.NDArray[np.uint64]
    accession_subjects: npt.NDArray[np.int64]

    @classmethod
    def open(cls, path: Path) -> Self:
        """Map the database in a folder; its digests are left to verify()."""
        manifest = Manifest.read(path / MANIFEST)
        with files_there():
            written = datetime.fromtimestamp((path / MANIFEST).stat().st_mtime, UTC)
            _check_sizes(path, manifest)
            return cls.mapped(path, manifest, written)

    @classmethod
    def mapped(cls, path: Path, manifest: Manifest, created_at: datetime) -> Self:
        """Map the files of a folder that holds what a manifest says."""
        arrays: dict[str, npt.NDArray[Any]] = {
            name: np.asarray(np.memmap(path / name, dtype=dtype, mode="r")) for name, dtype in manifest.dtypes.items()
        }
        of_taxa, of_member_taxa, of_members = (
            [arrays.pop(name) for name in dtypes if name in arrays]
            for dtypes in (TAXA_DTYPES, MEMBER_TAXA_DTYPES, MEMBER_DTYPES)
        )
        member_taxa = Taxa(manifest.tree, *of_member_taxa) if of_member_taxa else None
        members = MemberFiles(path, member_taxa, *of_members) if of_members else None
        taxa = Taxa(manifest.tree, *of_taxa) if of_taxa else None
        return cls(path, manifest, created_at, taxa, members, *arrays.values())

    def __len__(self) -> int:
        return self.manifest.subjects

    @property
    def alphabet(self) -> Alphabet:
        """That of its letters."""
        return ALPHABETS[self.manifest.alphabet]

    def header(self, subject: int) -> str:
        """A subject's header without the '>'."""
        return decoded(self.headers([subject])[0])

    def accession(self, subject: int) -> str:
        """The first word of a subject's header."""
        return self.names_of(subject)[0]

    def title(self, subject: int) -> str:
        """A subject's header after the accession."""
        return self.names_of(subject)[1]

    def names_of(self, subject: int) -> tuple[str, str]:
        """A subject's accession and title, from one look at its header."""
        [names] = self.names_of_all([subject])
        return names

    def names_of_all(self, subjects: Sequence[int]) -> list[tuple[str, str]]:
        """The same of several."""
        return [names_in(header) for header in self.headers(subjects)]

    def organisms(self, subjects: Sequence[int], titles: Sequence[str]) -> list[Organism | None]:
        """Where subjects of these titles come from, as far as that is known."""
        taxa = self.taxa
        if taxa is None:
            return [None] * len(subjects)
        return [taxa.organism(subject, title) for subject, title in zip(subjects, titles, strict=True)]

    def members_of(self, subjects: Sequence[int]) -> Members:
        """The members of these subjects' clusters; none in a database without clusters."""
        return self.listed(self.clusters_of(subjects))

    def clusters_of(self, subjects: Sequence[int]) -> Clusters:
        """The clusters of these subjects with all their members."""
        return Clusters.empty(subjects) if self.members is None else self.members.clusters(subjects)

    def listed(self, clusters: Clusters) -> Members:
        """The members of clusters, as they were told of this database."""
        return Members.none() if self.members is None else self.members.listed(clusters)

    def sequence(self, subject: int) -> bytes:
        """A subject's letters as they were in the FASTA file."""
        return self.sequences([subject])[0]

    def sequences(self, subjects: Sequence[int]) -> list[bytes]:
        """The same of several."""
        found = cut(self.path / "offsets.bin", self.offsets, self.residues, subjects)
        require(self.path / "lengths.bin", list(map(len, found)) == self.lengths[subjects].tolist())
        require(self.path / "residues.bin", all(map(bytes.isascii, found)))
        return found

    def parts(self, subject: int, size: int) -> Iterator[bytes]:
        """A subject's letters, so many at a time: those of a chromosome are not in memory at once."""
        begins, ends = bounds_of(self.path / "offsets.bin", self.offsets, len(self.residues), [subject])
        begin, end = int(begins[0]), int(ends[0])
        require(self.path / "lengths.bin", end - begin == self.lengths[subject])
        return (self._letters(at, min(at + size, end)) for at in range(begin, end, size))

    def find(self, accession: str) -> int | None:
        """The subject with this accession, or with one that has this inside (accessions.py), if only one has."""
        found = self._find(accession.encode("utf-8", "replace"))
        # Databases of earlier versions have headers as their files had them.
        as_it_was = None if found is not None or accession.isascii() else in_windows_1252(accession)
        return self._find(as_it_was) if as_it_was else found

    def _find(self, wanted: bytes) -> int | None:
        """The subject whose header begins with this word, or one that has it inside, if only one has."""
        # In databases built before keys were indexed, all stand under the whole accession.
        subjects = np.concatenate([self._indexed(key) for key in {key_of(wanted), wanted}])
        if len(subjects) > MOST_ALIKE:
            # Whoever writes a FASTA file can give all its records one key, which then stands for none of them.
            subjects = self._named(wanted, subjects)
        names = {subject: first_word(self.headers([subject])[0]) for subject in sorted(subjects.tolist())}
        exact = [subject for subject, name in names.items() if name == wanted]
        alike = [subject for subject, name in names.items() if wanted in (known_of(name), key_of(name))]
        found = exact or alike
        return found[0] if len(found) == 1 else None

    def _indexed(self, key: bytes) -> npt.NDArray[np.int64]:
        """The subjects that stand in the index under this key, and others of the same hash."""
        [key_hash] = hash_keys([key])
        first, stop = (int(np.searchsorted(self.accession_hashes, key_hash, side)) for side in ("left", "right"))
        subjects = self.accession_subjects[first:stop]
        require(self.path / "accession_subjects.bin", bool(((subjects >= 0) & (subjects < len(self))).all()))
        return subjects

    def _named(self, word: bytes, subjects: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Those of many subjects whose first word is this one, found without reading each header."""
        begins, ends = self.name_offsets[subjects], self.name_offsets[subjects + 1]
        require(self.path / "name_offsets.bin", bool(((begins >= 0) & (ends <= len(self.names))).all()))
        while (blank := _BLANK[self._letters_at(begins, ends)]).any():
            begins = begins + blank
        for place, letter in enumerate(word):
            same = self._letters_at(begins + place, ends) == letter
            subjects, begins, ends = subjects[same], begins[same], ends[same]
        after = begins + len(word)
        return subjects[(after >= ends) | _BLANK[self._letters_at(after, ends)]]

    def _letters_at(self, places: Offsets, ends: Offsets) -> npt.NDArray[np.uint8]:
        """The letter at each place, NUL from a header's end on: none has that."""
        return np.where(places < ends, self.names[np.minimum(places, len(self.names) - 1)], 0)

    def shard(self, index: int, count: int) -> "Shard":
        """Shard `index` of `count`; raises DatabaseError of nucleotides, and where arrays contradict each other."""
        self.check_searchable()
        if not 0 <= index < count:
            raise DatabaseError(f"no shard {index} of {count}: shards count from 0")
        _verify_structure(self)
        return Shard(self, index, count)

    def check_searchable(self) -> None:
        """Raise DatabaseError where these are no proteins."""
        if self.alphabet is not PROTEIN:
            raise DatabaseError(f"database {self.manifest.name} is of nucleotides: proteins alone are searched")

    def verify(self, progress: Progress | None = None) -> None:
        """Read everything and compare it with the manifest; progress gets bytes read and bytes in all."""
        self._verify(tuple(self.manifest.files), progress)
        if self.members is not None:
            self.members.check()

    def verify_subjects(self, progress: Progress | None = None) -> None:
        """The same without members."""
        self._verify([name for name in self.manifest.files if name not in _OF_MEMBERS], progress)

    def verifying_members(self) -> Iterator[None]:
        """The same of members alone, block by block."""
        if self.members is not None:
            for name in self.manifest.files:
                if name in _OF_MEMBERS:
                    yield from (None for _ in _verifying(self, name))
            self.members.check()

    def _verify(self, files: Sequence[str], progress: Progress | None) -> None:
        _verify_digests(self, files, progress)
        _verify_structure(self)
        _verify_index(self)

    def headers(self, subjects: Sequence[int]) -> list[bytes]:
        """Subjects' headers without the '>'."""
        return cut(self.path / "name_offsets.bin", self.name_offsets, self.names, subjects)

    def _letters(self, begin: int, end: int) -> bytes:
        letters = self.residues[begin:end].tobytes()
        require(self.path / "residues.bin", letters.isascii())
        return letters


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """Every count-th subject of a database, from `index` on; positions in it are local, subjects are the database's.

    Of a part of a shard, chosen has the positions in the whole shard of its subjects, ascending; searched says how many
    subjects and residues the parts of all shards have together, which for whole ones are those of the database.
    """

    database: Database
    index: int
    count: int
    chosen: npt.NDArray[np.uint32] | None = None
    searched: tuple[int, int] = (0, 0)
    lengths: Lengths = field(init=False)
    """The subjects' lengths, ascending."""
    residues: int = field(init=False)
    """All residues of the shard."""

    def __post_init__(self) -> None:
        # Made once: every query looks at them, and every result names their sum.
        lengths = self.database.lengths[self.index :: self.count]
        object.__setattr__(self, "lengths", lengths if self.chosen is None else lengths[self.chosen])
        object.__setattr__(self, "residues", int(self.lengths.sum(dtype=np.int64)))
        if self.chosen is None:
            object.__setattr__(self, "searched", (len(self.database), self.database.manifest.residues))

    def among(self, wanted: npt.NDArray[np.bool_]) -> "Shard":
        """The part of a whole shard whose subjects are wanted; wanted: by subject of the database."""
        chosen = np.flatnonzero(wanted[self.index :: self.count]).astype(np.uint32)
        residues = self.database.lengths.sum(where=wanted, dtype=np.int64)
        return Shard(self.database, self.index, self.count, chosen, (int(np.count_nonzero(wanted)), int(residues)))

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def subjects(self) -> range:
        """The subjects of a whole shard, by their number in the database."""
        return range(self.index, len(self.database), self.count)

    def numbers(self, positions: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """The subjects at these positions, by their number in the database."""
        return self.index + self.count * (positions if self.chosen is None else self.chosen[positions]).astype(np.int64)

    def sequence(self, position: int) -> bytes:
        """The letters of the subject at a position."""
        [number] = self.numbers(np.array([position])).tolist()
        return self.database.sequence(number)

    def sequences(self) -> Iterator[memoryview]:
        """All sequences of a whole shard in order, as views that copy nothing: for loading it."""
        residues = memoryview(self.database.residues)  # type: ignore[arg-type]
        offsets = self.database.offsets
        for first in range(self.index, len(self.database), self.count * _CHUNK):
            stop = min(first + self.count * _CHUNK, len(self.database))
            starts = offsets[first : stop : self.count].tolist()
            stops = offsets[first + 1 : stop + 1 : self.count].tolist()
            for begin, end in zip(starts, stops, strict=True):
                yield residues[begin:end]


def _check_sizes(path: Path, manifest: Manifest) -> None:
    if set(manifest.files) != set(manifest.dtypes):
        raise DatabaseError(f"{path / MANIFEST}: it names other files than a database has")
    for name, digest in manifest.files.items():
        file = path / name
        size = file.stat().st_size
        if size != digest.bytes:
            raise DatabaseError(f"{file}: {size:,} bytes, the manifest says {digest.bytes:,}")
    for each in _counted(manifest):
        for name, more in each.files.items():
            if name in manifest.files and not _holds(manifest, name, each.number + more):
                raise DatabaseError(f"{path / name}: not as long as {each.number:,} {each.noun} need")


def _holds(manifest: Manifest, name: str, count: int) -> bool:
    """Whether a file has so many entries."""
    return manifest.files[name].bytes == count * manifest.dtypes[name].itemsize


class _Counted(NamedTuple):
    """Something that a manifest counts, and the files that have so many entries, and so many more."""

    noun: str
    number: int
    files: dict[str, int]


def _counted(manifest: Manifest) -> tuple[_Counted, ...]:
    of_subjects = {"lengths.bin": 0, "offsets.bin": 1, "name_offsets.bin": 1, "accession_hashes.bin": 0}
    of_subjects |= {"accession_subjects.bin": 0, "subject_taxa.bin": 0, "member_firsts.bin": 1}
    of_members = {"lengths.bin": 0, "offsets.bin": 1, "name_offsets.bin": 1, "subject_taxa.bin": 0}
    of_taxa = {"taxa.bin": 0, "taxon_label_offsets.bin": 1}
    return (
        _Counted("subjects", manifest.subjects, of_subjects),
        _Counted("taxa", manifest.taxa, of_taxa),
        _Counted("members", manifest.members, {f"{MEMBER}{name}": extra for name, extra in of_members.items()}),
        _Counted("taxa", manifest.member_taxa, {f"{MEMBER}{name}": extra for name, extra in of_taxa.items()}),
    )


def _verify_digests(database: Database, files: Sequence[str], progress: Progress | None) -> None:
    total, done = sum(database.manifest.files[name].bytes for name in files), 0
    for name in files:
        for read in _verifying(database, name):
            if progress:
                progress(done + read, total)
        done += database.manifest.files[name].bytes
    if content_checksum(database.manifest.files) != database.manifest.checksum:
        raise DatabaseError(f"{database.path / MANIFEST}: the checksum is not that of the files")


def _verifying(database: Database, name: str) -> Iterator[int]:
    """Compare a file with its digest; yields how many bytes have been read."""
    found = FileDigest(0, hashlib.sha256().hexdigest())
    with files_there():
        for found in digest_file(database.path / name):
            yield found.bytes
    if found != database.manifest.files[name]:
        raise DatabaseError(f"{database.path / name}: its SHA-256 is not the manifest's")


def _verify_structure(database: Database) -> None:
    """What engines and readers of names rely on: they must not be led out of an array, nor to another sequence."""
    manifest, lengths = database.manifest, database.lengths
    require(database.path / "lengths.bin", (int(lengths[0]), int(lengths[-1])) == (manifest.shortest, manifest.longest))
    for name, offsets, content in (
        ("offsets.bin", database.offsets, database.residues),
        ("name_offsets.bin", database.name_offsets, database.names),
    ):
        require(database.path / name, (int(offsets[0]), int(offsets[-1])) == (0, len(content)))
    require(database.path / "offsets.bin", len(database.residues) == manifest.residues)
    for first in range(0, len(database), _CHUNK):
        stop = first + _CHUNK
        require(database.path / "lengths.bin", _ascends(lengths[first : stop + 1]))
        steps = np.diff(database.offsets[first : stop + 1])
        require(database.path / "offsets.bin", np.array_equal(steps, lengths[first:stop]))
        require(database.path / "name_offsets.bin", _ascends(database.name_offsets[first : stop + 1]))
    if database.taxa is not None:
        wrong = database.taxa.damaged_file(manifest.subjects, manifest.residues)
        require(database.path / (wrong or "taxa.bin"), not wrong)


def _verify_index(database: Database) -> None:
    for first in range(0, len(database), _CHUNK):
        stop = first + _CHUNK
        require(database.path / "accession_hashes.bin", _ascends(database.accession_hashes[first : stop + 1]))
        subjects = database.accession_subjects[first:stop]
        require(database.path / "accession_subjects.bin", bool(((subjects >= 0) & (subjects < len(database))).all()))


def _ascends(values: npt.NDArray[Any]) -> bool:
    return bool((values[1:] >= values[:-1]).all())
