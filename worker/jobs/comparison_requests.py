"""What a client may ask for of two genomes: the body of a comparison, and what of it is kept in Redis as JSON."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from shardwater.errors import ScoringError
from shardwater.genomes.comparison import (
    LEAST_WORD,
    MOST_DROP,
    MOST_WORD,
    Comparison,
    ComparisonError,
    Extension,
    Sensitivity,
    Strands,
)
from shardwater.genomes.gapped import GappedScoring
from shardwater.genomes.genome import MOST_LETTERS
from shardwater.genomes.regions import Region
from worker.jobs.pair_requests import Source

MOST_REGIONS = 1000
MOST_FREQUENCY = 1 << 50
MOST_SCORE = 1000
"""Of two letters, and of what a gap costs, in alignments with gaps."""

Place = Annotated[int, Field(strict=True, ge=1, le=MOST_LETTERS)]
RecordName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="Its name; or `#2`, where several have one: the second of its genome, if none is called so.",
    ),
]
Cost = Annotated[int, Field(strict=True, ge=0, le=MOST_SCORE)]


class RegionAsked(BaseModel):
    """Letters of a record of one side, counted from 1, the last one with them."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    side: Literal["query", "subject"]
    record: RecordName
    first: Place = Field(alias="from")
    last: Place = Field(alias="to")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.last < self.first:
            raise ValueError("a region ends behind its beginning")
        return self

    @property
    def region(self) -> Region:
        """As the library has it."""
        return Region(self.record, self.first - 1, self.last)


class ComparisonParameters(BaseModel):
    """How genomes are compared."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    word: int = Field(
        32,
        strict=True,
        ge=LEAST_WORD,
        le=MOST_WORD,
        description=(
            "How many letters in a row are equal somewhere in each shared stretch. Take 16 or 12 to find more "
            "distant relatives; it takes longer.\n\n"
            "Letters of a word: seeds are equal ones."
        ),
    )
    sensitivity: Sensitivity = Field(
        "sensitive",
        description=(
            "Which equal words are followed where a word comes many times. Take fast or hyperfast for large "
            "genomes full of repeats.\n\n"
            "Seeds of repeated words: `sensitive` takes all, `fast` some, `hyperfast` still fewer."
        ),
    )
    max_frequency: Annotated[int, Field(strict=True, ge=1, le=MOST_FREQUENCY)] | None = Field(
        None,
        description=(
            "How many equal words of one kind are followed at most. Set it, to 1,000 say, where repeats give too "
            "many stretches.\n\n"
            "Exact matches that may begin with one word; of more some are taken, evenly."
        ),
    )
    extension: Extension = Field(
        "letters",
        description=(
            "How an equal word grows to a stretch. Keep letter by letter, which finds its ends; take blocks to "
            "compare with GPUGECKO.\n\n"
            "`letters`, or `blocks` of 32 as GPUGECKO does."
        ),
    )
    x_drop: int = Field(
        1000,
        strict=True,
        ge=0,
        le=MOST_DROP,
        description=(
            "A stretch is cut where its score falls by more. Lower it to cut at shorter unlike parts; 0 never "
            "cuts.\n\n"
            "Of HSPs found letter by letter; 0 is as in CPU GECKO."
        ),
    )
    strands: Strands = Field(
        "both",
        description=(
            "Which strands of the subject are compared. Take forward alone, in half the time, where nothing can be "
            "inverted."
        ),
    )
    min_length: int = Field(
        100,
        strict=True,
        ge=1,
        le=MOST_LETTERS,
        description=(
            "The least length of a stretch, in letters. Raise it, to 1,000 say, for large blocks alone; lower it "
            "for short elements.\n\n"
            "Letters of an HSP, at least."
        ),
    )
    min_identity: float = Field(
        60,
        strict=True,
        ge=0,
        le=100,
        description=(
            "The least share of equal letters in a stretch, in per cent. Raise it for close strains; lower it for "
            "distant relatives.\n\n"
            "Of an HSP."
        ),
    )
    gapped: Literal["none", "exact"] = Field(
        "none",
        description=(
            "Whether what is around each stretch is aligned with gaps. Ask for it to see insertions, and true "
            "identities; it takes longer.\n\n"
            "`exact`: what is around each HSP is aligned locally, with gaps."
        ),
    )
    match: int = Field(
        2,
        strict=True,
        ge=1,
        le=MOST_SCORE,
        description=(
            "The score of two equal bases, in alignments with gaps. Raise it, against the other scores, for longer "
            "alignments.\n\n"
            "Of `gapped`."
        ),
    )
    mismatch: int = Field(
        -3,
        strict=True,
        ge=-MOST_SCORE,
        le=-1,
        description=(
            "The score of two bases that differ, in alignments with gaps. Lower it where nearly equal stretches "
            "alone should count.\n\n"
            "Of `gapped`: score of other letters."
        ),
    )
    gap_open: Cost = Field(
        5,
        description=(
            "What it costs to begin a gap. Raise it for fewer gaps.\n\n"
            "Of `gapped`: a gap of n letters costs gap_open + n * gap_extend."
        ),
    )
    gap_extend: Cost = Field(
        2,
        description=(
            "What each letter of a gap costs. Lower it where genomes differ by long insertions.\n\nSee gap_open."
        ),
    )
    regions: Annotated[list[RegionAsked], Field(max_length=MOST_REGIONS)] | None = Field(
        None,
        description=(
            "Parts of either genome. Name them to compare these alone.\n\n"
            "Of either side; what is outside of a side's regions, if it has any, is not compared."
        ),
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        try:
            _ = self.comparison, self.scoring
        except (ComparisonError, ScoringError) as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def comparison(self) -> Comparison:
        """As the library has it; raises ComparisonError."""
        return Comparison(
            word=self.word,
            sensitivity=self.sensitivity,
            max_frequency=self.max_frequency,
            extension=self.extension,
            x_drop=self.x_drop,
            strands=self.strands,
            min_length=self.min_length,
            min_identity=self.min_identity,
        )

    @property
    def scoring(self) -> GappedScoring:
        """Of alignments with gaps; raises ScoringError."""
        return GappedScoring(self.match, self.mismatch, self.gap_open, self.gap_extend)

    def regions_of(self, side: Literal["query", "subject"]) -> tuple[Region, ...]:
        """Those of one side."""
        return tuple(each.region for each in self.regions or () if each.side == side)


class ComparisonRequest(ComparisonParameters):
    """A comparison: two genomes, and how they are compared."""

    query: Source = Field(
        description=("The first genome.\n\nDNA: FASTA or FASTQ text, an upload, or records of a database."),
        examples=[">a\nACGTTAGCATTGCCGATCGATTACGGATCCATGCAAGCTTGCATGCCTGCAGGTCGACTCTAGAGGATCCCCGGGTACCGAGCTCGAATTC"],
    )
    subject: Source = Field(
        description=("The second genome.\n\nIn the same way as `query`."),
        examples=[">b\nACGTTAGCATTGCCGATCGATTACGGATCCATGCAAGCTTGCATGCCTGCAGGTCGACTCTAGAGGATCCCCGGGTACCGAGCTCGAATTC"],
    )
    title: str = Field("", max_length=200, description="A name for the comparison, by which lists show it.")

    @field_validator("title")
    @classmethod
    def _check_title(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("a title is one line of printable text")
        return value

    @property
    def parameters(self) -> ComparisonParameters:
        """What is kept of it: all but the genomes and the title."""
        return ComparisonParameters(**{name: getattr(self, name) for name in ComparisonParameters.model_fields})
