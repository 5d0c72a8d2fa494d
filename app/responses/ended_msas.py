"""MSAs of a job that has succeeded, chain by chain."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Self

from app.problems import InvalidParameterError
from app.responses.msa_json import asked_of, found_of
from app.service import Service
from shardwater.msa.msa import Msa
from shardwater.msa.pairing import paired
from shardwater.plural import plural
from shardwater.sequences.fasta import Record
from worker.jobs.composed import disown
from worker.jobs.listed_chains import KeptMsas, ListedChain
from worker.jobs.msa_files import MsaFiles
from worker.jobs.states import DamagedJob


@dataclass(frozen=True, slots=True)
class EndedMsas:
    """What was asked for, and the jobs that have the rows of the chains that differ."""

    id: str
    asked: KeptMsas
    jobs: tuple[str, ...]
    service: Service

    @classmethod
    def of(cls, service: Service, job: str) -> Self:
        """Those of a job; raises what JobStore.packed_result does."""
        jobs = found_of(service.msas, job).jobs
        return cls(job, asked_of(service.msas, job), jobs, service)

    @property
    def chains(self) -> list[ListedChain]:
        """All chains, in their order."""
        return self.asked.chains

    def chain(self, number: int) -> ListedChain:
        """A chain, from 1. Raises InvalidParameterError."""
        chains = self.chains
        if number > len(chains):
            told = f"there is no chain {number}: the job has {plural(len(chains), 'chain')}"
            raise InvalidParameterError("chain", told)
        return chains[number - 1]

    def msa(self, chain: int, stage: int) -> Msa:
        """The MSA of a chain, from 1, by a list of databases, from 0. Raises InvalidParameterError and DamagedJob."""
        return self._msa(self.chain(chain), stage)

    def pairs(self, chain: int) -> Msa:
        """The rows of a chain that are paired with those of the others of its complex; raises as msa does."""
        self.chain(chain)
        for each in self.asked.complexes:
            if chain <= len(each):
                return next(islice(self.paired(each), chain - 1, None))
            chain -= len(each)
        raise AssertionError("a chain is of a complex")

    def paired(self, chains: list[ListedChain]) -> Iterator[Msa]:
        """The paired rows of the chains of a complex, as many of each."""
        if self.asked.pairing == "none":
            return (self._msa(chain, 0).take([]) for chain in chains)
        return paired([self._msa(chain, 0) for chain in chains], self.asked.pairing)

    def each(self, stage: int) -> Iterator[Msa]:
        """Those of all chains."""
        return (self._msa(chain, stage) for chain in self.chains)

    def each_paired(self) -> Iterator[Msa]:
        """The paired rows of all chains."""
        return (msa for each in self.asked.complexes for msa in self.paired(each))

    def _msa(self, chain: ListedChain, stage: int) -> Msa:
        job = self.jobs[chain.number]
        try:
            msa = MsaFiles(self.service.files, job).msa(stage)
        except DamagedJob:
            disown(self.service.msas.redis, job)
            raise
        # Chains that are the same have one MSA, and each its own name.
        return replace(msa, query=Record(chain.header, msa.query.residues))
