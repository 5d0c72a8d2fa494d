"""What a client may ask for: the body of a search and, stored in Redis as JSON, what its jobs read."""

import re
from dataclasses import fields
from typing import Annotated, Any, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from shardwater.errors import ScoringError
from shardwater.formats.pssms.reading import read_pssm
from shardwater.profiles.iteration import INCLUSION_EVALUE
from shardwater.scoring.scoring import MATRICES, OWN_NAME, Scoring
from shardwater.search.parameters import Composition, Order, Parameters
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.sequences.masking.masks import Mask
from shardwater.statistics.evalue import PUBLISHED, Method, parameters
from shardwater.statistics.shuffles import Shuffle
from worker.jobs.database_names import DatabaseNames, check_named
from worker.jobs.given_profiles import MOST_PSSM_TEXT, with_profile
from worker.jobs.plain_values import PlainValues
from worker.jobs.query_parts import PART, check_part, parts_of
from worker.jobs.taxids import Taxids

MOST_TARGET_SEQS = 10_000
MOST_HSPS = 100
DEAREST_GAP = 100_000
DEFAULT_EVALUE = 10.0
LEAST_SHUFFLES, MOST_SHUFFLES = 100, 1000
MOST_ITERATIONS = 20
MOST_SEED = 2**53 - 1
"""What every reader of JSON takes for a whole number."""

GapCost = Annotated[int, Field(ge=0, le=DEAREST_GAP)]
_MATRIX_SCHEMA = {"anyOf": [{"type": "string", "enum": list(MATRICES)}, {"type": "string", "pattern": OWN_NAME}]}
MatrixId = Annotated[str, WithJsonSchema(_MATRIX_SCHEMA)]
Percent = Annotated[float, Field(ge=0, le=100)]


def _needs_nothing(schema: dict[str, Any]) -> None:
    """A profile has its query with it, and several databases may be named: validators see to both."""
    schema.pop("required")


