"""What a client may ask for of pairs: the body of an alignment job, and what of it is kept in Redis as JSON."""

from typing import Annotated, Literal, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from shardwater.alignment.ends import MOST_APART, Selection
from shardwater.alignment.scheme import MODES, Mode, Scheme
from shardwater.errors import ScoringError
from shardwater.pairs.by_end_points import APART, MOST_BEST, check_several, selection_of
from shardwater.pairs.coded import Report
from shardwater.pairs.lists import Pairing
from shardwater.pairs.scores import Scores
from shardwater.pairs.strands import Strands
from shardwater.sequences.alphabets import ALPHABETS, DNA, Alphabet
from worker.jobs.sentences import refused, sentence

MOST_ACCESSIONS = 10_000
MOST_TABLE = 10_000
"""Letters of a table's text: one of 15 letters has about 1,000."""
MOST_GAP = 1e9

Gap = Annotated[float, Field(strict=True, ge=0, le=MOST_GAP, allow_inf_nan=False)]
Apart = Annotated[int, Field(strict=True, ge=0, le=MOST_APART)]
ModeName = Literal["local", "global", "semi-global"]
End = Literal["query_begin", "query_end", "subject_begin", "subject_end"]
Accession = Annotated[str, Field(min_length=1, max_length=1000)]


class UploadedSequences(BaseModel):
    """Sequences that were uploaded."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    upload: str = Field(description="Its id, from /v1/uploads.", max_length=100)


class DatabaseSequences(BaseModel):
    """Sequences of a database."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    database: str = Field(description="Its name, from /v1/databases.", max_length=200)
    accessions: Annotated[list[Accession], Field(min_length=1, max_length=MOST_ACCESSIONS)]


def _read_source(value: object) -> object:
    """One error for what is none of the three, in place of three."""
    if isinstance(value, str) and value:
        return value
    if not isinstance(value, dict) or not value.keys() & {"upload", "database"}:
        forms = 'FASTA text, {"upload": id}, or {"database": name, "accessions": [...]}'
        raise ValueError(f"{forms} is needed")
    kind = UploadedSequences if "upload" in value else DatabaseSequences
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{'/'.join(map(str, first['loc']))}: {sentence(first)}") from None


FastaText = Annotated[str, Field(description="FASTA or FASTQ.")]
Source = Annotated[FastaText | UploadedSequences | DatabaseSequences, BeforeValidator(_read_source)]


