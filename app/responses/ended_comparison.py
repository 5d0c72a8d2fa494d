"""A comparison that has succeeded, and what of it is read from its folder as a reply needs it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeVar

from pydantic import TypeAdapter

from app.responses.comparison_json import compared, parameters_of, shown_certificate
from app.service import Service
from shardwater.formats.genomes.chained import chain_blocks
from shardwater.formats.genomes.layout import Listed
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.chain_list import ChainList
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.summary import Summary
from worker.jobs.comparison_requests import ComparisonParameters
from worker.jobs.genome_files import ComparisonFiles, DamagedComparison, Databases, Genomes
from worker.jobs.states import DamagedJob
from worker.kinds.comparison import ComparedGenomes

Shown = Literal["alignments", "hsps", "chains"]
Read = TypeVar("Read")
_SUMMARY = TypeAdapter(Summary)


@dataclass(frozen=True, slots=True, eq=False)
class EndedComparison:
    """Its answers, of which `found` has the digests; what reads them raises DamagedJob where they have changed."""

    id: str
    parameters: ComparisonParameters
    found: ComparedGenomes
    files: ComparisonFiles

    @classmethod
    def of(cls, service: Service, comparison: str) -> Self:
        """By its id; raises what JobStore.packed_result does."""
        store = service.comparisons
        found, parameters = compared(store, comparison), parameters_of(store, comparison)
        return cls(comparison, parameters, found, ComparisonFiles(service.files, comparison))

    def genomes(self) -> Genomes:
        """Both, as they were compared."""
        return self._read(lambda: self.files.genomes(self.parameters))

    def databases(self) -> Databases:
        """What its sides are records of."""
        return self._read(self.files.databases)

    def hsps(self) -> Hsps:
        """All of them, without gaps."""
        return self._read(lambda: self.files.hsps(self.found.hsps))

    def listed(self, shown: Shown) -> Listed:
        """What a format shows."""
        genomes, gapped = self.genomes(), bool(self.found.alignments) and shown != "hsps"
        rows = self._alignments() if gapped else self.hsps()
        if shown != "chains":
            return Listed(genomes.query, genomes.subject, rows, gapped)
        blocks = chain_blocks(genomes.query, genomes.subject, self._chains())
        return Listed(genomes.query, genomes.subject, rows, gapped, blocks)

    def head(self) -> dict[str, Any]:
        """The members of its JSON before the list."""
        return {
            "id": self.id,
            "parameters": self.parameters.model_dump(mode="json", by_alias=True),
            "certificate": shown_certificate(self.found).model_dump(mode="json"),
            "summary": _SUMMARY.dump_python(self.found.summary, mode="json"),
        }

    def _alignments(self) -> Alignments:
        return self._read(lambda: self.files.alignments(self.found.alignments))

    def _chains(self) -> ChainList:
        return self._read(lambda: self.files.chains(self.found.chains))

    def _read(self, read: Callable[[], Read]) -> Read:
        try:
            return read()
        except DamagedComparison as error:
            raise DamagedJob(f"what {self.id} has kept is not what it was: {error}") from None
