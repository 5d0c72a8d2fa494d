"""Shapes of alignments of pairs over HTTP."""

from datetime import datetime

from pydantic import BaseModel, Field

from app.schemas import Problem, Shards
from worker.jobs.pair_requests import PairParameters
from worker.jobs.states import Phase, State


class AlignmentLinks(BaseModel):
    """Where to go on from here; paths on this server."""

    self: str
    results: str
    events: str
    cancel: str


class PairCertificate(BaseModel):
    """What was done: every pair was aligned, exactly."""

    exact: bool
    pairs: int
    cells: int = Field(description="Letters of one sequence x letters of the other, of all pairs and strands.")
    parts: int = Field(description="That the pairs were done in, by any workers.")
    engines: list[str] = Field(description="What computed: `cpu`, or devices' names.")
    software: str
    ways: dict[str, int] = Field(
        description="Pairs by how they were computed: `batch`, with others on a GPU; `long`, by all of a GPU; `cpu`."
    )


class Alignment(BaseModel):
    """A job of pairs as it stands."""

    id: str
    state: State
    title: str
    parameters: PairParameters = Field(description="As they are used: with the alphabet, and nothing left to default.")
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime = Field(description="When the job, its sequences and its result are removed.")
    progress: float = Field(description="Share of the work that is done, 0 to 1.")
    phase: Phase | None = Field(description="What is done now; null once the job has ended.")
    parts: Shards = Field(description="Of the pairs; those that are done can be had as `ndjson` before the others.")
    error: Problem | None = Field(description="Why it failed.")
    position: int | None = Field(description="Jobs before this one; null once it has ended.")
    estimate_s: float | None = Field(description="Seconds until it ends; null once it has.")
    reused: bool = Field(description="Whether an earlier job answered this request.")
    certificate: PairCertificate | None = Field(description="Once it has succeeded.")
    links: AlignmentLinks


class AlignmentProgress(BaseModel):
    """How far a job of pairs is: the data of a `progress` event."""

    progress: float
    phase: Phase | None
    parts: Shards
    position: int | None
    estimate_s: float | None


class AlignmentPage(BaseModel):
    """A page of jobs of pairs, newest first."""

    items: list[Alignment]
    next_page_token: str = Field(description="For the next page; empty on the last one.")


class AlignmentEstimate(BaseModel):
    """What a job of pairs would take if it were submitted now."""

    parameters: PairParameters
    pairs: int
    cells: int = Field(description="Of all pairs and strands: the work.")
    quota_cost: int = Field(
        description="Cells that it would be charged with, 10,000 an alignment at least; 0 if an earlier job answers it."
    )
    seconds: float = Field(description="This job alone.")
    queue_seconds: float = Field(description="Until it would begin.")
    position: int = Field(description="Jobs before it.")
    reused: bool = Field(description="Whether an earlier job would answer it.")


class AlignedPair(BaseModel):
    """A pair and an alignment of it; null is what was not asked for, or there is no local alignment."""

    query: str
    subject: str
    score: float
    query_from: int | None = Field(description="From 1, and in the alignment, as are the others.")
    query_to: int | None
    subject_from: int | None
    subject_to: int | None
    strand: str = Field(description="`-`: the query's reverse complement was aligned.")
    cigar: str | None
    identity: int | None = Field(description="Columns of two letters that are the same.")
    positive: int | None = Field(description="Columns of two letters that are the same or score above 0.")
    gaps: int | None
    align_len: int | None
    rank: int = Field(description="1: the best alignment of the pair; where `best` asks for several, the next follow.")


class AlignmentResult(BaseModel):
    """All alignments of a job that has succeeded, in the order of its pairs."""

    id: str
    parameters: PairParameters
    certificate: PairCertificate
    alignments: list[AlignedPair]
