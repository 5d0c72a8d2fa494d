"""Shapes of MSAs over HTTP."""

from datetime import datetime

from pydantic import BaseModel, Field

from app.schemas import Problem, Shards
from shardwater.search.warnings import QueryWarning
from worker.jobs.chain_requests import MsaFilter
from worker.jobs.msa_files import MsaRound
from worker.jobs.msa_requests import Pairing
from worker.jobs.states import Phase, State


class MsaLinks(BaseModel):
    """Where to go on from here; paths on this server."""

    self: str
    results: str
    events: str
    cancel: str


class MsaMembers(BaseModel):
    """What became of members of clusters, which no search looks at: representatives alone are searched."""

    aligned: int = Field(description="Members of clusters whose representatives are hits, aligned with the query.")
    rows: int = Field(description="Of these, those whose E-value is within the limit; they count as found.")
    left_out: int = Field(description="Members of hits' clusters for which `max_sequences` has left no room.")


class MsaStage(BaseModel):
    """What a list of databases has given for a chain."""

    found: int = Field(description="Rows that were found.")
    kept: int = Field(description="Rows that the filter has left.")
    rounds: list[MsaRound]
    members: MsaMembers | None = Field(description="Of clusters; null where no database has any.")
    warnings: list[QueryWarning] = Field(description="What is odd about the chain, or its statistics, as of a search.")


class MsaChain(BaseModel):
    """A chain, and what was found for it."""

    number: int = Field(description="By which its MSA is asked for, from 1.")
    complex: int = Field(description="That it is of, from 1.")
    id: str = Field(description="Of its header, as far as 200 letters go; so is `title`. Results have all of it.")
    title: str
    length: int
    paired: bool = Field(description="Whether rows of it are paired with those of other chains; `pairs` asks for them.")
    stages: list[MsaStage] = Field(
        description="What `databases` have given, and `then`, if that was asked for; empty until the job has succeeded."
    )


class MsaColumns(BaseModel):
    """What the columns of an MSA have: a number for each of the query's positions. The query counts as a row."""

    chain: int = Field(description="From 1.")
    id: str
    rows: int = Field(description="With the query.")
    residues: str = Field(description="Of the query.")
    depth: list[int] = Field(description="Rows with a letter there.")
    identical: list[int] = Field(description="Rows with the query's letter.")
    entropy: list[float] = Field(
        description="Of the residues, in bits: 0 where all are the same, log2(20) at most; gaps are left out."
    )


class MsaParameters(BaseModel):
    """What was asked for, besides the queries."""

    databases: list[str]
    then: list[str]
    iterations: int
    evalue: float
    inclusion_evalue: float
    max_sequences: int
    filter: MsaFilter
    pairing: Pairing


class MsaEstimate(BaseModel):
    """What MSAs would take if they were submitted now."""

    parameters: MsaParameters
    chains: int = Field(description="That differ: each of them is searched for once.")
    residues: int = Field(description="Of these chains.")
    cells: int = Field(
        description="Residues x residues of the databases, for each round that is asked for; and those of as many "
        "members of clusters as may be rows: the work, where no chain is there and no round is spared."
    )
    quota_cost: int = Field(description="Cells that they would be charged with: of chains that are not there yet.")
    seconds: float = Field(description="These chains alone, in all rounds that are asked for.")
    queue_seconds: float = Field(description="Until the first of them would begin.")
    position: int = Field(description="Jobs before it.")
    reused: bool = Field(
        description="Whether earlier jobs have searched for all of the chains, or do; the seconds are those that they "
        "have left."
    )


class Msas(BaseModel):
    """MSAs as they stand."""

    id: str
    state: State
    title: str
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime = Field(description="When the MSAs are removed.")
    progress: float = Field(description="Share of the work that is done, 0 to 1.")
    phase: Phase | None = Field(description="What is done now; null once the job has ended.")
    parts: Shards = Field(description="Chains that are done, of those that differ.")
    error: Problem | None = Field(description="Why it failed.")
    position: int | None = Field(description="Jobs before the first of its chains; null once it has ended.")
    estimate_s: float | None = Field(description="Seconds until it ends; null once it has.")
    reused: bool = Field(description="Whether an earlier job answered this request.")
    parameters: MsaParameters | None = Field(description="What was asked for; null in lists.")
    chains: list[MsaChain] = Field(description="All chains in their order; empty in lists.")
    links: MsaLinks


class MsasProgress(BaseModel):
    """How far MSAs are: the data of a `progress` event."""

    progress: float
    phase: Phase | None
    parts: Shards
    position: int | None
    estimate_s: float | None


class MsasPage(BaseModel):
    """A page of MSAs, newest first."""

    items: list[Msas]
    next_page_token: str = Field(description="For the next page; empty on the last one.")
