"""What a client may ask for as MSAs: the body of POST /v1/msas, and what of it a job keeps as JSON."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from shardwater.errors import FastaFormatError
from shardwater.profiles.iteration import INCLUSION_EVALUE
from shardwater.sequences.fasta import Record, count_headers, read_fasta
from worker.jobs.chain_requests import MsaFilter
from worker.jobs.database_names import DatabaseNames, MoreNames
from worker.jobs.limits import Limits
from worker.jobs.search_fields import MOST_ITERATIONS
from worker.jobs.sentences import sentence

MOST_SEQUENCES = 1_000_000
MOST_CHAINS = 100
"""Of a complex."""
Pairing = Literal["none", "greedy", "complete"]


class Complex(BaseModel):
    """Chains that belong together."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    chains: list[Annotated[str, Field(min_length=1)]] = Field(
        min_length=1,
        max_length=MOST_CHAINS,
        description="A chain each: FASTA with one record, or a bare sequence. The same chain may stand here twice.",
    )


Complexes = Annotated[list[Complex], Field(min_length=1)]
_COMPLEXES = TypeAdapter(Complexes)


def _read_queries(value: object) -> object:
    """One error for what is neither of the two, in place of two."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise ValueError('FASTA text, or a list of complexes as {"chains": [...]}, is needed')
    try:
        return _COMPLEXES.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        if not first["loc"]:
            raise ValueError(sentence(first)) from None
        number, *rest = first["loc"]
        place = place_of(rest)
        raise ValueError(f"complex {int(number) + 1}{place and f', {place}'}: {sentence(first)}") from None


def place_of(place: Sequence[str | int]) -> str:
    """What of a complex is meant: a chain by its number from 1, or a member; '' for all of it."""
    return f"chain {int(place[1]) + 1}" if len(place) > 1 else "".join(map(str, place))


class MsaRequest(BaseModel):
    """MSAs of chains, each of them alone, or of complexes whose chains are paired besides."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    queries: Annotated[str | Complexes, BeforeValidator(_read_queries)] = Field(
        description=(
            "The chains that MSAs are made for, or complexes of several chains.\n\n"
            "FASTA: each record is a chain of its own. Or a list of complexes, each with its `chains`."
        )
    )
    databases: DatabaseNames = Field(
        description=(
            "The databases to search, several as if one held all their sequences.\n\nTheir names on this server."
        )
    )
    then: MoreNames = Field(
        (),
        description=(
            "More databases, searched once at the end with the profiles of what was found. Name large ones here to "
            "save time.\n\n"
            "Their rows make an MSA of their own."
        ),
    )
    iterations: int = Field(
        3,
        ge=1,
        le=MOST_ITERATIONS,
        description=(
            "Rounds at most; each after the first searches with a profile of what was found. Take more for a "
            "deeper MSA, 1 for close relatives alone.\n\n"
            "As of a search."
        ),
    )
    evalue: float = Field(
        0.1,
        gt=0,
        allow_inf_nan=False,
        description="The largest E-value of a row. Lower it, to 0.001 say, for sure relatives alone.",
    )
    inclusion_evalue: float = Field(
        INCLUSION_EVALUE,
        gt=0,
        le=10,
        allow_inf_nan=False,
        description=(
            "The largest E-value of a row that is in the profile of the next round. Lower it where another family "
            "slips in."
        ),
    )
    max_sequences: int = Field(
        10_000,
        ge=1,
        le=MOST_SEQUENCES,
        description=(
            "How many rows an MSA has at most, before the filter. Raise it for families of more than 10,000 "
            "proteins.\n\n"
            "Members of clusters count, too."
        ),
    )
    filter: MsaFilter = Field(
        "diverse",
        description=(
            "Whether rows that say the same are left out. Keep all rows to count sequences, or to filter with a "
            "program of your own.\n\n"
            "`diverse`: of many rows those are kept that are unlike each other (HHsuite's rule); `none`: all."
        ),
    )
    pairing: Pairing = Field(
        "none",
        description=(
            "Whether the records are one complex, whose rows of one organism are paired. Predictors of complexes "
            "need that.\n\n"
            "Of complexes: rows of several chains that are of one organism are paired: `greedy`, of each that two "
            "chains have; `complete`, that all have."
        ),
    )
    title: str = Field("", max_length=200, description="A name for the MSA, by which lists show it.")

    @field_validator("title")
    @classmethod
    def _check_title(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("a title is one line of printable text")
        return value

    @field_validator("pairing")
    @classmethod
    def _check_pairing(cls, value: str, info: ValidationInfo) -> str:
        if value != "none" and isinstance(info.data.get("queries"), str):
            raise ValueError("it is for complexes: give queries as a list of them, each with its chains")
        return value

    def check_texts(self, limits: Limits) -> None:
        """Raise LimitExceeded for more chains than may be read, before they are."""
        if isinstance(self.queries, str):
            limits.check_text(self.queries)
        else:
            limits.check_queries(sum(max(1, count_headers(text)) for each in self.queries for text in each.chains))

    def complexes(self) -> list[list[Record]]:
        """The chains of each complex, without a stop at their ends; a record of FASTA is a complex of one.

        Raises FastaFormatError.
        """
        if isinstance(self.queries, str):
            return [[record.without_stop()] for record in read_fasta(self.queries.encode())]
        return [read_chains(number, each.chains) for number, each in enumerate(self.queries, start=1)]


def read_chains(number: int, texts: Sequence[str]) -> list[Record]:
    """The chains of a complex of this number, from 1, without a stop at their ends. Raises FastaFormatError."""
    found = []
    for place, text in enumerate(texts, start=1):
        records = read_fasta(text.encode(), file=f"complex {number}, chain {place}")
        if len(records) != 1:
            raise FastaFormatError(
                f"a chain is one sequence, not {len(records)}", file=f"complex {number}, chain {place}"
            )
        found.append(records[0].without_stop())
    return found


def distinct(complexes: Sequence[Sequence[Record]]) -> dict[bytes, int]:
    """The residues of all chains that differ, in upper case, each with its number from 0, in the order they come."""
    numbers: dict[bytes, int] = {}
    for chain in (record for each in complexes for record in each):
        numbers.setdefault(chain.residues.upper(), len(numbers))
    return numbers