class SearchRequest(PlainValues):
    """A search: protein queries against one database, or several as if one held all their sequences."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_needs_nothing)

    sequence: str = Field(
        min_length=1,
        description="FASTA text with one or many records, or a bare sequence. Letters A-Z in either case and `*`; "
        "U, O and J have no row in the matrices and score as X (counted in `query.replaced`). Anything else, `-` "
        "and digits included, is refused with record, line and column. Needed, but where `pssm` stands in its place.",
        examples=[
            ">LGB1_VICFA Leghemoglobin-1\nMGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLGAHAEKVFGMV"
        ],
    )
    databases: DatabaseNames | None = Field(
        None,
        description="Names of databases that are searched as if one held all their sequences, in this order: one list "
        "of hits, with E-values by their size together. In a form or a query string with blanks between them.",
        examples=[["demo", "more"]],
    )
    database: str | None = Field(
        None,
        validate_default=True,
        description="Name of a database of this server, from /v1/databases. Name one here or several in `databases`.",
        examples=["demo"],
    )
    matrix: MatrixId = Field(
        "BLOSUM62",
        description="Substitution matrix: a published one by its name, or one of your own by the `id` that POST "
        "/v1/matrices has given it. With one of your own, gap_open and gap_extend have to be given, and `statistics` "
        "is `fitted`, `simulated` or `none`.",
    )
    gap_open: GapCost | None = Field(
        None,
        description="A gap of n residues costs gap_open + n * gap_extend, as in BLAST: with 11 and 1 the first residue "
        "costs 12. Default: the pair that BLAST recommends for the matrix (11/1 for BLOSUM62).",
    )
    gap_extend: GapCost | None = Field(None, description="See gap_open.")
    evalue: float = Field(
        DEFAULT_EVALUE, gt=0, allow_inf_nan=False, description="Report hits with at most this E-value."
    )
    max_target_seqs: int = Field(
        100,
        ge=1,
        le=MOST_TARGET_SEQS,
        description="Report this many subjects of each query at most, the first of the order.",
    )
    min_bits: float | None = Field(None, allow_inf_nan=False, description="Report hits of at least this bit score.")
    min_identity: Percent | None = Field(
        None, description="Per cent identical columns of the alignment; applies to the max_target_seqs best subjects."
    )
    min_query_coverage: Percent | None = Field(
        None, description="Per cent of the query inside the alignment; applies to the max_target_seqs best subjects."
    )
    statistics: Method = Field(
        "fitted",
        description="`fitted`: from the scores of all subjects, by regression on the logarithm of their lengths, for "
        "any gap costs; where no fit can be made, `table` or, without published parameters, `none` stands in, and "
        "`statistics.fallback_reason` says why. `table`: finite-size-corrected E-value with published parameters; "
        "`karlin-altschul`: the plain formula with effective lengths; `simulated`: as `table`, for any gap costs that "
        "are not too low, with parameters that are simulated once for these scores and gap costs; `none`: scores only, "
        "for any gap costs.",
    )
    composition: Composition = Field(
        "adjusted",
        description="`adjusted`: fitted E-values, bits and the limits go by what is left of a score where both aligned "
        "stretches are made of few kinds of letters, or of repeats; the score, and the figures of all of it in "
        "`evalues`, stand beside them. `none`: they are those of the score, as the other statistics' are in any case.",
    )
    mask: Mask = Field(
        "none",
        description="What of queries and subjects is masked: `seg`, stretches of low complexity by SEG's rules; "
        "`tantan`, repeats by tantan's; `soft`, letters in lower case; `none`. The search stays exact: `score` and "
        "alignments are of all letters. E-values, bits and limits go by what is left of a score where masked letters "
        "count as X (`masked`). `evalues` are those of the whole score.",
    )
    order: Order = Field(
        "evalue",
        description="What comes first and is kept where there is more than max_target_seqs: `evalue`, the lowest "
        "E-value, then the highest score; `score`, the highest score. Ties go by the subject's place in the database: "
        "the shorter first, then in the order of the databases and of their sequences.",
    )
    score_distribution: bool = Field(
        False,
        description="Give the counts of all subjects' scores, what the fit expects of them, and for each hit the "
        "E-values by table and by fit.",
    )
    alignments: int = Field(
        100,
        ge=0,
        le=MOST_TARGET_SEQS,
        description="Give alignments for this many hits of each query; the rest have scores.",
    )
    max_hsps: int = Field(
        1,
        ge=1,
        le=MOST_HSPS,
        description="Give this many alignments of each of these hits at most: the best, then the best of those that "
        "share no pair of letters with the ones before it, as long as evalue and min_bits let it pass.",
    )
    query_loc: str | None = Field(
        None,
        pattern=PART,
        description="Search this part of each query alone, as `5-40`: its first and last residue, from 1; a query that "
        "ends before is searched to its end. Places of alignments, `query.length` and coverage are of the whole query, "
        "E-values of the part.",
        examples=["5-40"],
    )
    shuffles: int = Field(
        0,
        ge=0,
        le=MOST_SHUFFLES,
        description="Give each hit that is aligned a Z-value, from so many shuffles of the query and as many of the "
        "subject: 100 as is usual, 1,000 for publication; 0: none.",
    )
    shuffle: Shuffle = Field(
        "uniform",
        description="What letters are shuffled: `uniform`, all of a sequence; `windows`, each ten that follow one "
        "another, so that the composition along a sequence stays.",
    )
    shuffle_seed: int = Field(
        0, ge=0, le=MOST_SEED, description="Another seed gives other shuffles; the same one always the same."
    )
    iterations: int = Field(
        1,
        ge=1,
        le=MOST_ITERATIONS,
        description="Search in up to so many rounds, as PSI-BLAST does: each but the first one with a profile of what "
        "the round before has found with E-values up to inclusion_evalue, until a round finds nothing new. Hits are of "
        "the last round; `rounds` says what each has found. Charged for all that may be made.",
    )
    inclusion_evalue: float = Field(
        INCLUSION_EVALUE,
        gt=0,
        le=10,
        allow_inf_nan=False,
        description="The largest E-value of a hit that a profile is made of: by the statistics asked for, and by "
        "published parameters where there are both.",
    )
    pssm: str | None = Field(
        None,
        min_length=1,
        max_length=MOST_PSSM_TEXT,
        description="Search with this profile, which has its query with it, in place of `sequence`: PSI-BLAST's ASN.1 "
        "text (-out_pssm) or table (-out_ascii_pssm), or JSON as GET /v1/searches/{search}/pssm gives it. `matrix` and "
        "the gap costs are those that it names, unless you give others.",
    )
    scores: Literal["none", "all"] = Field(
        "none",
        description="`all`: keep the score of every subject, too, for GET /v1/searches/{search}/scores: 4 bytes for "
        "each subject and query. `none`: scores of hits alone.",
    )
    taxids: Taxids = Field(
        (),
        description="Search sequences of these taxa alone, and of all that descends from them where the database has "
        "its tree: as if it held no others, so that E-values, counts and the certificate are of them.",
        examples=[[9606]],
    )
    negative_taxids: Taxids = Field((), description="Leave out the sequences of these, in the same way.")
    title: str = Field("", max_length=200, description="A name for the search, shown in lists.")

    @field_validator("database")
    @classmethod
    def _check_database(cls, value: str | None, info: ValidationInfo) -> str | None:
        # Of names that will not do, that is told.
        if "databases" in info.data:
            check_named(value, info.data["databases"])
        return value

    @property
    def names(self) -> tuple[str, ...]:
        """The databases that are searched, in their order."""
        return self.databases or (self.database or "",)

    @field_validator("title")
    @classmethod
    def _check_title(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("a title is one line of printable text")
        return value

    @model_validator(mode="before")
    @classmethod
    def _read_shuffled(cls, values: object) -> object:
        if isinstance(values, dict) and values.get("statistics") == "shuffled":
            # Generated clients send every default along.
            default = str(values.get("shuffles", "")) in ("", "0")
            return {**values, "statistics": "fitted", **({"shuffles": LEAST_SHUFFLES} if default else {})}
        return values

    @model_validator(mode="before")
    @classmethod
    def _read_pssm(cls, values: object) -> object:
        return with_profile(values) if isinstance(values, dict) else values

    @field_validator("query_loc", mode="before")
    @classmethod
    def _check_part(cls, value: object) -> object:
        return check_part(value)

    @field_validator("shuffles")
    @classmethod
    def _check_shuffles(cls, value: int) -> int:
        if 0 < value < LEAST_SHUFFLES:
            raise ValueError(f"of fewer than {LEAST_SHUFFLES} shuffles no Z-value is to be trusted; 0 asks for none")
        return value

    @model_validator(mode="after")
    def _check_shuffle(self) -> Self:
        if not self.shuffles and (self.shuffle != "uniform" or self.shuffle_seed):
            raise ValueError("shuffle and shuffle_seed say how letters are shuffled: ask for shuffles, too")
        return self

    @model_validator(mode="after")
    def _check_profiles(self) -> Self:
        if self.iterations > 1 or self.pssm is not None:
            if self.shuffles:
                raise ValueError("shuffles are of sequences: leave them out where a profile is searched with")
            if self.keeps_scores and self.iterations > 1:
                raise ValueError(
                    "scores=all is for one round: search with the profile of the last one (pssm) once more"
                )
        if self.iterations > 1 and self.statistics == "none":
            raise ValueError("statistics=none gives no E-values to make profiles by: take other statistics")
        return self

    @model_validator(mode="after")
    def _check_scores_of_taxa(self) -> Self:
        if self.keeps_scores and (self.taxids or self.negative_taxids):
            raise ValueError("scores=all keeps the scores of all subjects: leave out taxids and negative_taxids")
        return self

    @field_validator("matrix", mode="before")
    @classmethod
    def _fold_matrix(cls, value: object) -> object:
        if not isinstance(value, str) or value.upper() in MATRICES:
            return value.upper() if isinstance(value, str) else value
        if not re.fullmatch(OWN_NAME, value, re.ASCII):
            raise ValueError(f"unknown matrix; known are {', '.join(MATRICES)}, and your own by the id of each")
        return value

    @model_validator(mode="after")
    def _check_own_matrix(self) -> Self:
        if self.matrix not in MATRICES:
            if self.gap_open is None or self.gap_extend is None:
                raise ValueError("give gap_open and gap_extend: for a matrix of your own there are no usual ones")
            if self.statistics in PUBLISHED:
                raise ValueError(
                    f"statistics={self.statistics} is for published matrices: with one of your own ask for "
                    "statistics=fitted or statistics=simulated"
                )
        return self

    @model_validator(mode="after")
    def _check_statistics(self) -> Self:
        if self.statistics in PUBLISHED:
            try:
                parameters(self.scoring)
            except ScoringError as error:
                raise ValueError(f"{error}; or ask for statistics=simulated, fitted or none") from None
        elif self.statistics == "none" and self.mask != "none":
            raise ValueError(
                "statistics=none gives no E-values for a mask to change: leave out mask, or take other statistics"
            )
        # Generated clients send every default along: only another value was asked for.
        elif self.statistics == "none" and (self.min_bits is not None or self.evalue != DEFAULT_EVALUE):
            raise ValueError("statistics=none gives no bit scores and E-values: leave out evalue and min_bits")
        return self

    @property
    def scoring(self) -> Scoring:
        """The matrix and gap costs, BLAST's recommended ones where none are given.

        Raises ScoringError for a matrix of somebody's own: an OwnMatrixSearch knows the scores of one.
        """
        usual = Scoring.recommended(self.matrix)
        return Scoring(
            self.matrix,
            usual.gap_open if self.gap_open is None else self.gap_open,
            usual.gap_extend if self.gap_extend is None else self.gap_extend,
        )

    @property
    def parameters(self) -> Parameters:
        """All that is asked for besides queries and database, with nothing left to default."""
        scoring = self.scoring
        shared = {field.name for field in fields(Parameters)} - {"gap_open", "gap_extend", "composition"}
        return Parameters(
            **self.model_dump(include=shared),
            gap_open=scoring.gap_open,
            gap_extend=scoring.gap_extend,
            # What a result says of it is what was done.
            composition=self.composition if self.statistics == "fitted" else "none",
        )

    @property
    def rows(self) -> int:
        """What the answer to a query may hold: hits, of each all its alignments."""
        return min(self.max_target_seqs, MOST_TARGET_SEQS) * self.max_hsps

    @property
    def keeps_scores(self) -> bool:
        """Whether all scores are kept."""
        return self.scores == "all"

    @property
    def keeps_files(self) -> bool:
        """Whether its job has a folder: for all scores, or for the profiles of its rounds."""
        return self.keeps_scores or self.iterations > 1

    def records(self) -> list[Record]:
        """The queries, or the parts of them that are searched; raises FastaFormatError or QueryRangeError."""
        records = self.whole_records()
        return records if self.query_loc is None else parts_of(records, self.query_loc)

    def whole_records(self) -> list[Record]:
        """The queries as they were sent; raises FastaFormatError."""
        return read_fasta(self.sequence.encode()) if self.pssm is None else [read_pssm(self.pssm).query]
