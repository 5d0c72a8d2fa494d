"""Shapes of comparisons of genomes over HTTP."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.schemas import Problem, Shards
from shardwater.genomes.summary import Policy, Summary
from worker.jobs.comparison_requests import MOST_SCORE, ComparisonParameters, Cost, Place, RecordName
from worker.jobs.states import Phase, State


class ComparisonLinks(BaseModel):
    """Where to go on from here; paths on this server."""

    self: str
    results: str
    records: str
    dotplot_svg: str
    dotplot_png: str
    events: str
    cancel: str
    align: str


class ComparisonCertificate(BaseModel):
    """What was done: all HSPs were found, but for those of seeds that the policy has left out."""

    exact: bool
    query_words: int = Field(description="Words of the query that were listed on each strand: all of them.")
    subject_words: int
    policy: Policy = Field(description="Which seeds were taken.")
    parts: int = Field(description="That the HSPs were found in, by any workers.")
    engines: list[str] = Field(description="What computed: `cpu`, or devices' names.")
    software: str


class Comparison(BaseModel):
    """A comparison as it stands."""

    id: str
    state: State
    title: str
    parameters: ComparisonParameters
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime = Field(description="When the comparison, its genomes and its result are removed.")
    progress: float = Field(
        description="Share of the work that is done, 0 to 1. With `gapped` finding HSPs is half of it, and aligning "
        "their boxes the other half."
    )
    phase: Phase | None = Field(
        description="What is done now: `scoring`: HSPs are found; `aligning`, with `gapped`: their boxes are aligned; "
        "`merging`: what was found is put together. Null once the comparison has ended."
    )
    parts: Shards
    error: Problem | None = Field(description="Why it failed.")
    position: int | None = Field(description="Jobs before this one; null once it has ended.")
    estimate_s: float | None = Field(description="Seconds until it ends; null once it has.")
    reused: bool = Field(description="Whether an earlier comparison answered this request.")
    certificate: ComparisonCertificate | None = Field(description="Once it has succeeded; null in lists.")
    summary: Summary | None = Field(description="Once it has succeeded; null in lists.")
    links: ComparisonLinks


class ComparisonProgress(BaseModel):
    """How far a comparison is: the data of a `progress` event."""

    progress: float
    phase: Phase | None
    parts: Shards
    position: int | None
    estimate_s: float | None


class ComparisonPage(BaseModel):
    """A page of comparisons, newest first."""

    items: list[Comparison]
    next_page_token: str = Field(description="For the next page; empty on the last one.")


class ComparisonEstimate(BaseModel):
    """What a comparison would take if it were submitted now."""

    parameters: ComparisonParameters
    letters: int = Field(description="Of both genomes, once for each strand that is compared: the work.")
    quota_cost: int = Field(
        description="Cells that it would be charged with: 1,000 for each of these letters, and with `gapped` 1,000 for "
        "each letter of both genomes; 0 if an earlier comparison answers it. Should the boxes have more cells, these "
        "are charged once they are known."
    )
    seconds: float = Field(description="This comparison alone; with `gapped`, for 1,000 cells of boxes a letter.")
    queue_seconds: float = Field(description="Until it would begin.")
    position: int = Field(description="Jobs before it.")
    reused: bool = Field(description="Whether an earlier comparison would answer it.")


class GenomeHsp(BaseModel):
    """A stretch that both genomes share: an HSP, or an alignment with gaps where these were asked for."""

    query: str
    subject: str
    query_from: int = Field(description="In its record, from 1, forward, and in the HSP, as are the others.")
    query_to: int
    subject_from: int
    subject_to: int
    strand: Literal["+", "-"] = Field(description="`-`: the query's reverse complement is like the subject.")
    score: int
    length: int = Field(description="Columns.")
    matches: int = Field(description="Columns of two known letters that are the same.")
    identity: float = Field(description="These in per cent of all columns.")
    cigar: str | None = Field(description="Along the subject; null of HSPs, which have no gaps.")


class ComparisonResult(BaseModel):
    """All that two genomes share: forward HSPs first, along the query."""

    id: str
    parameters: ComparisonParameters
    certificate: ComparisonCertificate
    summary: Summary
    hsps: list[GenomeHsp]


class GenomeRecord(BaseModel):
    """A record of a genome."""

    name: str
    length: int = Field(description="Letters.")


class ComparisonRecords(BaseModel):
    """The records of both genomes, in their order, whole also where regions alone are compared."""

    query: list[GenomeRecord]
    subject: list[GenomeRecord]


class Stretch(BaseModel):
    """Letters of a record, counted from 1, the last one with them."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    record: RecordName
    first: Place = Field(alias="from")
    last: Place = Field(alias="to")

    @property
    def letters(self) -> int:
        """How many it has."""
        return max(0, self.last - self.first + 1)


class StretchAlignment(BaseModel):
    """A stretch of each genome, to be aligned with gaps; scores that are not given are those of the comparison."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: Stretch
    subject: Stretch
    strand: Literal["+", "-"] = Field("+", description="`-`: the query's reverse complement is aligned.")
    match: int | None = Field(None, strict=True, ge=1, le=MOST_SCORE)
    mismatch: int | None = Field(None, strict=True, ge=-MOST_SCORE, le=-1)
    gap_open: Cost | None = None
    gap_extend: Cost | None = None
