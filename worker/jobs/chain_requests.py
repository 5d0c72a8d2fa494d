"""One chain of an MSA, as its job keeps what is asked for: the query, how it is searched for, and what is kept."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from shardwater.search.parameters import Parameters
from shardwater.sequences.fasta import Record
from worker.jobs.targets import SearchTarget

MsaFilter = Literal["diverse", "none"]


class ChainRequest(BaseModel):
    """A chain whose MSA is asked for; it is made from a request that has been checked.

    then: databases that are searched once more with the profile of what was found, if there are any.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    residues: str
    database: str
    iterations: int
    evalue: float
    inclusion_evalue: float
    max_sequences: int
    filter: MsaFilter
    then: SearchTarget | None = None

    @property
    def parameters(self) -> Parameters:
        """How it is searched for."""
        return Parameters(
            iterations=self.iterations,
            evalue=self.evalue,
            inclusion_evalue=self.inclusion_evalue,
            max_target_seqs=self.max_sequences,
            alignments=self.max_sequences,
            composition="adjusted",
        )

    @property
    def query(self) -> Record:
        """The chain, without a name: whoever asked for it has one."""
        return Record("", self.residues.encode())
