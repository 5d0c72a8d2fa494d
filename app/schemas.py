"""Shapes that exist only over HTTP."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from worker.jobs.states import Phase, State

MOST_SEQUENCES = 1000
"""So many sequences of a database may be asked for at once."""


class ProblemDetail(BaseModel):
    """One thing that is wrong: where in the body (pointer) or which parameter, and the place in a FASTA text."""

    pointer: str | None = None
    parameter: str | None = None
    record: int | None = Field(
        default=None, description="Record of the FASTA text, from 1; 0 is before the first header."
    )
    line: int | None = Field(default=None, description="Line of the text, from 1.")
    column: int | None = Field(default=None, description="Column of the line, from 1.")
    detail: str


class Problem(BaseModel):
    """An error (RFC 9457)."""

    type: str = Field(examples=["urn:shardwater:problem:invalid-sequence"])
    title: str
    status: int
    detail: str
    instance: str | None = None
    request_id: str | None = None
    retryable: bool = Field(description="Whether the same request may succeed later.")
    errors: list[ProblemDetail] | None = None
    limit: int | None = Field(default=None, description="The limit that was passed.")
    actual: int | None = Field(default=None, description="What was sent.")


class Links(BaseModel):
    """Where to go on from here; paths on this server."""

    self: str
    results: str
    events: str
    cancel: str


class DatabaseName(BaseModel):
    """A database version that a search runs on; of several, their names and versions with blanks between them, and the
    SHA-256 of their checksums.
    """

    name: str
    version: str
    checksum: str


class Shards(BaseModel):
    """Shards that have answered, of all."""

    done: int
    total: int


class SearchWarning(BaseModel):
    """Something odd about a query, which is searched all the same."""

    query: int = Field(description="Number of the record, from 1.")
    code: str = Field(
        description="What it is, for programs; more kinds may come.",
        examples=["looks-like-dna"],
    )
    detail: str = Field(description="A sentence for people.")


class Search(BaseModel):
    """A search as it stands."""

    id: str
    state: State
    title: str
    database: DatabaseName
    # With a default, so that a newer client reads an older server's replies.
    databases: list[DatabaseName] = Field(default=[], description="The databases that are searched, one by one.")
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime = Field(description="When the search and its result are removed.")
    progress: float = Field(
        description="Share of the work that is done, 0 to 1: scoring, alignments and the making of the result, weighed "
        "by the time they take."
    )
    phase: Phase | None = Field(
        description="What is done now: `queued`, `scoring`, `aligning`, or `merging`, when the result is made; that of "
        "the shard that is least far. Null once the search has ended."
    )
    shards: Shards
    error: Problem | None = Field(description="Why it failed.")
    position: int | None = Field(description="Searches before this one in its longest queue; null once it has ended.")
    estimate_s: float | None = Field(
        description="Seconds until it ends, with the searches before it, by what searches have taken; null once it has "
        "ended."
    )
    reused: bool = Field(description="Whether an earlier search answered this request.")
    warnings: list[SearchWarning] = Field(default=[], description="What is odd about its queries: the first 20.")
    links: Links


class Progress(BaseModel):
    """How far a search is: the data of a `progress` event; the members are those of a search."""

    progress: float
    phase: Phase | None
    shards: Shards
    position: int | None
    estimate_s: float | None


class SearchEstimate(BaseModel):
    """What a search would take if it were submitted now."""

    database: DatabaseName
    databases: list[DatabaseName] = Field(default=[], description="The databases that are searched, one by one.")
    queries: int
    residues: int = Field(description="Of all queries.")
    cells: int = Field(
        description="Query residues x database residues: the work; and those of shuffles and of further alignments, as "
        "many as are asked for."
    )
    quota_cost: int = Field(description="Cells that it would be charged with; none where an earlier search answers it.")
    seconds: float | None = Field(description="This search alone, on its slowest shard.")
    queue_seconds: float | None = Field(description="Until it would begin: the searches before it.")
    position: int = Field(description="Searches before it in the longest of its queues.")
    reused: bool = Field(
        description="Whether an earlier search would answer it; the seconds are those that this one has left."
    )
    # With a default, so that a newer client reads an older server's replies.
    warnings: list[SearchWarning] = Field(default=[], description="What is odd about its queries: the first 20.")


class VerificationLinks(BaseModel):
    """Where to go on from here; paths on this server."""

    self: str
    cancel: str
    search: str = Field(description="What is verified.")


class Difference(BaseModel):
    """A member that has one value in the stored result, and another one when it is computed anew."""

    query: int | None = Field(description="Number of the query, from 1; null for what belongs to the whole result.")
    query_id: str
    rank: int | None = Field(description="The hit's place in the list where it stands, from 1.")
    accession: str
    member: str = Field(description="The member's path; empty for a whole hit.", examples=["hsps[1].identity"])
    stored: str | None = Field(description="Its JSON, the middle of a long one; null where it is missing.")
    computed: str | None = Field(description="The same computed anew.")


class VerificationReport(BaseModel):
    """What a verification has found."""

    equal: bool = Field(description="Whether all that was compared is equal, and the stored result has its digest.")
    cells: int = Field(description="Scored anew.")
    subjects: int = Field(description="Scored anew for each query; of a sample its hits aside.")
    stored_digest: str | None = Field(description="The stored result's; null where an earlier version has made it.")
    changed: str = Field(
        description="How the stored result, its digest or its signature shows that it was changed; else empty."
    )
    total: int = Field(description="How many differences there are.")
    differences: list[Difference] = Field(description="The first 20.")
    software: str = Field(description="The version of Shardwater that has computed anew.")


class Verification(BaseModel):
    """A verification as it stands."""

    id: str
    search: str = Field(description="The search whose result is verified.")
    sample: int | None = Field(description="Subjects scored besides the hits; null where all is searched again.")
    state: State
    database: DatabaseName
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime = Field(description="When it is removed.")
    progress: float = Field(description="Share of the work that is done, 0 to 1.")
    error: Problem | None = Field(description="Why it failed: that says nothing of the result.")
    position: int | None = Field(description="Jobs before this one in its longest queue; null once it has ended.")
    estimate_s: float | None = Field(description="Seconds until it ends; null once it has ended.")
    report: VerificationReport | None = Field(description="What was found; null until it has succeeded.")
    links: VerificationLinks


class SearchPage(BaseModel):
    """A page of searches, newest first."""

    items: list[Search]
    next_page_token: str = Field(description="For the next page; empty on the last one.")


class DatabaseInfo(BaseModel):
    """A database of this server."""

    name: str
    title: str
    version: str
    checksum: str
    alphabet: Literal["protein", "dna"] = Field(description="`dna`: nucleotides, to align and compare, not to search.")
    sequences: int
    residues: int
    longest: int
    shards: int
    replaced: dict[str, int] = Field(description="Residues that score as X, by letter.")
    # With defaults, so that a newer client reads an older server's replies.
    taxa: int = Field(default=0, description="Different taxids that its sequences have.")
    taxonomy: Literal["none", "taxids", "tree"] = Field(
        default="none",
        description="What a search can choose taxa by: `none`; `taxids`, each for itself; `tree`, each with all that "
        "descends from it.",
    )
    members: int = Field(
        default=0, description="Sequences that others represent, as members of their clusters: kept, not searched."
    )
    member_residues: int = Field(default=0, description="Residues of these.")
    created_at: datetime
    state: Literal["ready", "loading", "degraded", "retired"] = Field(
        description="ready: every shard has a worker; degraded: some have; loading: none has yet. Nucleotides, which "
        "are not searched, are ready."
    )


class DatabaseList(BaseModel):
    """The databases of this server."""

    items: list[DatabaseInfo]


class Sequence(BaseModel):
    """A sequence of a database, with its original letters."""

    accession: str
    title: str
    length: int
    sequence: str


class SequenceName(BaseModel):
    """A sequence of a database without its letters."""

    accession: str
    title: str
    length: int


class SequencePage(BaseModel):
    """A page of a database's sequences, the shortest first."""

    items: list[SequenceName]
    next_page_token: str = Field(description="For the next page; empty on the last one.")


