"""The answer to a search, and to the question whether it is right."""

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from shardwater_client.errors import VerificationFailedError
from shardwater_client.generated.models import (
    Certificate,
    DatabaseUsed,
    Hit,
    Parameters,
    PssmFormat,
    QueryResult,
    ResultFormat,
    RoundReport,
    SearchedDatabase,
    SearchResult,
    Software,
    Verification,
    VerificationReport,
)

if TYPE_CHECKING:
    import pandas

    from shardwater_client.async_client import AsyncClient
    from shardwater_client.client import Client

_OF_HIT = ("rank", "accession", "title", "length", "score", "bits", "evalue", "identity", "query_coverage", "database")
_OF_HSP = ("query_from", "query_to", "hit_from", "hit_to", "align_len", "positive", "gaps", "cigar")
_WHOLE_NUMBERS = ("query_from", "query_to", "hit_from", "hit_to", "align_len", "positive", "gaps")


class ResultData:
    """What was found: `results` has one entry for each query, in the order in which they were sent."""

    def __init__(self, data: SearchResult) -> None:
        self.data = data

    def __repr__(self) -> str:
        hits = sum(len(one.hits) for one in self.results)
        return f"<{type(self).__name__} of search {self.id}: {len(self.results)} queries, {hits} hits>"

    @property
    def id(self) -> str:
        """The search's id."""
        return self.data.search

    @property
    def results(self) -> list[QueryResult]:
        """Each query with its statistics and its hits."""
        return self.data.results

    @property
    def database(self) -> DatabaseUsed:
        """The very database version that was searched; what several are called together."""
        return self.data.database

    @property
    def databases(self) -> list[SearchedDatabase]:
        """The databases that were searched, one by one; none in a result that an earlier version has made."""
        return self.data.databases or []

    @property
    def parameters(self) -> Parameters:
        """What was asked for, with every default filled in."""
        return self.data.parameters

    @property
    def certificate(self) -> Certificate:
        """That every subject was scored."""
        return self.data.certificate

    @property
    def software(self) -> Software:
        """What made the result."""
        return self.data.software

    @property
    def digest(self) -> str | None:
        """What it was checked by when it came; None where the server has made it before there were digests."""
        return self.data.digest or None

    def hits(self, query: int | str | None = None) -> Iterator[Hit]:
        """The hits of a query, by its number from 1 or by its id, best first; without one, of all queries in turn.

        Raises LookupError for a query that there is not.
        """
        for one in self.results if query is None else [self._one(query)]:
            yield from one.hits

    def rounds(self, query: int | str = 1) -> list[RoundReport]:
        """What each round of a search with `iterations` has found for a query, by its number from 1 or by its id.

        Empty where there were none. Raises LookupError for a query that there is not.
        """
        return self._one(query).rounds or []

    def _one(self, query: int | str) -> QueryResult:
        if isinstance(query, int):
            if not 1 <= query <= len(self.results):
                raise IndexError(f"the search has queries 1 to {len(self.results)}, not {query}")
            return self.results[query - 1]
        for one in self.results:
            if one.query.id == query:
                return one
        raise KeyError(query)

    def to_pandas(self) -> "pandas.DataFrame":
        """The hits as a table, a row for each, with their alignments' coordinates (1-based, both ends included).

        Columns: query, rank, accession, title, length, score, bits, evalue, identity, query_coverage (in per cent),
        database, query_from, query_to, hit_from, hit_to, align_len, positive, gaps, cigar. Needs pandas (the extra
        `pandas`).
        """
        import pandas  # noqa: PLC0415  not everybody has it

        rows = [_row(one.query.id, hit) for one in self.results for hit in one.hits]
        table = pandas.DataFrame(rows, columns=["query", *_OF_HIT, *_OF_HSP])
        # Where there is no alignment they are missing, which plain integers cannot be.
        kinds = dict.fromkeys(_WHOLE_NUMBERS, "Int64") | dict.fromkeys(("rank", "length", "score"), "int64")
        return table.astype(kinds | dict.fromkeys(("bits", "evalue", "identity", "query_coverage"), "float64"))


class Result(ResultData):
    """The answer to a search, and its other formats."""

    def __init__(self, data: SearchResult, client: "Client") -> None:
        super().__init__(data)
        self._client = client

    def download(self, *, format: ResultFormat = "tab", columns: Sequence[str] = (), query: int | None = None) -> bytes:
        """The result in one of its formats, as `Client.download`."""
        return self._client.download(self.id, format=format, columns=columns, query=query)

    def save(
        self,
        path: str | PathLike[str],
        *,
        format: ResultFormat = "tab",
        columns: Sequence[str] = (),
        query: int | None = None,
    ) -> None:
        """The same into a file, as `Client.save`."""
        self._client.save(self.id, path, format=format, columns=columns, query=query)

    def pssm(self, *, query: int = 1, format: PssmFormat = "asn1", hits: str | None = None) -> str:
        """The profile of a query's last round, or of some hits, as `Client.pssm`."""
        return self._client.pssm(self.id, query=query, format=format, hits=hits)


class AsyncResult(ResultData):
    """`Result` for asyncio: what goes to the server again is awaited."""

    def __init__(self, data: SearchResult, client: "AsyncClient") -> None:
        super().__init__(data)
        self._client = client

    async def download(
        self, *, format: ResultFormat = "tab", columns: Sequence[str] = (), query: int | None = None
    ) -> bytes:
        """As `Result.download`."""
        return await self._client.download(self.id, format=format, columns=columns, query=query)

    async def save(
        self,
        path: str | PathLike[str],
        *,
        format: ResultFormat = "tab",
        columns: Sequence[str] = (),
        query: int | None = None,
    ) -> None:
        """As `Result.save`."""
        await self._client.save(self.id, path, format=format, columns=columns, query=query)

    async def pssm(self, *, query: int = 1, format: PssmFormat = "asn1", hits: str | None = None) -> str:
        """As `Result.pssm`."""
        return await self._client.pssm(self.id, query=query, format=format, hits=hits)


class FinishedVerification(Verification):
    """A verification that has succeeded, and so has a report."""

    report: VerificationReport


def finished(verification: Verification) -> FinishedVerification:
    """A verification that has ended, with its report; raises VerificationFailedError where there is none."""
    if verification.report is not None:
        return FinishedVerification.from_dict(verification.to_dict())
    problem = verification.error
    words = problem.detail if problem else f"{verification.id} was {verification.state}"
    error = VerificationFailedError(words, problem)
    error.verification = verification
    raise error


def _row(query: str, hit: Hit) -> list[Any]:
    hsp = hit.hsps[0] if hit.hsps else None
    aligned = [getattr(hsp, name) if hsp else None for name in _OF_HSP]
    return [query, *(getattr(hit, name) for name in _OF_HIT), *aligned]
