"""What a database on disk holds, as its manifest says it: labels, counts and digests of its files."""

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from shardwater.database.storage import FileDigest
from shardwater.database.taxa import TAXON
from shardwater.errors import DatabaseError
from shardwater.sequences.alphabets import AlphabetName

PLAIN, WITH_TAXA, WITH_MEMBERS = FORMATS = (1, 2, 3)
"""Without taxids; with them; and with members of clusters, be there taxids or not."""
MANIFEST = "manifest.json"
DTYPES: dict[str, np.dtype[Any]] = {
    "residues.bin": np.dtype("u1"),
    "lengths.bin": np.dtype("<u4"),
    "offsets.bin": np.dtype("<i8"),
    "names.bin": np.dtype("u1"),
    "name_offsets.bin": np.dtype("<i8"),
    "accession_hashes.bin": np.dtype("<u8"),
    "accession_subjects.bin": np.dtype("<i8"),
}
TAXA_DTYPES: dict[str, np.dtype[Any]] = {
    "subject_taxa.bin": np.dtype("<u4"),
    "taxa.bin": TAXON,
    "taxon_labels.bin": np.dtype("u1"),
    "taxon_label_offsets.bin": np.dtype("<i8"),
}
"""Of a database whose subjects have taxids."""
_OF_MEMBERS = ("residues.bin", "lengths.bin", "offsets.bin", "names.bin", "name_offsets.bin")
MEMBER = "member_"
"""What the names of members' files begin with: what follows says what is in one, as of subjects."""
MEMBER_DTYPES = {
    "member_firsts.bin": np.dtype("<i8"),
    **{f"{MEMBER}{name}": DTYPES[name] for name in _OF_MEMBERS},
}
"""Of a database that has members of clusters behind its subjects."""
MEMBER_TAXA_DTYPES = {f"{MEMBER}{name}": dtype for name, dtype in TAXA_DTYPES.items()}
"""Of one whose members have taxids."""
_CONTENT = ("residues.bin", "lengths.bin", "names.bin", "name_offsets.bin")
_MOST = 2**63 - 1
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a database holds: its labels, counts and digests."""

    name: str
    title: str
    version: str
    checksum: str
    subjects: int
    residues: int
    longest: int
    shortest: int
    shards: int
    replaced: dict[str, int]
    files: dict[str, FileDigest]
    alphabet: AlphabetName = "protein"
    """Those of earlier versions do not say it."""
    taxa: int = 0
    """Rows of taxa.bin; none where no subject has a taxid."""
    tree: bool = False
    """Whether they descend from one another."""
    members: int = 0
    """Sequences that stand behind subjects, and are not searched."""
    member_residues: int = 0
    member_taxa: int = 0
    """Rows of member_taxa.bin; none where no member has a taxid."""

    @property
    def has_taxids(self) -> bool:
        """Whether any subject has one, or any member of a cluster."""
        return self.taxa > 0 or self.member_taxa > 0

    @property
    def format(self) -> int:
        """Programs of before there was what a database has do not read its format."""
        if self.members:
            return WITH_MEMBERS
        return WITH_TAXA if self.taxa else PLAIN

    @property
    def dtypes(self) -> dict[str, np.dtype[Any]]:
        """The files, and what they are made of."""
        dtypes = DTYPES | (TAXA_DTYPES if self.taxa else {})
        return dtypes | (MEMBER_DTYPES if self.members else {}) | (MEMBER_TAXA_DTYPES if self.member_taxa else {})

    def to_json(self) -> str:
        """The manifest as text, the same for the same manifest."""
        members = {**asdict(self), "format": self.format}
        if not self.taxa:
            del members["taxa"], members["tree"]
        if not self.members:
            del members["members"], members["member_residues"], members["member_taxa"]
        return json.dumps(members, sort_keys=True, indent=2) + "\n"

    @classmethod
    def read(cls, path: Path) -> Self:
        """The manifest in a file; DatabaseError if it is none of ours."""
        try:
            fields: dict[str, Any] = json.loads(path.read_bytes())
            form = fields.pop("format")
            if form not in FORMATS:
                raise DatabaseError(f"{path}: database format {form!r}; this program reads formats 1 to 3")
            files = {name: FileDigest(**digest) for name, digest in fields.pop("files").items()}
            manifest = cls(**fields, files=files)
        except FileNotFoundError:
            raise DatabaseError(f"{path.parent}: no database here ({path.name} is missing)") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DatabaseError(f"{path}: not a database manifest") from None
        if not manifest.is_plausible or form != manifest.format:
            raise DatabaseError(f"{path}: damaged, its values contradict each other or are none")
        return manifest

    @property
    def is_plausible(self) -> bool:
        """Whether each value is of its kind and agrees with the others: JSON may hold anything."""
        if not isinstance(self.replaced, dict):
            return False
        texts = (self.name, self.title, self.version, self.checksum, *self.replaced, *map(_sha256, self.files.values()))
        counts = (self.subjects, self.residues, self.longest, self.shortest, self.shards, self.taxa)
        of_members = (self.members, self.member_residues, self.member_taxa)
        sizes = (*counts, *of_members, *self.replaced.values(), *(digest.bytes for digest in self.files.values()))
        return (
            all(map(is_text, texts))
            and all(type(each) is int and 0 <= each <= _MOST for each in sizes)
            and 1 <= self.shortest <= self.longest <= self.residues
            and 1 <= self.subjects <= self.residues
            and self.shards >= 1
            and self.members <= self.member_residues
            and (self.members > 0 or self.member_residues == self.member_taxa == 0)
            and self.alphabet in ("protein", "dna")
            and type(self.tree) is bool
            and all(_DIGEST.fullmatch(text) for text in (self.checksum, *map(_sha256, self.files.values())))
        )


def is_text(value: object) -> bool:
    """Whether a value is a string that can be sent: those of JSON and of a command line may be no UTF-8."""
    return isinstance(value, str) and not _SURROGATE.search(value)


def _sha256(digest: FileDigest) -> str:
    return digest.sha256


def content_checksum(files: dict[str, FileDigest]) -> str:
    """One digest for sequences, headers, order, taxa and members; labels and shards do not count."""
    content = (*_CONTENT, *TAXA_DTYPES, *MEMBER_DTYPES, *MEMBER_TAXA_DTYPES)
    digests = "".join(files[name].sha256 for name in content if name in files)
    return hashlib.sha256(bytes.fromhex(digests)).hexdigest()
