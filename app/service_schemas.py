"""Shapes of what the service tells of itself: its limits, its health, its workers."""

from typing import Literal

from pydantic import BaseModel, Field

from app.schemas import MatrixCosts
from app.upload_schemas import UploadBounds
from shardwater.genomes.genome import MOST_LETTERS


class PairBounds(BaseModel):
    """What one job of pairs may be."""

    max_pairs: int
    max_pair_cells: int = Field(description="Letters of the query x letters of the subject of one pair.")
    max_alignment_cells: int = Field(description="The same of all pairs.")


class ComparisonBounds(BaseModel):
    """What one comparison may be."""

    max_comparison_letters: int = Field(description=f"Of both genomes together; each has {MOST_LETTERS:,} at most.")
    max_comparison_records: int = Field(description="Of both genomes together.")


class ServiceLimits(BaseModel):
    """What one search may ask for, and how long its result is kept."""

    max_queries: int
    max_query_length: int
    max_query_residues: int
    max_body_bytes: int
    max_target_seqs: int
    max_hits: int = Field(description="Queries x max_target_seqs x max_hsps.")
    max_wait_s: int = Field(description="The longest `Prefer: wait` that is honoured.")
    retention_s: int
    max_score_bytes: int = Field(
        default=0, description="4 x queries x subjects, of a search with `scores=all`; 0 where a server keeps none."
    )
    max_profile_residues: int = Field(
        default=0, description="Residues of all queries of a search with `iterations`; 0 where a server makes none."
    )
    # With a default, so that a newer client reads an older server's replies.
    uploads: UploadBounds | None = None
    pairs: PairBounds | None = None
    comparisons: ComparisonBounds | None = None


class ServiceType(BaseModel):
    """What kind of service this is (GA4GH service-info)."""

    group: str
    artifact: str
    version: str


class Organization(BaseModel):
    """Who runs it."""

    name: str
    url: str


class SigningKey(BaseModel):
    """The public key of the signature under this service's results."""

    algorithm: Literal["Ed25519"]
    key: str = Field(description="Its name in a result's `signature`: 16 hex digits of its SHA-256.")
    public_key: str = Field(description="As PEM.")


class ServiceInfo(BaseModel):
    """This service, its limits, and what it can do (GA4GH service-info with additions)."""

    id: str
    name: str
    type: ServiceType
    organization: Organization
    version: str
    commit: str
    limits: ServiceLimits
    matrices: list[MatrixCosts]
    statistics: list[str]
    formats: list[str]
    pair_formats: list[str] = Field(description="Those of jobs of pairs.")
    # With a default, so that a newer client reads an older server's replies.
    comparison_formats: list[str] = Field(default=[], description="Those of comparisons.")
    msa_formats: list[str] = Field(default=[], description="Those of MSAs.")
    columns: list[str]
    letters: str = Field(description="How letters are read and scored.")
    signing: SigningKey | None = Field(default=None, description="Null where results are not signed.")


class Health(BaseModel):
    """The process lives."""

    status: Literal["ok"] = "ok"


class ShardHealth(BaseModel):
    """Whether a worker answers for a shard."""

    database: str
    version: str
    index: int
    alive: bool


class Readiness(BaseModel):
    """Whether searches can be answered: the queue is there and so is every shard of at least one database."""

    ready: bool
    shards: list[ShardHealth]


class WorkerInfo(BaseModel):
    """A worker: of a shard, or of pairs alone, which needs no database."""

    name: str
    database: str | None = Field(description="null of a worker without a database, as are version, shard and shards.")
    version: str | None
    shard: int | None
    shards: int | None = Field(description="Of how many it is one.")
    state: Literal["idle", "busy", "draining"] = Field(
        description="draining: it was told to stop, and finishes the search that it is at."
    )
    engine: str = Field(description="What computes: `cpu`, or the device's name.")
    memory_bytes: int = Field(description="What the process holds of the machine's memory.")
    device_memory_bytes: int | None = Field(description="The device's memory in use, by whomever; null without one.")
    device_memory_total_bytes: int | None = Field(description="The device's memory; null without one.")
    cells_per_second: float = Field(description="In a long query, by what its searches have taken.")
    heartbeat_age_s: float
    software: str = Field(description="The version of Shardwater that it runs.")
    pid: int
    host: str


class WorkerList(BaseModel):
    """The workers whose heartbeats come."""

    items: list[WorkerInfo]