class SequenceBatch(BaseModel):
    """Which sequences of a database are wanted."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    accessions: list[str] = Field(
        min_length=1, max_length=MOST_SEQUENCES, description="First words of headers; answered in this order."
    )


class SequenceList(BaseModel):
    """Sequences of a database, as they were asked for."""

    items: list[Sequence]


class HitTaxon(BaseModel):
    """A taxon that hits are of, or that these descend from."""

    taxid: int
    name: str = Field(description="Its scientific name; empty where nobody says it.")
    rank: str = Field(description="As `species`; empty where the database has no tree of taxa.")
    parent: int | None = Field(description="The taxid of the nearest one above that is listed; null at the top.")
    hits: int = Field(description="Hits that are of it, or descend from it.")
    ranks: str = Field(description="The ranks of these, as `hits` of a result takes them: 1,5,9-12.")


class HitTaxonList(BaseModel):
    """The taxa of a query's hits: each after its parent, those with more hits before their siblings.

    Of a lineage that does not branch its lowest taxon is listed. Without a tree of taxa each stands by itself.
    """

    items: list[HitTaxon]
    without_taxid: int = Field(description="Hits that nobody has said a taxid of.")


class ParameterValue(BaseModel):
    """A value that a parameter may have."""

    value: str
    label: str


class GapCosts(BaseModel):
    """Gap costs with published statistics."""

    gap_open: int
    gap_extend: int
    recommended: bool


class MatrixCosts(BaseModel):
    """A matrix and the gap costs that statistics other than `none` accept."""

    matrix: str
    gap_costs: list[GapCosts]


class Parameter(BaseModel):
    """A parameter of a job. With defaults where earlier versions had none, so that clients read their replies, too."""

    name: str
    type: str
    summary: str = Field(default="", description="What it does, and when to change it: for people.")
    description: str = Field(description="The same, and then, behind an empty line, what a program has to know.")
    required: bool
    default: Any
    usual: dict[str, Any] | None = Field(
        default=None, description="What is taken of `protein` and of `dna`, where the default goes by the letters."
    )
    minimum: float | None
    exclusive_minimum: bool = Field(default=False, description="Whether it has to be more than `minimum`.")
    maximum: float | None
    values: list[ParameterValue]


class ParameterList(BaseModel):
    """All that a job of each kind can be told."""

    parameters: list[Parameter] = Field(description="Of a search.")
    matrices: list[MatrixCosts]
    alignments: list[Parameter] = Field(default=[], description="Of a job of pairs.")
    comparisons: list[Parameter] = Field(default=[], description="Of a comparison of genomes.")
    msas: list[Parameter] = Field(default=[], description="Of MSAs.")
