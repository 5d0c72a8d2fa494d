"""What a comparison keeps in its job's folder: both genomes, merged HSPs, alignments with gaps, and chains."""

import hashlib
import mmap
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from shardwater.errors import AlignError
from shardwater.genomes.alignments import Alignments, UnreadableAlignments
from shardwater.genomes.chain_list import ChainList, UnreadableChains
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps, UnreadableHsps
from shardwater.genomes.regions import within
from shardwater.search.databases import DatabaseUsed
from shardwater.sequences.stored import DamagedSequences, StoredSequences
from worker.jobs.comparison_requests import ComparisonParameters
from worker.jobs.files import JobFiles
from worker.jobs.folders import write_file

QUERY, SUBJECT = "query", "subject"
_HSPS, _ALIGNMENTS, _CHAINS, _FOUND, _DATABASES = "hsps", "alignments", "chains", "found", "databases"
Databases = dict[str, DatabaseUsed]
"""What sides are records of, as far as they are of databases."""
_DATABASES_JSON = TypeAdapter(Databases)

Content = bytes | mmap.mmap
AnyContent = TypeVar("AnyContent", bytes, Content)


class DamagedComparison(AlignError):
    """Files of a comparison that are gone or are not what they were."""


@dataclass(frozen=True, slots=True, eq=False)
class Genomes:
    """Both genomes of a comparison, as they are compared."""

    query: Genome
    subject: Genome


def kept_sequences(folder: Path, side: str) -> StoredSequences:
    """The records of one side, as they were written; raises DamagedSequences."""
    stored = StoredSequences.open(folder / side)
    stored.check_content()
    return stored


def open_genomes(folder: Path, asked: ComparisonParameters) -> Genomes:
    """The genomes in a folder as they are compared.

    Raises DamagedSequences, and ComparisonError for regions that are in no record.
    """
    query, subject = (Genome.stored(kept_sequences(folder, side)) for side in (QUERY, SUBJECT))
    return Genomes(within(query, asked.regions_of("query")), within(subject, asked.regions_of("subject")))


def keep_databases(folder: Path, used: Databases) -> None:
    """Note in a folder what its sides are records of; raises OSError."""
    write_file(folder / _DATABASES, _DATABASES_JSON.dump_json(used))


@lru_cache(maxsize=1)
def kept_genomes(folder: Path, asked: str) -> Genomes:
    """The same for those who do one part of a job after another; asked: the parameters' JSON."""
    return open_genomes(folder, ComparisonParameters.model_validate_json(asked))


@dataclass(frozen=True, slots=True)
class ComparisonFiles:
    """The files of one comparison besides its parts."""

    files: JobFiles
    job: str

    @property
    def folder(self) -> Path:
        """That of the job."""
        return self.files.folder(self.job)

    def part(self, number: int, digest: str) -> bytes:
        """What a part has answered; raises DamagedComparison."""
        try:
            return _checked(self.files.part(self.job, number), digest)
        except OSError:
            raise DamagedComparison(f"part {number}") from None

    def keep_hsps(self, hsps: Hsps) -> str:
        """Keep the merged list; its digest. Raises StorageFull."""
        return self._keep(_HSPS, hsps.pack())

    def hsps(self, digest: str) -> Hsps:
        """What keep_hsps kept; raises DamagedComparison."""
        try:
            return Hsps.read(self._read(_HSPS, digest))
        except UnreadableHsps:
            raise DamagedComparison(_HSPS) from None

    def merged(self) -> tuple[Hsps, str]:
        """The merged list as it is, and its digest; raises DamagedComparison."""
        try:
            content = (self.folder / _HSPS).read_bytes()
            return Hsps.read(content), hashlib.sha256(content).hexdigest()
        except (OSError, UnreadableHsps):
            raise DamagedComparison(_HSPS) from None

    def keep_found(self, note: bytes) -> None:
        """Keep a note from one round to the next. Raises StorageFull."""
        self._keep(_FOUND, hashlib.sha256(note).digest() + note)

    def found(self) -> bytes:
        """What keep_found kept; raises DamagedComparison."""
        try:
            content = (self.folder / _FOUND).read_bytes()
        except OSError:
            raise DamagedComparison("what was found") from None
        size = hashlib.sha256().digest_size
        return _checked(content[size:], content[:size].hex())

    def keep_alignments(self, alignments: Alignments) -> str:
        """Keep all alignments; their digest. Raises StorageFull."""
        return self._keep(_ALIGNMENTS, alignments.pack())

    def alignments(self, digest: str) -> Alignments:
        """What keep_alignments kept; raises DamagedComparison."""
        try:
            return Alignments.read(self._read(_ALIGNMENTS, digest))
        except UnreadableAlignments:
            raise DamagedComparison(_ALIGNMENTS) from None

    def keep_chains(self, chains: ChainList) -> str:
        """Keep all chains; their digest. Raises StorageFull."""
        return self._keep(_CHAINS, chains.pack())

    def chains(self, digest: str) -> ChainList:
        """What keep_chains kept; raises DamagedComparison."""
        try:
            return ChainList.read(self._read(_CHAINS, digest))
        except UnreadableChains:
            raise DamagedComparison(_CHAINS) from None

    def genomes(self, asked: ComparisonParameters) -> Genomes:
        """Both genomes; raises DamagedComparison."""
        try:
            return open_genomes(self.folder, asked)
        except (OSError, DamagedSequences):
            raise DamagedComparison("the genomes") from None

    def databases(self) -> Databases:
        """What its sides are records of; raises DamagedComparison."""
        try:
            return _DATABASES_JSON.validate_json((self.folder / _DATABASES).read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValidationError):
            raise DamagedComparison(_DATABASES) from None

    def _keep(self, name: str, content: bytes) -> str:
        self.files.keep(self.job, content, name)
        return hashlib.sha256(content).hexdigest()

    def _read(self, name: str, digest: str) -> Content:
        try:
            return _checked(_mapped(self.folder / name), digest)
        except OSError:
            raise DamagedComparison(name) from None


def _mapped(path: Path) -> Content:
    """A file that is written once, as memory that the system may take back; raises OSError."""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""


def _checked(content: AnyContent, digest: str) -> AnyContent:
    if hashlib.sha256(content).hexdigest() != digest:
        raise DamagedComparison("a file is not what it was")
    return content
