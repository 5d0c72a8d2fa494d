"""MSAs of queries made by an engine of this process, a bounded number of chains at a time."""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace

from shardwater.errors import AlignError, DatabaseError
from shardwater.formats.msas.writers import MSA_FORMATS, MsaFormatName
from shardwater.msa.built import BuiltMsa
from shardwater.msa.msa import Msa
from shardwater.msa.pairing import paired
from shardwater.search.databases import DatabaseUsed, together
from shardwater.sequences.fasta import Record
from worker.cli.chains_here import ChainsHere, passes
from worker.cli.msa_outputs import Failed, Made, WhichMsa
from worker.cli.msa_queries import Query
from worker.jobs.msa_requests import MsaRequest, distinct
from worker.kinds.msa import chain_request

ShowQueries = Callable[[float], None]
"""Is told how many queries are done."""


@dataclass(frozen=True, slots=True)
class MadeHere:
    """The MSAs of a query, by what may be wanted of it."""

    query: Query
    msas: dict[WhichMsa, Msa]

    def written(self, wanted: WhichMsa, form: MsaFormatName) -> Iterator[bytes]:
        """One of them in a format, in pieces."""
        return MSA_FORMATS[form].write(self.msas[wanted])


@dataclass(frozen=True, slots=True)
class MsasHere:
    """Makes MSAs by a request's parameters; its queries are not looked at."""

    chains: ChainsHere
    request: MsaRequest

    @property
    def databases(self) -> list[list[DatabaseUsed]]:
        """What is searched: in rounds, and after them."""
        return [[together([each]) for each in opened.searched] for opened in self.chains.stages]

    @property
    def without_taxids(self) -> list[str]:
        """Those of the first that do not say where their sequences come from."""
        manifests = [part.database.manifest for part in self.chains.stages[0].databases.parts]
        return [manifest.name for manifest in manifests if not manifest.has_taxids]

    def made(self, queries: Iterable[Query], show: ShowQueries, _: str) -> Generator[Made | Failed, None, None]:
        """The MSAs of each query, in their order. Raises DatabaseError where a file has changed meanwhile."""
        most = self.request.max_sequences
        for group in passes(queries, lambda query: [len(chain.residues) for chain in query.chains], most):
            yield from self._together(group, show)

    def clear(self, _: str) -> None:
        """Nothing is left anywhere else."""

    def _together(self, group: list[Query], show: ShowQueries) -> Iterator[Made | Failed]:
        numbers = distinct([query.chains for query in group])
        before = group[0].number - 1
        try:
            found = self.chains.made(
                [chain_request(self.request, residues) for residues in numbers],
                lambda share: show(before + share * len(group)),
            )
        except DatabaseError:
            raise
        except AlignError as error:
            if len(group) == 1:
                yield Failed(group[0], str(error))
                return
            # One is at fault, and is found where each is alone.
            for query in group:
                yield from self._together([query], show)
            return
        for query in group:
            yield self._of(query, [found[numbers[chain.residues.upper()]] for chain in query.chains])

    def _of(self, query: Query, found: list[list[BuiltMsa]]) -> MadeHere:
        msas = dict[WhichMsa, Msa]()
        for number, (chain, stages) in enumerate(zip(query.chains, found, strict=True), start=1):
            for stage, one in enumerate(stages):
                # Chains that are the same have one MSA, and each its own name.
                msas[WhichMsa(number, then=stage > 0)] = replace(
                    one.msa, query=Record(chain.header, one.msa.query.residues)
                )
        if self.request.pairing != "none":
            alone = [msas[WhichMsa(number)] for number in range(1, len(found) + 1)]
            for number, msa in enumerate(paired(alone, self.request.pairing), start=1):
                msas[WhichMsa(number, pairs=True)] = msa
        return MadeHere(query, msas)
