"""What a client may ask for: the body of a search and, stored in Redis as JSON, what its jobs read."""

import re
from dataclasses import fields
from typing import Self

from pydantic import ValidationInfo, field_validator, model_validator

from shardwater.errors import ScoringError
from shardwater.formats.pssms.reading import read_pssm
from shardwater.scoring.scoring import MATRICES, OWN_NAME, Scoring
from shardwater.search.parameters import Parameters
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.statistics.evalue import PUBLISHED, parameters
from worker.jobs.database_names import check_named
from worker.jobs.given_profiles import with_profile
from worker.jobs.query_parts import check_part, parts_of
from worker.jobs.search_fields import DEFAULT_EVALUE, LEAST_SHUFFLES, MOST_TARGET_SEQS, SearchFields


class SearchRequest(SearchFields):
    """A search: protein queries against one database, or several as if one held all their sequences."""

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
        elif self.statistics == "none" and self.dbsize is not None:
            raise ValueError("statistics=none gives no E-values for a size of the database to change: leave out dbsize")
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