class PairParameters(BaseModel):
    """How pairs are aligned."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pairing: Pairing = Field(
        "zip",
        description=(
            "Which sequences are aligned with each other. Take each with each to compare all of one list with all "
            "of the other.\n\n"
            "`zip`: first with first, second with second; `all`: each with each."
        ),
    )
    mode: ModeName | None = Field(
        None,
        description=(
            "What is aligned. Local finds what two sequences share; take global for sequences alike from end to "
            "end, free ends for one within another.\n\n"
            "`semi-global`: all four ends are free. Default: `local`."
        ),
    )
    free_ends: list[End] | None = Field(
        None,
        description=(
            "The ends at which letters may be left out at no cost. Free both ends of the subject to place a whole "
            "read in a gene.\n\n"
            "In place of a mode; none is `global`."
        ),
        max_length=4,
    )
    alphabet: Literal["protein", "dna"] | None = Field(
        None,
        description=(
            "Whether the letters are amino acids or DNA. Say so where a short sequence might be either.\n\n"
            "Where it is not said, by a parameter that only one has, else by the first 100 records."
        ),
    )
    matrix: str | None = Field(
        None,
        max_length=50,
        description=(
            "How much each pair of amino acids scores. BLOSUM62 suits most proteins; take BLOSUM45 for distant "
            "ones, BLOSUM80 for close ones.\n\n"
            "Of proteins. Default: BLOSUM62."
        ),
    )
    match: int | None = Field(
        None,
        strict=True,
        description=(
            "The score of two equal bases. Raise it, against the other scores, for longer alignments.\n\n"
            "Of DNA. Default: 2."
        ),
    )
    mismatch: int | None = Field(
        None,
        strict=True,
        description=(
            "The score of two bases that differ. Lower it, to -3 say, where nearly equal stretches alone should "
            "count.\n\n"
            "Of DNA. Default: -1."
        ),
    )
    table: str | None = Field(
        None,
        max_length=MOST_TABLE,
        description=(
            "The score of each pair of DNA letters. Give it where some changes are likelier than others, as "
            "transitions.\n\n"
            "In place of match and mismatch: scores of 4 or 15 letters, in text as NCBI's matrices are."
        ),
    )
    gap_open: Gap | None = Field(
        None,
        description=(
            "What it costs to begin a gap. Raise it for fewer gaps; at 0 each letter of a gap costs the same.\n\n"
            "A gap of n letters costs gap_open + n * gap_extend, with at most one digit after the point; 0 makes "
            "costs linear. Default: BLAST's for the matrix; of DNA 1 and 1."
        ),
    )
    gap_extend: Gap | None = Field(
        None,
        description=(
            "What each letter of a gap costs. Lower it where sequences differ by long insertions.\n\nSee gap_open."
        ),
    )
    report: Report = Field(
        "alignment",
        description=(
            "How much of each alignment is given. Scores alone are the quickest, for millions of pairs.\n\n"
            "`score`; `ends`: where the alignment begins and ends, too; `alignment`: all of it."
        ),
    )
    strand: Strands = Field(
        "forward",
        description=(
            "Whether the query's other strand is tried, too. Take both where reads may point either way.\n\n"
            "Of DNA, `both`: the query's reverse complement too, where that scores better."
        ),
    )
    best: int = Field(
        1,
        strict=True,
        ge=1,
        le=MOST_BEST,
        description=(
            "How many alignments of a pair are given at most. Raise it to see repeats, and domains that come "
            "several times.\n\n"
            "Of local pairs: so many alignments of each at most, best first, that end in the best cells."
        ),
    )
    query_apart: Apart | None = Field(
        None,
        description=(
            "How many letters of the query are between the ends of two alignments of a pair, at least. Raise it "
            "where one alignment comes again, a little moved.\n\n"
            f"With `best`; 0 is no condition. Default: {APART}."
        ),
    )
    subject_apart: Apart | None = Field(
        None,
        description=(
            "How many letters of the subject are between the ends of two alignments of a pair, at least. Raise it "
            "together with the one of the query.\n\n"
            "With `best`; 0 is no condition."
        ),
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.mode is not None and self.free_ends is not None:
            raise refused("free_ends", "free_ends are given in place of a mode")
        try:
            # What is wrong with any alphabet is wrong before one is guessed.
            known = self.known_alphabet()
            for alphabet in (known,) if known else ALPHABETS.values():
                self.scheme(alphabet)
            self._check_several()
        except ScoringError as error:
            raise (refused(error.parameter, str(error)) if error.parameter else ValueError(str(error))) from None
        return self

    def _check_several(self) -> None:
        if self.selection.count > 1:
            check_several(self.aligned, self.strand)

    @property
    def scores(self) -> Scores:
        """What is said of letters and gaps."""
        return Scores(self.alphabet, self.matrix, self.match, self.mismatch, self.table, self.gap_open, self.gap_extend)

    @property
    def aligned(self) -> Mode:
        """What is aligned."""
        return MODES[self.mode or "local"] if self.free_ends is None else Mode.free(self.free_ends)

    @property
    def selection(self) -> Selection:
        """Which alignments of a pair are wanted."""
        return selection_of(self.best, self.query_apart, self.subject_apart)

    def known_alphabet(self) -> Alphabet | None:
        """The alphabet, where it need not be guessed; raises ScoringError."""
        return self.scores.known_alphabet(both_strands=self.strand == "both")

    def scheme(self, alphabet: Alphabet) -> Scheme:
        """The scheme over an alphabet; raises ScoringError."""
        return self.scores.scheme(alphabet, self.aligned)

    @property
    def letters(self) -> Alphabet:
        """The alphabet, once it is known (over)."""
        assert self.alphabet is not None
        return ALPHABETS[self.alphabet]

    def over(self, alphabet: Alphabet) -> "PairParameters":
        """The same with an alphabet, and nothing left to default."""
        scheme, modes = self.scheme(alphabet), {mode: name for name, mode in MODES.items()}
        apart = self.selection.apart if self.best > 1 else (None, None)
        named = cast(ModeName | None, modes.get(self.aligned))
        return PairParameters(
            pairing=self.pairing,
            mode=named,
            free_ends=None if named else cast(list[End], list(self.aligned.free_ends)),
            alphabet="dna" if alphabet is DNA else "protein",
            **self.scores.of_letters(alphabet),
            gap_open=scheme.shown(scheme.gap_open),
            gap_extend=scheme.shown(scheme.gap_extend),
            report=self.report,
            strand=self.strand,
            best=self.best,
            query_apart=apart[0],
            subject_apart=apart[1],
        )


class AlignmentRequest(PairParameters):
    """A job of pairs: two lists of sequences, and how they are aligned."""

    queries: Source = Field(
        description=(
            "The first list of sequences, of proteins or DNA.\n\n"
            "FASTA or FASTQ text, an upload, or records of a database."
        ),
        examples=[">q\nMGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLGAHAEKVFGMV"],
    )
    subjects: Source = Field(
        description=("The second list of sequences.\n\nIn the same way as `queries`."),
        examples=[">s\nMVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAV"],
    )
    title: str = Field("", max_length=200, description="A name for the job, by which lists show it.")

    @field_validator("title")
    @classmethod
    def _check_title(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("a title is one line of printable text")
        return value
