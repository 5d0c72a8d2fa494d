"""What is asked for of a finished search, and in which format."""

from collections.abc import Sequence
from dataclasses import dataclass

from shardwater_client.generated import models
from shardwater_client.generated.api.results import get_pssm, get_results, get_scores
from shardwater_client.generated.types import UNSET
from shardwater_client.steps import Request


@dataclass(frozen=True, slots=True)
class Wish:
    """How a result is wanted: its format, the columns of a table, and one query alone, from 1."""

    form: models.ResultFormat = "tab"
    columns: Sequence[str] = ()
    query: int | None = None

    def request(self, search_id: str) -> Request:
        """The request for it."""
        columns = ",".join(self.columns) or UNSET
        query = UNSET if self.query is None else self.query
        return Request(get_results._get_kwargs(search_id, format_=self.form, columns=columns, query=query))


@dataclass(frozen=True, slots=True)
class ScoreWish:
    """How the scores of all subjects are wanted: their format, one query alone, from 1, and thresholds of a table."""

    form: models.ScoreFormat = "tab"
    query: int | None = None
    min_score: int = 0
    max_evalue: float | None = None

    def request(self, search_id: str) -> Request:
        """The request for them."""
        arguments = get_scores._get_kwargs(
            search_id,
            format_=self.form,
            query=UNSET if self.query is None else self.query,
            min_score=self.min_score,
            max_evalue=UNSET if self.max_evalue is None else self.max_evalue,
        )
        return Request(arguments)


@dataclass(frozen=True, slots=True)
class PssmWish:
    """Of which query, from 1, the profile is wanted, in which format, and of which hits if not the last round's."""

    form: models.PssmFormat = "asn1"
    query: int = 1
    hits: str | None = None

    def request(self, search_id: str) -> Request:
        """The request for it."""
        hits = UNSET if self.hits is None else self.hits
        return Request(get_pssm._get_kwargs(search_id, format_=self.form, query=self.query, hits=hits))


AnyWish = Wish | ScoreWish | PssmWish
