"""What a search may be asked for: its fields, with defaults, bounds, and what each is for."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, WithJsonSchema

from shardwater.profiles.iteration import INCLUSION_EVALUE
from shardwater.scoring.scoring import MATRICES, OWN_NAME
from shardwater.search.parameters import Composition, Order
from shardwater.sequences.masking.masks import Mask
from shardwater.statistics.evalue import Method
from shardwater.statistics.shuffles import Shuffle
from worker.jobs.database_names import DatabaseNames
from worker.jobs.given_profiles import MOST_PSSM_TEXT
from worker.jobs.plain_values import PlainValues
from worker.jobs.query_parts import PART
from worker.jobs.taxids import Taxids

MOST_TARGET_SEQS = 10_000
MOST_HSPS = 100
DEAREST_GAP = 100_000
DEFAULT_EVALUE = 10.0
LEAST_SHUFFLES, MOST_SHUFFLES = 100, 1000
MOST_ITERATIONS = 20
MOST_SEED = MOST_DBSIZE = 2**53 - 1
"""What every reader of JSON takes for a whole number."""

GapCost = Annotated[int, Field(ge=0, le=DEAREST_GAP)]
_MATRIX_SCHEMA = {"anyOf": [{"type": "string", "enum": list(MATRICES)}, {"type": "string", "pattern": OWN_NAME}]}
MatrixId = Annotated[str, WithJsonSchema(_MATRIX_SCHEMA)]
Percent = Annotated[float, Field(ge=0, le=100)]


def _needs_nothing(schema: dict[str, Any]) -> None:
    """A profile has its query with it, and several databases may be named: validators see to both."""
    schema.pop("required")


class SearchFields(PlainValues):
    """A search by its fields alone, whatever they are together (requests.py)."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_needs_nothing)

    sequence: str = Field(
        min_length=1,
        description=(
            "The proteins to search with: FASTA with one record or many, or one bare sequence.\n\n"
            "Letters A-Z in either case and `*`; U, O and J have no row in the matrices and score as X (counted "
            "in `query.replaced`). Anything else, `-` and digits included, is refused with record, line and "
            "column. Needed, but where `pssm` stands in its place."
        ),
        examples=[
            ">LGB1_VICFA Leghemoglobin-1\nMGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLGAHAEKVFGMV"
        ],
    )
    databases: DatabaseNames | None = Field(
        None,
        description=(
            "Several databases, searched as if one held all their sequences. Name more than one to have one list "
            "of hits.\n\n"
            "Names of 1 to 10, in this order; E-values are by their size together. In a form or a query string "
            "with blanks between them."
        ),
        examples=[["demo", "more"]],
    )
    database: str | None = Field(
        None,
        validate_default=True,
        description=(
            "The database to search.\n\n"
            "Its name on this server, from /v1/databases. Name one here or several in `databases`."
        ),
        examples=["demo"],
    )
    matrix: MatrixId = Field(
        "BLOSUM62",
        description=(
            "How much each pair of amino acids scores. BLOSUM62 suits most proteins; take BLOSUM45 for distant "
            "relatives, PAM30 for short peptides.\n\n"
            "A published one by its name, or one of your own by the `id` that POST /v1/matrices has given it. "
            "With one of your own, gap_open and gap_extend have to be given, and `statistics` is `fitted`, "
            "`simulated` or `none`."
        ),
    )
    gap_open: GapCost | None = Field(
        None,
        description=(
            "What it costs to begin a gap in an alignment. Keep the usual costs of the matrix; raise them where "
            "gaps are unlikely.\n\n"
            "A gap of n residues costs gap_open + n * gap_extend, as in BLAST: with 11 and 1 the first residue "
            "costs 12. Default: the pair that BLAST recommends for the matrix (11/1 for BLOSUM62)."
        ),
    )
    gap_extend: GapCost | None = Field(
        None,
        description=(
            "What each residue of a gap costs. Lower it where relatives differ by long insertions.\n\nSee gap_open."
        ),
    )
    evalue: float = Field(
        DEFAULT_EVALUE,
        gt=0,
        allow_inf_nan=False,
        description=(
            "The largest E-value of a hit: how many hits as good chance alone would give. Lower it, to 0.001 say, "
            "for sure relatives; raise it for short queries."
        ),
    )
    max_target_seqs: int = Field(
        100,
        ge=1,
        le=MOST_TARGET_SEQS,
        description=(
            "How many sequences are listed for each query at most, the first of the order. Raise it where a large "
            "family fills the list."
        ),
    )
    min_bits: float | None = Field(
        None,
        allow_inf_nan=False,
        description=(
            "The least bit score of a hit. It does not depend on the database's size: set it for one limit in "
            "several databases."
        ),
    )
    min_identity: Percent | None = Field(
        None,
        description=(
            "The least share of equal residues in an alignment, in per cent. Set it to see close relatives alone.\n\n"
            "It applies to the max_target_seqs best subjects."
        ),
    )
    min_query_coverage: Percent | None = Field(
        None,
        description=(
            "The least share of the query that an alignment spans, in per cent. Set it to leave out hits of one "
            "domain alone.\n\n"
            "It applies to the max_target_seqs best subjects."
        ),
    )
    statistics: Method = Field(
        "fitted",
        description=(
            "How E-values are made. Those fitted to the scores of this very search suit nearly all; take those of "
            "published parameters to compare with BLAST.\n\n"
            "`fitted`: from the scores of all subjects, by regression on the logarithm of their lengths, for any "
            "gap costs; where no fit can be made, `table` or, without published parameters, `none` stands in, and "
            "`statistics.fallback_reason` says why. `table`: finite-size-corrected E-value with published "
            "parameters; `karlin-altschul`: the plain formula with effective lengths; `simulated`: as `table`, "
            "for any gap costs that are not too low, with parameters that are simulated once for these scores and "
            "gap costs; `none`: scores only, for any gap costs."
        ),
    )
    composition: Composition = Field(
        "adjusted",
        description=(
            "Whether E-values allow for stretches of few kinds of residues, and repeats, which look alike by "
            "chance. Keep it, but to compare with programs that do not.\n\n"
            "`adjusted`: fitted E-values, bits and the limits go by what is left of a score where both aligned "
            "stretches are made of few kinds of letters, or of repeats; the score, and the figures of all of it "
            "in `evalues`, stand beside them. `none`: they are those of the score, as the other statistics' are "
            "in any case."
        ),
    )
    mask: Mask = Field(
        "none",
        description=(
            "Which letters count for nothing in E-values. Set it where stretches of low complexity or repeats fill "
            "the list of hits.\n\n"
            "`seg`: stretches of low complexity by SEG's rules; `tantan`: repeats by tantan's; `soft`: letters in "
            "lower case; `none`. The search stays exact: `score` and alignments are of all letters. E-values, "
            "bits and limits go by what is left of a score where masked letters count as X (`masked`). `evalues` "
            "are those of the whole score."
        ),
    )
    order: Order = Field(
        "evalue",
        description=(
            "What comes first, and stays where the list is full. Take the highest score for short peptides: what "
            "is identical comes first then.\n\n"
            "`evalue`: the lowest E-value, then the highest score; `score`: the highest score. Ties go by the "
            "subject's place in the database: the shorter first, then in the order of the databases and of their "
            "sequences."
        ),
    )
    score_distribution: bool = Field(
        False,
        description=(
            "Whether the scores of all sequences are counted, for a histogram beside what chance would give.\n\n"
            "Counts of all subjects' scores, what the fit expects of them, and for each hit the E-values by table "
            "and by fit."
        ),
    )
    alignments: int = Field(
        100,
        ge=0,
        le=MOST_TARGET_SEQS,
        description=(
            "For how many of a query's best hits the alignment is given; the rest have scores alone. Raise it to "
            "read or download more of them."
        ),
    )
    max_hsps: int = Field(
        1,
        ge=1,
        le=MOST_HSPS,
        description=(
            "How many alignments of one hit are given at most. Raise it to see repeats, and domains that stand in "
            "another order.\n\n"
            "The best, then the best of those that share no pair of letters with the ones before it, as long as "
            "evalue and min_bits let it pass."
        ),
    )
    query_loc: str | None = Field(
        None,
        pattern=PART,
        description=(
            "The part of each query that is searched, as 5-40. Set it to search one domain of a protein alone.\n\n"
            "Its first and last residue, from 1; a query that ends before is searched to its end. Places of "
            "alignments, `query.length` and coverage are of the whole query, E-values of the part."
        ),
        examples=["5-40"],
    )
    shuffles: int = Field(
        0,
        ge=0,
        le=MOST_SHUFFLES,
        description=(
            "How often query and hit are shuffled for a Z-value, which says how far a score is above chance. Take "
            "100 to look at, 1,000 to publish.\n\n"
            "Each hit that is aligned gets one, from so many shuffles of the query and as many of the subject; 0: "
            "none."
        ),
    )
    shuffle: Shuffle = Field(
        "uniform",
        description=(
            "How letters are shuffled for a Z-value. Take windows where the composition changes along a sequence.\n\n"
            "`uniform`: all of a sequence; `windows`: each ten that follow one another."
        ),
    )
    shuffle_seed: int = Field(
        0,
        ge=0,
        le=MOST_SEED,
        description="The number that chance begins with: another one gives other shuffles, the same one the same.",
    )
    iterations: int = Field(
        1,
        ge=1,
        le=MOST_ITERATIONS,
        description=(
            "Rounds at most; each after the first searches with a profile of what was found. Take 3 to 5 for "
            "distant relatives that one round misses.\n\n"
            "As PSI-BLAST does: a profile is made of what the round before has found with E-values up to "
            "inclusion_evalue, until a round finds nothing new. Hits are of the last round; `rounds` says what "
            "each has found. Charged for all that may be made."
        ),
    )
    inclusion_evalue: float = Field(
        INCLUSION_EVALUE,
        gt=0,
        le=10,
        allow_inf_nan=False,
        description=(
            "The largest E-value of a hit that is in the profile of the next round. Lower it where another family "
            "slips into the profile.\n\n"
            "By the statistics asked for, and by published parameters where there are both."
        ),
    )
    pssm: str | None = Field(
        None,
        min_length=1,
        max_length=MOST_PSSM_TEXT,
        description=(
            "A profile to search with, in place of sequences.\n\n"
            "It has its query with it: PSI-BLAST's ASN.1 text (-out_pssm) or table (-out_ascii_pssm), or JSON as "
            "GET /v1/searches/{search}/pssm gives it. `matrix` and the gap costs are those that it names, unless "
            "you give others."
        ),
    )
    scores: Literal["none", "all"] = Field(
        "none",
        description=(
            "Whether the score of every sequence is kept for download, not of hits alone. Ask for it for "
            "statistics of your own.\n\n"
            "`all`: for GET /v1/searches/{search}/scores: 4 bytes for each subject and query. `none`: scores of "
            "hits alone."
        ),
    )
    taxids: Taxids = Field(
        (),
        description=(
            "Organisms that alone are searched, by their NCBI taxids, as 9606 for human. Set it to find relatives "
            "in one group.\n\n"
            "With all that descends from them where the database has its tree: as if it held no others, so that "
            "E-values, counts and the certificate are of them."
        ),
        examples=[[9606]],
    )
    negative_taxids: Taxids = Field(
        (),
        description=(
            "Organisms that are left out, by their taxids. Set it to find relatives outside of a group.\n\n"
            "In the same way as `taxids`."
        ),
    )
    dbsize: int | None = Field(
        None,
        ge=1,
        le=MOST_DBSIZE,
        description=(
            "How many residues the database is taken to have when E-values are computed. Set it to compare searches of "
            "databases of different sizes.\n\n"
            "As -dbsize of BLAST+: it stands for the size of all that is searched, of several databases and of the "
            "organisms chosen; the number of sequences stays the real one. Fitted E-values change by the factor "
            "between the two sizes. Limits to E-values go by the changed ones; scores stay as they are. Default: the "
            "real size."
        ),
        examples=[200_000_000],
    )
    title: str = Field("", max_length=200, description="A name for the search, by which lists show it.")
